"""``MinHashLSH``: an index of signatures by their bands, in memory."""

from __future__ import annotations

import pickle
import warnings
from collections.abc import Callable, Hashable
from functools import lru_cache
from typing import Any, Literal, overload

import numpy

from lookalike._lookalike import least_area, plan, probability
from lookalike.compat.datasketch._families import check_signature
from lookalike.compat.datasketch._minhash import MinHash
from lookalike.compat.datasketch._tables import BUFFER_SIZE, HashTable, KeyTable, Slots

# A pair at the threshold should be found this often; what finds it less often is worth a warning.
_RECALL = 0.99
_LOW_RECALL = 0.9


class MinHashLSH:
    """An index that finds the keys of signatures which share a band with a query: most of those above the threshold,
    and some below it.

    Args:
        threshold: The Jaccard similarity from which on signatures should be found.
        num_perm: Number of components of all signatures.
        weights: How much false positives and false negatives weigh in the choice of bands.
        params: Bands and rows; ``"recall"`` chooses them so that a pair at the threshold is found with a probability of
            0.99, where the default of datasketch finds a third to two thirds.
        storage_config: ``{"type": "dict"}``; those of other stores are datasketch's.
        prepickle: Whether keys are stored as pickles.
        hashfunc: Makes shorter bytes, equally many, of those of a band.

    Raises:
        ValueError: A parameter cannot be used.
        ImportError: The storage is one of datasketch alone.
    """

    def __init__(
        self,
        threshold: float = 0.9,
        num_perm: int = 128,
        weights: tuple[float, float] = (0.5, 0.5),
        params: tuple[int, int] | Literal["recall"] | None = None,
        storage_config: dict[str, Any] | None = None,
        prepickle: bool | None = None,
        hashfunc: Callable[[bytes], bytes] | None = None,
    ) -> None:
        storage = (storage_config or {"type": "dict"})["type"]
        if storage != "dict":
            raise ImportError(f"lookalike.compat.datasketch has no storage {storage!r}: import MinHashLSH from datasketch")
        check_goal(threshold, num_perm, weights)
        self.h = num_perm
        self.b, self.r = bands_and_rows(threshold, num_perm, weights, params)
        if self.b < 2:
            raise ValueError("there must be two bands at least")
        self.prepickle = bool(prepickle)
        self.hashfunc = hashfunc
        self._minhash_scheme: str | None = None
        self._buffer_size = BUFFER_SIZE
        # The bands of queries that wait for an answer.
        self._buffered: list[bytes] = []
        self.hashranges = [(band * self.r, (band + 1) * self.r) for band in range(self.b)]
        self._make_tables()

    def _make_tables(self) -> None:
        self._slots = Slots(self.b)
        self.hashtables = [HashTable(self._slots, band) for band in range(self.b)]
        self.keys = KeyTable(self._slots)

    @property
    def buffer_size(self) -> int:
        """How many changes a session keeps back in datasketch; here each is made at once."""
        return self._buffer_size

    @buffer_size.setter
    def buffer_size(self, value: int) -> None:
        self._buffer_size = value
        for table in (self.keys, *self.hashtables):
            table.buffer_size = value

    def _bands_of(self, minhash: MinHash) -> bytes:
        """The bytes of all bands of a signature."""
        check_signature(minhash, self.h, self._minhash_scheme)
        values = minhash.hashvalues
        if self.hashfunc is not None:
            shortened = [self._H(values[start:end]) for start, end in self.hashranges]
            if len(set(map(len, shortened))) > 1:
                raise ValueError("hashfunc must give equally many bytes for every band")
            return b"".join(shortened)
        used = self.b * self.r
        bands: bytes = (values if used == self.h else values[:used]).tobytes()
        return bands

    def _H(self, hs: Any) -> bytes:  # noqa: N802 (a name that users of datasketch know)
        """The bytes under which a band stands in its hash table."""
        value = bytes(hs.byteswap().data)
        return value if self.hashfunc is None else self.hashfunc(value)

    def _stored(self, key: Hashable) -> Hashable:
        return pickle.dumps(key) if self.prepickle else key

    def _given(self, keys: list[Any]) -> list[Hashable]:
        return [pickle.loads(key) for key in keys] if self.prepickle else keys

    # Changes.

    def insert(self, key: Hashable, minhash: MinHash, check_duplication: bool = True) -> None:
        """Adds a signature under a key.

        Raises:
            ValueError: The key is there already, or the signature has another length or scheme than the others.
        """
        bands = self._bands_of(minhash)
        slots, stored = self._slots, self._stored(key) if self.prepickle else key
        if check_duplication and stored in slots.slots:
            raise ValueError("the key is there already")
        slots.insert(stored, bands)
        if self._minhash_scheme is None:
            self._minhash_scheme = getattr(minhash, "scheme", None)
            slots.value_bytes = 0 if self.hashfunc is not None else minhash.hashvalues.dtype.itemsize

    def remove(self, key: Hashable) -> None:
        """Removes a key.

        Raises:
            ValueError: There is no such key.
        """
        if not self._slots.remove(self._stored(key)):
            raise ValueError("there is no such key")

    def merge(self, other: MinHashLSH, check_overlap: bool = False) -> None:
        """Adds all signatures of another index.

        Raises:
            ValueError: The indexes have other lengths, bands or schemes, or, if that is checked, common keys.
        """
        if type(self) is not type(other) or (self.h, self.b, self.r) != (other.h, other.b, other.r):
            raise ValueError("only indexes of the same class with equal num_perm, bands and rows are merged")
        schemes = {self._minhash_scheme, other._minhash_scheme} - {None}
        if len(schemes) > 1:
            raise ValueError("the signatures of the indexes have different schemes")
        mine, theirs = self._slots, other._slots
        if check_overlap and not mine.slots.keys().isdisjoint(theirs.slots.keys()):
            raise ValueError("the indexes have common keys")
        self._minhash_scheme = next(iter(schemes), None)
        mine.value_bytes = mine.value_bytes or theirs.value_bytes
        for key in list(theirs.slots):
            mine.insert_all(key, theirs.bands_of(key))

    def insertion_session(self, buffer_size: int = BUFFER_SIZE) -> MinHashLSHInsertionSession:
        """A context in which signatures are inserted."""
        return MinHashLSHInsertionSession(self, buffer_size)

    def deletion_session(self, buffer_size: int = BUFFER_SIZE) -> MinHashLSHDeletionSession:
        """A context in which keys are removed."""
        return MinHashLSHDeletionSession(self, buffer_size)

    # Queries.

    @overload
    def query(self, minhash: MinHash) -> list[Hashable]: ...

    @overload
    def query(self, minhash: MinHash, with_scores: bool) -> list[Any]: ...

    def query(self, minhash: MinHash, with_scores: bool = False) -> list[Any]:
        """The keys of all signatures that share a band with this one.

        Args:
            minhash: The signature of the query.
            with_scores: Gives pairs of a key and the share of components in bands in which the signatures agree, an
                estimate of the Jaccard similarity, the highest first.

        Raises:
            ValueError: The signature has another length or scheme than those of the index, or there are no components
                to compare, because ``hashfunc`` shortened them.
        """
        found = self._found(self._bands_of(minhash), self.b)
        if not with_scores:
            return self._given(found)
        if self.hashfunc is not None:
            raise ValueError("bands that a hash function shortened tell no similarity")
        values = minhash.hashvalues[: self.b * self.r]
        scores = [self._score(key, values) for key in found]
        pairs = list(zip(self._given(found), scores, strict=True))
        return sorted(pairs, key=lambda pair: -pair[1])

    def _score(self, key: Hashable, values: Any) -> float:
        bands = numpy.frombuffer(b"".join(self._slots.bands_of(key)), values.dtype).reshape(-1, *values.shape)
        # A sample of a weighted set is two numbers.
        agrees = (bands == values).reshape(len(bands), len(values), -1).all(axis=2)
        return float(agrees.sum(axis=1).max() / len(values))

    def _found(self, bands: bytes, first_bands: int) -> list[Hashable]:
        if not self._slots.slots:
            return []
        found = self._slots.tables.keys_near(bands, first_bands)
        return list(dict.fromkeys(found)) if self._slots.more else found

    def _query_b(self, minhash: MinHash, b: int) -> set[Hashable]:
        bands = self._bands_of(minhash)
        if b > self.b:
            raise ValueError("b must not exceed the number of bands")
        return set(self._given(self._found(bands, b)))

    def add_to_query_buffer(self, minhash: MinHash) -> None:
        """Keeps a query, which :meth:`collect_query_buffer` answers."""
        self._buffered.append(self._bands_of(minhash))

    def collect_query_buffer(self) -> list[Hashable]:
        """The keys that are in the answers to all queries that were kept, which are then forgotten."""
        buffered, self._buffered = self._buffered, []
        answers = [set(self._found(bands, self.b)) for bands in buffered]
        return self._given(list(set.intersection(*answers))) if answers else []

    def __contains__(self, key: Hashable) -> bool:
        return self._stored(key) in self._slots.slots

    def is_empty(self) -> bool:
        """Whether there are no signatures."""
        return not len(self._slots.tables)

    def get_counts(self) -> list[dict[Any, int]]:
        """For each band, how many keys stand under each of its values."""
        return [table.itemcounts() for table in self.hashtables]

    def get_subset_counts(self, *keys: Hashable) -> list[dict[Any, int]]:
        """As :meth:`get_counts`, of some keys only."""
        counts: list[dict[Any, int]] = [{} for _ in range(self.b)]
        for key in {self._stored(key) for key in keys}:
            for band, value in enumerate(self.keys.get(key)[: self.b]):
                counts[band][value] = counts[band].get(value, 0) + 1
        return counts

    # Pickles.

    def __getstate__(self) -> dict[str, Any]:
        slots = self._slots
        state = {name: value for name, value in self.__dict__.items() if name not in _VIEWS}
        signatures = [(key, slots.bands_of(key)) for key in slots.slots]
        return {**state, "_value_bytes": slots.value_bytes, "_signatures": signatures}

    def __setstate__(self, state: dict[str, Any]) -> None:
        state = dict(state)
        signatures, value_bytes = state.pop("_signatures"), state.pop("_value_bytes")
        self.__dict__.update(state)
        self._make_tables()
        self.buffer_size = self._buffer_size
        self._slots.value_bytes = value_bytes
        for key, bands in signatures:
            self._slots.insert_all(key, bands)


