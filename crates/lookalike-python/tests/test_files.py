"""Jobs that write files write those of the command."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import lookalike
import polars
import pytest
from conftest import make_texts


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "data.jsonl"
    lines = (json.dumps({"id": f"d{row}", "text": text}) for row, text in enumerate(make_texts(400)))
    path.write_text("".join(line + "\n" for line in lines))
    return path


def frame_of(data: Path) -> polars.DataFrame:
    return polars.read_ndjson(data)


def run_command(*arguments: object) -> None:
    subprocess.run([sys.executable, "-m", "lookalike", *map(str, arguments), "-q"], check=True)


def test_a_snapshot_stands_for_documents_in_memory_and_in_files(data: Path, tmp_path: Path) -> None:
    of_frame, of_file = tmp_path / "frame.snapshot", tmp_path / "file.snapshot"
    report = lookalike.snapshot(frame_of(data), of_frame)
    lookalike.snapshot(data, of_file)
    run_command("snapshot", data, "-o", tmp_path / "command.snapshot")
    assert of_file.read_bytes() == (tmp_path / "command.snapshot").read_bytes()
    assert report["result"]["documents"] == 400
    expected = lookalike.dedup(data, 0.6).removed.to_arrow()["id"].to_pylist()
    assert len(expected) > 100
    for snapshot in (of_frame, of_file):
        assert lookalike.dedup(snapshot, 0.6).removed.to_arrow()["id"].to_pylist() == expected


def test_pages_show_frames_and_files_alike(data: Path, tmp_path: Path) -> None:
    frame, page = frame_of(data), tmp_path / "page.html"
    jobs: list[tuple[Any, str, dict[str, Any]]] = [
        (lookalike.dedup, "removed", {}),
        (lookalike.dedup, "removed", {"against": frame[:100]}),
        (lookalike.dedup, "removed", {"cluster": "connected"}),
        (lookalike.pairs, "pairs", {}),
        (lookalike.clusters, "clusters", {}),
    ]
    for job, noun, options in jobs:
        job(frame, 0.6, report=page, **options)
        shown = page.read_text(encoding="utf-8")
        assert "</html>" in shown, noun
        assert noun in shown, noun
        # Texts that stay in memory are shown, too.
        assert any(text[:20] in shown for text in frame["text"]), noun
        page.unlink()
    for job, command in ((lookalike.dedup, "dedup"), (lookalike.pairs, "pairs"), (lookalike.clusters, "clusters")):
        output = [] if command == "dedup" else ["-o", tmp_path / "rows.jsonl"]
        run_command(command, data, "-t", 0.6, "--report", tmp_path / "command.html", *output)
        job(data, 0.6, report=page)
        assert page.read_bytes() == (tmp_path / "command.html").read_bytes()
    with pytest.raises(ValueError, match="search writes no report"):
        lookalike.search(frame, frame, 0.6, report=page)


def test_cuts_are_those_of_the_command(data: Path, tmp_path: Path) -> None:
    flags = ["--shingle", "word:4", "--removed", tmp_path / "cuts.csv", "--min-left", 3, "--separator", " / "]
    run_command("cut", data, "-o", tmp_path / "cut.jsonl", *flags)
    own, removed = tmp_path / "own.jsonl", tmp_path / "own.csv"
    report = lookalike.cut(data, own, shingle="word:4", removed=removed, min_left=3, separator=" / ")
    assert report["result"]["passages"] > 100
    assert own.read_bytes() == (tmp_path / "cut.jsonl").read_bytes()
    assert removed.read_bytes() == (tmp_path / "cuts.csv").read_bytes()
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(data.read_bytes())
    assert lookalike.cut(data, shingle="word:4", against=copy)["result"]["passages"] > report["result"]["passages"]
    with pytest.raises(TypeError, match="cut reads files"):
        lookalike.cut(frame_of(data), own)
    with pytest.raises(TypeError, match="`measure` does not fit cut"):
        lookalike.cut(data, own, measure="cosine")
    with pytest.raises(ValueError, match="`against` does not go with `keep`"):
        lookalike.cut(data, own, against=data, keep="last")


@pytest.mark.parametrize("name", ["rows.jsonl", "rows.csv"])
def test_fingerprints_are_those_of_the_command(data: Path, tmp_path: Path, name: str) -> None:
    flags = ["--weights", "tf", "--fingerprint-bits", 128, "--seed", 7]
    run_command("fingerprint", data, *flags, "-o", tmp_path / name)
    own = tmp_path / f"own-{name}"
    lookalike.fingerprint(frame_of(data), own, weights="tf", fingerprint_bits=128, seed=7)
    assert own.read_bytes() == (tmp_path / name).read_bytes()


@pytest.mark.parametrize("algorithm", ["xxh3", "sha256"])
def test_copies_are_those_of_the_command(data: Path, tmp_path: Path, algorithm: str) -> None:
    run_command("checksum", data, "--algorithm", algorithm, "-o", tmp_path / "copies.csv")
    lookalike.checksum(data, tmp_path / "own.csv", algorithm=algorithm)
    assert (tmp_path / "own.csv").read_bytes() == (tmp_path / "copies.csv").read_bytes()
    with pytest.raises(TypeError, match="checksum reads files"):
        lookalike.checksum(["a", "a"], tmp_path / "none.csv")


def test_saved_pairs_are_clustered_again_as_by_the_command(data: Path, tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.parquet"
    run_command("pairs", data, "-t", 0.5, "-o", pairs)
    names = ("clusters.csv", "removed.csv", "kept.jsonl")
    command, own = ([tmp_path / f"{side}-{name}" for name in names] for side in ("command", "own"))
    flags = ["-t", 0.7, "--documents", data, "--keep", "longest"]
    run_command("recluster", pairs, *flags, "-o", command[0], "--removed", command[1], "--records", command[2])
    report = lookalike.recluster(
        pairs, own[0], 0.7, documents=data, keep="longest", removed=own[1], records=own[2]
    )
    assert [path.read_bytes() for path in own] == [path.read_bytes() for path in command]
    assert report["result"]["clusters"] > 10
    with pytest.raises(ValueError, match="0.5"):
        lookalike.recluster(pairs, own[0], 0.3)


def test_what_does_not_fit_is_refused(data: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="snapshot"):
        lookalike.snapshot(data, tmp_path / "data.jsonl.gz")
    with pytest.raises(TypeError, match="measure"):
        lookalike.fingerprint(data, tmp_path / "rows.csv", measure="jaccard")
    with pytest.raises(ValueError, match="expected one of `sum`"):
        lookalike.checksum(data, tmp_path / "rows.csv", algorithm="md5")
    assert not list(tmp_path.glob("rows*"))


def test_ids_that_repeat_are_told_of_by_all_jobs(tmp_path: Path) -> None:
    data = tmp_path / "data.jsonl"
    data.write_text('{"id": "x", "text": "a b c"}\n{"id": "x", "text": "a b c"}\n')
    pairs, output = tmp_path / "pairs.parquet", tmp_path / "rows.csv"
    run_command("pairs", data, "-o", pairs)
    message = "1 id occurs again; the first, `x`, is called `x@data.jsonl:2` at .*data.jsonl:2; unique_ids=True"
    jobs: list[Callable[..., object]] = [
        lambda **options: lookalike.snapshot(data, tmp_path / "data.snapshot", **options),
        lambda **options: lookalike.fingerprint(data, output, **options),
        lambda **options: lookalike.checksum(data, output, **options),
        lambda **options: lookalike.recluster(pairs, output, documents=data, **options),
        lambda **options: lookalike.dedup(data, shingle="word:1", **options),
    ]
    for job in jobs:
        with pytest.warns(lookalike.LookalikeWarning, match=message) as caught:
            job()
        assert [warning.filename for warning in caught] == [__file__]
        with pytest.raises(ValueError, match="data.jsonl:2: id `x` was used"):
            job(unique_ids=True)


def test_jobs_on_files_refuse_what_holds_no_documents(tmp_path: Path) -> None:
    for job in (lookalike.snapshot, lookalike.fingerprint, lookalike.checksum):
        with pytest.raises(TypeError, match="documents cannot be read from NoneType"):
            job(None, tmp_path / "rows.csv")


@pytest.mark.parametrize(("bad", "more"), [(20, []), (21, ["1 more record was left out"]), (30, ["10 more records"])])
def test_each_kind_of_warning_has_a_limit_of_its_own(tmp_path: Path, bad: int, more: list[str]) -> None:
    lines = ['{"id": "a", "text": "a b"}', *["broken"] * bad]
    (tmp_path / "a.jsonl").write_text("\n".join(lines) + "\n")
    polars.DataFrame({"id": ["b"], "text": [b"b"]}).write_parquet(tmp_path / "b.parquet")
    with pytest.warns(lookalike.LookalikeWarning) as caught:
        lookalike.dedup([tmp_path / "a.jsonl", tmp_path / "b.parquet"], on_error="skip", shingle="word:1", threads=1)
    messages = [str(warning.message) for warning in caught]
    assert ["left out: " in message for message in messages] == [True] * 20 + [False] * (1 + len(more))
    assert "a.jsonl:21" in messages[19] and "b.parquet: column `text` holds bytes" in messages[20]
    assert all(message.startswith(start) for message, start in zip(messages[21:], more, strict=True))
