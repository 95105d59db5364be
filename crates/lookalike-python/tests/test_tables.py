"""Tables and columns of other libraries: what is read of them, and what is refused."""

from __future__ import annotations

import warnings
from decimal import Decimal
from typing import Any

import lookalike
import numpy
import pandas
import polars
import pyarrow
import pyarrow.dataset
import pytest

FRAMES = [pandas.DataFrame, polars.DataFrame, pyarrow.table]
TEXTS = ["one two three", "unrelated", "One two three!"]


class OwnFrame(pandas.DataFrame):
    """A frame of a library that builds on pandas."""

    @property
    def _constructor(self) -> type[OwnFrame]:
        return OwnFrame


def ids_of(result: Any) -> list[str]:
    return [str(id) for id in result.kept.to_arrow()["id"].to_pylist()]


@pytest.mark.parametrize("dtype", ["object", "string[pyarrow]"])
def test_the_index_of_a_frame_gives_no_ids(dtype: str) -> None:
    frame = pandas.DataFrame({"text": TEXTS}, index=pandas.Index([7, 8, 9], name="id")).astype(dtype)
    assert ids_of(lookalike.dedup(frame)) == ["0", "1"]
    assert ids_of(lookalike.dedup(frame["text"])) == ["0", "1"]
    levels = pandas.MultiIndex.from_tuples([("a", 1), ("a", 1), ("b", 2)], names=["id", "text"])
    assert ids_of(lookalike.dedup(frame.set_index(levels), keep="first")) == ["0", "1"]


@pytest.mark.parametrize("frame", FRAMES)
def test_tables_without_rows_have_empty_answers(frame: Any) -> None:
    data = frame({"text": [], "id": [], "score": []})
    result = lookalike.dedup(data, keep="max:score")
    assert (len(result.kept), len(result.removed), len(result.mask)) == (0, 0, 0)
    assert len(lookalike.pairs(data, items=True)) == len(lookalike.pairs(data, group_by="id", items=True)) == 0
    assert len(lookalike.pairs(data, measure="hamming", distance=3, bits="text")) == 0
    assert not lookalike.search(data, TEXTS).mask.any()
    with pytest.raises(ValueError, match="no documents to be searched"):
        lookalike.search(TEXTS, data)
    with pytest.raises(KeyError, match="no column `body`"):
        lookalike.dedup(data, text="body")


@pytest.mark.parametrize("data", [pandas.Series([]), polars.Series([]), pyarrow.array([]), numpy.array([], dtype=str)])
def test_columns_without_rows_have_empty_answers(data: Any) -> None:
    assert len(lookalike.dedup(data).mask) == 0


def test_columns_that_nobody_reads_do_not_matter() -> None:
    tables = [
        pandas.DataFrame({"text": TEXTS, "other": [None, {1}, object()], "none": [None] * 3}),
        polars.DataFrame({"text": TEXTS, "other": polars.Series([1, 2, 3], dtype=polars.Int128), "none": [None] * 3}),
        pyarrow.table({"text": TEXTS, "other": [Decimal("1.5")] * 3, "none": [None] * 3}),
    ]
    for table in tables:
        assert lookalike.dedup(table).mask.tolist() == [True, True, False]
        assert lookalike.dedup(table, on_error="skip").mask.tolist() == [True, True, False]


@pytest.mark.parametrize("frame", FRAMES)
def test_columns_of_nulls_are_columns_of_strings(frame: Any) -> None:
    unnamed = lookalike.dedup(frame({"text": TEXTS, "id": [None] * 3}), on_error="skip")
    assert ids_of(unnamed) == ["data:0", "data:1"]
    with pytest.raises((TypeError, ValueError), match="row 0.* null|row 0 is NoneType"):
        lookalike.dedup(frame({"text": [None, None]}))
    with pytest.warns(lookalike.LookalikeWarning, match="data, row 1"):
        assert len(lookalike.dedup(frame({"text": ["a", None]}), on_error="skip").kept) == 1
    with pytest.raises((TypeError, ValueError), match="no record of the inputs can be read|row 0 is NoneType"):
        lookalike.dedup(frame({"text": [None, None]}), on_error="skip")


