"""How texts become shingles, by the rule of each tool.

All rules make runs of five words; they differ in what a word is, and in what a text of fewer than five words becomes.
Recall and precision of a tool are measured against the exact answer by its own rule: a difference of tokenizers is not
an error of its search.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from multiprocessing import Pool
from pathlib import Path

import numpy as np
import orjson
import xxhash

WORDS = 5
_WORD = re.compile(r"\w+").findall
# gaoya's "word" analyzer splits at ASCII blanks and punctuation (its gaoya/src/text/tokenizers.rs), at nothing else.
_GAOYA_SPLIT = re.compile(r"[\t\n\x0c\r !-/:-@\[-`{-~]+").split

# A stretch of a file: path, first byte, end.
Range = tuple[str, int, int]


def words(text: str) -> list[str]:
    """The natural words of a Python script."""
    return _WORD(text.lower())


def runs(tokens: list[str], size: int = WORDS) -> list[str]:
    """Shingles, in order, repeated ones repeated; one of all tokens if there are fewer than `size`."""
    if len(tokens) < size:
        return [" ".join(tokens)] if tokens else []
    # zip over shifted lists is the fastest way that plain Python has
    return list(map(" ".join, zip(*(tokens[shift:] for shift in range(size)))))


def python_shingles(text: str, size: int = WORDS) -> list[str]:
    """What datasketch, rensa, FastSketchLSH and SetSimilaritySearch are given here."""
    return runs(words(text), size)


def gaoya_shingles(text: str) -> list[str]:
    """What gaoya makes of a text by itself: nothing of fewer than five words."""
    tokens = [token for token in _GAOYA_SPLIT(text.lower()) if token]
    return runs(tokens) if len(tokens) >= WORDS else []


def hash_strings(shingles: list[str]) -> np.ndarray:
    """A set of shingles as sorted 64-bit hashes."""
    hashes = map(xxhash.xxh3_64_intdigest, map(str.encode, shingles))
    return np.unique(np.fromiter(hashes, dtype=np.uint64, count=len(shingles)))


def datatrove_hashes(language: str) -> Callable[[str], np.ndarray]:
    """datatrove's own shingles, hashed by itself: simplified text, spaCy's words, nothing of fewer than five."""
    from datatrove.pipeline.dedup.minhash import MinhashConfig, MinhashDedupSignature

    step = MinhashDedupSignature("/tmp", MinhashConfig(n_grams=WORDS), language=language)
    return lambda text: np.unique(step.get_shingles(text))


def _rule(name: str) -> Callable[[str], np.ndarray]:
    kind, _, argument = name.partition(":")
    if kind == "python":
        size = int(argument or WORDS)
        return lambda text: hash_strings(python_shingles(text, size))
    if kind == "gaoya":
        return lambda text: hash_strings(gaoya_shingles(text))
    return datatrove_hashes(argument)


def ranges(path: Path, parts: int) -> list[Range]:
    """Byte ranges of a file that end at line ends."""
    size = path.stat().st_size
    ends = [0]
    with path.open("rb") as file:
        for part in range(1, parts + 1):
            file.seek(max(size * part // parts - 1, ends[-1]))
            file.readline()
            ends.append(file.tell())
    return [(str(path), start, end) for start, end in zip(ends, ends[1:]) if start < end]


def texts(part: Range) -> Iterator[str]:
    """The texts of the records in a byte range."""
    path, start, end = part
    with open(path, "rb") as file:
        file.seek(start)
        for line in file.read(end - start).split(b"\n"):
            if line:
                yield orjson.loads(line)["text"]


def range_hashes(rule: str, part: Range) -> tuple[np.ndarray, np.ndarray]:
    """The sets of a stretch of a corpus, one after the other, and their sizes."""
    make = _rule(rule)
    sets = [make(text) for text in texts(part)]
    sizes = np.fromiter(map(len, sets), dtype=np.int64, count=len(sets))
    return np.concatenate(sets) if sets else np.empty(0, np.uint64), sizes


def hashed_sets(path: Path, rule: str, processes: int) -> tuple[np.ndarray, np.ndarray]:
    """All sets of a corpus one after the other, each sorted, and where each starts (with the end of the last)."""
    with Pool(processes) as pool:
        parts = pool.map(partial(range_hashes, rule), ranges(path, 8 * processes), chunksize=1)
    sizes = np.concatenate([sizes for _, sizes in parts])
    return np.concatenate([values for values, _ in parts]), np.concatenate([[0], np.cumsum(sizes)])
