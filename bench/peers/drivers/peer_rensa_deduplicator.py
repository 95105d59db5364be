"""rensa: `RMinHash.from_token_sets` in processes, `RMinHashDeduplicator` in one.

Fast path: the README's "keep unique documents", with sketches made in batches: `add_pairs` of all, LSH with 20 bands,
candidates checked by estimated similarity. It says which documents to keep, not why, so there are no pairs to check,
only removals.
"""

from __future__ import annotations

import numpy as np
from rensa import RMinHashDeduplicator

from drivers.common import BANDS, SLOTS, THRESHOLD, Found, Task, in_processes
from drivers.peer_rensa import SEED, sketch


def find(task: Task) -> Found:
    """Which documents stay. Texts without words do."""
    judge = RMinHashDeduplicator(threshold=THRESHOLD, num_perm=SLOTS, use_lsh=True, num_bands=BANDS, seed=SEED)
    keep: list[bool] = []
    for sketches, has_words in in_processes(task, sketch):
        entries = [(str(len(keep) + place), sketches[place]) for place, full in enumerate(has_words) if full]
        stays = iter(judge.add_pairs(entries))
        keep.extend([next(stays) if full else True for full in has_words])
    return Found(np.empty((0, 2), dtype=np.uint32), np.array(keep, dtype=bool))
