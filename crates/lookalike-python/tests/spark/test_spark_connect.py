"""Spark Connect: a client without a Java machine of its own has the same answer.

One process has either a session of its own or one of Connect, so the client is a process of its own.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("grpc", reason="Spark Connect is not installed (pyspark[connect])")

CLIENT = """
import sys

import lookalike.spark
from documents import expected_removals, frame, mixed_records, removals
from pyspark.sql import SparkSession

builder = SparkSession.builder.remote("local[2]").config("spark.ui.enabled", "false")
session = builder.config("spark.sql.shuffle.partitions", "3").getOrCreate()
assert "connect" in type(session).__module__, type(session)
documents = mixed_records()
result = lookalike.spark.dedup(frame(session, documents), checkpoints=sys.argv[1])
assert removals(result) == expected_removals(documents, method="minhash")
assert result.report["result"]["documents"] == len(documents)
session.stop()
"""


@pytest.mark.core
def test_a_client_of_connect_has_the_same_answer(tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "PYSPARK_PYTHON": sys.executable,
        "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")]),
        "SPARK_LOCAL_IP": "127.0.0.1",
    }
    command = [sys.executable, "-c", CLIENT, str(tmp_path / "stages")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr[-3000:]
