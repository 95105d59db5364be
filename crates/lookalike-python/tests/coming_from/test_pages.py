"""docs/datatrove.md and docs/text-dedup.md: the job before and after, and what the pages say differs."""

from __future__ import annotations

import itertools
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import lookalike

ROOT = Path(__file__).parents[4]
THRESHOLD = 0.7


def block(page: str, language: str, heading: str) -> str:
    """The first block of a language below a heading of a page."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8").split(f"## {heading}\n")[1]
    found = re.search(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


def run(program: list[str] | str, folder: Path) -> None:
    # Neither tool needs the network for files that are here.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(folder / "home"), "PATH": path}
    shell = isinstance(program, str)
    done = subprocess.run(
        program, cwd=folder, env=environment, shell=shell, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def ids(file: Path) -> list[str]:
    return [json.loads(line)["id"] for line in file.read_text(encoding="utf-8").splitlines()]


def named(page: str, what: str) -> list[set[str]]:
    """For each row of the page's table that begins with these words: the ids in its second cell."""
    rows = re.findall(rf"^\| {what} \| (.*?) \|", (ROOT / "docs" / page).read_text(encoding="utf-8"), re.MULTILINE)
    return [set(re.findall(r"`([^`]+)`", row)) for row in rows]


def check(page: str, folder: Path, kept: set[str], ours: set[str]) -> None:
    """Holds what stays, before and after, to what the page says of it."""
    articles = folder / "examples" / "press.jsonl"
    every = ids(articles)
    assert f"It keeps {len(kept)} of {len(every)} records" in (ROOT / "docs" / page).read_text(encoding="utf-8")
    near: dict[str, set[str]] = {one: set() for one in every}
    for pair in lookalike.pairs(articles, threshold=THRESHOLD).to_arrow().to_pylist():
        near[pair["a"]].add(pair["b"])
        near[pair["b"]].add(pair["a"])
    kept_pairs = itertools.combinations([one for one in every if one in kept], 2)
    both_stay = [{one, other} for one, other in kept_pairs if other in near[one]]
    assert sorted(map(sorted, both_stay)) == sorted(map(sorted, named(page, "keep both of")))
    alone = {one for one in every if one not in kept and not near[one] & kept}
    lost = set().union(*named(page, "lose"), *named(page, "remove without a near-duplicate that stays"))
    assert alone == lost
    assert all(one in ours or near[one] & ours for one in every)
    assert not any(near[one] & ours for one in ours)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "examples").mkdir()
    shutil.copy(ROOT / "examples" / "press.jsonl", tmp_path / "examples")
    return tmp_path


def after(page: str, folder: Path) -> set[str]:
    """What stays after the command of the page, which the tests of the command line hold to what it says."""
    for line in block(page, "console", "After").splitlines():
        if line.startswith("$ "):
            run(line.removeprefix("$ "), folder)
    return set(ids(folder / "kept.jsonl"))


def test_datatrove(folder: Path) -> None:
    (folder / "before.py").write_text(block("datatrove.md", "python", "Before"), encoding="utf-8")
    run([sys.executable, "before.py"], folder)
    kept = set().union(*(ids(file) for file in (folder / "kept").iterdir()))
    check("datatrove.md", folder, kept, after("datatrove.md", folder))


def test_text_dedup(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(block("text-dedup.md", "sh", "Before"), folder)
    import datasets

    kept = set(datasets.load_from_disk(str(folder / "kept"))["id"])
    ours = after("text-dedup.md", folder)
    check("text-dedup.md", folder, kept, ours)
    monkeypatch.chdir(folder)
    names: dict[str, object] = {}
    exec(block("text-dedup.md", "python", "After"), names)  # noqa: S102
    assert set(names["kept"]["id"]) == ours  # type: ignore[index]