# Attributes that are made anew where an index is read.
_VIEWS = {"_slots", "hashtables", "keys"}


class _Session:
    """A context in which an index is changed. Changes are made at once: nothing is lost without an end."""

    def __init__(self, lsh: MinHashLSH, buffer_size: int = BUFFER_SIZE) -> None:
        self.lsh = lsh
        lsh.buffer_size = buffer_size

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the session."""


class MinHashLSHInsertionSession(_Session):
    """A context in which signatures are inserted."""

    def insert(self, key: Hashable, minhash: MinHash, check_duplication: bool = True) -> None:
        """As :meth:`MinHashLSH.insert`."""
        self.lsh.insert(key, minhash, check_duplication)


class MinHashLSHDeletionSession(_Session):
    """A context in which keys are removed."""

    def remove(self, key: Hashable) -> None:
        """As :meth:`MinHashLSH.remove`."""
        self.lsh.remove(key)


def check_goal(threshold: float, num_perm: int, weights: tuple[float, float]) -> None:
    """Raises a ValueError unless bands can be chosen for this."""
    if not 0.0 <= threshold <= 1.0:
        raise ValueError("threshold must be a number from 0 to 1")
    if num_perm < 2:
        raise ValueError("num_perm must be 2 at least")
    if any(not 0.0 <= weight <= 1.0 for weight in weights) or sum(weights) != 1.0:
        raise ValueError("weights must be two numbers from 0 to 1 with the sum 1")


def bands_and_rows(
    threshold: float, num_perm: int, weights: tuple[float, float], params: tuple[int, int] | str | None
) -> tuple[int, int]:
    """Bands and rows of an index."""
    if isinstance(params, str):
        if params != "recall":
            raise ValueError(f"params are two numbers, or 'recall'; got {params!r}")
        bands, rows, _ = plan(threshold, _RECALL, num_perm)
        # Another band can only find more.
        return (bands, rows) if bands > 1 else (2, min(rows, num_perm // 2))
    if params is not None:
        bands, rows = params
        if int(rows) < 1:
            raise ValueError("a band must have one row at least")
        if int(bands) * int(rows) > num_perm:
            raise ValueError(f"{bands} bands of {rows} rows need more than the {num_perm} components of num_perm")
        return int(bands), int(rows)
    bands, rows = _least_area(threshold, num_perm, tuple(weights))
    _warn_of_recall(bands, rows, threshold)
    return bands, rows


_least_area = lru_cache(maxsize=256)(least_area)


@lru_cache(maxsize=1)
def _warn() -> None:
    warnings.warn(
        'the default bands of MinHashLSH miss many pairs near the threshold; params="recall" finds 0.99 of them',
        stacklevel=5,
    )


def _warn_of_recall(bands: int, rows: int, threshold: float) -> None:
    """Warns, once, that bands find few of the pairs at the threshold."""
    if bands > 1 and probability(bands, rows, threshold) < _LOW_RECALL:
        _warn()
