"""The ``lookalike-spark`` command, for ``spark-submit`` or a plain shell: reads and writes what Spark reads and
writes."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from typing import Any

from ._checkpoints import ExecutorError
from ._jobs import against, clusters, dedup, pairs

#: Formats that are told by the ending of a path.
_FORMATS = {".parquet": "parquet", ".json": "json", ".jsonl": "json", ".orc": "orc", ".csv": "csv"}

_DESCRIPTION = """\
Finds near-duplicates among documents on Spark: the same answer as `lookalike` on one machine.

  lookalike-spark dedup s3a://crawl/pages s3a://crawl/clean --checkpoints s3a://crawl/stages

Each answer is written as a folder within OUTPUT:
  dedup      kept (rows of INPUT), removed
  pairs      pairs
  clusters   clusters
  against    found
and all jobs write left_out (rows without id or text) and report (JSON). A job that was stopped goes on with the same
command.
"""


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the command, and ends the process: 0 done, 2 error."""
    options = _parser().parse_args(arguments)
    try:
        _run(options)
    except (ExecutorError, KeyError, TypeError, ValueError) as error:
        print(f"lookalike-spark: {error.args[0] if error.args else error}", file=sys.stderr)
        sys.exit(2)
    except Exception as error:
        if type(error).__name__ != "AnalysisException":
            raise
        print(f"lookalike-spark: {str(error).splitlines()[0]}", file=sys.stderr)
        sys.exit(2)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "lookalike-spark", description=_DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("job", choices=("dedup", "pairs", "clusters", "against"))
    parser.add_argument("input", help="files or a folder of documents, as Spark reads them")
    parser.add_argument("output", help="a folder, which must not exist yet")
    parser.add_argument("--references", help="reference documents of `against`")
    parser.add_argument("--checkpoints", help="folder for the results of stages [default: OUTPUT.checkpoints]")
    parser.add_argument("--format", help="of the input [default: by its ending, else parquet]")
    parser.add_argument("--output-format", default="parquet", help="[default: parquet]")
    columns = parser.add_argument_group("documents")
    columns.add_argument("--text", default="text", help="column of texts [default: text]")
    columns.add_argument("--id", default="id", help="column of ids [default: id]")
    columns.add_argument(
        "--order-by", default="", help="columns, as a,b; of near-duplicates the first stays [default: id]"
    )
    columns.add_argument("--descending", action="store_true", help="the order descends")
    columns.add_argument(
        "--empty", choices=("keep", "duplicate"), default="keep", help="texts of no bytes [default: keep]"
    )
    columns.add_argument("--shingle", help="word:N or char:N [default: word:5]")
    parser.add_argument("--archive", help="FILE#NAME: sent to the executors over Connect, as `spark-submit --archives`")
    search = parser.add_argument_group("search")
    search.add_argument("--threshold", default="0.8", help="minimum Jaccard similarity (>=) [default: 0.8]")
    search.add_argument("--method", choices=("minhash", "exact"), default="minhash", help="[default: minhash]")
    search.add_argument("--recall", type=float, help="of minhash at the threshold [default: 0.99]")
    search.add_argument("--bands", type=int, help="bands of minhash [default: by --recall]")
    search.add_argument("--rows", type=int, help="rows of a band [default: by --recall]")
    search.add_argument("--seed", type=int, help="of the signatures [default: 1]")
    return parser


def _run(options: argparse.Namespace) -> None:
    from pyspark.sql import SparkSession

    if (options.references is None) == (options.job == "against"):
        raise ValueError("--references is for `against`, which needs it")
    spark = SparkSession.builder.appName("lookalike-spark").getOrCreate()
    if options.archive is not None:
        spark.addArtifacts(options.archive, archive=True)
    _refuse_output(spark, options.output)
    keywords: dict[str, Any] = {
        "threshold": options.threshold,
        "checkpoints": options.checkpoints or f"{options.output.rstrip('/')}.checkpoints",
        "order_by": [name for name in options.order_by.split(",") if name],
        **{name: getattr(options, name) for name in ("text", "id", "descending", "method", "empty")},
        **{name: getattr(options, name) for name in ("shingle", "recall", "bands", "rows", "seed")},
    }
    documents = _read(spark, options.input, options.format)
    if options.job == "against":
        result: Any = against(documents, _read(spark, options.references, options.format), **keywords)
    else:
        result = {"dedup": dedup, "pairs": pairs, "clusters": clusters}[options.job](documents, **keywords)
    answers = {
        "dedup": ("kept", "removed"),
        "pairs": ("pairs",),
        "clusters": ("members",),
        "against": ("found",),
    }
    for name in (*answers[options.job], "left_out"):
        folder = "clusters" if name == "members" else name
        getattr(result, name).write.format(options.output_format).save(f"{options.output}/{folder}")
    report = json.dumps(result.report, indent=2)
    spark.createDataFrame([(report,)], "value string").coalesce(1).write.text(f"{options.output}/report")
    print(result, file=sys.stderr)


def _read(spark: Any, path: str, form: str | None) -> Any:
    ending = next((form for ending, form in _FORMATS.items() if path.rstrip("/").endswith(ending)), "parquet")
    return spark.read.format(form or ending).load(path)


def _refuse_output(spark: Any, output: str) -> None:
    """Raises:
    ValueError: The output exists.
    """
    try:
        exists = spark.read.format("binaryFile").option("recursiveFileLookup", "true").load(output).limit(1).count() > 0
    except Exception as error:
        if "PATH_NOT_FOUND" not in str(error):
            raise
        return
    if exists:
        raise ValueError(f"{output} exists: name another folder, or remove it")


if __name__ == "__main__":
    main()
