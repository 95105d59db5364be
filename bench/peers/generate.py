#!/usr/bin/env python3
"""Makes corpora of any size to see how cost grows: `generate.py N`.

N pseudo-texts over 200,000 words with Zipf-like frequencies, lengths lognormal around 120 words; one in ten is a
near-copy of an earlier one, with one to four words changed.

The same N gives the same bytes everywhere: all chance comes from the raw output of PCG64, which NumPy promises not to
change, through tables (NumPy's distributions may change between versions).
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import NormalDist

sys.dont_write_bytecode = True
import environment  # noqa: E402

DATA = environment.ROOT / "target" / "bench-data"
SEED = 20_261_121
VOCABULARY = 200_000
MEDIAN_WORDS, SPREAD = 120, 0.6
FEWEST_WORDS, MOST_WORDS = 5, 2_000
BLOCK_DOCS = 10_000
# How many earlier documents a near-copy can be a copy of: memory stays the same for any N.
REMEMBERED_DOCS = 50_000
TABLE_BITS = 22


class Chance:
    """Random numbers and words from one stream of raw bits."""

    def __init__(self) -> None:
        import numpy as np

        self._np = np
        self._bits = np.random.PCG64(SEED)
        ranks = np.arange(1, VOCABULARY + 1, dtype=np.float64)
        edges = np.cumsum(1.0 / (ranks + 2.7))
        quantiles = (np.arange(1 << TABLE_BITS) + 0.5) / (1 << TABLE_BITS)
        self._words = np.searchsorted(edges / edges[-1], quantiles).astype(np.int32)
        normal = NormalDist()
        lengths = [round(MEDIAN_WORDS * math.exp(SPREAD * normal.inv_cdf((i + 0.5) / 4096))) for i in range(4096)]
        self._lengths = np.clip(np.array(lengths), FEWEST_WORDS, MOST_WORDS)

    def below(self, limit: int, count: int):
        """`count` numbers from 0 up to, not including, `limit` (at most 2^32)."""
        np = self._np
        high = self._bits.random_raw(count) >> np.uint64(32)
        return ((high * np.uint64(limit)) >> np.uint64(32)).astype(np.int64)

    def words(self, count: int):
        """`count` words, frequent ones often."""
        return self._words[self.below(1 << TABLE_BITS, count)]

    def lengths(self, count: int):
        """`count` numbers of words in a document."""
        return self._lengths[self.below(4096, count)]


def spell_words() -> list[str]:
    """The vocabulary: different pronounceable words, the frequent ones short."""
    consonants, vowels = "bdfgklmnprstvz", "aeiou"
    syllables = [c + v for c in consonants for v in vowels]
    words = []
    for number in range(VOCABULARY):
        word, rest = syllables[number % len(syllables)], number // len(syllables)
        while rest:
            rest -= 1
            word, rest = word + syllables[rest % len(syllables)], rest // len(syllables)
        words.append(word)
    return words


def changed(chance: Chance, document, changes: int):
    """A copy with some words replaced: one in each of `changes` equal stretches, so that they are different words."""
    copy = document.copy()
    stretch = len(copy) // changes
    for number, (place, word) in enumerate(zip(chance.below(stretch, changes), chance.words(changes))):
        copy[number * stretch + place] = word
    return copy


def mixed(chance: Chance, count: int) -> Iterator:
    """Documents of different lengths, one in ten a near-copy of an earlier one."""
    remembered: list = []
    for first in range(0, count, BLOCK_DOCS):
        docs = min(BLOCK_DOCS, count - first)
        lengths = chance.lengths(docs)
        ends = lengths.cumsum()
        words = chance.words(int(ends[-1]))
        is_copy, source, changes = chance.below(10, docs), chance.below(1 << 32, docs), chance.below(4, docs) + 1
        for i in range(docs):
            document = words[ends[i] - lengths[i] : ends[i]]
            if is_copy[i] == 0 and remembered:
                document = changed(chance, remembered[source[i] % len(remembered)], int(changes[i]))
            elif len(remembered) < REMEMBERED_DOCS:
                remembered.append(document.copy())
            else:
                remembered[source[i] % REMEMBERED_DOCS] = document.copy()
            yield document


def generate(count: int) -> Path:
    """Writes `target/bench-data/generated_COUNT.jsonl` unless it is there; returns its path."""
    target = DATA / f"generated_{count}.jsonl"
    if target.exists():
        return target
    DATA.mkdir(parents=True, exist_ok=True)
    spell = spell_words().__getitem__
    aside = target.with_suffix(".part")
    with aside.open("w", encoding="ascii") as out:
        for number, document in enumerate(mixed(Chance(), count)):
            out.write(f'{{"id":"{number}","text":"{" ".join(map(spell, document.tolist()))}"}}\n')
    aside.rename(target)
    return target


def main() -> None:
    environment.ensure_and_enter(Path(__file__).resolve())
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("documents", type=int)
    options = parser.parse_args()
    if options.documents < 1:
        sys.exit("at least one document")
    print(generate(options.documents))


if __name__ == "__main__":
    main()
