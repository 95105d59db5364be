"""FastSketchLSH: `FastSimilaritySketch.batch` in processes, `LSH` with threads.

Fast path: batches of token lists, sketches as one matrix, `insert` of the matrix, `query(..., format="csr")`. A sketch
must have a power of two of slots: 128 are made and the first 100 used, to have the same 20 bands of 5. An empty set is
refused, so texts without words are left out. (`insert_and_query_duplicates` flags all of a group.)
"""

from __future__ import annotations

import numpy as np
from FastSketchLSH import LSH, FastSimilaritySketch

from drivers.common import BANDS, SLOTS, Found, Task, in_processes, keep_one_of_each, pairs_of_lists
from shingles import Range, python_shingles, texts

SKETCH_SLOTS = 128
QUERIES_AT_ONCE = 5_000


def sketch(part: Range) -> tuple[np.ndarray, list[bool]]:
    """The sketches of those texts of a stretch that have words, and which these are."""
    sets = [python_shingles(text) for text in texts(part)]
    full = [shingles for shingles in sets if shingles]
    sketcher = FastSimilaritySketch(size=SKETCH_SLOTS, seed=1)
    matrix = sketcher.batch(full, num_threads=1) if full else np.empty((0, SKETCH_SLOTS), np.uint64)
    return matrix[:, :SLOTS], list(map(bool, sets))


def find(task: Task) -> Found:
    """Pairs that share a band; not verified."""
    chunks, has_words = zip(*in_processes(task, sketch))
    matrix = np.ascontiguousarray(np.concatenate(chunks))
    has_words = np.concatenate(has_words)
    documents = np.flatnonzero(has_words)
    index = LSH(num_perm=SLOTS, num_bands=BANDS, num_threads=task.threads)
    index.insert(matrix)
    found = [np.empty((0, 2), dtype=np.uint32)]
    for first in range(0, documents.size, QUERIES_AT_ONCE):
        partners, starts = index.query(matrix[first : first + QUERIES_AT_ONCE], format="csr")
        asked = documents[first : first + QUERIES_AT_ONCE]
        found.append(pairs_of_lists(asked, np.diff(starts).astype(np.int64), documents[partners.astype(np.int64)]))
    pairs = np.concatenate(found)
    return Found(pairs, keep_one_of_each(pairs, has_words.size))
