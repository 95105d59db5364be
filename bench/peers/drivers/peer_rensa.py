"""rensa: `RMinHash.from_token_sets` in processes, `RMinHashLSH` in one.

Fast path: batch sketching of whole token lists, `insert_pairs`, `query_all`. R-MinHash over full token sets; `rho`,
which only looks at sampled tokens, is another question. (`query_duplicate_flags_matrix_one_shot` says that a document
has a partner, not which: nobody could decide by it what to keep. C-MinHash has no LSH index.)
"""

from __future__ import annotations

from array import array

import numpy as np
from rensa import RMinHash, RMinHashLSH

from drivers.common import BANDS, SLOTS, THRESHOLD, Found, Task, in_processes, keep_one_of_each, pairs_of_lists
from shingles import Range, python_shingles, texts

QUERIES_AT_ONCE = 1_000
SEED = 42


def sketch(part: Range) -> tuple[list[RMinHash], list[bool]]:
    """The sketches of a stretch, and which of its texts have words."""
    sets = [python_shingles(text) for text in texts(part)]
    return RMinHash.from_token_sets(sets, num_perm=SLOTS, seed=SEED), list(map(bool, sets))


def find(task: Task) -> Found:
    """Pairs that share a band; not verified."""
    sketches: list[RMinHash] = []
    has_words: list[bool] = []
    for chunk, full in in_processes(task, sketch):
        sketches.extend(chunk)
        has_words.extend(full)
    documents = np.flatnonzero(has_words)
    index = RMinHashLSH(threshold=THRESHOLD, num_perm=SLOTS, num_bands=BANDS)
    index.insert_pairs([(document, sketches[document]) for document in documents.tolist()])
    partners, counts = array("Q"), array("I")
    for first in range(0, documents.size, QUERIES_AT_ONCE):
        queries = [sketches[document] for document in documents[first : first + QUERIES_AT_ONCE].tolist()]
        for found in index.query_all(queries):
            partners.extend(found)
            counts.append(len(found))
    pairs = pairs_of_lists(documents, np.asarray(counts), np.asarray(partners).astype(np.int64))
    return Found(pairs, keep_one_of_each(pairs, len(sketches)))
