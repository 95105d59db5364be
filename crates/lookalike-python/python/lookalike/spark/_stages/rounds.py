"""Candidate pairs without the square of a bucket: the leader rounds.

A bucket is the documents with a common key. A million near-copies share theirs, and all their pairs would be half a
billion; of all these pairs the keepers rule needs those with a kept document only. In each round

    leader of a bucket    its first document that is undecided
    kept                  documents that are no one's follower: they lead every bucket that they are in
    candidate pairs       a kept leader and each follower in its bucket
    removed               followers that are similar enough to a kept leader

which is one pair for each document and key, whatever the size of the bucket. The rest goes to the next round. Once the
pairs that are left are no more than a few times the keys, or a round does not help, all pairs of the undecided are
verified, and the rule is applied to the graph.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pyspark.sql import functions as F

from .._checkpoints import Checkpoints, count_rows
from .._search import Search
from .verify import Sets, verified

#: Rounds at most.
_MAX_ROUNDS = 6
#: Pairs for each entry of a bucket that are verified all, without another round.
_PAIRS_AN_ENTRY = 4
#: Pairs that are verified all in any case: they take seconds.
_FEW_PAIRS = 1_000_000
#: Documents of a block of a bucket.
_BLOCK_DOCUMENTS = 1000
#: Another round is worth its while if the last one has left at most this share of the pairs.
_HELPFUL_SHARE = 0.7


@dataclass(frozen=True)
class Round:
    """What one round has decided."""

    #: ``document``: what it keeps for certain.
    kept: Any
    #: ``a`` (kept), ``b`` (removed), ``similarity``.
    near: Any
    #: The buckets of what is undecided.
    left: Any


def buckets_of(entries: Any) -> Any:
    """The entries whose key is that of another one, with the number of documents of the bucket and its leader."""
    buckets = entries.groupBy("key").agg(F.count(F.lit(1)).alias("count"), F.min(_entry()).alias("leader"))
    return entries.join(buckets.where("count > 1"), "key")


def count_buckets(buckets: Any) -> dict[str, Any]:
    """What the report tells of buckets: ``entries``, ``pairs`` (not distinct), ``largest`` (documents)."""
    [found] = buckets.agg(
        F.count(F.lit(1)).alias("entries"),
        # Each of n entries has (n - 1) / 2 of the pairs.
        F.coalesce(F.sum((F.col("count") - 1) / 2), F.lit(0.0)).alias("pairs"),
        F.coalesce(F.max("count"), F.lit(0)).alias("largest"),
    ).collect()
    return {"entries": found["entries"], "pairs": int(found["pairs"]), "largest": found["largest"]}


def _entry() -> Any:
    return F.struct("document", "size", "position")


def has_few_pairs(facts: dict[str, Any]) -> bool:
    """Whether all pairs of buckets, as :func:`count_buckets` has counted, are hardly more work than their entries."""
    few: bool = facts["pairs"] <= max(_FEW_PAIRS, _PAIRS_AN_ENTRY * facts["entries"])
    return few


def all_pairs(buckets: Any, search: Search, condition: str = "true") -> Any:
    """All pairs in a common bucket that may be near-duplicates: ``a`` (the earlier), ``b``, once each.

    ``condition`` is one more that ``left`` and ``right`` fulfil, which are structs of the columns of buckets.
    """
    return pairs_of(buckets, buckets, search, f"left.document < right.document and {condition}")


def pairs_of(left: Any, right: Any, search: Search, condition: str = "true") -> Any:
    """The pairs in a common bucket of one entry of each side that may be near-duplicates: ``a``, ``b``, once each.

    A large bucket is cut into n blocks, and each two of them meet in a task of their own; for that an entry is
    repeated n times, which is little beside its pairs.
    """
    blocks = F.ceil(F.col("count") / _BLOCK_DOCUMENTS).cast("int")
    own, others = F.pmod(F.hash("document"), blocks), F.explode(F.sequence(F.lit(0), blocks - 1))
    names = [name for name in left.columns if name in ("document", "size", "position", "root", "round")]
    left = left.select("key", own.alias("row"), others.alias("column"), F.struct(*names).alias("left"))
    right = right.select("key", own.alias("column"), others.alias("row"), F.struct(*names).alias("right"))
    # Near-duplicates share half of their keys and more.
    return likely(left.join(right, ["key", "row", "column"]).where(condition), search).distinct()


def leader_pairs(buckets: Any, search: Search) -> Any:
    """The pairs of each leader and its followers: ``a`` (the leader), ``b``."""
    pairs = buckets.select(F.col("leader").alias("left"), _entry().alias("right"))
    return likely(pairs.where("left.document < right.document"), search)


def likely(pairs: Any, search: Search) -> Any:
    """``a``, ``b`` of the entries ``left``, ``right`` with a common key.

    Pairs are dropped whose sizes, or whose positions of the first common key, prove that they are below the threshold.
    """
    size = F.col("left.size") + F.col("right.size")
    after = F.least(F.expr("left.size - left.position"), F.expr("right.size - right.position"))
    # At a similarity of t the common elements are t / (1 + t) of those of both; the share is lowered by far more than
    # floating point can be wrong.
    least = float(search.threshold) / (1 + float(search.threshold)) * (1 - 1e-9)
    return pairs.where(after >= size * F.lit(least)).selectExpr("left.document as a", "right.document as b")


def rounds(
    buckets: Any, found: str, done: int, sets: Sets, search: Search, checkpoints: Checkpoints
) -> Iterator[Round]:
    """Leader rounds, as long as they are worth their while.

    Args:
        buckets: Those of the stage ``found``.
        found: Name of a stage.
        done: Number of rounds before.
        sets: The sets of the documents.
        search: What near-duplicates are.
        checkpoints: The stages of the job.
    """
    facts = checkpoints.facts(found)
    for number in range(done + 1, done + _MAX_ROUNDS + 1):
        if has_few_pairs(facts):
            return
        stage, before = f"round-{number}", facts
        decided = _round(buckets, stage, facts, sets, search, checkpoints)
        yield decided
        buckets, facts = decided.left, checkpoints.facts(f"{stage}/buckets")
        if facts["pairs"] > _HELPFUL_SHARE * before["pairs"]:
            return


def _round(
    buckets: Any, stage: str, facts: dict[str, Any], sets: Sets, search: Search, checkpoints: Checkpoints
) -> Round:
    followers = buckets.where("leader.document < document").select("document").distinct()
    kept = buckets.select("document").distinct().join(followers, "document", "left_anti")
    kept = checkpoints.stage(f"{stage}/kept", kept, count_rows)
    leads = F.col("leader.document") == F.col("leading")
    led = buckets.join(kept.select(F.col("document").alias("leading")), leads, "left_semi")
    pairs = leader_pairs(led, search)
    near = checkpoints.stage(f"{stage}/near", verified(pairs, sets, search.threshold, facts["entries"]), count_rows)
    decided = kept.unionAll(near.select(F.col("b").alias("document")).distinct())
    left = buckets.select("key", "document", "size", "position").join(decided, "document", "left_anti")
    return Round(kept, near, checkpoints.stage(f"{stage}/buckets", buckets_of(left), count_buckets))
