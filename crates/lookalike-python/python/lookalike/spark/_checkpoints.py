"""Stages whose results stand in files on the storage of the engine, so that a job that was killed goes on."""

from __future__ import annotations

import json
import os
import re
import time
import uuid
from collections.abc import Callable
from typing import Any

from ._shuffle import ShuffledBytes

#: The dataset that says which stages are done: one row each, written after the files of the stage.
_DONE = "done"
_JOB, _RUN = "job", "run"
#: Most bytes are hashes, which neither a dictionary nor compression makes fewer.
_FILES = {"parquet.enable.dictionary": "false", "compression": "none"}
_SCHEMA = "stage string, facts string, number long"
#: Characters that Spark takes literally when it writes a path, and as a pattern when it reads it.
_PATTERN_CHARACTERS = frozenset("*?[]{}\\")

Facts = Callable[[Any], dict[str, Any]]


class ExecutorError(RuntimeError):
    """An executor cannot run the package."""


class Checkpoints:
    """The folder of one job.

    A stage is done when its row stands in the dataset ``done``, and its files are complete then; a stage without a row
    is made anew, over files that a killed one may have left. Of two runs in one folder the later one goes on.
    """

    def __init__(self, spark: Any, folder: str | os.PathLike[str], job: dict[str, Any]) -> None:
        """Opens the folder, or begins it.

        Raises:
            ValueError: It holds the stages of another job, or other files; its name cannot be used.
        """
        self._spark = spark
        self.folder = checked_path("checkpoints", folder)
        self._done = self._read()
        if not self._done and has_files(spark, self.folder):
            raise ValueError(f"{self.folder} holds other files: name a new folder for the checkpoints")
        found = self._done.get(_JOB)
        if found is None:
            self._append(_JOB, json.dumps(job, sort_keys=True))
        else:
            self._refuse_other(json.loads(found), job)
        self._run_name = f"{_RUN}-{uuid.uuid4()}"
        self._append(self._run_name, "{}")
        self._runs = {name for name in self._done if name.startswith(f"{_RUN}-")}
        self._shuffled = ShuffledBytes(spark)

    def stage(self, name: str, rows: Any, facts: Facts | None = None) -> Any:
        """The rows of a stage, which are made and written unless they stand there.

        Args:
            name: The folder of the stage within the job.
            rows: The rows of the stage: a DataFrame, or a function that makes it if that is work already.
            facts: Counts what the report tells of the written rows.

        Raises:
            ExecutorError: An executor has not the package.
            RuntimeError: A later run has begun in the folder.
        """
        path = f"{self.folder}/{name}"
        if name not in self._done:
            begin = time.monotonic()
            made = rows if hasattr(rows, "write") else _run(rows)
            _run(lambda: made.write.mode("overwrite").options(**_FILES).parquet(path))
            written = self._spark.read.parquet(path)
            counted = {} if facts is None else facts(written)
            told = {"seconds": round(time.monotonic() - begin, 3), "shuffled_bytes": self._shuffled.since_last()}
            self._mark(name, json.dumps({**told, **counted}))
        return self.rows(name)

    def rows(self, name: str) -> Any:
        """The rows of a stage that is done."""
        return self._spark.read.parquet(f"{self.folder}/{name}")

    def has(self, name: str) -> bool:
        """Whether a stage is done."""
        return name in self._done

    def facts(self, name: str) -> dict[str, Any]:
        """What was counted of a stage that is done."""
        facts: dict[str, Any] = json.loads(self._done[name])
        return facts

    def stages(self) -> list[dict[str, Any]]:
        """What was counted of all stages, in the order in which they were done."""
        names = (name for name in self._done if name != _JOB and name not in self._runs)
        return [{"stage": name, **self.facts(name)} for name in names]

    def _mark(self, stage: str, facts: str) -> None:
        later = {name for name in self._read() if name.startswith(f"{_RUN}-")} - self._runs
        if later:
            raise RuntimeError(f"{self.folder}: another run has begun with these checkpoints, and goes on with them")
        self._append(stage, facts)

    def _append(self, stage: str, facts: str) -> None:
        row = self._spark.createDataFrame([(stage, facts, len(self._done))], _SCHEMA)
        row.coalesce(1).write.mode("append").parquet(f"{self.folder}/{_DONE}")
        self._done[stage] = facts

    def _read(self) -> dict[str, str]:
        try:
            rows = self._spark.read.schema(_SCHEMA).parquet(f"{self.folder}/{_DONE}").orderBy("number").collect()
        except Exception as error:
            if _is_missing(error):
                return {}
            raise
        return {row["stage"]: row["facts"] for row in rows}

    def _refuse_other(self, found: dict[str, Any], job: dict[str, Any]) -> None:
        differing = [name for name in job if job[name] != found.get(name)]
        if differing:
            there, here = (json.dumps({name: one.get(name) for name in differing}) for one in (found, job))
            raise ValueError(
                f"{self.folder} holds the stages of another job ({there}, and not {here}): name another folder, or "
                "remove it"
            )


def count_rows(rows: Any) -> dict[str, Any]:
    """What the report tells of most stages: ``rows``."""
    return {"rows": rows.count()}


def checked_path(name: str, folder: str | os.PathLike[str]) -> str:
    """The path of a folder that is written and read.

    Raises:
        ValueError: Spark would read another path than it writes.
    """
    path = os.fspath(folder).rstrip("/")
    if not path or path.endswith(":"):
        raise ValueError(f"{name}: expected the path of a folder, found {os.fspath(folder)!r}")
    odd = sorted(_PATTERN_CHARACTERS & set(path))
    if odd:
        raise ValueError(
            f"{name}: {path!r} has `{odd[0]}`, which Spark reads as part of a pattern: name another folder"
        )
    return path


def has_files(spark: Any, folder: str) -> bool:
    """Whether there are files in or below a folder; not counting those whose names begin with a dot or ``_``."""
    try:
        files = spark.read.format("binaryFile").option("recursiveFileLookup", "true").load(folder)
        return bool(files.select("path").limit(1).count())
    except Exception as error:
        if _is_missing(error):
            return False
        raise


def _is_missing(error: Exception) -> bool:
    return re.search("PATH_NOT_FOUND|does not exist|No such file", str(error)) is not None


def _run(action: Callable[[], Any]) -> Any:
    """The result of an action of the engine; what executors lack it tells in one line."""
    try:
        return action()
    except Exception as error:
        missing = re.search(r"No module named '(lookalike|pyarrow)[\w.]*'", str(error))
        if missing is None:
            raise
        name = missing[1]
        raise ExecutorError(
            f"the Python of an executor has no package `{name}`: install it there, or send it along "
            "(spark.archives; see docs/cluster.md)"
        ) from None
