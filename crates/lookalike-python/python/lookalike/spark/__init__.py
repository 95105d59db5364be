"""Near-duplicates among more documents than one machine holds: the same answer on Spark."""

from ._checkpoints import ExecutorError
from ._jobs import against, clusters, dedup, pairs
from ._results import Against, Clusters, Deduped, Pairs

__all__ = ["Against", "Clusters", "Deduped", "ExecutorError", "Pairs", "against", "clusters", "dedup", "pairs"]
