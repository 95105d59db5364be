"""Sources and passages in Python: the same as the command finds."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import lookalike

WORDS = [f"w{number}" for number in range(200)]
LIBRARY = [" ".join(WORDS[:80]), " ".join(WORDS[80:160]), "nothing of it"]
ESSAYS = [" ".join(["own", *WORDS[20:60], "words", *WORDS[100:120]]), "my own words alone"]


def test_passages_are_those_of_the_command(tmp_path: Path) -> None:
    for name, texts in (("new", ESSAYS), ("refs", LIBRARY)):
        rows = [json.dumps({"id": f"{name}{number}", "text": text}) for number, text in enumerate(texts)]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(rows), encoding="utf-8")
    new, refs = tmp_path / "new.jsonl", tmp_path / "refs.jsonl"
    command = [sys.executable, "-m", "lookalike", "sources", str(new), "--against", str(refs), "--format", "jsonl"]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    expected = [json.loads(line) for line in said.splitlines()]
    assert [row["tokens"] for row in expected] == [40, 20, 0]
    assert (expected[2]["id"], expected[2]["source"], expected[2]["share"]) == ("new1", None, 0)
    from_files = lookalike.sources(new, refs)
    assert from_files.to_arrow().to_pylist() == expected
    in_memory = lookalike.sources(
        {f"new{number}": text for number, text in enumerate(ESSAYS)},
        {f"refs{number}": text for number, text in enumerate(LIBRARY)},
    )
    assert in_memory.to_arrow().to_pylist() == expected
    assert (len(in_memory), repr(in_memory).splitlines()[0]) == (3, "Sources: 2 documents, 1 with sources, 2 passages")
    assert in_memory.report["result"]["covered_tokens"] == 60
    assert "2" in in_memory._repr_html_()


def test_a_snapshot_for_passages_stands_for_its_texts(tmp_path: Path) -> None:
    stored, page = tmp_path / "library.snapshot", tmp_path / "sources.html"
    lookalike.snapshot({f"refs{number}": text for number, text in enumerate(LIBRARY)}, stored, passages=True)
    expected = lookalike.sources(ESSAYS, {f"refs{number}": text for number, text in enumerate(LIBRARY)})
    rows = [(row["source"], row["tokens"], row["source_start"]) for row in expected.to_arrow().to_pylist()]
    found = lookalike.sources(ESSAYS, stored, report=page)
    assert [(row["source"], row["tokens"], row["source_start"]) for row in found.to_arrow().to_pylist()] == rows
    assert "<mark" in page.read_text(encoding="utf-8")
    lookalike.snapshot(LIBRARY, stored)
    with pytest.raises(ValueError, match="holds no texts"):
        lookalike.sources(ESSAYS, stored)


def test_documents_are_compared_among_each_other_without_references() -> None:
    found = lookalike.sources([LIBRARY[0], ESSAYS[0], LIBRARY[1]], min_match=30).to_arrow().to_pylist()
    assert [(row["id"], row["source"], row["tokens"]) for row in found] == [("0", "1", 40), ("1", "0", 40), ("2", None, 0)]


def test_what_is_ignored_or_common_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "sheet.txt").write_text(LIBRARY[0], encoding="utf-8")
    assert len(lookalike.sources(ESSAYS, LIBRARY, ignore=[tmp_path / "sheet.txt"])) == 2
    assert len(lookalike.sources(ESSAYS, [*LIBRARY, LIBRARY[1]], common=1)) == 2


def test_five_words_are_a_passage_and_what_many_have_is_named() -> None:
    essays = [f"own{number} as the tide comes in the harbour closes end{number}" for number in range(12)]
    found = lookalike.sources(essays)
    assert found.report["result"]["with_sources"] == 0
    (common,) = found.report["result"]["common_passages"]
    assert (common["documents"], common["tokens"], common["text"]) == (12, 8, "as the tide comes in the harbour closes")
    assert lookalike.sources(essays, common=11).report["result"]["with_sources"] == 12
    assert lookalike.sources(essays, common=11, min_match="word:12").report["result"]["with_sources"] == 0


def test_cuts_leave_headings_and_have_a_page(tmp_path: Path) -> None:
    words = " ".join(WORDS[:20])
    texts = [f"# Notes\n\n{words}\n\n# End\n\nown {number}" for number in range(2)]
    rows = [json.dumps({"id": str(number), "text": text}) for number, text in enumerate(texts)]
    (tmp_path / "in.jsonl").write_text("\n".join(rows), encoding="utf-8")
    paths = (tmp_path / "in.jsonl", tmp_path / "out.jsonl")
    report = lookalike.cut(*paths, shingle="paragraph:1", report=tmp_path / "cuts.html")
    assert (report["result"]["cut_tokens"], report["result"]["spared_tokens"]) == (2, 1)
    assert "1 of 2 documents cut" in (tmp_path / "cuts.html").read_text(encoding="utf-8")
    assert lookalike.cut(paths[0], shingle="paragraph:1", min_cut=0)["result"]["cut_tokens"] == 3
    assert lookalike.cut(paths[0], shingle="paragraph:1", min_cut=23)["result"]["cut_tokens"] == 0


@pytest.mark.parametrize(
    ("options", "error", "told"),
    [
        ({"measure": "cosine"}, TypeError, "measure"),
        ({"shingle": "word:3"}, TypeError, "min_match"),
        ({"min_match": 0}, ValueError, "1"),
        ({"min_match": "sentences"}, ValueError, "word:N"),
        ({"common": -1}, (ValueError, OverflowError, TypeError), "common"),
        ({"ignore": "sheet.txt"}, TypeError, "list"),
        ({"minmatch": 3}, TypeError, "min_match"),
    ],
)
def test_wrong_keywords_are_refused(options: dict[str, object], error: type[Exception], told: str) -> None:
    with pytest.raises(error, match=told):
        lookalike.sources(ESSAYS, LIBRARY, **options)  # type: ignore[arg-type]
