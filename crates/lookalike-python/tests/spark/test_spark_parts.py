"""The parts of the jobs that have an answer of their own: sets as binary values, the measured recall, the command."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import lookalike
import pyarrow
import pyarrow.parquet
import pytest
from documents import expected_removals, frame, make_texts, mixed_records, records

spark_jobs = pytest.importorskip("lookalike.spark")


@pytest.mark.parametrize("sets", [[], [[]], [[1, 2], [], [3]], [[1], None, [-5, 7], []]])
def test_sets_as_binary_values(sets: Any) -> None:
    from lookalike.spark._stages.sets import packed, unpacked

    array = pyarrow.array(sets, pyarrow.list_(pyarrow.int64()))
    for start in range(len(sets) + 1):
        values = packed(array.slice(start))
        assert values.to_pylist() == [
            None if elements is None else b"".join(element.to_bytes(8, "little", signed=True) for element in elements)
            for elements in sets[start:]
        ]
        assert unpacked(values).to_pylist() == unpacked(packed(array).slice(start)).to_pylist() == sets[start:]


def test_the_measured_recall_is_that_of_all_pairs(spark: Any, checkpoints: str) -> None:
    # So few that all documents are sampled: each pair is counted from both sides. Of equal sets one document counts.
    documents = records([text for text in dict.fromkeys(make_texts(300)) if text])
    few = {"method": "minhash", "bands": 4, "rows": 6}
    result = spark_jobs.pairs(frame(spark, documents), 0.6, checkpoints=checkpoints, **few)
    true = len(lookalike.pairs(documents, 0.6, method="exact"))
    found = len(lookalike.pairs(documents, 0.6, **few))
    assert 10 < found < true
    recall = result.report["measured_recall"]
    assert (recall["sampled_documents"], recall["true_pairs"], recall["found_pairs"]) == (
        len(documents),
        2 * true,
        2 * found,
    )
    low, high = recall["interval"]
    assert 0 < low < found / true < high < 1


@pytest.fixture
def pages(tmp_path: Path) -> tuple[dict[str, str], Path]:
    documents = mixed_records()
    path = tmp_path / "pages.parquet"
    pyarrow.parquet.write_table(pyarrow.table({"id": list(documents), "text": list(documents.values())}), path)
    return documents, path


def test_the_command_writes_its_answers(spark: Any, pages: Any, tmp_path: Path, capsys: Any) -> None:
    from lookalike.spark._command import main

    documents, path = pages
    out = tmp_path / "out"
    main(["dedup", str(path), str(out), "--threshold", "0.7", "--method", "exact"])
    names = ["id", "kept", "similarity", "reason"]
    removed = pyarrow.parquet.read_table(out / "removed").select(names).to_pylist()
    assert {tuple(row.values()) for row in removed} == expected_removals(documents, threshold=0.7, method="exact")
    kept = pyarrow.parquet.read_table(out / "kept").to_pylist()
    assert {row["id"]: row["text"] for row in kept}.items() <= documents.items()
    assert len(kept) + len(removed) == len(documents)
    report = json.loads(spark.read.text(str(out / "report"), wholetext=True).collect()[0][0])
    assert report["result"]["kept"] == len(kept)
    assert f"Deduped: {len(documents)} documents" in capsys.readouterr().err
    # Stopped while it wrote its answers, it writes them again.
    shutil.rmtree(out / "report")
    main(["dedup", str(path), str(out), "--threshold", "0.70", "--method", "exact"])
    assert (out / "report").exists() and "Deduped" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="2"):
        main(["dedup", str(path), str(out)])
    assert f"{out} exists: name another folder" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["search", "{path}", "{out}"], "--in is for `search`, which needs it"),
        (["dedup", "{path}", "{out}", "--in", "{path}"], "--in is for `search`, which needs it"),
        (["pairs", "{path}", "{out}", "-k", "3"], "-k is for `search`"),
        (["dedup", "{path}", "{out}", "--text", "body"], "no column `body`; the columns are `id`, `text`"),
        (["dedup", "{path}", "{out}", "--threshold", "2"], "above 0 and at most 1"),
        (["dedup", "{path}", "{out}", "--order-by", "date"], "UNRESOLVED_COLUMN"),
        (["dedup", "{path}", "{out}", "--checkpoints", "{out}/stages"], "or one within the other"),
        (["dedup", "{path}", "{out}", "--checkpoints", "{path}"], "or one within the other"),
        (["dedup", "{path}x/nothing", "{out}"], "PATH_NOT_FOUND"),
        (["dedup", "{path}", "{out}", "--format", "json"], "`_corrupt_record`"),
    ],
)
def test_the_command_refuses_in_one_line(
    spark: Any, pages: Any, tmp_path: Path, capsys: Any, arguments: list[str], message: str
) -> None:
    from lookalike.spark._command import main

    out = tmp_path / "out"
    with pytest.raises(SystemExit, match="2"):
        main([argument.format(path=pages[1], out=out) for argument in arguments])
    told = capsys.readouterr().err
    assert told.startswith("lookalike-spark: ") and message in told and told.count("\n") == 1
    assert not out.exists() and not Path(f"{out}.checkpoints").exists()
