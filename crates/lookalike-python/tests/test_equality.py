"""The package and the command have the same answers."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import datasets
import lookalike
import numpy
import pandas
import polars
import pyarrow
import pytest
from lookalike import batch


def run_command(tmp_path: Path, texts: list[str], *flags: str) -> list[dict[str, Any]]:
    """The rows that the command writes about these texts, called by their numbers."""
    data, rows = tmp_path / "data.jsonl", tmp_path / "rows.jsonl"
    lines = (json.dumps({"id": str(row), "text": text, "score": row * 7919 % 101}) for row, text in enumerate(texts))
    data.write_text("".join(line + "\n" for line in lines))
    subprocess.run([sys.executable, "-m", "lookalike", *flags, str(rows), str(data), "-q"], check=True)
    return [json.loads(line) for line in rows.read_text().splitlines()]


def rows_of(table: Any, *columns: str) -> list[dict[str, Any]]:
    return table.to_arrow().select(list(columns)).to_pylist()


FORMS = {
    "list": lambda texts: list(texts),
    "tuple": lambda texts: tuple(texts),
    "generator": lambda texts: (text for text in texts),
    "dict": lambda texts: {str(row): text for row, text in enumerate(texts)},
    "pandas": lambda texts: pandas.DataFrame({"text": texts}),
    "pandas object": lambda texts: pandas.DataFrame({"text": pandas.Series(texts, dtype=object)}),
    "pandas series": lambda texts: pandas.Series(texts),
    "polars": lambda texts: polars.DataFrame({"text": texts}),
    "polars series": lambda texts: polars.Series(texts),
    "arrow": lambda texts: pyarrow.table({"text": texts}),
    "arrow large": lambda texts: pyarrow.table({"text": pyarrow.array(texts, pyarrow.large_string())}),
    "arrow view": lambda texts: pyarrow.table({"text": pyarrow.array(texts, pyarrow.string_view())}),
    "arrow dictionary": lambda texts: pyarrow.table({"text": pyarrow.array(texts).dictionary_encode()}),
    "arrow chunks": lambda texts: pyarrow.concat_tables(
        [pyarrow.table({"text": texts[:7]}), pyarrow.table({"text": texts[7:]})]
    ),
    "arrow slice": lambda texts: pyarrow.table({"text": ["a", *texts, "b"]}).slice(1, len(texts)),
    "arrow array": lambda texts: pyarrow.array(texts),
    "arrow chunked array": lambda texts: pyarrow.chunked_array([texts[:5], [], texts[5:]]),
    "datasets": lambda texts: datasets.Dataset.from_dict({"text": texts, "row": list(range(len(texts)))}),
    "datasets selection": lambda texts: datasets.Dataset.from_dict({"text": [*texts, "a"]}).select(range(len(texts))),
    "arrow batch": lambda texts: pyarrow.record_batch({"text": texts}),
}


@pytest.mark.parametrize("form", FORMS)
def test_dedup_of_all_forms_is_that_of_the_command(form: str, texts: list[str], tmp_path: Path) -> None:
    expected = run_command(tmp_path, texts, "dedup", "-t", "0.7", "--removed")
    result = lookalike.dedup(FORMS[form](texts), 0.7)
    assert len(expected) > 500
    assert rows_of(result.removed, "id", "kept", "similarity", "reason") == expected
    removed = {int(row["id"]) for row in expected}
    assert result.mask.dtype == numpy.bool_
    assert [row for row, stays in enumerate(result.mask) if not stays] == sorted(removed)
    assert [row["row"] for row in rows_of(result.kept, "row")] == [
        row for row in range(len(texts)) if row not in removed
    ]


@pytest.mark.parametrize(
    ("flags", "keywords"),
    [
        (["--keep", "longest"], {"keep": "longest"}),
        (["--keep", "last", "--cluster", "connected"], {"keep": "last", "cluster": "connected"}),
        (["--shingle", "char:7", "--method", "minhash"], {"shingle": "char:7", "method": "minhash"}),
        (["--measure", "containment"], {"measure": "containment"}),
        (["--measure", "cosine", "--weights", "tfidf"], {"measure": "cosine", "weights": "tfidf"}),
        (["--check-texts", "--bag", "--stride", "2"], {"check_texts": True, "bag": True, "stride": 2}),
        (["--method", "exact", "--empty", "duplicate"], {"method": "exact", "empty": "duplicate"}),
    ],
)
def test_keywords_are_the_flags(
    flags: list[str], keywords: dict[str, Any], texts: list[str], tmp_path: Path
) -> None:
    expected = run_command(tmp_path, texts, "dedup", *flags, "--removed")
    result = lookalike.dedup(texts, **keywords)
    assert expected
    assert rows_of(result.removed, "id", "kept", "similarity", "reason") == expected


def test_an_order_by_a_column_is_that_of_the_command(texts: list[str], tmp_path: Path) -> None:
    expected = run_command(tmp_path, texts, "dedup", "--keep", "max:score", "--removed")
    scores = [row * 7919 % 101 for row in range(len(texts))]
    for frame in (pandas.DataFrame, polars.DataFrame, pyarrow.table):
        result = lookalike.dedup(frame({"text": texts, "score": scores}), keep="max:score")
        assert rows_of(result.removed, "id", "kept", "similarity", "reason") == expected


def test_pairs_and_clusters_are_those_of_the_command(texts: list[str], tmp_path: Path) -> None:
    expected = run_command(tmp_path, texts, "pairs", "-t", "0.6", "-o")
    found = lookalike.pairs(texts, 0.6)
    assert len(found) == len(expected) > 500
    assert rows_of(found, "a", "b", "similarity", "reason") == expected
    expected = run_command(tmp_path, texts, "clusters", "-t", "0.6", "-o")
    assert rows_of(lookalike.clusters(texts, 0.6), "cluster", "id") == expected


def test_paths_are_read_as_by_the_command(texts: list[str], tmp_path: Path) -> None:
    expected = run_command(tmp_path, texts, "dedup", "--removed")
    for data in (tmp_path / "data.jsonl", [tmp_path / "data.jsonl"], lookalike.glob(str(tmp_path / "data.*"))):
        result = lookalike.dedup(data)
        assert rows_of(result.removed, "id", "kept", "similarity", "reason") == expected
        with pytest.raises(ValueError, match="files have no rows"):
            _ = result.mask


def test_references_have_any_form(texts: list[str], tmp_path: Path) -> None:
    references, data = texts[:1000], texts[1000:]
    lines = "".join(json.dumps({"id": str(row), "text": text}) + "\n" for row, text in enumerate(references))
    path = tmp_path / "references.jsonl"
    path.write_text(lines)
    results = [
        lookalike.dedup(data, against=against)
        for against in (references, polars.DataFrame({"text": references}), path)
    ]
    tables = [rows_of(result.removed, "row", "id", "kept", "reason") for result in results]
    assert len(tables[0]) > 300
    assert tables[0] == tables[1] == tables[2]
    assert all((results[0].mask == result.mask).all() for result in results)


def test_results_feel_at_home(texts: list[str]) -> None:
    result = lookalike.dedup(texts)
    count = len(result.removed)
    assert result.to_polars().height == len(result.to_pandas()) == result.to_arrow().num_rows == count
    assert polars.DataFrame(result.kept).height == result.mask.sum() == result.report["result"]["kept"]
    assert f"{count:,} removed" in repr(result) and f"{count:,}" in result._repr_html_()
    assert pandas.DataFrame({"text": texts})[result.mask].shape[0] == result.mask.sum()


def test_plan_and_compare() -> None:
    chosen = lookalike.plan(0.8)
    assert chosen.recall >= 0.99 and chosen.permutations <= 128
    assert chosen.probability(0.8) == chosen.recall > chosen.probability(0.4)
    compared = lookalike.compare("one two three four five six", "zero one two three four five six")
    assert compared.jaccard == 2 / 3 and repr(compared).endswith(", 1 common passage")
    assert compared.passages == [("one two three four five six", "one two three four five six")]


def test_compare_reads_files(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / name).with_suffix(".txt").write_text("one two three four five six")
    assert lookalike.compare(tmp_path / "a.txt", tmp_path / "b.txt").jaccard == 1.0
    with pytest.raises(TypeError, match="two texts"):
        lookalike.compare("a", tmp_path / "b.txt")


def test_the_command_comes_with_the_package() -> None:
    command = Path(sys.executable).with_name("lookalike")
    for arguments in ([str(command)], [sys.executable, "-m", "lookalike"]):
        done = subprocess.run([*arguments, "--version"], capture_output=True, text=True, check=True)
        assert done.stdout.startswith("lookalike ")
        assert subprocess.run([*arguments, "dedup", "/no/such"], capture_output=True, check=False).returncode == 2


def test_identical_texts_are_those_of_the_command(tmp_path: Path) -> None:
    texts = ["one two three", "One two three!", "one two three", "", "", "?", "?", "! ?"]
    expected = run_command(tmp_path, texts, "dedup", "--identical", "--removed")
    found = lookalike.dedup(texts, identical=True)
    columns = ["id", "kept", "similarity", "reason"]
    assert [row["id"] for row in expected] == ["2", "6"]
    assert rows_of(found.removed, *columns) == [{column: row[column] for column in columns} for row in expected]
    for others in ({"shingle": "word:1"}, {"threshold": 0.9}, {"measure": "cosine"}, {"bag": True}):
        with pytest.raises(TypeError, match="identical"):
            lookalike.dedup(texts, identical=True, **others)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="identical"):
        batch.features(pyarrow.array(texts), identical=True)  # type: ignore[call-arg]