@pytest.mark.parametrize("frame", FRAMES)
def test_a_row_without_an_id_takes_that_of_no_other(frame: Any) -> None:
    data = frame({"text": ["a b", "c d", "e", "f", "g"], "id": ["1", None, "x", None, "3"]})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = lookalike.dedup(data, unique_ids=True, shingle="word:1")
        found = lookalike.search(["F"], data, unique_ids=True, shingle="word:1")
    assert ids_of(result) == ["1", "data:1", "x", "data:3", "3"]
    assert result.report["documents_without_id"] == 2
    assert found.to_arrow()["id"].to_pylist() == ["references:3"]


def test_lists_without_items_are_read() -> None:
    for frame in (polars.DataFrame, pyarrow.table):
        assert lookalike.dedup(frame({"text": [[], []]}), items=True).mask.tolist() == [True, True]


@pytest.mark.parametrize("frame", [*FRAMES, OwnFrame])
@pytest.mark.parametrize(
    ("name", "keywords"),
    [
        ("text", {}),
        ("key", {"text": "txet", "id": "key"}),
        ("date", {"text": "txet", "keep": "max:date"}),
        ("user", {"text": "txet", "items": True, "group_by": "user"}),
        ("count", {"text": "txet", "items": True, "group_by": "n", "count_field": "count"}),
        ("doc.text", {"text": "doc.text"}),
    ],
)
def test_missing_columns_have_one_message(frame: Any, name: str, keywords: dict[str, Any]) -> None:
    data = frame({"txet": ["a"], "n": [1]})
    with pytest.raises(KeyError) as caught:
        lookalike.dedup(data, **keywords)
    assert caught.value.args[0].startswith(f"data has no column `{name}`; its columns are `txet`, `n`")
    assert caught.value.args[0].endswith("the nearest is `txet`") == (name in ("text",))


def test_a_missing_column_of_references_is_theirs() -> None:
    with pytest.raises(KeyError, match="references has no column `text`; its columns are `body`"):
        lookalike.dedup(TEXTS, against=polars.DataFrame({"body": ["a"]}))
    with pytest.raises(KeyError, match="it has no columns"):
        lookalike.dedup(pandas.DataFrame())


def test_columns_inside_of_structs_are_read() -> None:
    rows = [{"text": text, "id": f"x{row}", "score": row} for row, text in enumerate(TEXTS)]
    for data in (polars.DataFrame({"doc": rows}), pyarrow.table({"doc": rows}), pandas.DataFrame({"doc": rows})):
        result = lookalike.dedup(data, text="doc.text", id="doc.id", keep="max:doc.score")
        assert ids_of(result) == ["x1", "x2"]
    for column in (polars.Series(rows), pyarrow.array(rows), pyarrow.chunked_array([rows[:1], rows[1:]])):
        assert ids_of(lookalike.dedup(column)) == ["x0", "x1"]


def test_columns_of_the_same_name_are_refused() -> None:
    arrow = pyarrow.table([pyarrow.array(["a"]), pyarrow.array(["b"])], names=["text", "text"])
    frame = pandas.DataFrame([["a", "b"]], columns=["text", "text"])
    for data in (arrow, frame):
        with pytest.raises(ValueError, match="several columns of the same name: `text`"):
            lookalike.dedup(data)
    others = pyarrow.table([pyarrow.array([text]) for text in ("a", "b", "c")], names=["text", "x", "x"])
    assert len(lookalike.dedup(others).kept) == 1


@pytest.mark.parametrize(
    "data",
    [
        pandas.Categorical(TEXTS),
        pandas.array(TEXTS),
        pandas.Index(TEXTS),
        pandas.Series(TEXTS, dtype="category"),
        numpy.array(TEXTS),
        numpy.array(TEXTS, dtype=object),
        OwnFrame({"text": TEXTS}),
        pyarrow.table({"text": TEXTS}).to_reader(),
        pyarrow.RecordBatch.from_pydict({"text": TEXTS}),
    ],
    ids=lambda data: type(data).__name__,
)
def test_arrays_and_readers_are_read(data: Any) -> None:
    assert lookalike.dedup(data).mask.tolist() == [True, True, False]


