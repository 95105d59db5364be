"""Near-duplicates among more documents than one machine holds: the same answer on Spark."""

try:
    import pyspark as _  # noqa: F401
except ImportError:
    raise ImportError("lookalike.spark needs Spark: pip install 'lookalike[spark]'") from None

from ._checkpoints import ExecutorError
from ._jobs import against, clusters, dedup, pairs
from ._results import Against, Clusters, Deduped, Pairs

__all__ = ["Against", "Clusters", "Deduped", "ExecutorError", "Pairs", "against", "clusters", "dedup", "pairs"]
