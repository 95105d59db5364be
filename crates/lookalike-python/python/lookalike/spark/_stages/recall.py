"""The recall of minhash, measured: for some documents all near-duplicates are found exactly, and it is counted how many
of them share a band.

The sampled documents travel to all tasks. Of each only its prefix is looked up, its elements that are rarest in the
sample: a near-duplicate has one of these (the prefix filter holds under any order of the elements).
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pyarrow
import pyarrow.compute as pc
from pyspark.sql import functions as F

from ... import batch
from .._checkpoints import Checkpoints
from .._search import Search
from .corpus import Corpus
from .sets import unpacked

_SAMPLED_DOCUMENTS = 500
#: Elements of all sampled documents together at most, unless the first has more.
_SAMPLED_ELEMENTS = 500_000
#: Standard deviations of an interval of 95 %.
_DEVIATIONS = 1.96
#: Bits of the elements by which nearly all are ruled out that no sampled document has in its prefix.
_FIRST_BITS = 20
_UNSEEN_BITS = pyarrow.scalar(64 - _FIRST_BITS, pyarrow.uint64())
#: Candidate pairs that are verified at a time.
_PAIRS_AT_A_TIME = 1000


def measured_recall(corpus: Corpus, search: Search, checkpoints: Checkpoints) -> dict[str, Any]:
    """Measures the recall on a sample.

    Returns:
        ``sampled_documents``, ``true_pairs``, ``found_pairs``, and ``interval``: bounds of the recall with a confidence
        of 95 % (Wilson 1927, as if the pairs were independent), None without pairs.
    """

    def make() -> Any:
        # By id: the numbers of documents have gaps, which differ from run to run.
        order = F.xxhash64("id", F.lit(search.keys.get("seed", 1)))
        # An id may be that of a reference, too, which has a smaller number.
        drawn = corpus.distinct("id").orderBy(order, "id", "document").limit(_SAMPLED_DOCUMENTS)
        chosen = corpus.sets.elements.sparkSession.createDataFrame(_short_sample(drawn.collect()), "row long")
        rows = F.broadcast(chosen).join(corpus.sets.elements, "row").select("row", "elements").collect()
        sample = sorted((row["row"], bytes(row["elements"])) for row in rows)
        near = corpus.sets.elements.mapInArrow(_near(sample, search), "row long, is_found boolean")
        # Copies are found in any case: of equal sets one counts.
        return near.join(corpus.distinct().select("row"), "row", "left_semi").selectExpr(
            f"{len(sample)}L as sampled_documents", "count(*) as true_pairs", "count_if(is_found) as found_pairs"
        )

    checkpoints.stage("recall", make, lambda rows: dict(rows.collect()[0].asDict()))
    facts = checkpoints.facts("recall")
    true, found = facts["true_pairs"], facts["found_pairs"]
    return {
        "sampled_documents": facts["sampled_documents"],
        "true_pairs": true,
        "found_pairs": found,
        "interval": _interval(found, true) if true else None,
    }


def _short_sample(drawn: list[Any]) -> list[tuple[int]]:
    """The rows of the drawn documents, as many as have few enough elements together, or the first."""
    sums = itertools.accumulate(document["size"] for document in drawn)
    return [
        (document["row"],)
        for at, (document, elements) in enumerate(zip(drawn, sums, strict=True))
        if at == 0 or elements <= _SAMPLED_ELEMENTS
    ]


def _interval(found: int, true: int) -> list[float]:
    share, square = found / true, _DEVIATIONS**2
    middle = share + square / (2 * true)
    reach = _DEVIATIONS * math.sqrt(share * (1 - share) / true + square / (4 * true * true))
    low, high = ((middle + sign * reach) / (1 + square / true) for sign in (-1, 1))
    return [max(0.0, low), min(1.0, high)]


def _near(sample: list[tuple[int, bytes]], search: Search) -> Any:
    def near(batches: Iterator[Any]) -> Iterator[Any]:
        known = _Sample(sample, search)
        for documents in batches:
            for pairs in known.near(documents):
                yield pyarrow.record_batch({"row": pairs["row"], "is_found": known.share_a_band(pairs)})

    return near


class _Sample:
    """The sampled documents, with an index of the elements of their prefixes."""

    def __init__(self, sample: list[tuple[int, bytes]], search: Search) -> None:
        self._search = search
        self._rows = pyarrow.array([row for row, _ in sample], pyarrow.int64())
        self._sets = unpacked(pyarrow.array([elements for _, elements in sample], pyarrow.binary()))
        holders = _holders(self._sets.to_pylist(), Fraction(str(search.threshold)))
        self._elements = pyarrow.array(list(holders), pyarrow.int64())
        self._holders = pyarrow.array(list(holders.values()), pyarrow.list_(pyarrow.int32()))
        first = {element % (1 << 64) >> 64 - _FIRST_BITS for element in holders}
        self._is_present = pyarrow.array([bits in first for bits in range(1 << _FIRST_BITS)])

    def near(self, documents: Any) -> Iterator[Any]:
        """The near-duplicates of sampled documents in a batch: ``row``, ``set``, ``sampled`` (sets), in batches."""
        sets = unpacked(documents["elements"])
        elements, document = pc.list_flatten(sets), pc.list_parent_indices(sets)
        is_likely = self._is_present.take(pc.shift_right(elements.view(pyarrow.uint64()), _UNSEEN_BITS))
        at = pc.index_in(elements.filter(is_likely), self._elements)
        document = document.filter(is_likely).filter(pc.is_valid(at))
        holders = self._holders.take(at.drop_null())
        pairs = pyarrow.table(
            {"document": document.take(pc.list_parent_indices(holders)), "sampled": pc.list_flatten(holders)}
        )
        pairs = pairs.group_by(["document", "sampled"]).aggregate([])
        for some in pairs.combine_chunks().to_batches(max_chunksize=_PAIRS_AT_A_TIME):
            row, left, right = (
                whole.take(some[name])
                for whole, name in ((documents["row"], "document"), (sets, "document"), (self._sets, "sampled"))
            )
            similar = pc.is_valid(batch.verify(left, right, self._search.threshold)["similarity"].to_arrow())
            is_other = pc.not_equal(row, self._rows.take(some["sampled"]))
            found = pyarrow.record_batch({"row": row, "set": left, "sampled": right})
            yield found.filter(pc.and_(similar, is_other))

    def share_a_band(self, near: Any) -> Any:
        """By pair whether the method finds it."""
        search = self._search
        if len(near) == 0:
            return pyarrow.array([], pyarrow.bool_())
        left, right = (
            batch.blocking_keys(near[name], search.threshold, method=search.method, **search.keys).to_arrow()
            for name in ("set", "sampled")
        )
        # All have one key for each band, in the order of the bands.
        keys = [pc.struct_field(pc.list_flatten(side), "blocking_key") for side in (left, right)]
        agree = pyarrow.table({"pair": pc.list_parent_indices(left), "agrees": pc.equal(*keys)})
        return agree.group_by("pair", use_threads=False).aggregate([("agrees", "any")])["agrees_any"].combine_chunks()


def _holders(sets: list[list[int]], threshold: Fraction) -> dict[int, list[int]]:
    """By element the sampled documents in whose prefix it is."""
    counts = Counter(element for elements in sets for element in elements)
    holders: dict[int, list[int]] = {}
    for document, elements in enumerate(sets):
        rarest = sorted(elements, key=lambda element: (counts[element], element))
        for element in rarest[: len(elements) - math.ceil(threshold * len(elements)) + 1]:
            holders.setdefault(element, []).append(document)
    return holders
