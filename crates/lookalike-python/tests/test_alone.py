"""The package alone: what works where numpy, pandas, polars and pyarrow are not installed."""

from __future__ import annotations

import itertools
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import lookalike
import numpy
import pandas
import polars
import pytest

TEXTS = ["one two three four five six", "unrelated words stand here alone", "One two three, four five six!"]


def without(monkeypatch: pytest.MonkeyPatch, *modules: str) -> None:
    """Lets imports of these fail."""
    for loaded in [name for name in sys.modules if name.partition(".")[0] in modules]:
        monkeypatch.setitem(sys.modules, loaded, None)
    for module in modules:
        monkeypatch.setitem(sys.modules, module, None)


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "numpy", "pandas", "polars", "pyarrow", "matplotlib", "tqdm")


@pytest.mark.usefixtures("alone")
def test_a_mask_is_a_list() -> None:
    result = lookalike.dedup(TEXTS)
    assert isinstance(result.mask, lookalike.Mask)
    assert result.mask == result.mask.tolist() == [True, True, False]
    assert list(itertools.compress(TEXTS, result.mask)) == TEXTS[:2]
    assert ~result.mask == [False, False, True] and result.left_out == [False] * 3
    assert (result.mask.sum(), result.mask.any(), result.mask.all()) == (2, True, False)
    assert lookalike.search(TEXTS[:2], TEXTS[2:]).mask == [True, False]


@pytest.mark.usefixtures("alone")
def test_results_are_gone_through_by_rows() -> None:
    result = lookalike.dedup(TEXTS)
    row = {"row": 2, "id": "2", "kept_row": 0, "kept": "0", "similarity": 1.0, "reason": "equal"}
    assert result.rows == result.removed.rows == list(result) == [row] and len(result) == 1
    assert result.kept.rows == [{"row": 0, "id": "0"}, {"row": 1, "id": "1"}]
    assert result.kept[-1] == {"row": 1, "id": "1"} and result.kept["id"] == ["0", "1"]
    assert result.kept[:1] == [{"row": 0, "id": "0"}] and result.kept[::-1] == [*result.kept][::-1]
    with pytest.raises(IndexError):
        result.kept[2]
    with pytest.raises(KeyError, match="name"):
        result.kept["name"]
    found = lookalike.pairs(TEXTS)
    assert [(pair["a_row"], pair["b_row"]) for pair in found] == [(0, 2)] and len(found) == 1
    versions = lookalike.clusters(TEXTS)
    assert [[member["row"] for member in members] for members in versions] == [[0, 2]] and len(versions) == 1
    answers = lookalike.search(TEXTS[:1], TEXTS)
    assert [(row["query_row"], row["rank"], row["row"]) for row in answers] == [(0, 1, 0), (0, 2, 2)]
    passages = lookalike.sources(["He wrote that " + TEXTS[0]], TEXTS, min_match=5)
    assert passages.rows[0]["tokens"] == 6 and len(passages) == len(passages.rows)


@pytest.mark.usefixtures("alone")
def test_many_rows_are_gone_through_in_order() -> None:
    result = lookalike.dedup([f"text number {row}" for row in range(10_000)])
    assert [row["row"] for row in result.kept] == result.kept["row"] == list(range(10_000))
    assert result.kept[4095:4098] == [{"row": row, "id": str(row)} for row in (4095, 4096, 4097)]


@pytest.mark.usefixtures("alone")
def test_a_result_shows_its_first_rows() -> None:
    result = lookalike.dedup({7: TEXTS[0], 12: TEXTS[2], 9: TEXTS[1]})
    assert repr(result).splitlines() == [
        "Deduped: 3 documents, 2 kept, 1 removed (0 identical, 1 equal, 0 near)",
        "row  id  kept_row  kept  similarity  reason",
        "  1  12         0     7      1.0000  equal",
    ]
    assert repr(lookalike.dedup(TEXTS[:2])) == "Deduped: 2 documents, 2 kept, 0 removed (0 identical, 0 equal, 0 near)"
    assert repr(result.kept).splitlines() == ["Table: 2 rows of row, id", "row  id", "  0   7", "  2   9"]
    many = lookalike.dedup({f"a\nb{row}" + "c" * 50: TEXTS[0] for row in range(9)})
    lines = repr(many).splitlines()
    assert len(lines) == 9 and "a b1" + "c" * 35 + "…" in lines[2]
    assert lines[-2:] == ["... and the columns reason", "... and 3 more rows"]
    essay = "He wrote that " + TEXTS[0]
    assert max(map(len, repr(lookalike.sources([essay], TEXTS, min_match=5)).splitlines())) <= 150
    page = result._repr_html_()
    assert "<td>12</td>" in page and page.count("<table>") == 2


@pytest.mark.usefixtures("alone")
def test_records_are_documents() -> None:
    records: list[dict[str, Any]] = [
        {"id": 1, "text": TEXTS[0], "score": 1, "tags": ["a", "b"]},
        {"id": 2, "text": TEXTS[1], "score": 2, "tags": ["c"]},
        {"id": 3, "text": TEXTS[2], "score": 3, "tags": ["b", "a"]},
    ]
    assert lookalike.dedup(records).mask == [True, True, False]
    assert lookalike.dedup(records, keep="max:score").mask == [False, True, True]
    assert [row["b"] for row in lookalike.pairs(records, text="tags", items=True)] == [3]
    assert lookalike.dedup([{"id": None, "text": "a"}, {"text": "b"}, {"id": 5, "text": "c"}]).kept["id"] == [
        None,
        None,
        5,
    ]
    with pytest.raises(KeyError, match="data has no column `body`; its columns are `id`, `text`"):
        lookalike.dedup(records, text="body")
    with pytest.raises(TypeError, match="the record in row 1 is str"):
        lookalike.dedup([records[0], "x"])
    with pytest.raises(TypeError, match="the text in row 1 is NoneType|several types"):
        lookalike.dedup([records[0], {"id": 2, "text": 7}])


