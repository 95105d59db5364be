"""Finds near-duplicate documents, verifies every answer and explains it.

>>> import lookalike
>>> texts = ["the harbour stays closed until Friday", "The harbour stays closed until Friday!", "nobody knows why"]
>>> result = lookalike.dedup(texts, threshold=0.8)
>>> result
Deduped: 3 documents, 2 kept, 1 removed (0 identical, 1 equal, 0 near)
row  id  kept_row  kept  similarity  reason
  1  1          0  0         1.0000  equal

A ``similarity`` is computed from the elements of both documents; what signatures alone say of one is called
``estimated_similarity``. A removed document is at least ``threshold`` similar to the kept one that is named beside it;
with ``cluster="connected"`` a chain of such pairs connects the two. The method ``exact`` misses no pair. The others,
which ``auto`` may choose for large collections, find a pair at the threshold with the probability ``recall`` (0.99 by
default), so two kept documents may be near-duplicates that were not found.
"""

from . import batch
from ._client import Client, ServerError
from ._data import glob, url
from ._files import checksum, cut, fingerprint, recluster, snapshot
from ._index import Index
from ._jobs import clusters, compare, dedup, pairs, plan, search, sources
from ._lookalike import LookalikeError, __version__
from ._results import (
    Added,
    Answers,
    Clusters,
    Comparison,
    Deduped,
    LookalikeWarning,
    Pairs,
    Plan,
    Progress,
    Sources,
)
from ._rows import Mask, Table

__all__ = [
    "Added",
    "Answers",
    "Client",
    "Clusters",
    "Comparison",
    "Deduped",
    "Index",
    "LookalikeError",
    "LookalikeWarning",
    "Mask",
    "Pairs",
    "Plan",
    "Progress",
    "ServerError",
    "Sources",
    "Table",
    "__version__",
    "batch",
    "checksum",
    "clusters",
    "compare",
    "cut",
    "dedup",
    "fingerprint",
    "glob",
    "pairs",
    "plan",
    "recluster",
    "search",
    "snapshot",
    "sources",
    "url",
]