class OwnLazyFrame(polars.LazyFrame):
    """A frame of a library that builds on polars."""


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (polars.LazyFrame({"text": TEXTS}), r"\.collect\(\)"),
        (OwnLazyFrame({"text": TEXTS}), r"OwnLazyFrame.*\.collect\(\)"),
        (pyarrow.dataset.dataset(pyarrow.table({"text": TEXTS})), r"\.to_table\(\)"),
        (pyarrow.dataset.dataset(pyarrow.table({"text": TEXTS})).scanner(), r"\.to_reader\(\)"),
        (pandas.DataFrame({"text": TEXTS}).groupby("text"), "DataFrameGroupBy of pandas"),
        (pandas.MultiIndex.from_tuples([("a", "b")]), "MultiIndex of pandas"),
        (polars.DataFrame({"text": TEXTS}).group_by("text"), "GroupBy of polars"),
        ({"text": ["a", "b"]}, r"dict\(zip\(data, row\)\)"),
        ({"text": numpy.array(["a", "b"])}, r"dict\(zip\(data, row\)\)"),
        (numpy.array("a"), "without dimensions"),
    ],
)
def test_what_is_no_table_is_refused_with_a_way_out(data: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        lookalike.dedup(data)


@pytest.mark.parametrize("name", ["text", "id", "group_by", "count_field", "bits"])
def test_names_of_columns_are_strings(name: str) -> None:
    with pytest.raises(TypeError, match=f"{name}: expected the name of a column as str, found int"):
        lookalike.dedup(pandas.DataFrame(["a", "b"]), **{name: 0})  # type: ignore[arg-type]


def test_baskets_are_lists_of_strings() -> None:
    baskets = [["tea", "milk", "bread"], ["bread", "milk tea"], {"milk", "tea", "bread"}, ()]
    table = pyarrow.table({"text": [list(basket) for basket in baskets]})
    for data in (baskets, tuple(baskets), pandas.Series(baskets[:2] + [["tea", "milk", "bread"], []]), table):
        found = lookalike.pairs(data, 0.9, items=True).to_arrow()
        assert found.select(["a_row", "b_row"]).to_pylist() == [{"a_row": 0, "b_row": 2}]
    named = dict(zip(["ann", "bob", "eve", "kim"], baskets, strict=True))
    assert lookalike.pairs(named, 0.9, items=True).to_arrow().select(["a", "b"]).to_pylist() == [
        {"a": "ann", "b": "eve"}
    ]
    arrays = pandas.DataFrame({"text": [numpy.array(["tea", "milk"]), numpy.array(["milk", "tea"])]})
    assert len(lookalike.pairs(arrays, items=True)) == 1


@pytest.mark.parametrize(
    ("baskets", "message"),
    [
        ([["a"], "b"], "the items in row 1 are str"),
        ([["a"], ["b", 7]], "an item in row 1 is int"),
        ([["a"], ["b", None]], "an item in row 1 is NoneType"),
    ],
)
def test_other_baskets_are_named_by_row(baskets: list[Any], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        lookalike.pairs(baskets, items=True)


@pytest.mark.parametrize("option", [{"shingle": "char:3"}, {"stem": "en"}, {"tokens": "code"}, {"lowercase": False}])
def test_options_of_texts_are_refused_beside_items(option: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match=f"the keyword `{next(iter(option))}` does not go with `items`"):
        lookalike.pairs([["a"], ["a"]], items=True, **option)
    assert len(lookalike.pairs([["a"], ["a"]], items=True, bag=True, hash_bits=32)) == 1
    with pytest.raises(TypeError, match="the keyword `item_counts` needs the keyword `items`"):
        lookalike.pairs(["a", "a"], item_counts=True)
