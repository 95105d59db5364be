"""The jobs: each reads the documents, finds candidates, verifies them and draws its conclusion.

The engine does the work, and this package says which: of DataFrames and ``mapInArrow`` only, with no Rust of its own. A
job is a chain of stages, each a DataFrame that is written to Parquet, with a row in ``done`` behind it: so a lost
executor makes nothing anew that another stage has numbered, and a killed job goes on.

- A document is its number by the order of the job, from 0, with gaps; ``row`` is where its set is.
- Copies are documents with equal SHA-256 of their sets: no set is read for the proof.
- A row of Spark for each key, joined by Spark, cost three times as much processor time as packed entries (shared.py);
  turned down. Hashes of ids and sets go the same way, to find repeated ids and copies.
- Leader rounds (rounds.py) leave out pairs that the keepers rule does not ask for, refined buckets (refine.py) pairs
  below the threshold: neither changes the answer.
- The keepers rule names the most similar kept document, so pairs of documents that were kept in a later round than the
  other one was removed in are verified at the end (keepers.py).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, TypeAlias

from pyspark.sql import Window
from pyspark.sql import functions as F

from ._checkpoints import Checkpoints, count_rows
from ._results import Answers, Clusters, Deduped, Pairs
from ._search import MINHASH, Search, search_of
from ._stages.components import components
from ._stages.corpus import Corpus, Input, column, read, union
from ._stages.keepers import removed
from ._stages.keys import entries
from ._stages.recall import measured_recall
from ._stages.refine import refined
from ._stages.rounds import all_pairs, buckets_of, count_buckets, pairs_of
from ._stages.verify import if_few, verified_stage

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

    from .._options import Unpack
    from ._search import SparkOptions

    #: A column of the documents, by name or as an expression.
    Order: TypeAlias = str | Column

#: A name that no column of the documents has.
_REMOVED_ID = "lookalike_removed_id"
#: Bytes of an id that is no more to send than a number.
_ID_BYTES = 32
#: Numbers of queries begin here: those below are of the corpus.
_FIRST_DOCUMENT = 1 << 62


class _Job:
    """A job on its way."""

    def __init__(
        self, name: str, search: Search, sources: dict[str, Input], checkpoints: str | os.PathLike[str]
    ) -> None:
        for source in sources.values():
            source.check()
        self.search = search
        self._sources = sources
        described = {"job": name, "version": version("lookalike"), "search": search.described()}
        columns = {
            key: {"text": source.text, "id": source.id, "order": [str(by) for by in source.order]}
            for key, source in sources.items()
        }
        spark = next(iter(sources.values())).frame.sparkSession
        self.checkpoints = Checkpoints(spark, checkpoints, {**described, "inputs": columns})

    def corpus(self, name: str = "documents", first: int = 0) -> Corpus:
        """The documents of an input, whose numbers begin with ``first``.

        Raises:
            ValueError: The checkpoints are those of an input with other rows.
        """
        source = self._sources[name]
        if self.checkpoints.has(f"{name}/sets"):
            made_of, found = self.checkpoints.facts(f"{name}/sets"), source.counted()
            if {name: made_of[name] for name in found} != found:
                raise ValueError(
                    f"{name}: the input has changed since the checkpoints in {self.checkpoints.folder} were made "
                    f"(it had {made_of['rows']:,} rows, and has {found['rows']:,}): name another folder for them"
                )
        return read(source, self.search, self.checkpoints, name, first)

    def buckets(self, corpus: Corpus) -> Any:
        shared = self.checkpoints.stage("entries", lambda: entries(corpus, self.search), count_rows)
        return self.checkpoints.stage("buckets", buckets_of(shared), count_buckets)

    def fine_buckets(self, corpus: Corpus) -> Any:
        return refined(self.buckets(corpus), "buckets", corpus, self.search, self.checkpoints, "refined")

    def near(self, candidates: Any, corpus: Corpus) -> Any:
        """The candidate pairs that reach the threshold."""
        self.checkpoints.stage("candidates", candidates, count_rows)
        return verified_stage("candidates", "near", corpus.sets, self.search.threshold, self.checkpoints)

    def report(self, result: dict[str, int], corpus: Corpus) -> dict[str, Any]:
        recall = None
        if self.search.method == MINHASH:
            recall = measured_recall(corpus, self.search, self.checkpoints)
        inputs = {name: self.checkpoints.facts(f"{name}/sets") for name in self._sources}
        return {
            "version": version("lookalike"),
            "parameters": self.search.described(),
            "inputs": inputs,
            "result": result,
            "measured_recall": recall,
            "stages": self.checkpoints.stages(),
        }


def dedup(
    documents: DataFrame,
    threshold: float | str | None = None,
    *,
    checkpoints: str | os.PathLike[str],
    text: str = "text",
    id: str = "id",
    order_by: Order | Sequence[Order] = (),
    descending: bool | Sequence[bool] = False,
    method: str = "minhash",
    empty: str = "keep",
    **options: Unpack[SparkOptions],
) -> Deduped:
    """Removes near-duplicates: the same documents, for the same reasons, as :func:`lookalike.dedup` on one machine.

    Args:
        documents: Documents with the columns ``text`` and ``id``, and others.
        threshold: Minimum similarity (>=) of near-duplicates; 0.8 if it is not given.
        checkpoints: A folder on storage that all executors reach, for the results of the stages. The same call goes
            on with it where it was stopped; nobody removes it.
        text: Name of the column of texts. Rows with null are no documents: see ``left_out``.
        id: Name of the column of ids, strings or integers, of which none may occur twice.
        order_by: What decides which of several near-duplicates stays: the first in this order. Ties go by the bytes of
            the id, which is all of the order if nothing is given.
        descending: Whether the order descends, for all columns or for each.
        method: ``"minhash"``, or ``"exact"``, which misses nothing.
        empty: ``"duplicate"`` if texts of zero bytes are duplicates of each other.
        options: ``shingle``, ``recall`` and others, as in :func:`lookalike.dedup`.

    Raises:
        KeyError: A column is missing.
        TypeError: A column or a keyword has a type that is not taken.
        ValueError: A value cannot be used; ids occur more than once; ``checkpoints`` belongs to another job.
        ExecutorError: An executor has not the package.
    """
    search = search_of(threshold, method, empty, dict(options))
    source = Input(documents, text, id, _order(order_by, descending))
    job = _Job("dedup", search, {"documents": source}, checkpoints)
    corpus = job.corpus()
    found = removed(corpus, job.buckets(corpus), search, job.checkpoints)
    copies = corpus.copies.join(found.withColumnRenamed("document", "first"), "first", "left")
    copies = copies.selectExpr("document", "coalesce(kept, first) as kept", "coalesce(similarity, 1d) as similarity")
    gone = _named(found.unionAll(copies), corpus, "document", "kept")
    gone = job.checkpoints.stage("removed", gone.withColumnRenamed("document", "id"), _count_removed)
    facts = job.checkpoints.facts("removed")
    removed_ids = if_few(gone.select(F.col("id").alias(_REMOVED_ID)), facts["id_bytes"] // _ID_BYTES)
    is_document = source.id_column().isNotNull() & column(text).isNotNull()
    total = job.checkpoints.facts("documents/sets")["documents"]
    result = {"documents": total, "kept": total - facts["rows"]}
    result |= {f"removed_{reason}": facts[reason] for reason in ("identical", "equal", "near")}
    return Deduped(
        corpus.left_out,
        job.report(result, corpus),
        documents.where(is_document).join(removed_ids, source.id_column() == F.col(_REMOVED_ID), "left_anti"),
        gone,
    )


def pairs(
    documents: DataFrame,
    threshold: float | str | None = None,
    *,
    checkpoints: str | os.PathLike[str],
    text: str = "text",
    id: str = "id",
    order_by: Order | Sequence[Order] = (),
    descending: bool | Sequence[bool] = False,
    method: str = "minhash",
    empty: str = "keep",
    **options: Unpack[SparkOptions],
) -> Pairs:
    """All pairs of near-duplicates: those of :func:`lookalike.pairs`.

    A family of n copies has n (n - 1) / 2 pairs, and all of them are told: where families are large, use
    :func:`dedup` or :func:`clusters`. Arguments and exceptions are those of :func:`dedup`.
    """
    search = search_of(threshold, method, empty, dict(options))
    source = Input(documents, text, id, _order(order_by, descending))
    job = _Job("pairs", search, {"documents": source}, checkpoints)
    corpus = job.corpus()
    near = job.near(all_pairs(job.fine_buckets(corpus), search), corpus)
    members = _members(corpus)
    for side in "ab":
        near = near.join(members.selectExpr(f"first as {side}", f"document as {side}_member"), side)
    near = near.selectExpr("least(a_member, b_member) as a", "greatest(a_member, b_member) as b", "similarity")
    others = members.withColumnRenamed("document", "other")
    copies = members.join(others, "first").where("document < other").selectExpr("document as a", "other as b", "1d")
    named = _named(near.unionAll(copies), corpus, "a", "b")
    found = job.checkpoints.stage("pairs", named, _count_reasons)
    total = job.checkpoints.facts("documents/sets")["documents"]
    result = {"documents": total, "pairs": job.checkpoints.facts("pairs")["rows"]}
    return Pairs(corpus.left_out, job.report(result, corpus), found)


def clusters(
    documents: DataFrame,
    threshold: float | str | None = None,
    *,
    checkpoints: str | os.PathLike[str],
    text: str = "text",
    id: str = "id",
    order_by: Order | Sequence[Order] = (),
    descending: bool | Sequence[bool] = False,
    method: str = "minhash",
    empty: str = "keep",
    **options: Unpack[SparkOptions],
) -> Clusters:
    """The connected components of the pairs of near-duplicates: those of :func:`lookalike.clusters`.

    Arguments and exceptions are those of :func:`dedup`.
    """
    search = search_of(threshold, method, empty, dict(options))
    source = Input(documents, text, id, _order(order_by, descending))
    job = _Job("clusters", search, {"documents": source}, checkpoints)
    corpus = job.corpus()
    roots = components(corpus, job.buckets(corpus), search, job.checkpoints)
    copies = corpus.copies.join(roots.withColumnRenamed("document", "first"), "first", "left")
    copies = copies.selectExpr("document", "coalesce(root, first) as root")
    # The first of copies that no pair connects with others is in a cluster with them.
    firsts = copies.select(F.col("root").alias("document"), "root").distinct()
    rooted = roots.unionAll(copies).unionAll(firsts).distinct()
    # Copies are decided by sets, and components are named by documents of sets: the first of all is one of these.
    ids = corpus.documents.select("document", "id")
    named = rooted.join(ids, "document").join(ids.selectExpr("document as root", "id as cluster"), "root")
    found = job.checkpoints.stage("clusters", named.select("cluster", "id"), _count_clusters)
    facts = job.checkpoints.facts("clusters")
    total = job.checkpoints.facts("documents/sets")["documents"]
    result = {"documents": total, "clusters": facts["clusters"], "clustered_documents": facts["rows"]}
    return Clusters(corpus.left_out, job.report(result, corpus), found)


def search(
    queries: DataFrame,
    corpus: DataFrame,
    threshold: float | str | None = None,
    *,
    k: int | None = None,
    checkpoints: str | os.PathLike[str],
    text: str = "text",
    id: str = "id",
    order_by: Order | Sequence[Order] = (),
    descending: bool | Sequence[bool] = False,
    method: str = "minhash",
    **options: Unpack[SparkOptions],
) -> Answers:
    """The documents of a corpus that are near to each query, the most similar first: those of :func:`lookalike.search`
    with this threshold.

    Both have the columns ``text`` and ``id``; an id may stand in both. Queries are not compared with each other.
    Arguments and exceptions are those of :func:`dedup`, and:

    Args:
        k: The number of answers to a query at most; all if it is not given.
    """
    if k is not None and (isinstance(k, bool) or not isinstance(k, int) or k < 1):
        raise ValueError(f"k: expected a whole number from 1 on, found {k!r}")
    sought = search_of(threshold, method, "keep", dict(options))
    order = _order(order_by, descending)
    sources = {"queries": Input(queries, text, id, order), "corpus": Input(corpus, text, id, order)}
    job = _Job("search", sought, sources, checkpoints)
    known, asked = job.corpus("corpus"), job.corpus("queries", _FIRST_DOCUMENT)
    both = union(known, asked)
    buckets, is_known = job.fine_buckets(both), F.col("document") < _FIRST_DOCUMENT
    near = job.near(pairs_of(buckets.where(is_known), buckets.where(~is_known), sought), both)
    of_corpus = _members(known).selectExpr("first as a", "document as found")
    of_queries = _members(asked).selectExpr("first as b", "document as asked")
    near = near.join(of_corpus, "a").join(of_queries, "b")
    # Of equally similar answers to a query those first that come first.
    by_similarity = Window.partitionBy("asked").orderBy(F.col("similarity").desc(), "found")
    ranked = near.withColumn("rank", F.row_number().over(by_similarity))
    if k is not None:
        ranked = ranked.where(F.col("rank") <= k)
    named = _named(ranked.select("asked", "found", "similarity", "rank"), both, "asked", "found", "rank")
    named = named.selectExpr("asked as query", "rank", "found as id", "similarity", "reason")
    found = job.checkpoints.stage(f"answers/{k or 'all'}", named, _count_reasons)
    total = job.checkpoints.facts("queries/sets")["documents"]
    result = {"queries": total, "answers": job.checkpoints.facts(f"answers/{k or 'all'}")["rows"]}
    return Answers(asked.left_out, job.report(result, both), found)


def _order(order_by: Any, descending: Any) -> tuple[tuple[Any, bool], ...]:
    columns = list(order_by) if isinstance(order_by, (list, tuple)) else [order_by]
    for by in columns:
        if not isinstance(by, str) and not hasattr(by, "alias"):
            raise TypeError(f"order_by: expected names or columns, found {type(by).__name__}")
    is_list = isinstance(descending, (list, tuple))
    if not all(isinstance(one, bool) for one in (descending if is_list else [descending])):
        raise TypeError("descending: expected True, False, or one of them for each column")
    descends = list(descending) if is_list else [descending] * len(columns)
    if len(columns) != len(descends):
        raise ValueError(f"descending: expected one value, or {len(columns)}, found {len(descends)}")
    return tuple(zip(columns, descends, strict=True))


def _members(corpus: Corpus) -> Any:
    """All documents by the first of their equal sets: ``first``, ``document``."""
    firsts = corpus.documents.join(corpus.copies.select("document"), "document", "left_anti")
    return corpus.copies.select("first", "document").unionAll(firsts.selectExpr("document as first", "document"))


def _named(rows: Any, corpus: Corpus, left: str, right: str, *others: str) -> Any:
    """Ids in place of two columns of documents, and the reason; other columns stay."""
    named = corpus.documents.select("document", "id", "text_hash")
    for side in (left, right):
        ids = named.selectExpr(f"document as {side}", f"id as {side}_id", f"text_hash as {side}_hash")
        rows = rows.join(ids, side)
    reason = F.when(F.col(f"{left}_hash") == F.col(f"{right}_hash"), "identical")
    reason = reason.when(F.col("similarity") == 1, "equal").otherwise("near")
    return rows.select(
        F.col(f"{left}_id").alias(left), F.col(f"{right}_id").alias(right), "similarity", reason.alias("reason"), *others
    )


def _count_reasons(rows: Any) -> dict[str, Any]:
    counts = {row["reason"]: row["count"] for row in rows.groupBy("reason").count().collect()}
    return {"rows": sum(counts.values()), **{name: counts.get(name, 0) for name in ("identical", "equal", "near")}}


def _count_removed(rows: Any) -> dict[str, Any]:
    # Of a number, which is shorter, the digits are counted.
    [found] = rows.agg(F.coalesce(F.sum(F.octet_length(F.col("id").cast("string")) + 8), F.lit(0))).collect()
    return {**_count_reasons(rows), "id_bytes": found[0]}


def _count_clusters(rows: Any) -> dict[str, Any]:
    [found] = rows.agg(F.count(F.lit(1)).alias("rows"), F.count_distinct("cluster").alias("clusters")).collect()
    return dict(found.asDict())
