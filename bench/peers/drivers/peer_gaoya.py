"""gaoya: `MinHashStringIndex`, all in its own threads.

Fast path: the built-in analyzer (word 5-grams, lower case, in Rust), `par_bulk_insert_docs`, `par_bulk_query`. It
returns only pairs whose estimated similarity reaches the threshold. Texts of fewer than five words get no shingles, and
all of these are reported as alike.
"""

from __future__ import annotations

from array import array

import numpy as np
from gaoya.minhash import MinHashStringIndex

from drivers.common import BANDS, ROWS, THRESHOLD, Found, Task, keep_one_of_each, pairs_of_lists
from shingles import WORDS, ranges, texts

QUERIES_AT_ONCE = 10_000


def find(task: Task) -> Found:
    """Pairs that share a band and whose sketches agree enough."""
    documents = [text for part in ranges(task.corpus, 1) for text in texts(part)]
    index = MinHashStringIndex(
        hash_size=32,
        jaccard_threshold=THRESHOLD,
        num_bands=BANDS,
        band_size=ROWS,
        analyzer="word",
        lowercase=True,
        ngram_range=(WORDS, WORDS),
        id_container="smallvec",
    )
    index.par_bulk_insert_docs(list(range(len(documents))), documents)
    partners, counts = array("I"), array("I")
    for first in range(0, len(documents), QUERIES_AT_ONCE):
        for found in index.par_bulk_query(documents[first : first + QUERIES_AT_ONCE]):
            partners.extend(found)
            counts.append(len(found))
    pairs = pairs_of_lists(np.arange(len(documents)), np.asarray(counts), np.asarray(partners).astype(np.int64))
    return Found(pairs, keep_one_of_each(pairs, len(documents)))
