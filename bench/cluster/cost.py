"""Processor seconds of a whole deduplication by lookalike.spark on two cores, by stage.

usage: cost.py FOLDER WORK [METHOD]

FOLDER has Parquet files of `id`, `text`; WORK is a new folder. Spark runs in local[2], a cold Java machine included. The
environment has MASTER, DRIVER_MEMORY and PARTITIONS (spark.sql.shuffle.partitions) for other settings.
"""

from __future__ import annotations

import atexit
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

THRESHOLD = 0.8


def processor_seconds() -> float:
    """Of this process and all that descend from it, ended ones among them."""
    ticks = os.sysconf("SC_CLK_TCK")
    parents, used = {}, {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = stat.read_text()
        except OSError:
            continue
        fields = text.rpartition(")")[2].split()
        number = int(stat.parent.name)
        parents[number], used[number] = int(fields[1]), sum(map(int, fields[11:15])) / ticks
    total, children = 0.0, {os.getpid()}
    while children:
        total += sum(used[number] for number in children)
        children = {number for number, parent in parents.items() if parent in children}
    return total


def session() -> Any:
    from pyspark.sql import SparkSession

    os.environ.update({"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"})
    settings = {
        "spark.driver.memory": os.environ.get("DRIVER_MEMORY", "2g"),
        "spark.sql.shuffle.partitions": os.environ.get("PARTITIONS", "16"),
        "spark.ui.port": "0",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.log.level": "ERROR",
    }
    builder = SparkSession.builder.master(os.environ.get("MASTER", "local[2]"))
    for name, value in settings.items():
        builder = builder.config(name, value)
    spark_session = builder.getOrCreate()
    # Else a cluster of this process begins its executors anew while the process ends.
    atexit.register(spark_session.stop)
    return spark_session


def spark(folder: str, work: str, method: str) -> None:
    import lookalike.spark
    from lookalike.spark._checkpoints import Checkpoints

    last, stage = processor_seconds(), Checkpoints.stage

    def timed(self: Any, name: str, *arguments: Any) -> Any:
        nonlocal last
        is_new = not self.has(name)
        rows = stage(self, name, *arguments)
        if is_new:
            now = processor_seconds()
            print(f"{name:24} {now - last:7.1f} s  {json.dumps(self.facts(name))}", flush=True)
            last = now
        return rows

    Checkpoints.stage = timed  # type: ignore[method-assign]
    result = lookalike.spark.dedup(
        session().read.parquet(folder), THRESHOLD, checkpoints=f"{work}/stages", method=method
    )
    result.kept.write.parquet(f"{work}/kept")
    now = processor_seconds()
    print(f"{'kept, written':24} {now - last:7.1f} s")
    print(result, result.report["measured_recall"])
    stages = result.report["stages"]
    print("shuffled", f"{sum(one['shuffled_bytes'] or 0 for one in stages) / 1e6:,.1f} MB")


def main() -> None:
    folder, work, *rest = sys.argv[1:]
    Path(work).mkdir(parents=True)
    begin = time.monotonic()
    spark(folder, work, rest[0] if rest else "minhash")
    wall, used = time.monotonic() - begin, processor_seconds()
    import pyarrow.compute as pc
    import pyarrow.parquet as parquet

    texts = (
        pc.binary_length(parquet.read_table(file, columns=["text"])["text"]) for file in Path(folder).glob("*.parquet")
    )
    megabytes = sum(pc.sum(lengths).as_py() for lengths in texts) / 1e6
    print(
        f"{megabytes:,.0f} MB of texts, {wall:.1f} s, {used:.1f} s of processor time: "
        f"{megabytes / used:.2f} MB a core and second"
    )


if __name__ == "__main__":
    main()
