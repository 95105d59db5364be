"""Ids keep their type: answers are joined with the documents."""

from __future__ import annotations

from typing import Any

import lookalike
import numpy
import pandas
import polars
import pyarrow
import pytest

TEXTS = ["one two three four five six", "unrelated words stand here alone", "One two three, four five six!"]


@pytest.mark.parametrize("kind", ["int8", "int16", "int32", "int64", "uint8", "uint64"])
def test_integers_of_frames_stay_what_they_are(kind: str) -> None:
    table = pyarrow.table({"id": pyarrow.array([7, 8, 9], kind), "text": TEXTS})
    for data in (table, polars.from_arrow(table)):
        removed = lookalike.dedup(data).to_arrow()
        assert removed.schema.field("id").type == removed.schema.field("kept").type == pyarrow.type_for_alias(kind)
        assert removed.select(["id", "kept"]).to_pylist() == [{"id": 9, "kept": 7}]
        assert str(lookalike.pairs(data).to_arrow().schema.field("a").type) == kind
        assert str(lookalike.clusters(data).to_arrow().schema.field("id").type) == kind
        assert str(lookalike.search(data, data).to_arrow().schema.field("query").type) == kind
        assert str(lookalike.search(corpus=data, ids=[7]).to_arrow().schema.field("query").type) == kind
        assert str(lookalike.sources(data, min_match=5).to_arrow().schema.field("source").type) == kind


def test_answers_are_merged_with_the_documents() -> None:
    frame = pandas.DataFrame({"id": [7, 8, 9], "text": TEXTS, "n": [1, 2, 3]})
    removed = lookalike.dedup(frame).to_pandas()
    assert removed.merge(frame, on="id")["n"].tolist() == [3]
    assert removed.merge(frame, left_on="kept", right_on="id")["n"].tolist() == [1]
    small = polars.DataFrame({"id": [7, 8, 9], "text": TEXTS}, schema_overrides={"id": polars.Int32})
    assert lookalike.dedup(small).to_polars().join(small, on="id").height == 1


@pytest.mark.parametrize("frame", [pandas.DataFrame, polars.DataFrame, pyarrow.table])
def test_a_float_column_with_a_gap_holds_integers(frame: Any) -> None:
    for gap in (None, float("nan")):
        result = lookalike.dedup(frame({"id": [7.0, gap, 9.0], "text": TEXTS}))
        assert result.kept["id"] == [7, None] and result.removed["id"] == [9]
        assert result.report["documents_without_id"] == 1
    with pytest.raises((TypeError, ValueError), match="the id in row 1 is"):
        lookalike.dedup(frame({"id": [7.0, 1.5, 9.0], "text": TEXTS}))


def test_ids_of_python_are_strings_or_integers() -> None:
    assert lookalike.dedup(dict(zip([7, 8, 9], TEXTS, strict=True))).removed["id"] == [9]
    assert lookalike.dedup(dict(zip([7.0, None, 9], TEXTS, strict=True))).kept["id"] == [7, None]
    assert lookalike.dedup(dict(zip(["7", 8, 9], TEXTS, strict=True))).kept["id"] == ["7", "8"]
    assert lookalike.dedup(dict(zip(numpy.array([7, 8, 9]), TEXTS, strict=True))).kept["id"] == [7, 8]
    large = lookalike.dedup(dict(zip([1 << 63, 8, 9], TEXTS, strict=True)))
    assert large.kept["id"] == [1 << 63, 8] and str(large.kept.to_arrow().schema.field("id").type) == "uint64"
    assert lookalike.dedup(dict(zip([1 << 64, 8, 9], TEXTS, strict=True))).kept["id"] == [str(1 << 64), "8"]
    mixed = pandas.DataFrame({"id": pandas.Series([7, "x", None], dtype=object), "text": TEXTS, "s": [1, 2, 3]})
    assert lookalike.dedup(mixed, keep="max:s").kept["id"] == ["x", "data:2"]
    whole = mixed.assign(id=pandas.Series([7, None, 9], dtype=object))
    assert lookalike.dedup(whole, keep="max:s").kept["id"] == [None, 9]
    with pytest.raises(TypeError, match="the id in row 0 is float"):
        lookalike.dedup({1.5: "a"})


def test_an_integer_that_occurs_again_is_itself() -> None:
    with pytest.warns(lookalike.LookalikeWarning, match="occurs again"):
        result = lookalike.dedup(pandas.DataFrame({"id": [7, 7, 9], "text": TEXTS}))
    assert result.kept.rows == [{"row": 0, "id": 7}, {"row": 1, "id": 7}]


def test_references_have_a_type_of_their_own() -> None:
    new, old = dict(zip([7, 8, 9], TEXTS, strict=True)), {"a": TEXTS[0]}
    assert lookalike.dedup(new, against=old).to_arrow().select(["id", "kept"]).to_pylist() == [
        {"id": 7, "kept": "a"},
        {"id": 9, "kept": "a"},
    ]
    assert lookalike.search(old, new).to_arrow().select(["query", "id"]).to_pylist() == [
        {"query": "a", "id": 7},
        {"query": "a", "id": 9},
    ]
    # Queries of both kinds stand in one column.
    assert lookalike.search(old, new, ids=[9]).table["query"] == ["9", "a", "a"]


def test_groups_are_called_by_integers() -> None:
    rows = {"customer": [7, 7, 8, 9, 9], "product": ["tea", "milk", "wine", "milk", "tea"]}
    records = [dict(zip(rows, row, strict=True)) for row in zip(*rows.values(), strict=True)]
    for data in (pandas.DataFrame(rows), polars.DataFrame(rows), pyarrow.table(rows), records):
        found = lookalike.pairs(data, text="product", items=True, group_by="customer")
        assert [(pair["a"], pair["b"]) for pair in found] == [(7, 9)]


def test_ids_inside_of_structs_keep_their_type() -> None:
    rows = [{"key": number, "body": text} for number, text in zip([7, 8, 9], TEXTS, strict=True)]
    result = lookalike.dedup(pyarrow.table({"doc": rows}), text="doc.body", id="doc.key")
    assert result.removed["id"] == [9]
