"""The exact answers, each computed once for a corpus and kept under `target/bench-data/truth`."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import orjson
import xxhash

from corpora import Corpus
from exact_join import exact_pairs
from generate import DATA
from shingles import hashed_sets, words
from tools import LOOKALIKE, pair_codes

FOLDER = DATA / "truth"
# THRESHOLD of the drivers, as a fraction
FRACTION = (4, 5)


def true_pairs(corpus: Corpus, rule: str, threads: int) -> np.ndarray:
    """Codes of all pairs of documents whose shingles by `rule` are similar enough."""
    if rule == "lookalike":
        return _by_lookalike(corpus, threads)
    path = FOLDER / f"{corpus.name}.{rule.replace(':', '_')}.{_digest(corpus.path)}.npy"
    if not path.exists():
        print(f"exact answer for {corpus.name} by the shingles of {rule} ...", flush=True)
        FOLDER.mkdir(parents=True, exist_ok=True)
        np.save(path, exact_pairs(*hashed_sets(corpus.path, rule, threads), FRACTION))
    return np.load(path)


def _by_lookalike(corpus: Corpus, threads: int) -> np.ndarray:
    """What `pairs --method exact` says; not kept, because the program changes."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    output = FOLDER / f"{corpus.name}.lookalike.jsonl"
    command = [str(LOOKALIKE), "pairs", str(corpus.path), "--method", "exact", "-o", str(output)]
    subprocess.run([*command, "--threads", str(threads)], check=True, capture_output=True)
    return pair_codes(output, ("a", "b"), {key: number for number, key in enumerate(corpus.keys())})


def lookalike_is_exact(corpus: Corpus, threads: int) -> int:
    """Checks lookalike against the independent join on a whole corpus; returns the number of pairs.

    The two cut text differently, so lookalike gets a copy in which each word of the Python tools is one plain word: the
    hash of it in hexadecimal digits. Then both have the same sets. Fails on any difference.
    """
    expected = true_pairs(corpus, "python", threads)
    copy = Corpus(f"{corpus.name}_words", FOLDER / f"{corpus.name}_words.{_digest(corpus.path)}.jsonl")
    if not copy.path.exists():
        aside = copy.path.with_suffix(".part")
        with aside.open("wb") as out:
            for line in corpus.lines():
                record = orjson.loads(line)
                plain = " ".join(map(xxhash.xxh3_64_hexdigest, map(str.encode, words(record["text"]))))
                out.write(orjson.dumps({"id": record["id"], "text": plain}) + b"\n")
        aside.rename(copy.path)
    found = _by_lookalike(copy, threads)
    if not np.array_equal(found, expected):
        missing, extra = np.setdiff1d(expected, found).size, np.setdiff1d(found, expected).size
        raise SystemExit(f"WRONG: of {expected.size} pairs of {corpus.name} lookalike lacks {missing}; {extra} more")
    return expected.size


def _digest(path: Path) -> str:
    """Of the whole file, so that a corpus that was made anew is noticed."""
    digest = xxhash.xxh3_64()
    with path.open("rb") as file:
        while block := file.read(1 << 22):
            digest.update(block)
    return digest.hexdigest()
