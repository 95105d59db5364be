"""The stored index in Python."""

from __future__ import annotations

import os
import pickle
import random
from pathlib import Path
from typing import Any

import lookalike
import pandas
import pytest

TEXTS = {"a": "one two three four five six", "b": "seven eight nine ten eleven twelve", "c": "c d e f g h"}


def ids(found: lookalike.Answers) -> list[str]:
    return found.to_arrow()["id"].to_pylist()


def test_documents_come_and_go(tmp_path: Path) -> None:
    path = tmp_path / "idx"
    with lookalike.Index.create(path, TEXTS, 0.5) as index:
        assert len(index) == 3 and "a" in index and "z" not in index and 7 not in index
        added = index.add({"d": "C D E F G H!", "e": "x y z"}, unless_near=0.9)
        assert repr(added) == "Added: 1, 1 not: another is near; the index has 4"
        assert added.near.to_arrow().select(["query_row", "query", "id", "similarity"]).to_pylist() == [
            {"query_row": 0, "query": "d", "id": "c", "similarity": 1.0}
        ]
        assert ids(index.search(["One two three four five six"])) == ["a"]
        index.remove(["a", "b"])
        assert ids(index.search(["One two three four five six"])) == []
        with pytest.raises(KeyError, match="nobody"):
            index.remove(["c", "nobody"])
        assert "c" in index and index.get("nobody") is None
        known = index.get("c")
        assert known is not None and known["characters"] == 11 and known["expires"] is None
        assert lookalike.dedup(TEXTS, against=index).mask.tolist() == [True, True, False]
        index.compact()
        assert index.verify() == [] and index.info["documents"] == 2
        index.backup(tmp_path / "copy")
        again = index.add(pandas.DataFrame({"id": ["c"], "text": ["other words stand here now"]}))
        assert repr(again) == "Added: 1, 1 of them in place of others; the index has 2"
    assert ids(lookalike.search(["c d e f g h"], lookalike.Index(tmp_path / "copy"))) == ["c"]
    assert ids(lookalike.search(["c d e f g h"], path, 0.6)) == []


def test_index_corpus_and_snapshot_give_the_same(tmp_path: Path) -> None:
    generator = random.Random(3)
    words = [f"w{number}" for number in range(60)]
    corpus = {f"d{number}": " ".join(generator.choices(words, k=30)) for number in range(80)}
    queries = [" ".join(text.split()[:20] + ["x"] * 5) for text in corpus.values()] + ["", "nothing in common"]
    for measure, threshold in [("jaccard", 0.3), ("containment", 0.4), ("cosine", 0.5)]:
        options: dict[str, Any] = {"measure": measure, "shingle": "word:2"}
        path, snapshot = tmp_path / f"{measure}.idx", tmp_path / f"{measure}.snapshot"
        index = lookalike.Index.create(path, corpus, threshold, **options)
        lookalike.snapshot(corpus, snapshot, shingle="word:2", counts=measure == "cosine")
        wanted = ["query_row", "rank", "id", "similarity", "reason"]
        found = [
            lookalike.search(queries, where, threshold, **options).to_arrow().select(wanted).to_pylist()
            for where in (corpus, snapshot, index, path)
        ]
        assert len(found[0]) >= 80 and found[0] == found[1] == found[2] == found[3]
        masks = [lookalike.search(queries, where, threshold, **options).mask.tolist() for where in (corpus, index)]
        assert masks[0] == masks[1] and masks[0][-2:] == [False, False]
        # What the index was made for need not be said again.
        assert index.search(queries, k=1).to_arrow()["rank"].to_pylist().count(1) == sum(masks[0])


def test_documents_of_the_corpus_are_asked_about(tmp_path: Path) -> None:
    texts = {**TEXTS, "d": "one two three four five six seven"}
    index = lookalike.Index.create(tmp_path / "idx", texts, 0.5)
    for where in (texts, index):
        found = lookalike.search(corpus=where, ids=["a"]).to_arrow()
        assert found.select(["query_row", "query", "id"]).to_pylist() == [{"query_row": None, "query": "a", "id": "d"}]
    with pytest.raises(ValueError, match="`nobody`"):
        index.search(ids=["nobody"])


def test_measures_that_count_need_no_limit() -> None:
    baskets = {"a": "milk bread eggs", "b": "milk bread", "c": "salt"}
    found = lookalike.search({"q": "milk bread tea"}, baskets, measure="overlap", items=True).to_arrow()
    assert found.select(["id", "common"]).to_pylist() == [{"id": "a", "common": 2}, {"id": "b", "common": 2}]
    prints = pandas.DataFrame({"id": ["x", "y"], "print": ["00ff", "00f0"]})
    query = pandas.DataFrame({"id": ["q"], "print": ["00fe"]})
    found = lookalike.search(query, prints, measure="hamming", bits="print", width=16).to_arrow()
    assert found.select(["id", "distance"]).to_pylist() == [{"id": "x", "distance": 1}, {"id": "y", "distance": 3}]


