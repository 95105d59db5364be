"""Writes generated documents, some of them edits of others, to `documents.parquet` in a folder.

usage: documents.py FOLDER [NUMBER [EVERY]]

NUMBER documents (20,000) of 30 to 200 words out of 30,000, some 800 bytes each, in files of 5,000 or of a 32nd of all.
Every EVERYth (third) is an edit of one of the others, with up to three of its words replaced. Words are letters only:
some programs take all numbers for one.
"""

from __future__ import annotations

import itertools
import multiprocessing
import sys
from functools import partial
from pathlib import Path

import numpy
import pyarrow
import pyarrow.parquet

_SYLLABLES = [first + second for first in "bdfgklmn" for second in "aeiou"]
_WORDS = ["".join(word) for word in itertools.islice(itertools.product(_SYLLABLES, repeat=3), 30_000)]


def page(number: int) -> list[str]:
    """The words of a document that is no edit; a function of its number."""
    rng = numpy.random.default_rng(number)
    return [_WORDS[word] for word in rng.integers(0, len(_WORDS), rng.integers(30, 200)).tolist()]


def document(number: int, every: int) -> tuple[str, str]:
    """Id and text."""
    rng = numpy.random.default_rng([number, 1])
    if number and number % every == 0:
        original = int(rng.integers(0, number))
        words = page(original + 1 if original % every == 0 else original)
        for _ in range(rng.integers(0, 4)):
            words[rng.integers(0, len(words))] = _WORDS[rng.integers(0, len(_WORDS))]
    else:
        words = page(number)
    return f"page-{rng.integers(0, 10**9)}-{number}", " ".join(words)


def write(first: int, number: int, every: int, folder: Path) -> None:
    """Writes the file of the documents from ``first`` on."""
    ids, texts = zip(*(document(at, every) for at in range(first, first + number)), strict=True)
    pyarrow.parquet.write_table(pyarrow.table({"id": ids, "text": texts}), folder / f"{first}.parquet")


def main() -> None:
    folder = Path(sys.argv[1]) / "documents.parquet"
    number = int(sys.argv[2]) if len(sys.argv) > 2 else 20_000
    every = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    folder.mkdir()
    of_file = max(5000, -(-number // 32))
    with multiprocessing.Pool() as pool:
        firsts = range(0, number, of_file)
        rest = [min(of_file, number - first) for first in firsts]
        pool.starmap(partial(write, every=every, folder=folder), zip(firsts, rest, strict=True))


if __name__ == "__main__":
    main()
