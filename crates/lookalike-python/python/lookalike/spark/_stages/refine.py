"""Large buckets of documents that have much in common and are no near-duplicates, split by what is rare in them.

Half of each page of a site may be the same frame: the signatures of some pages agree in a band because of it, and a
bucket holds the square of them in pairs, of which none reaches the threshold. Two near-duplicates also have a common
element among the rarest of each (the prefix filter; see ``Frequencies``), counted within the large buckets, where the
frame is anything but rare. So the documents of a large bucket meet only where they share such an element as well:

    key of the bucket, document   ->   hash(key of the bucket, rare element), document      for each rare element

No near-duplicates that share the bucket are parted, and an entry becomes as many as a set has rare elements that are
in another set, too.
"""

from __future__ import annotations

from typing import Any

from pyspark.sql import functions as F

from .._checkpoints import Checkpoints
from .._search import EXACT, Search
from .corpus import Corpus
from .keys import frequencies_of, rare_elements
from .rounds import buckets_of, count_buckets, has_few_pairs

#: Documents of a bucket that is not worth a split.
_SMALL_BUCKET = 64


def refined(buckets: Any, found: str, corpus: Corpus, search: Search, checkpoints: Checkpoints, name: str) -> Any:
    """The buckets, of which those are split that hold too many pairs.

    Args:
        buckets: Entries with ``count``, of the stage ``found``.
        corpus: The documents.
        search: Keys of the exact method are rare elements already: its buckets stay as they are.
        checkpoints: The stages of the job.
        name: The stage of what is given back.
    """
    if search.method == EXACT or has_few_pairs(checkpoints.facts(found)):
        return buckets

    entries = checkpoints.facts(found)["entries"]
    large = buckets.where(F.col("count") > _SMALL_BUCKET).select("key", "document", "size", "position", "count")
    split = checkpoints.stage(f"{name}-split", lambda: _split(large, corpus, entries, search))

    def make() -> Any:
        # A family of near-copies has its rare elements in common: it is a bucket still, and often.
        parts = split.groupBy("bucket", "key").agg(F.count(F.lit(1)).alias("n"), F.max("count").alias("count"))
        pairs = parts.groupBy("bucket").agg(F.sum(F.expr("n * (n - 1)")).alias("pairs"), F.max("count").alias("count"))
        whole = pairs.where("pairs >= count * (count - 1)").select("bucket")
        names = ["key", "document", "size", "position"]
        kept = large.join(whole, large.key == whole.bucket, "left_semi").select(*names)
        cut = split.join(whole, "bucket", "left_anti").select(*names)
        small = buckets.where(F.col("count") <= _SMALL_BUCKET).select(*names)
        return buckets_of(small.unionAll(kept).unionAll(cut))

    return checkpoints.stage(name, make, count_buckets)


_KEYS = "document long, keys array<struct<blocking_key: long, position: int>>"


def _split(large: Any, corpus: Corpus, entries: int, search: Search) -> Any:
    """The entries of large buckets by rare elements: ``bucket``, ``key``, ``document``, ``size``, ``position``, and the
    ``count`` of the bucket."""
    sets = corpus.sets.of(large.select("document").distinct(), entries)
    table = frequencies_of(sets, int(entries * corpus.sets.mean_bytes / 8))
    rare = sets.select("document", "elements").mapInArrow(rare_elements(search, table), _KEYS)
    found = large.drop("position").withColumnRenamed("key", "bucket").join(rare, "document")
    found = found.select("bucket", "document", "size", "count", F.inline("keys"))
    key = F.xxhash64("bucket", "blocking_key").alias("key")
    return found.select("bucket", key, "document", "size", "position", "count")
