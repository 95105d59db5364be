"""SetSimilaritySearch: `all_pairs`, exact, in one process; reading and shingling in several.

Fast path: sets of integers (hashes of shingles) instead of strings: less to hash and to hold.
"""

from __future__ import annotations

import numpy as np
from SetSimilaritySearch import all_pairs

from drivers.common import THRESHOLD, Found, Task, keep_one_of_each
from shingles import hashed_sets


def find(task: Task) -> Found:
    """All similar pairs, with their similarity."""
    values, starts = hashed_sets(task.corpus, "python", task.threads)
    sets = [values[start:end].tolist() for start, end in zip(starts.tolist(), starts[1:].tolist())]
    del values
    # at 0.8 two empty sets never meet: they have no element to meet at
    found = [(a, b) if a < b else (b, a) for a, b, _ in all_pairs(sets, "jaccard", THRESHOLD)] if sets else []
    pairs = np.array(found, dtype=np.uint32).reshape(-1, 2)
    return Found(pairs, keep_one_of_each(pairs, len(sets)))
