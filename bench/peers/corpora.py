"""Corpora by name, each as one JSON Lines file `{"id", "text"}` under `target/bench-data`, made when first asked for.

- rust_docs: the HTML documentation of the Rust toolchain, tags stripped
- win32_docs and the like: files of the shared data, decompressed
- generated_N: made by generate.py
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing import Pool
from pathlib import Path

import orjson

from environment import ROOT
from generate import DATA, generate
from page_text import page_text


@dataclass(frozen=True)
class Corpus:
    """A file of documents, one a line."""

    name: str
    path: Path

    @property
    def megabytes(self) -> float:
        """Size of the file in millions of bytes."""
        return self.path.stat().st_size / 1e6

    def lines(self) -> Iterator[bytes]:
        """The records as they stand."""
        with self.path.open("rb") as file:
            yield from file

    def keys(self) -> list[str]:
        """The ids in order. The scripts name documents by position, so ids must differ."""
        keys = [orjson.loads(line)["id"] for line in self.lines()]
        if len(set(keys)) != len(keys):
            sys.exit(f"{self.path}: ids are not unique, answers could not be checked")
        return keys


def corpus(name: str, limit_docs: int | None) -> Corpus:
    """Makes a corpus, or its first `limit_docs` documents."""
    DATA.mkdir(parents=True, exist_ok=True)
    made = re.fullmatch(r"generated_(\d+)", name)
    if made:
        path = generate(int(made[1]))
    else:
        path = DATA / f"{name}.jsonl"
        if not path.exists():
            aside = path.with_suffix(".part")
            _write_rust_docs(aside) if name == "rust_docs" else _decompress(name, aside)
            aside.rename(path)
    whole = Corpus(name, path)
    return whole if limit_docs is None else _first(whole, limit_docs)


def shards(source: Corpus, parts: int) -> Path:
    """A folder with the corpus in `parts` files of whole lines, for tools whose unit of parallel work is the file."""
    folder = DATA / "shards" / f"{source.name}_{parts}"
    size = source.path.stat().st_size
    if folder.is_dir() and sum(file.stat().st_size for file in folder.iterdir()) == size:
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    lines, written = source.lines(), 0
    for part in range(parts):
        with (folder / f"{part:05d}.jsonl").open("wb") as out:
            while written < size * (part + 1) // parts:
                line = next(lines)
                out.write(line)
                written += len(line)
    return folder


def shared_data() -> Path:
    """Where the real documents lie that are not part of the project."""
    return Path(os.environ.get("LOOKALIKE_DATA") or ROOT.parent / "shared" / "data")


def _first(whole: Corpus, documents: int) -> Corpus:
    part = Corpus(f"{whole.name}_first_{documents}", DATA / f"{whole.name}_first_{documents}.jsonl")
    if not part.path.exists():
        with part.path.open("wb") as out:
            for _, line in zip(range(documents), whole.lines()):
                out.write(line)
    return part


def _decompress(name: str, target: Path) -> None:
    import zstandard

    source = shared_data() / f"{name}.jsonl.zst"
    if not source.exists():
        sys.exit(f"unknown corpus {name}: there is no {source} (set LOOKALIKE_DATA)")
    with source.open("rb") as packed, target.open("wb") as out:
        zstandard.ZstdDecompressor().copy_stream(packed, out)


def _write_rust_docs(target: Path) -> None:
    sysroot = subprocess.run(["rustc", "--print", "sysroot"], capture_output=True, text=True, check=True, cwd=ROOT)
    pages = Path(sysroot.stdout.strip()) / "share/doc/rust/html"
    paths = sorted(str(page.relative_to(pages)) for page in pages.rglob("*.html"))
    if not paths:
        sys.exit(f"no pages in {pages}: `rustup component add rust-docs`")
    print(f"rust_docs: reading {len(paths)} pages", file=sys.stderr)
    with Pool() as pool, target.open("wb") as out:
        for record in pool.imap(_record, ((str(pages), path) for path in paths), chunksize=64):
            out.write(record)


def _record(page: tuple[str, str]) -> bytes:
    folder, path = page
    with open(os.path.join(folder, path), encoding="utf-8", errors="replace") as file:
        return orjson.dumps({"id": path, "text": page_text(file.read())}) + b"\n"
