"""Spark with two executors in processes of their own."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyspark", reason="`cargo xtask test` installs it where there is a Java machine")

#: Two executors of one core and 1024 MiB; `local[2]` in its place is quicker, and tests less.
MASTER = os.environ.get("LOOKALIKE_SPARK_MASTER", "local-cluster[2,1,1024]")


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    from pyspark.sql import SparkSession

    # Workers are the `python3` of the path without it.
    os.environ["PYSPARK_PYTHON"] = sys.executable
    # All services of the session, its page among them, listen here only.
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    builder = SparkSession.builder.master(MASTER)
    settings = {
        # Its page tells what was shuffled.
        "spark.ui.port": "0",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "3",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.log.level": "OFF",
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    yield session
    session.stop()


@pytest.fixture
def checkpoints(tmp_path: Path) -> str:
    return str(tmp_path / "stages")


@pytest.fixture
def small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits so small that a few hundred documents pass through all that is for billions."""
    from lookalike.spark._stages import components, keepers, refine, rounds, shared, verify

    monkeypatch.setattr(rounds, "_FEW_PAIRS", 0)
    monkeypatch.setattr(rounds, "_PAIRS_AN_ENTRY", 0)
    monkeypatch.setattr(rounds, "_HELPFUL_SHARE", 0.95)
    monkeypatch.setattr(rounds, "_BLOCK_DOCUMENTS", 7)
    monkeypatch.setattr(refine, "_SMALL_BUCKET", 2)
    monkeypatch.setattr(shared, "_MAX_KEYS_OF_A_TASK", 200)
    monkeypatch.setattr(shared, "_DEALT_BYTES", 1000)
    monkeypatch.setattr(shared, "_TAKEN_BYTES", 1000)
    monkeypatch.setattr(shared, "_ENTRIES_OF_A_BATCH", 50)
    monkeypatch.setattr(verify, "_PART_BYTES", 20_000)
    monkeypatch.setattr(verify, "_FEW_DOCUMENTS", 0)
    monkeypatch.setattr(keepers, "_MAX_PAIRS_OF_A_TASK", 0)
    monkeypatch.setattr(components, "_MAX_EDGES_OF_A_TASK", 3)
