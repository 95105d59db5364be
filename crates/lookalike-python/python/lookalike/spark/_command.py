"""The ``lookalike-spark`` command, for ``spark-submit`` or a plain shell: reads and writes what Spark reads and
writes."""

from __future__ import annotations

import argparse
import json
import logging
import re
import sys
from collections.abc import Sequence
from typing import Any

#: Formats by the ending of a path, behind which a compression may be named.
_ENDING = re.compile(r"\.(parquet|jsonl?|orc|csv)(\.(gz|bz2|zst|lz4|snappy))?/?$")
_FORMATS = ("parquet", "json", "orc", "csv")
#: How tables of text are commonly written: with a header, and quoted cells that may have line feeds.
_READ_OPTIONS = {"csv": {"header": True, "multiLine": True, "escape": '"'}}
_WRITE_OPTIONS = {"csv": {"header": True, "escape": '"'}}
#: Loggers of pyspark that tell of wrong names in JSON, beside the error.
_ENGINE_LOGGERS = ("DataFrameQueryContextLogger", "SQLQueryContextLogger")
_ANSWERS = {"dedup": ("kept", "removed"), "pairs": ("pairs",), "clusters": ("members",), "search": ("answers",)}

_DESCRIPTION = """\
Finds near-duplicates among documents on Spark: the same answer as `lookalike` on one machine.

  lookalike-spark dedup s3a://crawl/pages s3a://crawl/clean --checkpoints s3a://crawl/stages

Each answer is written as a folder within OUTPUT:
  dedup      kept (rows of INPUT), removed
  pairs      pairs
  clusters   clusters
  search     answers (to the queries of INPUT)
and all jobs write left_out (rows without id or text) and report (JSON). A job that was stopped goes on with the same
command.
"""


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the command, and ends the process: 0 done, 2 error."""
    options = _parser().parse_args(arguments)
    for logger in _ENGINE_LOGGERS:
        logging.getLogger(logger).setLevel(logging.CRITICAL)
    try:
        _run(options)
    except Exception as error:
        told = _line(error)
        if told is None:
            raise
        print(f"lookalike-spark: {told}", file=sys.stderr)
        sys.exit(2)


def _line(error: Exception) -> str | None:
    """The line that tells of an error of the user, or of the engine if that names one; None for all others."""
    if isinstance(error, ImportError):
        return f"{error}: pip install 'pyspark>=4.1' 'pyarrow>=16' 'pandas>=2.2,<3'"
    if isinstance(error, (KeyError, TypeError, ValueError, RuntimeError)):
        return str(error.args[0] if error.args else error)
    return next((line.strip() for line in str(error).splitlines() if re.search(r"\[[A-Z_.0-9]+\]", line)), None)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "lookalike-spark", description=_DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("job", choices=("dedup", "pairs", "clusters", "search"))
    parser.add_argument("input", help="files or a folder of documents, as Spark reads them")
    parser.add_argument("output", help="a folder, which must not exist yet")
    parser.add_argument("--in", dest="corpus", metavar="CORPUS", help="documents that `search` asks about")
    parser.add_argument("-k", type=int, help="answers to a query at most [default: all]")
    parser.add_argument("--checkpoints", help="folder for the results of stages [default: OUTPUT.checkpoints]")
    parser.add_argument("--format", choices=_FORMATS, help="of the input [default: by its ending, else parquet]")
    parser.add_argument("--output-format", choices=_FORMATS, default="parquet", help="[default: parquet]")
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

    from ._checkpoints import checked_path, has_files

    if (options.corpus is None) == (options.job == "search"):
        raise ValueError("--in is for `search`, which needs it")
    if options.k is not None and options.job != "search":
        raise ValueError("-k is for `search`")
    output = checked_path("OUTPUT", options.output)
    checkpoints = checked_path("--checkpoints", options.checkpoints or f"{output}.checkpoints")
    _refuse_nested(checkpoints, [("OUTPUT", output), ("INPUT", options.input), ("CORPUS", options.corpus)])
    spark = SparkSession.builder.appName("lookalike-spark").getOrCreate()
    if options.archive is not None:
        spark.addArtifacts(options.archive, archive=True)
    # A job that was stopped while it wrote its answers writes them again.
    is_begun = has_files(spark, checkpoints) and not has_files(spark, f"{output}/report")
    if not is_begun and has_files(spark, output):
        raise ValueError(f"{output} exists: name another folder, or remove it")
    result = _result(options, spark, checkpoints)
    for name in (*_ANSWERS[options.job], "left_out"):
        folder = "clusters" if name == "members" else name
        written = getattr(result, name).write.format(options.output_format).mode("overwrite")
        written.options(**_WRITE_OPTIONS.get(options.output_format, {})).save(f"{output}/{folder}")
    report = json.dumps(result.report, indent=2)
    lines = spark.createDataFrame([(report,)], "value string").coalesce(1)
    lines.write.mode("overwrite").text(f"{output}/report")
    print(result, file=sys.stderr)


def _result(options: argparse.Namespace, spark: Any, checkpoints: str) -> Any:
    from . import _jobs

    keywords: dict[str, Any] = {
        "threshold": options.threshold,
        "checkpoints": checkpoints,
        "order_by": [name.strip() for name in options.order_by.split(",") if name.strip()],
        **{name: getattr(options, name) for name in ("text", "id", "descending", "method")},
        **{name: getattr(options, name) for name in ("shingle", "recall", "bands", "rows", "seed")},
    }
    inputs = [_read(spark, options.input, options.format)]
    if options.corpus is not None:
        inputs.append(_read(spark, options.corpus, options.format))
        keywords["k"] = options.k
    else:
        keywords["empty"] = options.empty
    return getattr(_jobs, options.job)(*inputs, **keywords)


def _read(spark: Any, path: str, form: str | None) -> Any:
    ending = _ENDING.search(path)
    by_ending = "parquet" if ending is None else ending[1].removesuffix("l")
    name = form or by_ending
    return spark.read.format(name).options(**_READ_OPTIONS.get(name, {})).load(path)


def _refuse_nested(checkpoints: str, others: list[tuple[str, str | None]]) -> None:
    """Raises:
    ValueError: The checkpoints are in a folder of documents, or the other way round.
    """
    for name, other in others:
        if other is None:
            continue
        parts = f"{checkpoints}/", f"{other.rstrip('/')}/"
        if parts[0].startswith(parts[1]) or parts[1].startswith(parts[0]):
            raise ValueError(f"--checkpoints: {checkpoints} and {name} are one folder, or one within the other")


if __name__ == "__main__":
    main()
