"""Stages whose results stand in files on the storage of the engine, so that a job that was killed goes on."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from typing import Any

#: The dataset that says which stages are done: one row each, written after the files of the stage.
_DONE = "done"
_JOB = "job"
_SCHEMA = "stage string, facts string"

Facts = Callable[[Any], dict[str, Any]]


class ExecutorError(RuntimeError):
    """An executor cannot run the package."""


class Checkpoints:
    """The folder of one job.

    A stage is done when its row stands in the dataset ``done``, and its files are complete then; a stage without a row
    is made anew, over files that a killed one may have left.
    """

    def __init__(self, spark: Any, folder: str, job: dict[str, Any]) -> None:
        """Opens the folder, or begins it.

        Raises:
            ValueError: It holds the stages of another job.
        """
        self._spark = spark
        self._folder = folder.rstrip("/")
        self._done = self._read()
        description = json.dumps(job, sort_keys=True)
        found = self._done.get(_JOB)
        if found is None:
            self._mark(_JOB, description)
        elif found != description:
            raise ValueError(
                f"{folder} holds the stages of another job: name another folder, or remove it\n"
                f"there: {found}\nhere:  {description}"
            )

    def stage(self, name: str, rows: Any, facts: Facts | None = None) -> Any:
        """The rows of a stage, which are made and written unless they stand there.

        Args:
            name: The folder of the stage within the job.
            rows: The rows of the stage: a DataFrame, or a function that makes it if that is work already.
            facts: Counts what the report tells of the written rows.

        Raises:
            ExecutorError: An executor has not the package.
        """
        path = f"{self._folder}/{name}"
        if name not in self._done:
            begin = time.monotonic()
            made = rows if hasattr(rows, "write") else _run(rows)
            _run(lambda: made.write.mode("overwrite").option("parquet.enable.dictionary", "false").parquet(path))
            written = self._spark.read.parquet(path)
            counted = {} if facts is None else facts(written)
            self._mark(name, json.dumps({"seconds": round(time.monotonic() - begin, 3), **counted}))
        return self._spark.read.parquet(path)

    def has(self, name: str) -> bool:
        """Whether a stage is done."""
        return name in self._done

    def facts(self, name: str) -> dict[str, Any]:
        """What was counted of a stage that is done."""
        facts: dict[str, Any] = json.loads(self._done[name])
        return facts

    def stages(self) -> list[dict[str, Any]]:
        """What was counted of all stages, in the order in which they were done."""
        return [{"stage": name, **self.facts(name)} for name in self._done if name != _JOB]

    def _mark(self, stage: str, facts: str) -> None:
        row = self._spark.createDataFrame([(stage, facts)], _SCHEMA)
        row.coalesce(1).write.mode("append").parquet(f"{self._folder}/{_DONE}")
        self._done[stage] = facts

    def _read(self) -> dict[str, str]:
        try:
            rows = self._spark.read.schema(_SCHEMA).parquet(f"{self._folder}/{_DONE}").collect()
        except Exception as error:
            if re.search("PATH_NOT_FOUND|does not exist|No such file", str(error)):
                return {}
            raise
        return {row["stage"]: row["facts"] for row in rows}


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
