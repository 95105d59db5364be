"""Verification: the exact similarity of candidate pairs, computed where the sets of their later documents are.

The pairs are cut into parts by their later document. To a part go the sets of its later documents, once each, and the
sets of the earlier ones, once each however many pairs they are in:

    earlier a ---- set ----> every part in which `a` is in a pair
    later   b ---- set ----> its part

A document that a million others are compared with therefore costs one set a part, and no part has more rows than
another because of it. Within a part the rows come sorted, the sets of the earlier documents first, then each later
document with its pairs: a task holds the earlier sets of one part, and reads the others as they pass by.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pyarrow
import pyarrow.compute as pc
from pyspark.sql import functions as F

from ... import batch
from .._checkpoints import Checkpoints, count_rows
from .sets import unpacked

#: Bytes of sets that a part is to hold.
_PART_BYTES = 32 << 20
#: Documents, some ten bytes each, that an executor can hold to look for what belongs to them.
_FEW_DOCUMENTS = 1_000_000

_EARLIER, _LATER = 0, 1
_SIDES = ((_EARLIER, "a"), (_LATER, "b"))


@dataclass(frozen=True)
class Sets:
    """Where the sets of documents are."""

    #: ``row``, ``elements`` (binary).
    elements: Any
    #: ``document``, ``row``.
    rows: Any
    #: Mean size of a set.
    mean_bytes: float

    def of(self, documents: Any, count: int) -> Any:
        """``elements`` beside the columns of ``documents``, one of which is ``document``.

        If the documents are few, as ``count`` says, they are sent to where the sets are. The engine cannot know that
        before it has sent all sets to where the documents are.
        """
        rows = if_few(documents, count).join(self.rows, "document")
        return if_few(rows, count).join(self.elements, "row").drop("row")


def if_few(documents: Any, count: int) -> Any:
    """The documents, which are sent to all executors for a join if they are as few as ``count`` may say."""
    return F.broadcast(documents) if count <= _FEW_DOCUMENTS else documents


def verified(pairs: Any, sets: Sets, threshold: float | str, count: int) -> Any:
    """The pairs that reach the threshold, once each.

    Args:
        pairs: ``a``, ``b``: documents; pairs may repeat.
        sets: The sets of all documents.
        threshold: Minimum Jaccard similarity (>=).
        count: Number of pairs, or more: by it the number of parts is chosen, and how sets travel.

    Returns:
        ``a``, ``b`` (long), ``similarity`` (double).
    """
    parts = max(1, int(count * sets.mean_bytes / _PART_BYTES))
    pairs = pairs.select("a", "b", F.pmod(F.hash("b"), F.lit(parts)).alias("part"))
    sides = F.inline(
        F.array(*(F.struct(F.lit(kind).alias("kind"), F.col(name).alias("document")) for kind, name in _SIDES))
    )
    wanted = sets.of(pairs.select("part", sides).distinct(), count)
    together = wanted.selectExpr("part", "kind", "document", "cast(null as long) as other", "elements").unionAll(
        pairs.selectExpr("part", f"{_LATER} as kind", "b as document", "a as other", "cast(null as binary) as elements")
    )
    # Nulls come first: each later document before its pairs.
    together = together.repartition("part").sortWithinPartitions("part", "kind", "document", "other")

    def verify(batches: Iterator[Any]) -> Iterator[Any]:
        yield from verified_rows(batches, threshold)

    return together.mapInArrow(verify, "a long, b long, similarity double")


def verified_stage(pairs: str, name: str, sets: Sets, threshold: float | str, checkpoints: Checkpoints) -> Any:
    """A stage of this name: the pairs of the stage ``pairs`` that reach the threshold, once each."""
    count = checkpoints.facts(pairs)["rows"]
    found = verified(checkpoints.rows(pairs), sets, threshold, count)
    return checkpoints.stage(name, found, count_rows)


def closest(near: Any) -> Any:
    """Of the pairs of each later document the most similar one, of several the one with the first: ``document``,
    ``other``, ``similarity``."""
    best = F.max(F.struct("similarity", (-F.col("a")).alias("minus"))).alias("best")
    found = near.groupBy(F.col("b").alias("document")).agg(best)
    return found.selectExpr("document", "-best.minus as other", "best.similarity")


def verified_rows(batches: Iterator[Any], threshold: float | str) -> Iterator[Any]:
    """Verifies the pairs of sorted rows, as :func:`verified` sends them to a task."""
    part = _Part(None, threshold)
    for rows in batches:
        for number in pc.unique(rows["part"]).to_pylist():
            if number != part.number:
                part = _Part(number, threshold)
            yield from part.verified(rows.filter(pc.equal(rows["part"], number)))


class _Part:
    """A part whose rows come batch by batch."""

    def __init__(self, number: int | None, threshold: float | str) -> None:
        self.number = number
        self._threshold = threshold
        #: ``document``, ``elements`` of the earlier documents.
        self._earlier: list[Any] = []
        #: The same of the last later document, whose pairs may go on in the next batch.
        self._last: list[Any] = []
        #: The last pair, which the next batch may repeat.
        self._pair: Any = None

    def verified(self, rows: Any) -> Iterator[Any]:
        """The pairs of these rows, the next of the part, that reach the threshold."""
        is_pair = pc.is_valid(rows["other"])
        sets = rows.filter(pc.invert(is_pair)).select(["kind", "document", "elements"])
        is_earlier = pc.equal(sets["kind"], _EARLIER)
        self._earlier += _unless_empty(sets.filter(is_earlier))
        later = self._last + _unless_empty(sets.filter(pc.invert(is_earlier)))
        pairs = self._distinct(rows.filter(is_pair).select(["other", "document"]))
        if len(pairs):
            # All earlier sets have come before the first pair.
            self._earlier = [_joined(self._earlier)]
            yield from self._similar(pairs, self._earlier[0], _joined(later))
        if later:
            self._last = [later[-1].slice(len(later[-1]) - 1)]

    def _distinct(self, pairs: Any) -> Any:
        """Each pair once: equal ones stand side by side."""
        if len(pairs) == 0:
            return pairs
        before = pyarrow.concat_tables(
            [self._pair or pairs.schema.empty_table(), pyarrow.Table.from_batches([pairs.slice(0, len(pairs) - 1)])]
        )
        is_first = [] if self._pair else [True]
        following = pairs.slice(len(is_first))
        differs = [pc.not_equal(following[name], before[name].combine_chunks()) for name in pairs.schema.names]
        self._pair = pyarrow.Table.from_batches([pairs.slice(len(pairs) - 1)])
        return pairs.filter(pyarrow.concat_arrays([pyarrow.array(is_first, pyarrow.bool_()), pc.or_(*differs)]))

    def _similar(self, pairs: Any, earlier: Any, later: Any) -> Iterator[Any]:
        a, b = _places(pairs["other"], earlier), _places(pairs["document"], later)
        # Dictionaries name the sets of the pairs: a set is not copied for each pair that it is in.
        left, right = (
            pyarrow.DictionaryArray.from_arrays(at, unpacked(sets["elements"]))
            for sets, at in ((earlier, a), (later, b))
        )
        similarity = batch.verify(left, right, self._threshold)["similarity"].to_arrow()
        columns = {"a": pairs["other"], "b": pairs["document"], "similarity": similarity}
        yield pyarrow.record_batch(columns).filter(pc.is_valid(similarity))


def _unless_empty(rows: Any) -> list[Any]:
    return [rows] if len(rows) else []


def _joined(parts: list[Any]) -> Any:
    return parts[0] if len(parts) == 1 else pyarrow.Table.from_batches(parts).combine_chunks().to_batches()[0]


def _places(documents: Any, sets: Any) -> Any:
    """By document the row of its set."""
    places = pc.index_in(documents, sets["document"])
    if places.null_count:
        missing = documents.filter(pc.is_null(places))[0]
        raise RuntimeError(f"the set of document {missing} is not where its pairs are")
    return places
