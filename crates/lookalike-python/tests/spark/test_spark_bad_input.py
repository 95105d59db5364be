"""What is wrong is told precisely, before anything is written or decided."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from documents import frame, make_texts, records, removals

spark_jobs = pytest.importorskip("lookalike.spark")


@pytest.fixture
def table(spark: Any) -> Any:
    return frame(spark, records(make_texts(50)))


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"threshold": 1.5}, ValueError, "above 0 and at most 1"),
        ({"threshold": "much"}, ValueError, "much"),
        ({"method": "auto"}, ValueError, "expected 'exact' or 'minhash', found 'auto'"),
        ({"empty": "drop"}, ValueError, "expected 'keep' or 'duplicate', found 'drop'"),
        ({"shingel": "word:3"}, TypeError, "unexpected keyword `shingel`; did you mean `shingle`?"),
        ({"shingle": "word:0"}, ValueError, "shingle"),
        ({"text": "body"}, KeyError, "no column `body`; the columns are `id`, `text`"),
        ({"id": "url"}, KeyError, "no column `url`"),
        ({"order_by": "date"}, ValueError, "UNRESOLVED_COLUMN"),
        ({"order_by": 3}, TypeError, "order_by: expected names or columns, found int"),
        ({"descending": "yes"}, TypeError, "descending: expected True, False, or one of them"),
        (
            {"order_by": ["id", "text"], "descending": [True]},
            ValueError,
            "descending: expected one value, or 2, found 1",
        ),
    ],
)
def test_keywords(table: Any, checkpoints: str, arguments: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message.replace("?", r"\?")):
        spark_jobs.dedup(table, checkpoints=checkpoints, **arguments)
    assert not Path(checkpoints).exists()


def test_columns_of_other_types(spark: Any, checkpoints: str) -> None:
    table = spark.createDataFrame([(1.5, 3)], "id double, text int")
    with pytest.raises(TypeError, match="column `text`: expected strings, found int"):
        spark_jobs.dedup(table, checkpoints=checkpoints)
    with pytest.raises(TypeError, match="column `id`: expected strings or integers, found double"):
        spark_jobs.dedup(table.selectExpr("id", "string(text) as text"), checkpoints=checkpoints)
    assert not Path(checkpoints).exists()


def test_nulls_are_left_out(spark: Any, checkpoints: str) -> None:
    text = "one two three four five six"
    rows = [("a", text), (None, text), ("b", None), ("c", text), (None, None)]
    result = spark_jobs.dedup(spark.createDataFrame(rows, "id string, text string"), checkpoints=checkpoints)
    assert removals(result) == {("c", "a", 1.0, "identical")}
    assert [row.id for row in result.kept.collect()] == ["a"]
    left_out = sorted((str(row.id), row.reason) for row in result.left_out.collect())
    assert left_out == [("None", "the id is null"), ("None", "the id is null"), ("b", "the text is null")]
    counted = result.report["inputs"]["documents"]
    assert (counted["rows"], counted["documents"], counted["null_ids"], counted["null_texts"]) == (5, 2, 2, 1)


def test_repeated_ids_are_refused(spark: Any, checkpoints: str) -> None:
    rows = [(f"id{number % 12:02}", f"text {number}") for number in range(25)] + [("once", "text")]
    table = spark.createDataFrame(rows, "id string, text string")
    with pytest.raises(ValueError, match=r"12 ids occur more than once.*`id00` \(3 rows\), `id01` \(2 rows\).*2 more"):
        spark_jobs.dedup(table, checkpoints=checkpoints)


def test_empty_input_has_empty_answers(spark: Any, tmp_path: Path) -> None:
    empty = spark.createDataFrame([], "id string, text string")
    for method in ("minhash", "exact"):
        result = spark_jobs.dedup(empty, checkpoints=str(tmp_path / method), method=method)
        assert result.kept.count() == result.removed.count() == 0
    assert spark_jobs.pairs(empty, checkpoints=str(tmp_path / "pairs")).pairs.count() == 0
    assert spark_jobs.clusters(empty, checkpoints=str(tmp_path / "clusters")).members.count() == 0
    full = frame(spark, records(["one two", "one two"]))
    assert spark_jobs.search(full, empty, checkpoints=str(tmp_path / "search")).answers.count() == 0
    for wrong in (0, True, 1.5):
        with pytest.raises(ValueError, match="k: expected a whole number from 1 on"):
            spark_jobs.search(full, empty, k=wrong, checkpoints=str(tmp_path / "wrong"))


def test_checkpoints_of_another_job_are_refused(table: Any, checkpoints: str) -> None:
    spark_jobs.dedup(table, checkpoints=checkpoints)
    with pytest.raises(ValueError, match="holds the stages of another job"):
        spark_jobs.dedup(table, 0.7, checkpoints=checkpoints)
    with pytest.raises(ValueError, match="holds the stages of another job"):
        spark_jobs.pairs(table, checkpoints=checkpoints)
    with pytest.raises(ValueError, match="the input has changed .* had 50 rows, and has 40"):
        spark_jobs.dedup(table.limit(40), checkpoints=checkpoints)
    with pytest.raises(ValueError, match="the input has changed .* had 50 rows, and has 50"):
        spark_jobs.dedup(table.selectExpr("concat(id, 'x') as id", "text"), checkpoints=checkpoints)


def test_paths_of_checkpoints_that_are_refused(table: Any, tmp_path: Path) -> None:
    for path, message in [("", "expected the path of a folder"), (tmp_path / "a[1]", "part of a pattern")]:
        with pytest.raises(ValueError, match=message):
            spark_jobs.dedup(table, checkpoints=path)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "pairs").write_text("my own")
    with pytest.raises(ValueError, match="holds other files"):
        spark_jobs.dedup(table, checkpoints=tmp_path / "mine")
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["mine", "pairs"]


def test_an_order_in_order_by_is_refused(table: Any, checkpoints: str) -> None:
    from pyspark.sql import functions as F

    with pytest.raises(TypeError, match="is an order already; say descending="):
        spark_jobs.dedup(table, checkpoints=checkpoints, order_by=F.col("id").desc())
    with pytest.raises(ValueError, match="AGGREGATE|GROUP|UNSUPPORTED|aggregate"):
        spark_jobs.dedup(table, checkpoints=checkpoints, order_by=F.max("id"))
    assert not Path(checkpoints).exists()


def test_names_with_dots_and_ids_with_a_collation(spark: Any, checkpoints: str) -> None:
    text = "one two three four five six"
    rows = [("a", text, 1), ("A", text, 2), ("b", "other words", 3)]
    table = spark.createDataFrame(rows, "id string, text string, n int")
    table = table.selectExpr("collate(id, 'UTF8_LCASE') as `doc.id`", "text as `the``text`", "n as `size.n`")
    result = spark_jobs.dedup(
        table, checkpoints=checkpoints, id="doc.id", text="the`text", order_by="size.n", descending=True
    )
    assert removals(result) == {("a", "A", 1.0, "identical")}
    assert sorted(row["doc.id"] for row in result.kept.collect()) == ["A", "b"]


def test_of_two_runs_with_one_folder_the_later_goes_on(table: Any, checkpoints: str, monkeypatch: Any) -> None:
    from lookalike.spark import _checkpoints

    mark = _checkpoints.Checkpoints._mark
    others: list[Any] = []

    def begin_another(self: Any, stage: str, facts: str) -> None:
        if stage == "buckets" and not others:
            others.append(None)
            others.append(spark_jobs.dedup(table, checkpoints=checkpoints))
        mark(self, stage, facts)

    monkeypatch.setattr(_checkpoints.Checkpoints, "_mark", begin_another)
    with pytest.raises(RuntimeError, match="another run has begun with these checkpoints"):
        spark_jobs.dedup(table, checkpoints=checkpoints)
    assert removals(others[1]) == removals(spark_jobs.dedup(table, checkpoints=checkpoints))


def test_executors_without_the_package(spark: Any, table: Any, checkpoints: str, monkeypatch: Any) -> None:
    def absent(batches: Any) -> Any:
        raise ModuleNotFoundError("No module named 'lookalike'")
        yield

    from lookalike.spark._stages import corpus

    monkeypatch.setattr(corpus, "_features", lambda source, *_: source.frame.mapInArrow(absent, source.frame.schema))
    with pytest.raises(
        spark_jobs.ExecutorError, match="an executor has no package `lookalike`: install it there"
    ) as caught:
        spark_jobs.dedup(table, checkpoints=checkpoints)
    assert "\n" not in str(caught.value)
