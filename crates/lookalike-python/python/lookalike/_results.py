"""The results of jobs."""

from __future__ import annotations

import html
from collections.abc import Iterator
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from . import _lookalike
from ._plots import Bits, Histogram, draw_curve, draw_similarities
from ._rows import Bools, Table, Unsendable, mask_of

#: Names of numbers, where one is called otherwise.
_SINGULAR = {
    "documents": "document",
    "pairs": "pair",
    "queries": "query",
    "answers": "answer",
    "clusters": "cluster",
    "passages": "passage",
    "documents in them": "document in them",
}


class LookalikeWarning(UserWarning):
    """A problem that does not end the job: records left out, ids that occur again."""


class Progress(NamedTuple):
    """The progress of a job."""

    #: The name of the stage.
    stage: str
    #: Its number, from 1.
    number: int
    #: Number of stages, as far as it is known.
    stages: int
    #: Amount of work of the stage that is done.
    done: int
    #: Amount of work of the stage.
    total: int
    #: What the amounts count: ``"bytes"`` or ``"documents"``.
    unit: str


#: Values of the native mask: what becomes of a row.
_KEPT, _ANSWERED, _LEFT_OUT = 1, 1, 2


class _Result(Unsendable):
    """The part that all results have: a report, and the answers as a table, whose rows it is gone through by."""

    #: What the answers are.
    _ANSWERS = "pairs"
    #: The function of the native answer that makes them.
    _TABLE = "pairs"
    #: Numbers of the report that are shown, by their names.
    _COUNTS: dict[str, str] = {}

    def __init__(self, native: Any, report: dict[str, Any]) -> None:
        # An `Answer`, or a `SearchAnswer`.
        self._native = native
        #: What the job did, the same as ``--summary`` of the command writes: ``parameters``, ``method``,
        #: ``measured_recall``, ``candidates``, ``result`` (counts), ``stages`` (seconds, peak memory) and others.
        self.report = report

    @cached_property
    def table(self) -> Table:
        """The answers as rows."""
        return Table(getattr(self._native, self._TABLE)())

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The rows of :attr:`table`, each a dictionary by the names of the columns."""
        return self.table.rows

    def __iter__(self) -> Iterator[Any]:
        return iter(self.table)

    def __len__(self) -> int:
        return len(self.table)

    def to_arrow(self) -> Any:
        """:attr:`table` as a ``pyarrow.Table``."""
        return self.table.to_arrow()

    def to_polars(self) -> Any:
        """:attr:`table` as a ``polars.DataFrame``."""
        return self.table.to_polars()

    def to_pandas(self) -> Any:
        """:attr:`table` as a ``pandas.DataFrame``."""
        return self.table.to_pandas()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.table.__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> object:
        return self.table.__arrow_c_schema__()

    def _numbers(self) -> list[tuple[str, int]]:
        result = self.report["result"]
        return [(name, result[key]) for name, key in self._COUNTS.items()]

    def _summary(self) -> str:
        def counted(name: str, count: int) -> str:
            return f"{count:,} {_SINGULAR.get(name, name) if count == 1 else name}"

        return ", ".join(counted(name, count) for name, count in self._numbers())

    def _method(self) -> str:
        method = self.report["method"]
        banding = f", {method['bands']} bands of {method['rows']} rows" if method["bands"] else ""
        recall = method["expected_recall"]
        return f"{method['name']}{banding}" + ("" if recall is None else f"; recall expected: {recall:.4f}")

    def _title(self) -> str:
        return f"{type(self).__name__}: {self._summary()}"

    def __repr__(self) -> str:
        return "\n".join([self._title(), *self.table.first_rows()])

    def _repr_html_(self) -> str:
        rows = [(name, f"{count:,}") for name, count in self._numbers()] + [("method", self._method())]
        cells = "".join(f"<tr><th>{html.escape(name)}</th><td>{html.escape(value)}</td></tr>" for name, value in rows)
        return f"<table><caption>{type(self).__name__}</caption>{cells}</table>{self.table.first_rows_html()}"

    def plot(self, ax: Any = None) -> Any:
        """Draws how many answers have each similarity, beside the probability that the method finds a pair of it.

        Args:
            ax: Axes of matplotlib to draw on; new ones without it. matplotlib has to be installed.

        Returns:
            The axes of the histogram.

        Raises:
            ValueError: The answers have no similarities: clusters, or numbers of common elements.
        """
        return draw_similarities(self._histogram(), ax)

    def _histogram(self) -> Histogram:
        columns, native = self.table.columns, self._native
        column = next((name for name in ("similarity", "estimated_similarity", "distance") if name in columns), None)
        if column is None:
            raise ValueError(
                "only similarities and numbers of bits are drawn by plot(), not common elements or distances of vectors"
                if any(name == "common" or name.endswith("_distance") for name in columns)
                else f"{type(self).__name__} have no similarities to draw: plot the result of pairs() or dedup()"
            )
        parameters = self.report["parameters"]
        bits = Bits(parameters["width"], parameters["distance"]) if column == "distance" else None
        values = self.table[column]
        return Histogram(values, bits, self._ANSWERS, self._title(), native.threshold, native.probabilities)


class _Masked(_Result):
    """A result that says something of each row of the data."""

    @cached_property
    def left_out(self) -> Bools:
        """For each row of the data whether ``on_error="skip"`` left it out; exceptions are those of :attr:`mask`."""
        return mask_of(self._native, _LEFT_OUT)


class Deduped(_Masked):
    """The kept documents and the removed ones. As a table, by its length and in a loop it is :attr:`removed`."""

    _ANSWERS = "removed documents"
    _TABLE = "removed"
    _COUNTS = {"documents": "documents", "kept": "kept"}

    @cached_property
    def kept(self) -> Table:
        """The kept documents: ``row`` (from 0 in memory, a line from 1 in a file), ``id``."""
        return Table(self._native.kept())

    @cached_property
    def removed(self) -> Table:
        """The removed documents: ``row``, ``id``, ``kept_row``, ``kept``, ``similarity`` and ``reason``.

        ``kept`` is a kept document that comes earlier in the order of ``keep``: of those that the method compared with
        the removed one, the most similar; documents with equal features share it. With ``cluster="connected"`` it is
        the kept document of the cluster, and ``similarity`` may be below the threshold; with ``against`` it is a
        reference. Measures that count have ``common`` or ``distance`` in place of ``similarity``. The reason is
        ``"identical"`` (the same text, byte for byte), ``"equal"`` (the same features) or ``"near"``.
        """
        return self.table

    @cached_property
    def mask(self) -> Bools:
        """For each row of the data whether it is kept, to index the data with: an array of numpy, or a :class:`Mask`
        where numpy is not installed.

        Rows that ``on_error="skip"`` left out are False here and in no table: see :attr:`left_out`.

        Raises:
            ValueError: The documents were read from files.
        """
        return mask_of(self._native, _KEPT)

    def _reasons(self) -> dict[str, int]:
        return {reason: self.report["result"][f"removed_{reason}"] for reason in ("identical", "equal", "near")}

    def _numbers(self) -> list[tuple[str, int]]:
        return [*super()._numbers(), ("removed", sum(self._reasons().values()))]

    def _summary(self) -> str:
        reasons = ", ".join(f"{count:,} {reason}" for reason, count in self._reasons().items())
        return f"{super()._summary()} ({reasons})"


class Pairs(_Result):
    """Pairs of near-duplicates: ``a_row``, ``a``, ``b_row``, ``b``, ``similarity``, ``reason``; sorted by row.

    Of signatures, ``estimated_similarity`` stands in place of ``similarity``, with ``interval_low`` and
    ``interval_high``, which hold the similarity with a confidence of 95 %. All are told whose interval reaches the
    threshold; where the estimate is below, the reason is ``"uncertain"``.
    """

    _COUNTS = {"documents": "documents", "pairs": "pairs"}


class Answers(_Masked):
    """Documents that are near to queries: ``query_row``, ``query``, ``rank``, ``row``, ``id``, ``similarity``,
    ``reason``; the rows of each query together, its nearest document first.

    ``row`` is null for documents of an index or a snapshot, and ``query_row`` where ``ids`` ask. With
    ``measure="containment"`` also ``containment_of_query`` (the share of the query that is in the document) and
    ``containment_of_id``; measures that count have ``common`` or ``distance`` in place of ``similarity``.
    """

    _ANSWERS = _TABLE = "answers"
    _COUNTS = {"queries": "queries", "answers": "answers"}

    @cached_property
    def mask(self) -> Bools:
        """For each row of the queries whether it has an answer, as :attr:`Deduped.mask`.

        Rows that ``on_error="skip"`` left out were not asked, and are False: see :attr:`left_out`.

        Raises:
            ValueError: The queries were read from files.
        """
        return mask_of(self._native, _ANSWERED)

    def _method(self) -> str:
        return f"verified; recall expected: {self.report['result']['expected_recall']:.4f}"


class Sources(_Result):
    """Passages that documents share with their sources: ``id``, ``share_in_all``, ``rank``, ``source``, ``share``,
    ``tokens``, ``start``, ``end``, ``line``, ``end_line``, ``source_start``, ``source_end``, ``source_line``,
    ``source_end_line``; the rows of each document together, the source with the largest share first.

    ``share`` is the part of the tokens of the document that stand in the source, ``share_in_all`` the part that stand in
    any source. Offsets are bytes of the text in UTF-8. A document without sources has a row with shares of 0, and no
    source.
    """

    _ANSWERS = _TABLE = "passages"
    _COUNTS = {"documents": "documents", "with sources": "with_sources", "passages": "passages"}

    def _method(self) -> str:
        return "all runs of tokens that are long enough"


class Added(Unsendable):
    """What was added to an index, and what was not because a document was near."""

    def __init__(self, near: Table, report: dict[str, Any]) -> None:
        #: Documents that were not added, each with the nearest document: columns as those of :class:`Answers`.
        self.near = near
        #: What the job did, the same as ``--summary`` of the command writes.
        self.report = report

    def __repr__(self) -> str:
        result = self.report["result"]
        replaced = f", {result['replaced']:,} of them in place of others" if result["replaced"] else ""
        near = f", {result['near']:,} not: another is near" if result["near"] else ""
        known = f", {result['known']:,} not: the same content without an id is there" if result["known"] else ""
        return f"Added: {result['added']:,}{replaced}{near}{known}; the index has {result['documents']:,}"


class Clusters(_Result):
    """Clusters of documents that pairs of near-duplicates connect: a row for each member with ``cluster``, ``row``
    and ``id``. ``for members in clusters`` gives the rows of each cluster as a list."""

    _TABLE = "clusters"
    _COUNTS = {"documents": "documents", "clusters": "clusters", "documents in them": "clustered_documents"}

    def __len__(self) -> int:
        count: int = self.report["result"]["clusters"]
        return count

    def __iter__(self) -> Iterator[list[dict[str, Any]]]:
        # The rows of a cluster stand together.
        return (list(members) for _, members in groupby(self.table, itemgetter("cluster")))


class Comparison:
    """Two texts side by side."""

    def __init__(self, facts: dict[str, Any]) -> None:
        #: The number of common elements divided by that of the elements of either.
        self.jaccard: float = facts["jaccard"]
        #: The share of the left text that is in the right one.
        self.containment_of_left: float = facts["containment_of_left"]
        #: The share of the right text that is in the left one.
        self.containment_of_right: float = facts["containment_of_right"]
        #: Common passages as they stand in both texts, in the order of the left one.
        self.passages: list[tuple[str, str]] = facts["passages"]
        #: Where the texts differ in words or signs: what stands in the left one, and in the right one in its place.
        self.differences: list[tuple[str, str]] = facts["differences"]
        #: Numbers of tokens and of elements.
        self.counts: dict[str, int] = {name: facts[name] for name in facts if name.endswith(("_tokens", "_elements"))}

    def __repr__(self) -> str:
        count = len(self.passages)
        passages = "1 common passage" if count == 1 else f"{count:,} common passages"
        return f"Comparison: Jaccard similarity {self.jaccard:.4f}, {passages}"

    def _repr_html_(self) -> str:
        passages = "".join(f"<li>{html.escape(left)}</li>" for left, _ in self.passages)
        return f"<p>Jaccard similarity {self.jaccard:.4f}</p><ol>{passages}</ol>"


class Plan(NamedTuple):
    """Bands and rows of MinHash for a threshold."""

    threshold: float
    bands: int
    rows: int
    #: Probability that a pair at the threshold is found.
    recall: float

    @property
    def permutations(self) -> int:
        """Number of components of a signature: bands times rows."""
        return self.bands * self.rows

    def probability(self, similarity: float) -> float:
        """The probability that a pair of this similarity shares a band: the S-curve."""
        return _lookalike.probability(self.bands, self.rows, similarity)

    def plot(self, ax: Any = None) -> Any:
        """Draws the S-curve: the probability that a pair is found, by its similarity; matplotlib has to be installed.

        Args:
            ax: Axes of matplotlib to draw on; new ones without it.

        Returns:
            The axes.
        """
        label = f"{self.bands} bands of {self.rows} rows"
        return draw_curve(label, self.probability, self.threshold, ax)
