"""Connected components of verified pairs, and the verification of no more pairs than they need."""

from __future__ import annotations

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
from .rounds import all_pairs, count_buckets, leader_pairs
from .verify import verified, verified_stage

#: Edges whose components one task finds.
_MAX_EDGES_OF_A_TASK = 5_000_000


def components(corpus: Corpus, buckets: Any, search: Search, checkpoints: Checkpoints) -> Any:
    """The distinct documents that pairs of near-duplicates connect with others: ``document``, ``root`` (the first of
    its component).

    First each document is compared with the leader of each bucket; of all pairs in a bucket only those of different
    components are left then. A family of near-copies is one component after the first step.
    """
    entries = checkpoints.facts("buckets")["entries"]
    led = checkpoints.stage(
        "leaders/near",
        verified(leader_pairs(buckets, search), corpus.sets, search.threshold, entries),
        count_rows,
    )
    roots = roots_of(led.select("a", "b"), checkpoints, "leaders")
    rooted = buckets.join(roots, "document", "left").withColumn("root", F.coalesce("root", "document"))
    # Buckets with one component need no more.
    mixed = rooted.groupBy("key").agg(F.min("root").alias("least"), F.max("root").alias("most")).where("least < most")
    rooted = rooted.join(mixed.select("key"), "key", "left_semi")
    rooted = checkpoints.stage("rest/buckets", rooted, count_buckets)
    fine = refined(rooted, "rest/buckets", corpus, search, checkpoints, "rest/refined")
    if checkpoints.has("rest/refined"):
        fine = fine.join(rooted.select("document", "root").distinct(), "document")
    checkpoints.stage("rest/pairs", all_pairs(fine, search, "left.root <> right.root"), count_rows)
    near = verified_stage("rest/pairs", "rest/near", corpus.sets, search.threshold, checkpoints)
    edges = near.select("a", "b").unionAll(roots.where("root < document").selectExpr("root as a", "document as b"))
    return roots_of(edges, checkpoints, "rest")


def roots_of(edges: Any, checkpoints: Checkpoints, name: str) -> Any:
    """The first document of the component of each: ``document``, ``root``.

    Each task keeps a forest of its edges. If those of all fit one task, it joins them; else large stars and small
    stars alternate (Kiveris and others, Connected Components in MapReduce and Beyond, 2014, section 3) until they fit,
    or are stars.
    """
    forest = edges.mapInArrow(_forest, "a long, b long")
    forest = checkpoints.stage(f"{name}/forest", forest, count_rows)
    count, number = checkpoints.facts(f"{name}/forest")["rows"], 0
    last = None
    while count > _MAX_EDGES_OF_A_TASK:
        number += 1
        stage = f"{name}/stars-{number}"
        large = checkpoints.stage(f"{stage}/large", _large_star(forest), count_rows)
        forest = checkpoints.stage(f"{stage}/small", _small_star(large), _count_edges)
        facts = checkpoints.facts(f"{stage}/small")
        count = facts["rows"]
        if last == (count, facts["checksum"]):
            # Each edge leads from a document to its root.
            rooted = forest.selectExpr("b as document", "a as root")
            return rooted.unionAll(rooted.selectExpr("root", "root").distinct())
        last = (count, facts["checksum"])
    schema = "document long, root long"
    return checkpoints.stage(f"{name}/roots", forest.repartition(1).mapInArrow(_roots, schema), count_rows)


def _count_edges(edges: Any) -> dict[str, Any]:
    [found] = edges.agg(
        F.count(F.lit(1)).alias("rows"), F.sum(F.xxhash64("a", "b").cast("decimal(38)")).alias("sum")
    ).collect()
    return {"rows": found["rows"], "checksum": str(found["sum"])}


def _large_star(edges: Any) -> Any:
    """Each later neighbour of a document is joined to the first of the document and its neighbours."""
    both = edges.select("a", "b").unionAll(edges.selectExpr("b", "a"))
    first = both.groupBy("a").agg(F.min("b").alias("least")).withColumn("least", F.least("a", "least"))
    return both.where("b > a").join(first, "a").selectExpr("least as a", "b").distinct()


def _small_star(edges: Any) -> Any:
    """A document and its earlier neighbours are joined to the first of them."""
    first = edges.groupBy("b").agg(F.min("a").alias("least"))
    others = edges.join(first, "b").where("a > least").selectExpr("least as a", "a as b")
    return others.unionAll(first.selectExpr("least as a", "b")).distinct()


def _joined(batches: Iterator[Any]) -> tuple[Any, Any] | None:
    """The documents of the edges, and by document the row of the first one of its component."""
    parts = list(batches)
    if not parts:
        return None
    edges = pyarrow.Table.from_batches(parts)
    documents = pc.unique(pyarrow.chunked_array(edges["a"].chunks + edges["b"].chunks)).sort()
    found = batch.Components(len(documents))
    found.add(*(pc.index_in(edges[side], documents) for side in "ab"))
    return documents, found.roots(signed=True).to_arrow()


def _roots(batches: Iterator[Any]) -> Iterator[Any]:
    joined = _joined(batches)
    if joined is not None:
        documents, roots = joined
        yield pyarrow.record_batch({"document": documents, "root": documents.take(roots)})


def _forest(batches: Iterator[Any]) -> Iterator[Any]:
    """An edge from the first document of a component to each other, of some edges at a time."""
    for some in _some(batches):
        joined = _joined(iter(some))
        if joined is not None:
            documents, roots = joined
            edges = pyarrow.record_batch({"a": documents.take(roots), "b": documents})
            yield edges.filter(pc.less(edges["a"], edges["b"]))


def _some(batches: Iterator[Any]) -> Iterator[list[Any]]:
    """Batches of edges, as many together as a task may hold."""
    held: list[Any] = []
    edges = 0
    for rows in batches:
        held.append(rows)
        edges += len(rows)
        if edges >= _MAX_EDGES_OF_A_TASK:
            yield held
            held, edges = [], 0
    yield held
