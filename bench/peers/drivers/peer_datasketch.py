"""datasketch: `MinHash.generator` in processes, `MinHashLSH` in one.

Fast path: `generator` reuses the permutations; the documentation advises a faster hash function than the default SHA-1
(here xxh32, which takes strings as they are). Each document is looked up before it is inserted, so every pair is seen
once. `insertion_session` only buffers for Redis and Cassandra.
"""

from __future__ import annotations

from array import array

import numpy as np
import xxhash
from datasketch import MinHash, MinHashLSH

from drivers.common import BANDS, ROWS, SLOTS, Found, Task, in_processes, keep_one_of_each
from shingles import Range, python_shingles, texts


def sketch(part: Range) -> list[MinHash | None]:
    """The sketches of a stretch; none for a text without words."""
    sets = [python_shingles(text) for text in texts(part)]
    sketches = MinHash.generator(sets, num_perm=SLOTS, hashfunc=xxhash.xxh32_intdigest)
    return [sketched if shingles else None for sketched, shingles in zip(sketches, sets)]


def find(task: Task) -> Found:
    """Pairs that share a band; not verified."""
    index = MinHashLSH(num_perm=SLOTS, params=(BANDS, ROWS))
    partners, counts = array("I"), array("I")
    for chunk in in_processes(task, sketch):
        for sketched in chunk:
            found = index.query(sketched) if sketched else []
            if sketched:
                index.insert(len(counts), sketched, check_duplication=False)
            partners.extend(found)
            counts.append(len(found))
    later = np.repeat(np.arange(len(counts)), np.asarray(counts))
    pairs = np.stack([np.asarray(partners), later], axis=1).astype(np.uint32)
    return Found(pairs, keep_one_of_each(pairs, len(counts)))
