"""Finds near-duplicate documents, verifies every answer and explains it.

>>> import lookalike
>>> texts = ["the harbour stays closed until Friday", "The harbour stays closed until Friday!", "nobody knows why"]
>>> result = lookalike.dedup(texts, threshold=0.8)
>>> result
Deduped: 3 documents, 2 kept, 1 removed (0 identical, 1 equal, 0 near)

Every answer is verified: a removed document is at least ``threshold`` similar to the one that is named as kept in its
place, and no two kept documents are.
"""

from . import batch
from ._data import glob, url
from ._jobs import clusters, compare, dedup, pairs, plan
from ._lookalike import LookalikeError
from ._results import (
    Clusters,
    Comparison,
    Deduped,
    LookalikeWarning,
    Pairs,
    Plan,
    Progress,
    Table,
)

__all__ = [
    "Clusters",
    "Comparison",
    "Deduped",
    "LookalikeError",
    "LookalikeWarning",
    "Pairs",
    "Plan",
    "Progress",
    "Table",
    "batch",
    "clusters",
    "compare",
    "dedup",
    "glob",
    "pairs",
    "plan",
    "url",
]
