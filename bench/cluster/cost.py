"""Processor seconds of a whole deduplication on two cores: lookalike.spark by stage, and what else does the job.

usage: cost.py spark|mllib|datatrove FOLDER WORK [METHOD]

FOLDER has Parquet files of `id`, `text`; WORK is a new folder. `spark` and `mllib` need pyspark and run in local[2], a
cold Java machine included; `datatrove` needs datatrove and spacy, and runs its four stages with two workers. The
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


def mllib(folder: str, work: str, method: str) -> None:
    """As users of MLlib write it: five hash tables, one minimum each."""
    from pyspark.ml import Pipeline
    from pyspark.ml.feature import HashingTF, MinHashLSH, NGram, RegexTokenizer
    from pyspark.sql import functions as F

    documents = session().read.parquet(folder)
    steps = Pipeline(
        stages=[
            RegexTokenizer(inputCol="text", outputCol="words", pattern=r"\W+"),
            NGram(n=5, inputCol="words", outputCol="shingles"),
            HashingTF(inputCol="shingles", outputCol="features", binary=True, numFeatures=1 << 20),
        ]
    )
    made = steps.fit(documents).transform(documents).where(F.size("shingles") > 0).select("id", "features").cache()
    model = MinHashLSH(inputCol="features", outputCol="hashes", numHashTables=5, seed=1).fit(made)
    pairs = model.approxSimilarityJoin(made, made, 1 - THRESHOLD).where("datasetA.id < datasetB.id")
    gone = pairs.select(F.col("datasetB.id").alias("id")).distinct()
    gone.write.parquet(f"{work}/gone")
    documents.join(session().read.parquet(f"{work}/gone"), "id", "left_anti").write.parquet(f"{work}/kept")
    print(f"{session().read.parquet(f'{work}/gone').count():,} removals, estimated from hashed features")


def datatrove(folder: str, work: str, method: str) -> None:
    """Its example of four stages, with the words of its example and our bands."""
    from datatrove.executor.local import LocalPipelineExecutor
    from datatrove.pipeline.dedup import MinhashDedupCluster, MinhashDedupFilter, MinhashDedupSignature
    from datatrove.pipeline.dedup.minhash import MinhashConfig, MinhashDedupBuckets
    from datatrove.pipeline.readers import ParquetReader
    from datatrove.pipeline.writers import ParquetWriter

    config = MinhashConfig(n_grams=5, num_buckets=16, hashes_per_bucket=6)
    signatures, buckets, removals = (f"{work}/{name}" for name in ("signatures", "buckets", "removals"))
    files = len(list(Path(folder).glob("*.parquet")))
    reader = ParquetReader(folder)
    stages = [
        ("signatures", [reader, MinhashDedupSignature(signatures, config)], files),
        ("buckets", [MinhashDedupBuckets(signatures, buckets, config=config)], 16),
        ("cluster", [MinhashDedupCluster(buckets, removals, config=config)], 1),
        ("filter", [reader, MinhashDedupFilter(removals), ParquetWriter(f"{work}/kept")], files),
    ]
    for name, pipeline, tasks in stages:
        before = processor_seconds()
        LocalPipelineExecutor(pipeline, tasks, min(tasks, 2), logging_dir=f"{work}/log-{name}").run()
        print(f"{name:24} {processor_seconds() - before:7.1f} s", flush=True)


def main() -> None:
    kind, folder, work, *rest = sys.argv[1:]
    Path(work).mkdir(parents=True)
    begin = time.monotonic()
    {"spark": spark, "mllib": mllib, "datatrove": datatrove}[kind](folder, work, rest[0] if rest else "minhash")
    wall, used = time.monotonic() - begin, processor_seconds()
    import pyarrow.compute as pc
    import pyarrow.parquet as parquet

    texts = (
        pc.binary_length(parquet.read_table(file, columns=["text"])["text"]) for file in Path(folder).glob("*.parquet")
    )
    megabytes = sum(pc.sum(lengths).as_py() for lengths in texts) / 1e6
    print(
        f"{kind}: {megabytes:,.0f} MB of texts, {wall:.1f} s, {used:.1f} s of processor time: "
        f"{megabytes / used:.2f} MB a core and second"
    )


if __name__ == "__main__":
    # The workers of datatrove read this file again.
    main()