@pytest.mark.usefixtures("alone")
def test_values_that_are_no_texts_are_left_out() -> None:
    with pytest.warns(lookalike.LookalikeWarning, match="data, row 1"):
        result = lookalike.dedup(["a b", None, "A b"], on_error="skip")
    assert result.mask == [True, False, False] and result.left_out == [False, True, False]
    with pytest.warns(lookalike.LookalikeWarning, match="row 1"):
        named = lookalike.dedup({7: "a b", 8: 5, 9: "c d"}, on_error="skip")
    assert named.kept["id"] == [7, 9]


@pytest.mark.usefixtures("alone")
def test_baskets_are_lists() -> None:
    found = lookalike.pairs([["tea", "milk"], ["wine"], ("milk", "tea"), {"tea"}], items=True)
    assert [(pair["a_row"], pair["b_row"]) for pair in found] == [(0, 2)]
    assert lookalike.dedup({4: ["tea"], 5: ["tea"]}, items=True).rows[0]["kept"] == 4


@pytest.mark.usefixtures("alone")
def test_an_index_is_asked_with_integers(tmp_path: Path) -> None:
    with lookalike.Index.create(tmp_path / "idx", {1: TEXTS[0], 2: TEXTS[1]}, ttl="30d") as index:
        assert 1 in index and "1" in index and 3 not in index and index.get(1) is not None
        added = index.add({7: TEXTS[2]}, unless_near=True)
        assert added.near.rows[0]["query"] == 7 and added.near.rows[0]["id"] == "1"
        index.remove([2])
        assert len(index) == 1
        with pytest.raises(ValueError, match="ttl: expected seconds"):
            index.add({8: "x"}, ttl="soon")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda result: result.to_arrow(), r"to_arrow\(\) needs pyarrow: pip install 'pyarrow>=14'"),
        (lambda result: result.to_polars(), r"to_polars\(\) needs polars: pip install polars"),
        (lambda result: result.to_pandas(), r"to_pandas\(\) needs pandas: pip install pandas"),
        (lambda result: result.plot(), r"plot\(\) needs matplotlib: pip install 'matplotlib>=3.6'"),
    ],
)
@pytest.mark.usefixtures("alone")
def test_what_is_missing_is_named(call: Callable[[Any], object], message: str) -> None:
    with pytest.raises(ImportError, match=message):
        call(lookalike.dedup(TEXTS))


@pytest.mark.parametrize(
    ("module", "needs"), [("lookalike.compat.datasketch", "numpy>=1.23"), ("lookalike.spark", "pyspark>=4.1")]
)
def test_modules_name_the_library_that_they_need(module: str, needs: str) -> None:
    code = f"import sys; sys.modules['numpy'] = sys.modules['pyspark'] = None; import {module}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and re.search(rf"ImportError: {module} needs .*: pip install '{needs}'", done.stderr)


def test_frames_of_pandas_need_no_pyarrow() -> None:
    # In a process of its own: pandas keeps its strings in arrays of pyarrow if it has found it.
    code = (
        "import sys\n"
        "sys.modules['pyarrow'] = None\n"
        "import lookalike, pandas\n"
        f"texts = {TEXTS!r}\n"
        "frame = pandas.DataFrame({'id': [1.0, None, 3.0], 'text': texts, 'score': [1, 2, 3], 'tags': [['a']] * 3})\n"
        "result = lookalike.dedup(frame)\n"
        "assert result.kept['id'] == [1, None] and result.rows[0]['id'] == 3\n"
        "assert list(lookalike.dedup(frame, keep='max:score').mask) == [False, True, True]\n"
        "assert list(lookalike.dedup(frame, text='tags', items=True).mask) == [True, False, False]\n"
        "assert result.to_pandas()[['id', 'kept']].to_numpy().tolist() == [[3, 1]]\n"
        "try:\n"
        "    lookalike.dedup(frame.assign(score=pandas.to_datetime(['2026-01-01'] * 3)), keep='max:score')\n"
        "except ImportError as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert re.search(r"`score`.*: such a column of pandas needs pyarrow: pip install pyarrow$", done.stdout.strip())


@pytest.mark.parametrize("kind", ["f4", "f8", "f2", "i4", ">f8"])
def test_arrays_of_numpy_need_no_pyarrow(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    vectors = numpy.array([[1, 2, 3], [3, 0, 1], [2, 4, 6]], dtype=kind)
    expected = lookalike.pairs(vectors, 0.99).rows
    without(monkeypatch, "pyarrow")
    assert lookalike.pairs(vectors, 0.99).rows == expected and len(expected) == 1


def test_masks_without_numpy_select_in_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    frames = [pandas.DataFrame({"text": TEXTS}), polars.DataFrame({"text": TEXTS})]
    mask = lookalike.Mask([True, False, True])
    assert frames[0][mask]["text"].tolist() == frames[1].filter(mask)["text"].to_list() == TEXTS[::2]
    assert frames[1].filter(~mask)["text"].to_list() == TEXTS[1:2]


def test_tables_are_still_taken_over() -> None:
    table = lookalike.dedup(TEXTS).removed
    assert pandas.DataFrame(table)["kept_row"].tolist() == polars.DataFrame(table)["kept_row"].to_list() == [0]


def test_no_message_advises_to_install_a_package_of_this_name() -> None:
    package = Path(lookalike.__file__).parent
    for source in package.rglob("*.py"):
        assert not re.search(r"pip install ['\"]?lookalike", source.read_text()), source