def test_one_writes_and_others_read(tmp_path: Path) -> None:
    path = tmp_path / "idx"
    writer = lookalike.Index.create(path, TEXTS)
    reader, other = lookalike.Index(path), lookalike.Index(path)
    writer.add({"d": "some more words that are new"})
    assert len(reader) == 3
    reader.refresh()
    assert len(reader) == 4
    with pytest.raises(ValueError, match="written to by another"):
        other.add({"e": "x"})
    writer.close()
    other.add({"e": "x"})
    writer.refresh()
    assert len(writer) == 5
    assert len(pickle.loads(pickle.dumps(reader))) == 5


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_process_does_not_write(tmp_path: Path) -> None:
    index = lookalike.Index.create(tmp_path / "idx", TEXTS)
    index.add({"d": "some more words that are new"})
    child = os.fork()
    if child == 0:
        status = 1
        try:
            with pytest.raises(RuntimeError, match="opened by another process"):
                index.add({"e": "x"})
            status = 7 if ids(index.search(["c d e f g h"])) == ["c"] else 2
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


def test_what_cannot_be_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "idx"
    index = lookalike.Index.create(path, TEXTS, 0.5)
    with pytest.raises(ValueError, match="is there already"):
        lookalike.Index.create(path, TEXTS)
    with pytest.raises(ValueError, match="is no index"):
        lookalike.Index(tmp_path)
    with pytest.raises(ValueError, match="answers by jaccard at 0.5 or above"):
        index.search(["a b c"], 0.3)
    with pytest.raises(ValueError, match="shingle was word:5 and is word:2"):
        index.search(["a b c"], shingle="word:2")
    with pytest.raises(ValueError, match="durability"):
        lookalike.Index(path, durability="none")
    with pytest.raises(TypeError, match="lone str"):
        index.remove("a")
    with pytest.raises(TypeError, match="unexpected keyword `treshold`"):
        index.add(["a"], treshold=0.5)  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="nothing to compare"):
        index.search(["..."])
    with pytest.raises((ValueError, TypeError, OverflowError)):
        index.search(["a b c"], k=0)
    assert len(index) == 3


def test_texts_and_fields_are_stored(tmp_path: Path) -> None:
    frame = pandas.DataFrame(
        {"id": ["a", "b"], "text": [TEXTS["a"], TEXTS["b"]], "url": ["http://a", None], "n": [1, 2], "other": [3, 4]}
    )
    with lookalike.Index.create(tmp_path / "idx", frame, 0.5, store=["url", "n"], store_texts=True) as index:
        known = index.get("a")
        assert known is not None and known["text"] == TEXTS["a"] and known["fields"] == {"url": "http://a", "n": 1}
        found = index.search([TEXTS["b"]]).to_arrow()
        assert found["fields"].to_pylist() == ['{"url":null,"n":2}']
        assert index.search(["nothing in common"]).to_arrow()["fields"].to_pylist() == []
        index.add(frame.assign(id=["a", "c"], url=["http://other", "http://c"]))
        again = index.get("a")
        assert again is not None and again["fields"]["url"] == "http://other"
        with pytest.raises(KeyError, match="url"):
            index.add(frame.drop(columns="url"))
        with pytest.raises(ValueError, match="no record has the field `url`"):
            index.add({"d": "texts have no fields at all"})
        assert index.info["settings"]["fields"] == ["url", "n"] and len(index) == 3
        copy = lookalike.Index.create(tmp_path / "copy", index, 0.5, store=["n"], store_texts=True)
    carried = copy.get("c")
    assert carried is not None and carried["fields"] == {"n": 2} and carried["text"] == TEXTS["b"]
    texts = lookalike.Index.create(tmp_path / "texts", TEXTS, store_texts=True).get("c")
    assert texts is not None and texts["text"] == TEXTS["c"] and "fields" not in texts
    with pytest.raises(TypeError, match="store: expected several"):
        lookalike.Index.create(tmp_path / "x", frame, store="url")
    with pytest.raises(KeyError, match="urls"):
        lookalike.Index.create(tmp_path / "x", frame, store=["urls"])


