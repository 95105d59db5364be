"""Executors that are lost, and jobs that are killed, change no answer."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest
from documents import expected_removals, frame, mixed_records, removals

spark_jobs = pytest.importorskip("lookalike.spark")


def processes() -> dict[int, tuple[int, str]]:
    """Of all processes the parent and the command line."""
    found = {}
    for folder in Path("/proc").iterdir():
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            found[int(folder.name)] = (parent, (folder / "cmdline").read_text())
        except (OSError, ValueError):
            continue
    return found


def own_executors() -> list[int]:
    """The processes of executors that descend from this one."""
    all_processes = processes()

    def is_own(process: int) -> bool:
        while process in all_processes:
            if process == os.getpid():
                return True
            process = all_processes[process][0]
        return False

    executors = (id for id, (_, command) in all_processes.items() if "CoarseGrainedExecutorBackend" in command)
    return sorted(filter(is_own, executors))


def test_a_killed_executor_changes_nothing(spark: Any, checkpoints: str, monkeypatch: Any) -> None:
    if not Path("/proc/self/stat").exists() or not own_executors():
        pytest.skip("NOT RUN: executors are no processes of their own here")
    from lookalike.spark import _checkpoints
    from lookalike.spark._stages import rounds

    monkeypatch.setattr(rounds, "_FEW_PAIRS", 0)
    killed = []
    run = _checkpoints._run

    def run_and_kill(action: Any) -> Any:
        # The rows of the stages before are in files then, and blocks of exchanges on the executor that dies.
        if not killed and Path(checkpoints, "buckets").exists():
            import threading

            threading.Timer(0.3, lambda: killed.append(kill_one())).start()
        return run(action)

    def kill_one() -> int:
        [victim, *_] = own_executors()
        os.kill(victim, signal.SIGKILL)
        return victim

    monkeypatch.setattr(_checkpoints, "_run", run_and_kill)
    documents = mixed_records()
    result = spark_jobs.dedup(frame(spark, documents), checkpoints=checkpoints)
    assert killed
    assert removals(result) == expected_removals(documents, method="minhash")


def test_a_killed_job_goes_on(spark: Any, checkpoints: str, monkeypatch: Any) -> None:
    from lookalike.spark import _checkpoints

    documents = mixed_records()
    mark = _checkpoints.Checkpoints._mark

    class Killed(Exception):
        pass

    def die(self: Any, stage: str, facts: str) -> None:
        if stage == "rest/near":
            # Its files are written, and nobody knows.
            raise Killed
        mark(self, stage, facts)

    monkeypatch.setattr(_checkpoints.Checkpoints, "_mark", die)
    with pytest.raises(Killed):
        spark_jobs.dedup(frame(spark, documents), checkpoints=checkpoints)
    monkeypatch.undo()
    before = {path: time for path, time in files_of_stages(checkpoints).items() if path.suffix == ".parquet"}
    result = spark_jobs.dedup(frame(spark, documents), checkpoints=checkpoints)
    assert removals(result) == expected_removals(documents, method="minhash")
    made_again = {
        path.parent.name for path, time in before.items() if not path.exists() or path.stat().st_mtime_ns != time
    }
    assert made_again == {"near"}
    # Once it is done, nothing is made again but the note of the run.
    before = files_of_stages(checkpoints)
    assert removals(spark_jobs.dedup(frame(spark, documents), checkpoints=checkpoints)) == removals(result)
    assert before == files_of_stages(checkpoints)


def files_of_stages(checkpoints: str) -> dict[Path, int]:
    """The files of all stages, and when they were changed."""
    paths = (path for path in Path(checkpoints).rglob("*") if path.is_file() and path.parent.name != "done")
    return {path: path.stat().st_mtime_ns for path in paths}
