"""The recipes of docs/engines.md, run on generated documents, have the answers of the jobs.

polars, pyarrow and datasets are always run; Ray and Spark where they are installed, as by ``cargo xtask engines``.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import lookalike
import polars
import pyarrow
import pyarrow.parquet
import pytest
from conftest import make_texts
from lookalike import batch

DOCUMENT = Path(__file__).parents[3] / "docs" / "engines.md"

TEXTS = [*make_texts(1500), None]

Removed = dict[int, tuple[int, float]]


def recipe(heading: str) -> list[str]:
    """The blocks of code below a heading."""
    [section] = re.findall(rf"^## {heading}\n(.*?)(?=^## )", DOCUMENT.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    blocks: list[str] = re.findall(r"^```python\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    assert blocks
    return blocks


def run(heading: str, names: dict[str, Any], block: int = 0) -> None:
    """Runs a block with the names that it needs; those that it defines are added to them."""
    # Engines send functions of this module to their workers by value, as those of a notebook.
    names["__name__"] = "__main__"
    exec(compile(recipe(heading)[block], f"{DOCUMENT}, {heading}", "exec"), names)


def expected(method: str) -> Removed:
    """What the job removes; a text that is null is none of its documents."""
    found = lookalike.dedup(TEXTS[:-1], 0.8, method=method).to_arrow()
    assert len(found) > 200 and set(found["reason"].to_pylist()) == {"identical", "near"}
    kept = zip(found["kept_row"].to_pylist(), found["similarity"].to_pylist(), strict=True)
    return dict(zip(found["row"].to_pylist(), kept, strict=True))


def removed_of(frame: polars.DataFrame) -> Removed:
    assert frame["row"].is_unique().all()
    return {row: (kept, similarity) for row, kept, similarity in frame.select("row", "kept", "similarity").rows()}


@pytest.fixture
def table() -> Any:
    return pyarrow.table({"row": pyarrow.array(range(len(TEXTS))), "text": TEXTS})


@pytest.fixture
def polars_names(table: Any) -> dict[str, Any]:
    """What the recipe for polars defines, which others use."""
    names = {"documents": polars.from_arrow(table)}
    run("polars", names)
    return names


def test_polars(polars_names: dict[str, Any]) -> None:
    assert removed_of(polars_names["removed"]) == expected("exact")


def test_pyarrow(polars_names: dict[str, Any], table: Any, tmp_path: Path) -> None:
    files = [tmp_path / f"{number}.parquet" for number in range(3)]
    for number, file in enumerate(files):
        pyarrow.parquet.write_table(table.slice(number * 600, 600), file, row_group_size=250)
    folder = tmp_path / "out"
    folder.mkdir()
    names = {**polars_names, "files": files, "folder": folder, "removed": None}
    run("pyarrow", names)
    assert removed_of(names["removed"]) == expected("exact")


def test_datasets(polars_names: dict[str, Any], table: Any, tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    path = tmp_path / "documents.parquet"
    pyarrow.parquet.write_table(table, path)
    dataset = datasets.Dataset.from_parquet(str(path), cache_dir=str(tmp_path / "cache"))
    with pytest.warns(lookalike.LookalikeWarning, match="row 1500: field `text` is null"):
        whole = lookalike.dedup(dataset.with_format("arrow")[:], 0.8, method="minhash", id="row", on_error="skip")
    names = {**polars_names, "pyarrow": pyarrow, "dataset": dataset, "removed": None}
    run("Hugging Face datasets", names)
    assert removed_of(names["removed"]) == expected("minhash")
    assert len(whole.removed) == len(names["removed"])
    stays = names["dataset"]
    assert len(stays) == len(TEXTS) - len(names["removed"]) and stays.column_names == ["row", "text"]


@pytest.fixture
def ray(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    # Workers give way to all other processes without it.
    monkeypatch.setenv("RAY_worker_niceness", "0")
    ray = pytest.importorskip("ray", reason="`cargo xtask engines` installs and runs it")
    pytest.importorskip("ray.data")
    ray.init(num_cpus=2, include_dashboard=False, object_store_memory=200_000_000, logging_level="ERROR")
    context = ray.data.DataContext.get_current()
    # Two hundred tasks a shuffle, which is the default, are for larger data.
    context.default_hash_shuffle_parallelism = 4
    context.enable_progress_bars = False
    yield ray
    ray.shutdown()


def test_ray(ray: Any, table: Any) -> None:
    parts = [table.slice(start, 500) for start in range(0, len(table), 500)]
    names = {"documents": ray.data.from_arrow(parts), "PARTITIONS": 2}
    run("Ray Data", names)
    assert {row: tuple(found) for row, found in names["removed"].items()} == expected("minhash")


@pytest.fixture
def spark(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    sql = pytest.importorskip("pyspark.sql", reason="`cargo xtask engines` installs and runs it")
    # Workers are the `python3` of the path without it.
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    builder = sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.ui.showConsoleProgress", "false").config("spark.sql.shuffle.partitions", "2")
    session = builder.getOrCreate()
    yield session
    session.stop()


def test_spark(spark: Any, table: Any) -> None:
    names = {"documents": spark.createDataFrame(table), "spark": spark}
    run("Spark", names)
    assert {row: tuple(found) for row, found in names["removed"].items()} == expected("minhash")

    run("Spark", names, block=1)
    distinct = names["distinct"].toArrow()
    frequencies = batch.Frequencies.sized_for(2_000_000)
    frequencies.count(distinct["elements"])
    assert names["frequencies"].to_bytes() == frequencies.to_bytes()
    types = "row long, keys array<struct<blocking_key: long, position: int>>"
    keys = names["distinct"].mapInArrow(names["add_keys"], types).orderBy("row").toArrow()["keys"]
    sets = distinct.sort_by("row")["elements"]
    local = batch.blocking_keys(sets, 0.8, frequencies=frequencies, signed=True).to_arrow()
    assert keys.combine_chunks().to_pylist() == local.to_pylist()
