"""The answers of Spark are those of one machine."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import lookalike
import pyarrow
import pytest
from documents import (
    expected_removals,
    family,
    frame,
    groups,
    make_texts,
    mixed_records,
    records,
    removals,
    rows,
)

spark_jobs = pytest.importorskip("lookalike.spark")

METHODS = ["minhash", "exact"]


@pytest.mark.core
@pytest.mark.parametrize("method", METHODS)
def test_dedup(spark: Any, checkpoints: str, method: str) -> None:
    documents = mixed_records()
    result = spark_jobs.dedup(frame(spark, documents), checkpoints=checkpoints, method=method)
    expected = expected_removals(documents, method=method)
    assert removals(result) == expected and len(expected) > 150
    assert {reason for *_, reason in expected} == {"identical", "equal", "near"}
    kept = {row.id: row.text for row in result.kept.collect()}
    gone = {id for id, *_ in expected}
    assert kept == {id: text for id, text in documents.items() if id not in gone}
    assert result.report["result"]["documents"] == len(documents)
    assert result.report["result"]["kept"] == len(kept)


@pytest.mark.parametrize("method", METHODS)
def test_dedup_in_rounds(spark: Any, checkpoints: str, small_limits: None, method: str) -> None:
    documents = mixed_records()
    result = spark_jobs.dedup(frame(spark, documents), 0.7, checkpoints=checkpoints, method=method)
    assert removals(result) == expected_removals(documents, threshold=0.7, method=method)
    stages = {stage["stage"] for stage in result.report["stages"]}
    assert {"round-1/near", "late/near"} <= stages
    # Rare elements are the keys of the exact method already, and its rounds leave nothing to decide here.
    assert ({"refined", "rest/decided-1/rest"} <= stages) == (method == "minhash")


def test_dedup_by_other_order_and_features(spark: Any, checkpoints: str) -> None:
    documents = records(make_texts(400))
    options = {"shingle": "word:2", "lowercase": False, "recall": 0.9, "seed": 7, "empty": "duplicate"}
    documents_by_length = sorted(documents.items(), key=lambda record: (-len(record[1]), record[0].encode()))
    from pyspark.sql import functions as F

    result = spark_jobs.dedup(
        frame(spark, documents),
        "0.65",
        checkpoints=checkpoints,
        order_by=F.length("text"),
        descending=True,
        **options,
    )
    assert removals(result) == expected_removals(
        dict(documents_by_length), threshold="0.65", method="minhash", **options
    )


@pytest.mark.parametrize("is_small", [pytest.param(False, marks=pytest.mark.core), True])
def test_pairs(spark: Any, checkpoints: str, is_small: bool, request: pytest.FixtureRequest) -> None:
    if is_small:
        request.getfixturevalue("small_limits")
    documents = mixed_records()
    result = spark_jobs.pairs(frame(spark, documents), checkpoints=checkpoints)
    found = result.pairs.collect()
    expected = rows(lookalike.pairs(documents, method="minhash").to_arrow(), "a", "b", "similarity", "reason")
    assert {(row.a, row.b, row.similarity, row.reason) for row in found} == expected
    assert len(found) == len(expected) == result.report["result"]["pairs"]


@pytest.mark.parametrize("is_small", [pytest.param(False, marks=pytest.mark.core), True])
def test_clusters(spark: Any, checkpoints: str, is_small: bool, request: pytest.FixtureRequest) -> None:
    if is_small:
        request.getfixturevalue("small_limits")
    documents = mixed_records()
    result = spark_jobs.clusters(frame(spark, documents), 0.7, checkpoints=checkpoints)
    members = [(row.cluster, row.id) for row in result.members.collect()]
    expected = groups(rows(lookalike.clusters(documents, 0.7, method="minhash").to_arrow(), "cluster", "id"))
    assert groups(members) == expected
    # A cluster is called by its first document.
    assert {cluster for cluster, _ in members} == {min(ids, key=str.encode) for ids in expected}
    assert result.report["result"]["clusters"] == len(expected)


@pytest.mark.parametrize("method", [pytest.param("minhash", marks=pytest.mark.core), "exact"])
@pytest.mark.parametrize("limit", [None, 2])
def test_search(spark: Any, checkpoints: str, method: str, limit: int | None) -> None:
    queries = mixed_records()
    corpus = records(make_texts(200) + family(20, seed=9) + ["...", "", "One two!", "One two."], seed=5)
    result = spark_jobs.search(
        frame(spark, queries), frame(spark, corpus), 0.8, k=limit, checkpoints=checkpoints, method=method
    )
    columns = ("query", "rank", "id", "similarity", "reason")
    found = {tuple(row[name] for name in columns) for row in result.answers.collect()}
    # Of equally similar documents the first by its id comes first.
    ordered = dict(sorted(corpus.items(), key=lambda one: one[0].encode()))
    job = lookalike.search(queries, ordered, 0.8, k=limit, method=method)
    assert found == rows(job.to_arrow(), *columns)
    assert len(found) > 100


def test_partitions_do_not_matter(spark: Any, tmp_path: Path) -> None:
    documents = records(make_texts(300))
    answers = [
        removals(spark_jobs.dedup(frame(spark, documents, parts, parts), checkpoints=str(tmp_path / str(parts))))
        for parts in (1, 7)
    ]
    assert answers[0] == answers[1] == expected_removals(documents, method="minhash")


def test_integers_are_ids(spark: Any, checkpoints: str) -> None:
    texts = make_texts(200)
    table = spark.createDataFrame(list(enumerate(texts)), "number long, page string")
    result = spark_jobs.dedup(table, checkpoints=checkpoints, id="number", text="page")
    ordered = dict(sorted(((str(number), text) for number, text in enumerate(texts))))
    assert {(str(id), str(kept)) for id, kept, *_ in removals(result)} == {
        (id, kept) for id, kept, *_ in expected_removals(ordered, method="minhash")
    }
    assert result.kept.columns == ["number", "page"]


def test_real_documents(spark: Any, checkpoints: str) -> None:
    folder = Path(os.environ.get("LOOKALIKE_DATA", Path(__file__).parents[5] / "shared" / "data"))
    file = folder / "license_texts.jsonl.zst"
    if not file.is_file():
        pytest.skip(f"NOT RUN: {file.name} is not in {folder}; LOOKALIKE_DATA names the folder of real documents")
    with pyarrow.input_stream(str(file), compression="zstd") as stream:
        lines = [json.loads(line) for line in stream.read().splitlines()[::2]]
    documents = dict(sorted(((line["id"], line["text"]) for line in lines), key=lambda one: one[0].encode()))
    result = spark_jobs.dedup(frame(spark, documents), checkpoints=checkpoints, method="exact")
    expected = expected_removals(documents, method="exact")
    assert removals(result) == expected and len(expected) > 50
