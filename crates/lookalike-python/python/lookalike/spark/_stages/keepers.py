"""The keepers rule over verified pairs: a document is removed if and only if it is near an earlier one that is kept."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import pyarrow
import pyarrow.compute as pc
from pyspark.sql import functions as F

from ... import batch
from .._checkpoints import Checkpoints, count_rows
from .._search import Search
from .corpus import Corpus
from .refine import refined
from .rounds import Round, all_pairs, count_buckets, pairs_of, rounds
from .verify import closest, verified_stage

#: Pairs that one task decides about, in some hundred bytes each.
_MAX_PAIRS_OF_A_TASK = 5_000_000


def removed(corpus: Corpus, buckets: Any, search: Search, checkpoints: Checkpoints) -> Any:
    """The distinct documents that go: ``document``, ``kept`` (the most similar kept one before it), ``similarity``."""
    done: list[Round] = []
    left, found = buckets, "buckets"
    for stage in ("refined", None):
        for decided in rounds(left, found, len(done), corpus.sets, search, checkpoints):
            done.append(decided)
            left, found = decided.left, f"round-{len(done)}/buckets"
        if stage is not None:
            left = refined(left, found, corpus, search, checkpoints, stage)
            found = stage if checkpoints.has(stage) else found
    checkpoints.stage("rest/pairs", all_pairs(left, search), count_rows)
    graph = verified_stage("rest/pairs", "rest/near", corpus.sets, search.threshold, checkpoints)
    gone = _decide(graph, checkpoints)
    near = graph.join(gone.withColumnRenamed("document", "a"), "a", "left_anti").select("a", "b", "similarity")
    for decided in done:
        near = near.unionAll(decided.near)
    if done:
        near = near.unionAll(_late(corpus, _states(buckets, done, gone), search, checkpoints))
    return closest(near).withColumnRenamed("other", "kept")


def _states(buckets: Any, done: list[Round], gone: Any) -> Any:
    """The buckets, with ``is_kept`` and ``round`` (in which this was decided) of each document."""
    last = len(done) + 1
    decided = gone.selectExpr("document", "false as is_kept", f"{last} as round")
    for number, one in enumerate(done, 1):
        removed = one.near.select(F.col("b").alias("document")).distinct()
        for documents, is_kept in ((one.kept, "true"), (removed, "false")):
            decided = decided.unionAll(documents.selectExpr("document", is_kept, f"{number}"))
    states = {"is_kept": F.coalesce("is_kept", F.lit(True)), "round": F.coalesce("round", F.lit(last))}
    return buckets.join(decided, "document", "left").withColumns(states)


def _late(corpus: Corpus, states: Any, search: Search, checkpoints: Checkpoints) -> Any:
    """Near-duplicates of two documents whose earlier one was kept in a later round than the other one was removed in:
    they were not compared then, and the kept one may be the closest."""
    least = F.min(F.when(~F.col("is_kept"), F.col("round")))
    most = F.max(F.when(F.col("is_kept"), F.col("round")))
    late = states.groupBy("key").agg(least.alias("least"), most.alias("most")).where("most > least").select("key")
    states = checkpoints.stage("late/buckets", states.join(late, "key", "left_semi"), count_buckets)
    fine = refined(states, "late/buckets", corpus, search, checkpoints, "late/refined")
    if checkpoints.has("late/refined"):
        fine = fine.join(states.select("document", "is_kept", "round").distinct(), "document")
    pairs = pairs_of(fine.where("is_kept"), fine.where("not is_kept"), search, _IS_LATE)
    checkpoints.stage("late/pairs", pairs, count_rows)
    return verified_stage("late/pairs", "late/near", corpus.sets, search.threshold, checkpoints)


_IS_LATE = "left.document < right.document and left.round > right.round"


def _decide(graph: Any, checkpoints: Checkpoints) -> Any:
    """The documents that are removed by these pairs: ``document``.

    In rounds a document is kept when no earlier neighbour is left, and removed when one is kept, until one task can
    hold the pairs of the rest.
    """
    gone, left, number = [], graph, 0
    count = checkpoints.facts("rest/near")["rows"]
    while count > _MAX_PAIRS_OF_A_TASK:
        number += 1
        stage = f"rest/decided-{number}"
        kept = left.select(F.col("a").alias("document")).distinct()
        kept = kept.join(left.select(F.col("b").alias("document")).distinct(), "document", "left_anti")
        now = left.join(kept.withColumnRenamed("document", "a"), "a", "left_semi").select(F.col("b").alias("document"))
        now = checkpoints.stage(f"{stage}/removed", now.distinct(), count_rows)
        gone.append(now)
        decided = kept.unionAll(now)
        rest = left
        for side in "ab":
            rest = rest.join(decided.withColumnRenamed("document", side), side, "left_anti")
        left = checkpoints.stage(f"{stage}/rest", rest.select("a", "b", "similarity"), count_rows)
        before, count = count, checkpoints.facts(f"{stage}/rest")["rows"]
        if count > before * 0.9:
            break
    last = left.repartition(1).mapInArrow(_decide_all, "document long")
    gone.append(checkpoints.stage("rest/removed", last, count_rows))
    return functools.reduce(lambda one, other: one.unionAll(other), gone)


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
