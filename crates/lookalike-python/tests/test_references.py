"""Documents beside references: search, and removal against them."""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import lookalike
import pandas
import polars
import pytest
from lookalike import Answers, Deduped


def shingles(text: str) -> frozenset[tuple[str, ...]]:
    words = text.split()
    size = min(5, len(words))
    return frozenset(tuple(words[start : start + size]) for start in range(len(words) - size + 1))


def jaccard(left: str, right: str) -> float:
    a, b = shingles(left), shingles(right)
    return len(a & b) / len(a | b)


def sides(seed: int) -> tuple[list[str], list[str]]:
    """Texts of some words, and references, which have copies of some of both with a word or two changed."""
    random_ = random.Random(seed)
    words = [f"w{number}" for number in range(500)]
    data = [" ".join(random_.choices(words, k=random_.randint(5, 40))) for _ in range(150)]
    references = [" ".join(random_.choices(words, k=20)) for _ in range(150)]
    for _ in range(200):
        copy = random_.choice(data + references).split()
        copy[random_.randrange(len(copy))] = random_.choice(words)
        references.insert(random_.randrange(len(references)), " ".join(copy))
    return data, references


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_search_finds_what_brute_force_finds(seed: int) -> None:
    data, references = sides(seed)
    threshold = 0.4
    expected = [
        (row, other, jaccard(text, reference))
        for row, text in enumerate(data)
        for other, reference in enumerate(references)
        if jaccard(text, reference) >= threshold
    ]
    expected.sort(key=lambda match: (match[0], -match[2], match[1]))
    found = lookalike.search(data, references, threshold).to_arrow()
    rows = list(zip(*(found[name].to_pylist() for name in ("query_row", "row", "similarity")), strict=True))
    assert len(expected) > 50
    assert rows == expected
    nearest = lookalike.search(polars.DataFrame({"text": data}), references, threshold, k=1)
    closest = {}
    for row, other, similarity in expected:
        closest.setdefault(row, (other, similarity))
    table = nearest.to_arrow()
    rows = zip(table["row"].to_pylist(), table["similarity"].to_pylist(), strict=True)
    assert dict(zip(table["query_row"].to_pylist(), rows, strict=True)) == closest
    assert [row for row, is_found in enumerate(nearest.mask) if is_found] == sorted(closest)


@pytest.mark.parametrize("limit", [1, 3, 200])
def test_without_a_threshold_the_nearest_come_however_far(limit: int) -> None:
    data, references = sides(5)
    found = lookalike.search(data, references, k=limit).to_arrow()
    rows = list(zip(*(found[name].to_pylist() for name in ("query_row", "rank", "row", "similarity")), strict=True))
    expected = []
    for row, text in enumerate(data):
        all_ = [(-jaccard(text, reference), other) for other, reference in enumerate(references)]
        near = sorted(pair for pair in all_ if pair[0] < 0)[:limit]
        expected += [(row, rank, other, -similarity) for rank, (similarity, other) in enumerate(near, 1)]
    assert rows == expected


def test_ids_of_both_sides_may_be_the_same() -> None:
    text = "one two three four five six"
    found = lookalike.search({"a": text, "b": "unrelated"}, {"a": text}, 0.8)
    assert found.to_arrow().select(["query", "id", "similarity", "reason"]).to_pylist() == [
        {"query": "a", "id": "a", "similarity": 1.0, "reason": "identical"}
    ]
    assert repr(found).splitlines()[0] == "Answers: 2 queries, 1 answer"
    assert "recall expected: 1.0000" in found._repr_html_()
    with pytest.raises(TypeError, match="pickled"):
        pickle.dumps(found)


def test_references_of_a_file_are_searched(tmp_path: Path) -> None:
    path = tmp_path / "old.jsonl"
    path.write_text('{"id": "x", "text": "one two three four five six"}\n')
    frame = pandas.DataFrame({"text": ["unrelated", "One two three four five six"]})
    found = lookalike.search(frame, path)
    assert found.to_arrow().select(["query_row", "row", "id"]).to_pylist() == [{"query_row": 1, "row": 1, "id": "x"}]
    assert found.mask.tolist() == [False, True]


