"""The keepers rule over verified pairs: a document is removed if and only if it is near an earlier one that is kept."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow
import pyarrow.compute as pc
from pyspark.sql import functions as F

from .. import batch
from ._checkpoints import Checkpoints
from ._corpus import Corpus
from ._rounds import all_pairs, count_rows, likely, rounds
from ._search import Search
from ._verify import verified

#: Pairs that one task decides about, in some hundred bytes each.
_MAX_PAIRS_OF_A_TASK = 5_000_000


def removed(corpus: Corpus, buckets: Any, search: Search, checkpoints: Checkpoints) -> Any:
    """The distinct documents that go: ``document``, ``kept`` (the most similar kept one before it), ``similarity``."""
    near, decided, before = None, None, buckets
    number = 0
    for number, (found, left) in enumerate(rounds(buckets, corpus.sets, search, checkpoints), 1):
        near = _union(near, found.near)
        kept = found.kept.select("document", F.lit(True).alias("is_kept"), F.lit(number).alias("round"))
        gone = found.near.select(F.col("b").alias("document")).distinct()
        decided = _union(decided, kept.unionAll(gone.selectExpr("document", "false", f"{number}")))
        before = left
    pairs = checkpoints.stage("rest/pairs", lambda: all_pairs(before, search), count_rows)
    count = checkpoints.facts("rest/pairs")["rows"]
    graph = checkpoints.stage("rest/near", lambda: verified(pairs, corpus.sets, search.threshold, count), count_rows)
    gone = _decide(graph, checkpoints)
    # Pairs of two documents that stay or go by the graph: those with a kept one tell which is the closest.
    near = _union(near, graph.join(gone.withColumnRenamed("document", "a"), "a", "left_anti"))
    if decided is not None:
        decided = decided.unionAll(gone.selectExpr("document", "false", f"{number + 1}"))
        near = near.unionAll(_late(corpus, buckets, decided, number + 1, search, checkpoints))
    closest = F.max(F.struct("similarity", (-F.col("a")).alias("minus")))
    found = near.groupBy(F.col("b").alias("document")).agg(closest.alias("closest"))
    return found.selectExpr("document", "-closest.minus as kept", "closest.similarity")


def _union(left: Any, right: Any) -> Any:
    return right if left is None else left.unionAll(right)


def _late(corpus: Corpus, buckets: Any, decided: Any, last: int, search: Search, checkpoints: Checkpoints) -> Any:
    """Near-duplicates of two documents whose earlier one was kept in a later round than the other one was removed in:
    they were not compared then, and the kept one may be the closest."""
    states = buckets.join(decided, "document", "left").withColumns(
        {"is_kept": F.coalesce("is_kept", F.lit(True)), "round": F.coalesce("round", F.lit(last))}
    )
    entry = F.struct("document", "size", "position", "round")
    kept = states.where("is_kept").select("key", entry.alias("left"))
    gone = states.where("not is_kept").select("key", entry.alias("right"))
    pairs = kept.join(gone, "key").where("left.document < right.document and left.round > right.round")
    pairs = checkpoints.stage("late/pairs", lambda: likely(pairs, search), count_rows)
    count = checkpoints.facts("late/pairs")["rows"]
    return checkpoints.stage("late/near", lambda: verified(pairs, corpus.sets, search.threshold, count), count_rows)


def _decide(graph: Any, checkpoints: Checkpoints) -> Any:
    """The documents that are removed by these pairs: ``document``.

    In rounds a document is kept when no earlier neighbour is left, and removed when one is kept, until one task can
    hold the pairs of the rest.
    """
    gone, left, number = None, graph, 0
    count = checkpoints.facts("rest/near")["rows"]
    while count > _MAX_PAIRS_OF_A_TASK:
        number += 1
        stage = f"rest/decided-{number}"
        kept = left.select(F.col("a").alias("document")).distinct()
        kept = kept.join(left.select(F.col("b").alias("document")).distinct(), "document", "left_anti")
        now = left.join(kept.withColumnRenamed("document", "a"), "a", "left_semi").select(F.col("b").alias("document"))
        now = checkpoints.stage(f"{stage}/removed", lambda now=now: now.distinct(), count_rows)
        gone = _union(gone, now)
        decided = kept.unionAll(now)
        rest = left
        for side in "ab":
            rest = rest.join(decided.withColumnRenamed("document", side), side, "left_anti")
        left = checkpoints.stage(f"{stage}/rest", lambda rest=rest: rest.select("a", "b", "similarity"), count_rows)
        before, count = count, checkpoints.facts(f"{stage}/rest")["rows"]
        if count > before * 0.9:
            break
    last = checkpoints.stage("rest/removed", lambda: left.repartition(1).mapInArrow(_decide_all, "document long"))
    return _union(gone, last)


def _decide_all(batches: Iterator[Any]) -> Iterator[Any]:
    """Decides about all pairs at once."""
    parts = list(batches)
    if not parts:
        return
    pairs = pyarrow.Table.from_batches(parts)
    documents = pc.unique(pyarrow.chunked_array(pairs["a"].chunks + pairs["b"].chunks)).sort()
    a, b = (pc.index_in(pairs[side], documents) for side in "ab")
    ranks = pyarrow.array(range(len(documents)), pyarrow.int64())
    kept = batch.keepers(ranks, a, b, pairs["similarity"])["kept"].to_arrow()
    yield pyarrow.record_batch({"document": documents.filter(pc.is_valid(kept))})
