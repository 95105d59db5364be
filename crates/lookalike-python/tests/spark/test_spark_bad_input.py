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
    assert spark_jobs.against(full, empty, checkpoints=str(tmp_path / "against")).found.count() == 0


def test_checkpoints_of_another_job_are_refused(table: Any, checkpoints: str) -> None:
    spark_jobs.dedup(table, checkpoints=checkpoints)
    with pytest.raises(ValueError, match="holds the stages of another job"):
        spark_jobs.dedup(table, 0.7, checkpoints=checkpoints)
    with pytest.raises(ValueError, match="holds the stages of another job"):
        spark_jobs.pairs(table, checkpoints=checkpoints)
    with pytest.raises(ValueError, match="the input has changed"):
        spark_jobs.dedup(table.limit(40), checkpoints=checkpoints)


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