def test_a_text_inside_of_a_reference_is_found_by_containment() -> None:
    corpus = ["before it one two three four five six and after it", "unrelated"]
    found = lookalike.search(["one two three four five six"], corpus, 1, measure="containment").to_arrow()
    assert found["containment_of_query"].to_pylist() == [1.0]
    assert found["containment_of_id"].to_pylist() == [2 / 7]


def test_references_are_needed() -> None:
    with pytest.raises(TypeError, match="`corpus` is None"):
        lookalike.search(["a"], None)
    with pytest.raises(TypeError, match="lone str"):
        lookalike.search(["a"], "b")
    with pytest.raises(ValueError, match="no query"):
        lookalike.search(corpus=["a"])


@dataclass
class MaskOnly:
    """A native answer that has its mask only."""

    values: bytes | None

    def mask(self) -> bytes | None:
        return self.values


def test_masks_tell_rows_that_were_left_out_from_others() -> None:
    native: Any = MaskOnly(bytes([1, 0, 2]))
    for result, mask in [(Deduped(native, {}), [True, False, False]), (Answers(native, {}), [True, False, False])]:
        assert result.mask.dtype == result.left_out.dtype == bool
        assert (result.mask.tolist(), result.left_out.tolist()) == (mask, [False, False, True])


def test_records_that_are_left_out_have_no_near_duplicate() -> None:
    data = polars.DataFrame({"text": ["one two three", None, "unrelated"]})
    with pytest.warns(lookalike.LookalikeWarning, match="data, row 1"):
        checked = lookalike.search(data, ["one two three"], on_error="skip")
    assert checked.mask.tolist() == [True, False, False]
    assert checked.left_out.tolist() == [False, True, False]
    with pytest.warns(lookalike.LookalikeWarning, match="data, row 1"):
        deduped = lookalike.dedup(data, on_error="skip")
    assert deduped.mask.tolist() == [True, False, True]
    assert deduped.left_out.tolist() == [False, True, False]


WRONG_SIDES: list[tuple[str, Callable[..., object], dict[str, Any]]] = [
    ("does not fit pairs: .* no references", lookalike.pairs, {}),
    ("does not fit clusters: .* no references", lookalike.clusters, {}),
    ("does not fit snapshot: .* no references", lookalike.snapshot, {}),
    ("needs references: pass `against`", lookalike.dedup, {"measure": "containment"}),
    ("does not fit the measure: pass measure=\"containment\"", lookalike.dedup, {"against": ["b"]}),
    ("does not fit the measure: pass measure=\"containment\"", lookalike.search, {"measure": "jaccard"}),
]


@pytest.mark.parametrize("side", ["either", "in-reference"])
@pytest.mark.parametrize(("message", "job", "keywords"), WRONG_SIDES)
def test_the_contained_side_is_said_of_references_only(
    message: str, job: Callable[..., object], keywords: dict[str, Any], side: str
) -> None:
    second = {lookalike.search: [["b"]], lookalike.snapshot: ["a.snapshot"]}.get(job, [])
    with pytest.raises(TypeError, match=f"the keyword `containment` {message}"):
        job(["a"], *second, containment=side, **keywords)


def test_the_direction_of_a_match_is_selected_by_its_columns() -> None:
    part, whole = "one two three", "one two three four five six"
    options: dict[str, Any] = {"measure": "containment", "shingle": "word:1"}
    found = lookalike.search([part, whole], [part, whole], 0.9, **options).to_polars()
    inside = found.filter(found["containment_of_query"] >= 0.9).select("query_row", "row").rows()
    assert sorted(inside) == [(0, 0), (0, 1), (1, 1)] and len(found) == 4
    one_way = lookalike.search([part, whole], [part, whole], 0.9, containment="in-reference", **options).to_polars()
    assert sorted(one_way.select("query_row", "row").rows()) == sorted(inside)