def test_signatures_answer_with_estimates(tmp_path: Path) -> None:
    with lookalike.Index.create(tmp_path / "idx", TEXTS, signatures=True) as index:
        found = index.search([TEXTS["a"]], k=1).to_arrow()
        names = ["query_row", "query", "rank", "row", "id", "estimated_similarity", "interval_low", "interval_high"]
        assert found.column_names == [*names, "reason"]
        assert found["estimated_similarity"].to_pylist() == [1.0] and found["reason"].to_pylist() == ["identical"]
        assert 0.9 < found["interval_low"][0].as_py() < 1.0
        with pytest.raises(ValueError, match="signatures only"):
            index.add({"x": "some new text"}, unless_near=True)
        with pytest.raises(ValueError, match="signatures only"):
            lookalike.dedup(TEXTS, against=index)
    with pytest.raises(ValueError, match="measure jaccard"):
        lookalike.Index.create(tmp_path / "x", TEXTS, measure="containment", signatures=True)


def test_documents_without_ids_are_known_by_their_texts(tmp_path: Path) -> None:
    texts = list(TEXTS.values())
    with lookalike.Index.create(tmp_path / "idx", [*texts, texts[0]]) as index:
        assert len(index) == 3
        again = index.add(texts, replace=False)
        assert repr(again) == "Added: 0, 3 not: the same content without an id is there; the index has 3"
        other = index.add([texts[2], "other words stand here now"])
        assert repr(other) == "Added: 1, 1 not: the same content without an id is there; the index has 4"
        found = index.search([texts[0]], k=1).to_arrow()["id"].to_pylist()
        assert found[0].startswith("text:") and found[0] in index
        frame = pandas.DataFrame({"id": ["x", None], "text": [texts[1], "nothing like that was there before"]})
        assert repr(index.add(frame)) == "Added: 2; the index has 6"
        with pytest.raises(ValueError, match="the index has 1 id of these documents already: `x`"):
            index.add(frame, replace=False)
        assert len(index) == 6
        nights = [{"": "words of the first night", " ": "and a line of it"}, {"": "quite other words of the second"}]
        assert [repr(index.add(night)) for night in nights] == [
            "Added: 2; the index has 8",
            "Added: 1; the index has 9",
        ]


def test_orders_with_references_and_further_fields() -> None:
    frame = pandas.DataFrame(
        {
            "text": ["one two three four five six", "One two three four five six!", "one two three four five, six"],
            "score": ["9", "10", "10"],
            "day": ["2026-01-02", "2026-01-02T10:00:00+02:00", "2026-01-02T09:00:00Z"],
        }
    )
    assert lookalike.dedup(frame, keep="max:score,max:day").mask.tolist() == [False, False, True]
    assert lookalike.dedup(frame, keep="max:score,first").mask.tolist() == [False, True, False]
    assert lookalike.dedup(frame, against=["nothing like that"]).mask.tolist() == [True, True, True]
    found = lookalike.dedup(frame, against=["nothing like that"], keep="max:score")
    assert found.mask.tolist() == [False, True, False]
    with pytest.warns(lookalike.LookalikeWarning, match="ordered as text: 3 values of `day`"):
        lookalike.dedup(frame.assign(day=["soon", "late", "never"]), keep="max:day")


def test_what_an_index_was_made_for_need_not_be_said_again(tmp_path: Path) -> None:
    records = tmp_path / "in.jsonl"
    records.write_text('{"id": "a", "text": "one two three", "v": [1, 0]}\n{"id": "b", "text": "six", "v": [1, 0.25]}\n')
    vectors, texts = tmp_path / "v.idx", tmp_path / "t.idx"
    lookalike.Index.create(vectors, records, vector="v", measure="euclidean", distance=0.5).close()
    lookalike.Index.create(texts, records, shingle="char:2", measure="containment").close()
    assert len(lookalike.pairs(vectors)) == 1
    assert len(lookalike.search(records, vectors, vector="v")) == 4
    assert len(lookalike.search(records, vectors)) == 4
    with lookalike.Index(vectors) as index:
        assert len(index.search(ids=["a"])) == 1
    assert lookalike.dedup(records, against=texts).report["result"]["kept"] == 0
    with lookalike.Index(texts) as index, pytest.raises(ValueError, match=r"shingle was char:2 and is word:5"):
        index.add(["new"], shingle="word:5")


def test_items_are_read_as_those_of_the_index(tmp_path: Path) -> None:
    baskets, counted = tmp_path / "in.jsonl", tmp_path / "c.idx"
    baskets.write_text('{"id": "a", "text": "x:3,y:1"}\n{"id": "b", "text": "z:2"}\n')
    lookalike.Index.create(counted, baskets, items=",", item_counts=True).close()
    assert len(lookalike.search(baskets, counted)) == 2
    with lookalike.Index(counted) as index:
        index.add(baskets)
        assert [index.get(name)["elements"] for name in ("a", "b")] == [4, 2]
        assert "item_counts" in str(index.info)
        with pytest.raises(ValueError, match="was made of items with `,` between them"):
            index.add(baskets, items=";")
