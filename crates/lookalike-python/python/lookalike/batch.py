"""Batch functions: the search of lookalike in pieces, for engines that do the batching and the joins.

Arrow arrays in, Arrow arrays out: pyarrow, polars, pandas 3, and what Spark, Ray and datasets hand to a function. A
function of this module needs nothing but its arguments, keeps nothing between calls, and gives a row the same result
in any batch, so it may run in any number of threads, forked or spawned processes, on any machine.

================== ============================================= ==========================
function           from, to                                      in an engine
================== ============================================= ==========================
features           texts or items: element sets, their hashes    map
Frequencies        sets: counters, added up, carried as bytes    aggregate (method "exact")
blocking_keys      sets: lists of keys                           map
*the engine*       equal keys: candidate pairs                   join
deal, Buckets      keys of documents: entries of shared keys     map, map (instead of a join)
may_reach          sizes, positions: false is no near-duplicate  filter
verify             sets of both sides: similarity                map
Components         pairs: root of each document                  aggregate
keepers            ranks, pairs: kept document, reason           one task, or one a component
================== ============================================= ==========================

Pairs, similarities and decisions equal those of :func:`lookalike.pairs` and :func:`lookalike.dedup`, bit by bit, if the
engine does two things: it groups documents with equal sets (by ``set_hash``, proved by :func:`verify`) and sends one
of each group on, because a million equal sets would be half a billion pairs; and it decides about texts
without elements, which are in no pair.

A column is an array with the Arrow PyCapsule interface (``__arrow_c_array__`` or ``__arrow_c_stream__``), which may be
chunked or sliced and have nulls; it is not copied. What is returned has that interface, too: ``pyarrow.array(x)``,
``pyarrow.record_batch(x)``, ``polars.Series(x)``, ``polars.DataFrame(x)``. Integers are unsigned and lists have 64-bit
offsets, except with ``signed=True``: signed integers and lists of 32-bit offsets, which is what Spark has. Elements and
hashes have the same bits then; all functions take both.

All functions release the interpreter while they work. They raise ``TypeError`` for a column or keyword of a wrong type,
and ``ValueError`` for values that cannot be used, with the name of the column and the row, counted from 0.

>>> import pyarrow
>>> from lookalike import batch
>>> texts = pyarrow.array(["the harbour stays closed until Friday", "The harbour stays closed until Friday.", "a b"])
>>> sets = batch.features(texts)["elements"].to_arrow()
>>> batch.verify(sets.take([0, 0]), sets.take([1, 2]), 0.8).to_arrow().to_pylist()
[{'common': 2, 'similarity': 1.0}, {'common': None, 'similarity': None}]
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from . import _lookalike
from ._arrow import ArrowColumns, ArrowData
from ._needed import needed

if TYPE_CHECKING:
    from typing_extensions import TypedDict, Unpack

    from ._options import TextOptions

    class MeasureOptions(TypedDict, total=False):
        """What near-duplicates are; the same as the keywords of :func:`lookalike.dedup`."""

        measure: str
        containment: str
        min_common: int
        weights: str

    class SearchOptions(MeasureOptions, total=False):
        """How candidates are found; the same as the keywords of :func:`lookalike.dedup`."""

        method: str
        recall: float
        permutations: int
        bands: int
        rows: int
        select: str
        seed: int


_Array = TypeVar("_Array", "Column", "Batch")

__all__ = [
    "Batch",
    "Buckets",
    "Column",
    "Components",
    "Frequencies",
    "blocking_keys",
    "deal",
    "features",
    "keepers",
    "may_reach",
    "verify",
]


class Column(ArrowData[_lookalike.ArrowArray]):
    """An Arrow array, which any library with the Arrow PyCapsule interface takes over without a copy."""

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        return self._native.__arrow_c_array__(requested_schema)

    def to_arrow(self) -> Any:
        """The array as a ``pyarrow.Array``; pyarrow 14 or later has to be installed."""
        return needed("pyarrow", "to_arrow()").array(self)

    def to_polars(self) -> Any:
        """The array as a ``polars.Series``; polars has to be installed."""
        return needed("polars", "to_polars()").Series(self)

    def _contents(self) -> str:
        return self._native.data_type

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self._native.to_bytes())


class Batch(ArrowColumns[_lookalike.ArrowArray]):
    """Arrow arrays of one length under names, which any library with the Arrow PyCapsule interface takes over."""

    def __getitem__(self, name: str) -> Column:
        """The column of this name.

        Raises:
            KeyError: There is none.
        """
        return Column(self._native.column(name))

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        return self._native.__arrow_c_array__(requested_schema)

    def to_arrow(self) -> Any:
        """The columns as a ``pyarrow.RecordBatch``; pyarrow 14 or later has to be installed."""
        return needed("pyarrow", "to_arrow()").record_batch(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self._native.to_bytes())


def _restored(kind: type[_Array], stored: bytes) -> _Array:
    """The column or the batch that gave these bytes."""
    return kind(_lookalike.ArrowArray.from_bytes(stored))


def _number(name: str, number: int) -> int:
    """The number, if it can be one of documents or elements."""
    if not 0 <= operator.index(number) < 1 << 63:
        raise ValueError(f"{name}: expected a number from 0 to 2^63 - 1, found {number}")
    return number


def _given(options: Mapping[str, object], **others: object) -> dict[str, Any]:
    """The keywords that are given."""
    return {name: value for name, value in {**options, **others}.items() if value is not None}


def features(
    texts: object,
    *,
    items: bool | str = False,
    item_counts: bool = False,
    signed: bool = False,
    **options: Unpack[TextOptions],
) -> Batch:
    """Makes the element sets of texts, or of sets of items.

    Args:
        texts: A column of strings of any Arrow type; with ``items`` also of lists of strings or whole numbers, and with
            ``item_counts`` of maps from items to counts.
        items: ``True`` for items in place of texts, separated by blanks where they are in one string; a character is
            what separates them in place of blanks.
        item_counts: Whether items have counts, as ``apple:2`` in strings and lists: each copy is an element of its own,
            for weighted Jaccard.
        signed: Signed integers, and lists of 32-bit offsets, for Spark.
        options: How a text is cut into elements, as in :func:`lookalike.dedup`: ``shingle``, ``tokens``, ... Items are
            compared as they stand: of these they have ``bag`` and ``hash_bits``.

    Returns:
        ``elements``: by row the set of the text, 64-bit hashes that ascend as unsigned numbers; empty for a text
        without elements, null for a null. ``set_hash``: by row a 64-bit hash of the set, null for a null; equal sets
        have equal hashes, different ones hardly ever.

    >>> import polars
    >>> from lookalike import batch
    >>> made = batch.features(polars.Series(["One, two!", "one two", "", None]), shingle="word:1")
    >>> made
    Batch: 4 rows of elements, set_hash
    >>> made["elements"].to_polars().list.len().to_list()
    [2, 2, 0, None]
    >>> made["set_hash"].to_polars().n_unique()
    3
    >>> baskets = polars.Series([["tea", "milk"], ["milk", "tea"], ["green tea"]])
    >>> batch.features(baskets, items=True)["set_hash"].to_polars().n_unique()
    2
    """
    # Absent keywords are those that do not fit texts.
    chosen = _given(options, items=items or None, item_counts=item_counts or None)
    return Batch(_lookalike.features(texts, chosen, signed))


class Frequencies:
    """How many sets have each element, at least: what the method ``"exact"`` chooses its keys by.

    Each task counts its batches in a table of its own; the tables are added up, in any order with the same result. An
    element that was counted once gives no key, so the sets of all batches have to be in the table by which keys are
    made. Threads may share a table, and it can be pickled.

    >>> import pickle, pyarrow
    >>> from lookalike import batch
    >>> sets = batch.features(pyarrow.array(["one two three four five six", "One two three four five six"]))["elements"]
    >>> table = batch.Frequencies.sized_for(1000)
    >>> table.count(sets)
    >>> both = table + pickle.loads(pickle.dumps(table))
    >>> len(batch.blocking_keys(sets, 0.8, frequencies=both).to_arrow()[0])
    1
    """

    def __init__(self, native: _lookalike.Frequencies) -> None:
        self._native = native

    @classmethod
    def sized_for(cls, total_elements: int) -> Frequencies:
        """A table of zeros for so many elements over all sets of all batches: one to two bytes each, 1 GiB at most.

        The number decides the size, and only tables of one size can be added up. It may be a guess: in too small a
        table more elements look frequent, which costs time later and changes no pair.

        Raises:
            ValueError: The number is negative.
        """
        return cls(_lookalike.Frequencies.sized_for(_number("total_elements", total_elements)))

    @classmethod
    def from_bytes(cls, stored: bytes) -> Frequencies:
        """The table that gave these bytes.

        Raises:
            ValueError: They are not what was written, or of another version.
        """
        return cls(_lookalike.Frequencies.from_bytes(stored))

    def to_bytes(self) -> bytes:
        """The table as bytes; equal tables have equal bytes."""
        return self._native.to_bytes()

    def count(self, sets: object) -> None:
        """Counts the sets of a batch, which :func:`features` has made; a null has no elements.

        Raises:
            ValueError: A row is no set: those before it are counted then. To count them again costs time later and
                changes no pair.
        """
        self._native.count(sets)

    def merge(self, other: Frequencies) -> None:
        """Adds the counts of another table to this one.

        Raises:
            ValueError: It was sized for another number of elements.
        """
        self._native.merge(other._native)

    def __iadd__(self, other: object) -> Frequencies:
        if not isinstance(other, Frequencies):
            return NotImplemented
        self.merge(other)
        return self

    def __add__(self, other: object) -> Frequencies:
        if not isinstance(other, Frequencies):
            return NotImplemented
        total = Frequencies(self._native.copy())
        total.merge(other)
        return total

    def __reduce__(self) -> tuple[Any, ...]:
        return Frequencies.from_bytes, (self.to_bytes(),)


def blocking_keys(
    sets: object,
    threshold: float | str | None = None,
    *,
    frequencies: Frequencies | None = None,
    signed: bool = False,
    **options: Unpack[SearchOptions],
) -> Column:
    """Makes the blocking keys of sets: two documents with a common key are a candidate pair.

    Args:
        sets: A column of element sets, which :func:`features` has made.
        threshold: Minimum similarity (>=) of near-duplicates; 0.8 if it is not given.
        frequencies: Those of *all* sets of all batches, on both sides of a join; needed by ``method="exact"``.
        signed: Lists of 32-bit offsets, for Spark.
        options: ``measure`` and ``method`` with their keywords, as in :func:`lookalike.dedup`. The method is
            ``"exact"`` if frequencies are given, else ``"minhash"`` with a recall of 0.99; ``"auto"`` needs the keys
            of all documents, and is refused.

    Returns:
        By row a list of structs: ``blocking_key`` (int64, to be compared for equality only) and ``position`` (int32:
        the number of elements of the set that come before the key, 0 for minhash). Null for a set without elements and
        for a null; an empty list for a set whose elements are in no other set.

    >>> import pyarrow
    >>> from lookalike import batch
    >>> sets = batch.features(pyarrow.array(["one two three", ""]))["elements"]
    >>> keys = batch.blocking_keys(sets, 0.5, bands=20, rows=5).to_arrow()
    >>> len(keys[0]), keys[1].as_py()
    (20, None)
    """
    keywords = {"method": "minhash" if frequencies is None else "exact", **_given(options, threshold=threshold)}
    native = None if frequencies is None else frequencies._native
    return Column(_lookalike.blocking_keys(sets, keywords, native, signed))


def deal(
    keys: object, documents: object, sizes: object, positions: object, *, parts: int, seed: int, signed: bool = False
) -> Batch:
    """Partitions entries by a seeded hash of the blocking key, so that an engine exchanges few long rows.

    Args:
        keys: A column of keys, a row for each key of each document.
        documents: Any number (int64) of the document of the row.
        sizes: The number of elements of its set.
        positions: The ``position`` beside the key.
        parts: Number of parts, 2^24 at most: so many that the distinct keys of a part, 30 to 60 bytes each, fit a task.
        seed: The same in all tasks of a job, and a secret where texts are not trusted: with it, texts can be made whose
            keys all fall to one part.
        signed: Values of 32-bit offsets, for Spark.

    Returns:
        A row for each part with keys: ``part``, from 0; ``entries``: bytes, which :meth:`Buckets.add` takes.
    """
    entries = (keys, documents, sizes, positions)
    return Batch(_lookalike.deal(entries, parts, _number("seed", seed), signed))


class Buckets:
    """The buckets of a part, or of several: gives the entries of shared keys, and holds singletons back.

    Most entries are singletons: no other one has their key. The table takes 30 to 60 bytes for each distinct key,
    however large a bucket is.

    >>> import pyarrow
    >>> from lookalike import batch
    >>> columns = [pyarrow.array(values) for values in ([7, 8, 7], [0, 1, 2], [5, 6, 5], [0, 0, 0])]
    >>> dealt = batch.deal(*columns, parts=1, seed=1)
    >>> batch.Buckets().add(dealt["entries"])["document"].to_arrow().to_pylist()
    [0, 2]
    """

    def __init__(self) -> None:
        self._native = _lookalike.Buckets()

    def add(self, entries: object, *, signed: bool = False) -> Batch:
        """Takes entries of :func:`deal`; all of a part have to come to one object, in any number of calls.

        Returns:
            ``key``, ``document``, ``size``, ``position``: the entries whose key is known to be shared now, each in one
            call; the first of a key together with the second.

        Raises:
            ValueError: A row is not what :func:`deal` gives. What the call has found before is lost then: begin anew.
        """
        return Batch(self._native.add(entries, signed))


def may_reach(
    left_sizes: object,
    left_positions: object,
    right_sizes: object,
    right_positions: object,
    threshold: float | str | None = None,
    **options: Unpack[MeasureOptions],
) -> Column:
    """Tells whether two sets that share a key can reach the threshold: false proves that they do not.

    Of all common keys of two near-duplicates at least the first passes: make pairs distinct after this filter, not
    before.

    Args:
        left_sizes: Number of elements of a set: the length of its list.
        left_positions: The ``position`` beside its key.
        right_sizes: The same of the other set.
        right_positions: The same of the other set.
        threshold: As for :func:`blocking_keys`, with ``options``.

    Returns:
        A column of booleans; null where one of the four numbers is.

    >>> import pyarrow
    >>> from lookalike import batch
    >>> sizes, positions = pyarrow.array([10, 10]), pyarrow.array([0, 0])
    >>> batch.may_reach(sizes, positions, pyarrow.array([9, 4]), positions, 0.8).to_arrow().to_pylist()
    [True, False]
    """
    keywords = _given(options, threshold=threshold)
    return Column(_lookalike.may_reach((left_sizes, left_positions), (right_sizes, right_positions), keywords))


def verify(
    left: object,
    right: object,
    threshold: float | str | None = None,
    *,
    signed: bool = False,
    **options: Unpack[MeasureOptions],
) -> Batch:
    """Verifies candidate pairs: row i of ``left`` and row i of ``right`` are two sets, which :func:`features` has made.

    Args:
        left: A column of element sets, which may be dictionary-encoded (int32): many pairs of few documents.
        right: Another one, of as many rows.
        threshold: Minimum similarity (>=) of near-duplicates; 0.8 if it is not given.
        signed: Signed integers, for Spark.
        options: ``measure`` with its keywords, as in :func:`lookalike.dedup`.

    Returns:
        ``common``: the number of common elements. ``similarity``: the exact similarity, from the threshold to 1. Both
        are null where a pair does not reach the threshold, where one of its sets is null, or has no elements.
    """
    return Batch(_lookalike.verify(left, right, _given(options, threshold=threshold), signed))


class Components:
    """The connected components of the pairs given so far, for documents 0 to ``documents`` - 1; 4 bytes a document.

    Tasks that have pairs of the same documents each give their roots, which another one adds.

    >>> import pyarrow
    >>> from lookalike import batch
    >>> here, there = batch.Components(5), batch.Components(5)
    >>> here.add(pyarrow.array([3]), pyarrow.array([1]))
    >>> there.add(pyarrow.array([3]), pyarrow.array([4]))
    >>> here.add_roots(there.roots())
    >>> here.roots().to_arrow().to_pylist()
    [0, 1, 2, 1, 1]
    """

    def __init__(self, documents: int) -> None:
        self._native = _lookalike.Components(_number("documents", documents))

    def __len__(self) -> int:
        return len(self._native)

    def add(self, a: object, b: object) -> None:
        """Joins the components of each pair: two columns of document numbers, counted from 0.

        Raises:
            ValueError: A row is no pair of documents: those before it are joined then.
        """
        self._native.add(a, b)

    def add_roots(self, roots: object) -> None:
        """Joins each document with its root among other pairs of the same documents: what :meth:`roots` gave.

        Raises:
            ValueError: There is not a root for each document.
        """
        self._native.add_roots(roots)

    def roots(self, *, signed: bool = False) -> Column:
        """By document: the first document of its component, which is itself if it comes first."""
        return Column(self._native.roots(signed))


def keepers(ranks: object, a: object, b: object, similarity: object, *, signed: bool = False) -> Batch:
    """Decides which documents stay, as :func:`lookalike.dedup` does.

    By ascending rank, a document goes if and only if it is in a pair with one that stays; the most similar of these is
    named, and of several the first. The rule needs all pairs of the documents that it decides about. Documents of
    different components never decide about each other: an engine may call this once a component.

    Args:
        ranks: A row for each document: 0 is decided first; equal ranks in the order of the documents.
        a: One document of each pair, counted from 0.
        b: The other.
        similarity: From :func:`verify`; pairs whose similarity is null are ignored.
        signed: Signed integers, for Spark.

    Returns:
        A row for each document, null where it stays. ``kept``: the number of the document that stays in its place;
        ``similarity``: their exact similarity; ``reason``: ``"equal"`` (equal sets) or ``"near"``: texts are not known
        here.

    >>> import pyarrow
    >>> from lookalike import batch
    >>> a, b, similarity = pyarrow.array([0, 1]), pyarrow.array([1, 2]), pyarrow.array([0.9, 0.8])
    >>> batch.keepers(pyarrow.array([0, 1, 2]), a, b, similarity)["kept"].to_arrow().to_pylist()
    [None, 0, None]
    """
    return Batch(_lookalike.keepers(ranks, (a, b), similarity, signed))
