"""Near-duplicates among more documents than one machine holds: the same answer on Spark."""

try:
    import pyspark as _  # noqa: F401
except ImportError:
    raise ImportError(
        "lookalike.spark needs Spark: pip install 'pyspark>=4.1' 'pyarrow>=16' 'pandas>=2.2,<3'", name="pyspark"
    ) from None

from ._checkpoints import ExecutorError
from ._jobs import clusters, dedup, pairs, search
from ._results import Answers, Clusters, Deduped, Pairs

__all__ = ["Answers", "Clusters", "Deduped", "ExecutorError", "Pairs", "clusters", "dedup", "pairs", "search"]
