"""Executors that are lost, and jobs that are killed, change no answer."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest
from documents import expected_removals, frame, make_texts, mixed_records, records, removals

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


@pytest.mark.core
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


@pytest.mark.core
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


def test_a_command_that_is_killed_twice_goes_on(tmp_path: Path) -> None:
    documents = mixed_records()
    pages, out, checkpoints = tmp_path / "pages.parquet", tmp_path / "out", tmp_path / "stages"
    pyarrow.parquet.write_table(pyarrow.table({"id": list(documents), "text": list(documents.values())}), pages)
    command = [sys.executable, "-m", "lookalike.spark._command", "dedup", *map(str, (pages, out))]
    settings = ["--master", "local[2]", "--conf", "spark.ui.enabled=false", "--conf", "spark.sql.shuffle.partitions=3"]
    environment = {
        **os.environ,
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_SUBMIT_ARGS": " ".join([*settings, "pyspark-shell"]),
        "SPARK_LOCAL_IP": "127.0.0.1",
    }

    def run(stages_until_killed: float) -> int:
        """Runs the command in a group of its own, which is killed with its Java machine; the exit status."""
        process = subprocess.Popen(
            [*command, "--checkpoints", str(checkpoints)], env=environment, start_new_session=True, stderr=log
        )
        try:
            while process.poll() is None and len(done_stages(checkpoints)) < stages_until_killed:
                time.sleep(0.05)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
        return process.wait()

    with (tmp_path / "log").open("w") as log:
        assert run(3) == -signal.SIGKILL
        assert run(len(done_stages(checkpoints)) + 4) == -signal.SIGKILL
        done = done_stages(checkpoints)
        before = {path: at for path, at in files_of_stages(str(checkpoints)).items() if is_of(path, done)}
        assert len(done) >= 7 and before and not (out / "report").exists()
        assert run(float("inf")) == 0, (tmp_path / "log").read_text()
    after = files_of_stages(str(checkpoints))
    assert {path: after.get(path) for path in before} == before
    names = ["id", "kept", "similarity", "reason"]
    removed = pyarrow.parquet.read_table(out / "removed").select(names).to_pylist()
    assert {tuple(row.values()) for row in removed} == expected_removals(documents, method="minhash")


def done_stages(checkpoints: Path) -> set[str]:
    """The stages that are marked as done, while the job may be writing further marks."""
    marks = (pyarrow.parquet.read_table(path) for path in (checkpoints / "done").glob("*.parquet"))
    names = {name for mark in marks for name in mark.column("stage").to_pylist()}
    return {name for name in names if name != "job" and not name.startswith("run-")}


def is_of(path: Path, stages: set[str]) -> bool:
    """Whether a file is of one of the stages."""
    return any(f"/stages/{stage}/{path.name}" in str(path) for stage in stages)


def files_of_stages(checkpoints: str) -> dict[Path, int]:
    """The files of all stages, and when they were changed."""
    paths = (path for path in Path(checkpoints).rglob("*") if path.is_file() and path.parent.name != "done")
    return {path: path.stat().st_mtime_ns for path in paths}


@pytest.mark.parametrize("method", ["minhash", "exact"])
def test_settings_of_the_session_change_no_answer(spark: Any, checkpoints: str, method: str) -> None:
    settings = {
        "spark.sql.ansi.enabled": "false",
        "spark.sql.adaptive.enabled": "false",
        "spark.sql.autoBroadcastJoinThreshold": "-1",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "7",
        "spark.sql.execution.arrow.useLargeVarTypes": "true",
        "spark.sql.parquet.enableVectorizedReader": "false",
        "spark.sql.caseSensitive": "true",
        "spark.sql.session.timeZone": "Asia/Kathmandu",
    }
    before = {name: spark.conf.get(name) for name in settings}
    documents = mixed_records()
    try:
        for name, value in settings.items():
            spark.conf.set(name, value)
        result = spark_jobs.dedup(frame(spark, documents), checkpoints=checkpoints, method=method)
        found = removals(result)
    finally:
        for name, value in before.items():
            spark.conf.set(name, value)
    assert found == expected_removals(documents, method=method)


def test_a_damaged_note_of_what_is_done_is_refused(spark: Any, checkpoints: str) -> None:
    documents = records(make_texts(50))
    spark_jobs.dedup(frame(spark, documents), checkpoints=checkpoints)
    for path in (Path(checkpoints) / "done").glob("*.parquet"):
        path.write_bytes(path.read_bytes()[:-20])
        path.with_name(f".{path.name}.crc").unlink(missing_ok=True)
    with pytest.raises(Exception, match="(?i)parquet|corrupt|footer"):
        spark_jobs.dedup(frame(spark, documents), checkpoints=checkpoints)


def test_the_report_tells_what_the_engine_shuffled(spark: Any, checkpoints: str) -> None:
    result = spark_jobs.dedup(frame(spark, records(make_texts(200))), checkpoints=checkpoints)
    shuffled = {stage["stage"]: stage["shuffled_bytes"] for stage in result.report["stages"]}
    # The counts of the stage are added up over tasks, its rows stay where they are.
    assert shuffled["documents/sets"] < 100_000
    assert shuffled["entries"] > 0
    assert shuffled["documents/order"] > 0
