"""Documents and queries that all tools cut alike, and the exact answer: a module of peers.py.

Each word of the Python tools (see bench/peers/shingles.py) that is more than ASCII letters and digits becomes its hash
in hexadecimal digits.
"""

from __future__ import annotations

import argparse
import itertools
import os
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "peers"))

import numpy as np  # noqa: E402 (some of these are modules of bench/peers)
import orjson  # noqa: E402
import xxhash  # noqa: E402
from scipy.sparse import csr_matrix  # noqa: E402
from shingles import WORDS, hashed_sets, words  # noqa: E402
from truth import FRACTION  # noqa: E402

CHANGED_EVERY = 60
QUERIES_AT_ONCE = 50


def prepare(options: argparse.Namespace, corpus: Path, queries: Path) -> int:
    """Writes documents and queries in plain words; returns the number of documents."""
    with options.file.open("rb") as file:
        texts = [plain(orjson.loads(line)["text"]) for line in itertools.islice(file, options.documents)]
    # tools differ in what becomes of shorter ones
    if any(text.count(" ") + 1 < WORDS for text in texts):
        sys.exit(f"{options.file}: a document has fewer than {WORDS} words")
    if not 2 <= options.queries <= len(texts):
        sys.exit(f"--queries: expected 2 to {len(texts)}, the number of documents; found {options.queries}")
    asked = [texts[query * len(texts) // options.queries] for query in range(options.queries)]
    write(corpus, "d", texts)
    write(queries, "q", [changed(text, query) if is_changed(query) else text for query, text in enumerate(asked)])
    return len(texts)


def plain(text: str) -> str:
    """The words of the Python tools, each in a form that is one word for all tools."""
    return " ".join(
        word if word.isascii() and word.isalnum() else xxhash.xxh3_64_hexdigest(word.encode()) for word in words(text)
    )


def is_changed(query: Any) -> Any:
    """Whether a query is a changed document: every other one is. Takes a number or an array of numbers."""
    return query % 2 == 1


def changed(text: str, query: int) -> str:
    """A text with one word in `CHANGED_EVERY` replaced by a new one: those at places 30, 90, 150 and so on."""
    return " ".join(
        f"query{query}word{place}" if place % CHANGED_EVERY == CHANGED_EVERY // 2 else word
        for place, word in enumerate(text.split(" "))
    )


def write(path: Path, letter: str, texts: list[str]) -> None:
    """Writes records; an id is a letter and a number."""
    with path.open("wb") as file:
        for number, text in enumerate(texts):
            file.write(orjson.dumps({"id": f"{letter}{number}", "text": text}) + b"\n")


def true_answers(corpus: Path, queries: Path) -> np.ndarray:
    """Codes query * documents + document, rising, of all similar pairs, by definition.

    The overlaps of queries with documents are the product of two sparse matrices, whose columns are the shingles of the
    queries: no filter, and nothing of lookalike. All comparisons are of integers.
    """
    over, under = FRACTION
    asked, asked_starts = hashed_sets(queries, "python", 1)
    values, starts = hashed_sets(corpus, "python", os.cpu_count() or 1)
    columns = np.unique(asked)
    by_query = incidence(asked, asked_starts, columns)
    by_shingle = incidence(values, starts, columns).T.tocsr()
    asked_sizes, sizes = np.diff(asked_starts), np.diff(starts)
    found = []
    for low in range(0, asked_sizes.size, QUERIES_AT_ONCE):
        overlap = (by_query[low : low + QUERIES_AT_ONCE] @ by_shingle).tocoo()
        query, document = overlap.row.astype(np.int64) + low, overlap.col.astype(np.int64)
        similar = overlap.data * (over + under) >= over * (asked_sizes[query] + sizes[document])
        found.append(query[similar] * sizes.size + document[similar])
    return np.sort(np.concatenate(found))


def incidence(values: np.ndarray, starts: np.ndarray, columns: np.ndarray) -> csr_matrix:
    """A matrix of one set a line and one shingle a column: 1 where the set has the shingle."""
    column = np.minimum(np.searchsorted(columns, values), columns.size - 1)
    is_known = columns[column] == values
    known_starts = np.concatenate([[0], np.cumsum(is_known)])[starts]
    ones = np.ones(known_starts[-1], dtype=np.int64)
    return csr_matrix((ones, column[is_known], known_starts), shape=(starts.size - 1, columns.size))


def codes(answers: list[list[int]], documents: int) -> np.ndarray:
    """Answers in the form of the exact one."""
    pairs = [query * documents + document for query, found in enumerate(answers) for document in set(found)]
    return np.sort(np.array(pairs, dtype=np.int64))
