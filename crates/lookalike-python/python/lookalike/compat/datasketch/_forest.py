"""``MinHashLSHForest``: the nearest signatures, by the longest prefixes of bands that they share."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import Any

import numpy

from lookalike.compat.datasketch._families import check_scheme_of
from lookalike.compat.datasketch._minhash import MinHash
from lookalike.compat.datasketch._tables import Slots


class MinHashLSHForest:
    """An index that gives the keys of the most similar signatures, or nearly so, without a threshold.

    Args:
        num_perm: Number of components that are used of each signature.
        l: Number of trees, among which the components are divided.

    Raises:
        ValueError: A parameter cannot be used.
    """

    def __init__(self, num_perm: int = 128, l: int = 8) -> None:  # noqa: E741 (a name that users of datasketch know)
        if num_perm <= 0 or l <= 0:
            raise ValueError("num_perm and l must be 1 at least")
        if l > num_perm:
            raise ValueError("there cannot be more trees than components")
        self.l = l
        self.k = int(num_perm / l)
        self.hashranges = [(tree * self.k, (tree + 1) * self.k) for tree in range(l)]
        self._minhash_scheme: str | None = None
        self._make_tables()

    def _make_tables(self) -> None:
        self._slots = Slots(self.l)
        self.hashtables = [_Tree(self._slots, tree) for tree in range(self.l)]
        self.keys = _Keys(self._slots)
        # Keys that were here when they were made searchable.
        self._indexed = 0

    @property
    def sorted_hashtables(self) -> list[list[bytes]]:
        """For each tree the values of its band that are searchable, in ascending order."""
        tables = self._slots.tables
        return [[tables.value(slot, tree) or b"" for slot in tables.sorted_values(tree)] for tree in range(self.l)]

    def _H(self, hs: Any) -> bytes:  # noqa: N802 (a name that users of datasketch know)
        """The bytes of some components, whose order is that of the numbers."""
        return bytes(hs.byteswap().data)

    def _bands_of(self, minhash: MinHash) -> bytes:
        """The bytes of all bands of a signature."""
        used = self.k * self.l
        if len(minhash) < used:
            raise ValueError(f"signatures here have {used} components at least, and this one {len(minhash)}")
        check_scheme_of(minhash, self._minhash_scheme)
        return self._H(minhash.hashvalues[:used])

    def add(self, key: Hashable, minhash: MinHash) -> None:
        """Adds a signature under a key, which :meth:`index` makes searchable.

        Raises:
            ValueError: The key is there already, or the signature has another scheme than the others or is too short.
        """
        bands = self._bands_of(minhash)
        if key in self._slots.slots:
            raise ValueError("the key is there already")
        self._slots.insert(key, bands)
        self._minhash_scheme = self._minhash_scheme or getattr(minhash, "scheme", None)

    def index(self) -> None:
        """Makes all keys searchable that were added so far."""
        self._slots.tables.sort()
        self._indexed = len(self._slots.slots)

    def query(self, minhash: MinHash, k: int) -> list[Hashable]:
        """The keys of ``k`` signatures at most, about the most similar ones.

        Raises:
            ValueError: ``k`` is below 1, or the signature has another scheme than the others or is too short.
        """
        if k <= 0:
            raise ValueError("k must be 1 at least")
        bands = self._bands_of(minhash)
        if not self._indexed:
            return []
        limit = min(int(-(-k // 1)), len(self._slots.slots))
        component_bytes = len(bands) // (self.k * self.l)
        # A set, as in datasketch, whose keys come in the same order.
        return list(set(self._slots.tables.keys_nearest(bands, component_bytes, limit)))

    def _query(self, minhash: MinHash, r: int, b: int) -> Iterator[Hashable]:
        """The keys of signatures of which a band begins with the same ``r`` components, band by band."""
        if not (0 < r <= self.k and 0 < b <= self.l):
            raise ValueError("r and b must not exceed the depth and the number of trees")
        bands = self._bands_of(minhash)
        if self._indexed:
            yield from self._slots.tables.keys_sharing_prefix(bands, len(bands) // (self.k * self.l) * r)

    def get_minhash_hashvalues(self, key: Hashable) -> Any:
        """The components of the signature under a key.

        Raises:
            KeyError: There is no such key.
            ValueError: The signature is not one of :class:`MinHash`.
        """
        if key not in self._slots.slots:
            raise KeyError(f"there is no key {key}")
        bands = b"".join(self._slots.bands_of(key))
        bytes_per_value = len(bands) // (self.k * self.l)
        if bytes_per_value not in (4, 8):
            raise ValueError(f"components of {bytes_per_value} bytes are not those of a MinHash")
        return numpy.frombuffer(bands, f"u{bytes_per_value}").byteswap()

    def is_empty(self) -> bool:
        """Whether no key is searchable."""
        return not self._indexed

    def __contains__(self, key: Hashable) -> bool:
        return key in self._slots.slots

    def __getstate__(self) -> dict[str, Any]:
        state = {name: value for name, value in self.__dict__.items() if name not in {"_slots", "hashtables", "keys"}}
        return {**state, "_signatures": [(key, b"".join(self._slots.bands_of(key))) for key in self._slots.slots]}

    def __setstate__(self, state: dict[str, Any]) -> None:
        state = dict(state)
        signatures, indexed = state.pop("_signatures"), state.pop("_indexed")
        self.__dict__.update(state)
        self._make_tables()
        for number, (key, bands) in enumerate(signatures):
            if number == indexed and indexed:
                self.index()
            self._slots.insert(key, bands)
        if indexed == len(signatures) and indexed:
            self.index()


class _Tree(Mapping[bytes, list[Hashable]]):
    """The values of a band, with the keys of the signatures that have each, in the order of their insertion."""

    def __init__(self, slots: Slots, tree: int) -> None:
        self._slots = slots
        self._tree = tree

    def __getitem__(self, value: bytes) -> list[Hashable]:
        return self._slots.tables.keys_with(self._tree, value)[::-1] if isinstance(value, bytes) else []

    def __iter__(self) -> Iterator[bytes]:
        tables = self._slots.tables
        return iter([tables.value(slot, self._tree) or b"" for slot in tables.values(self._tree)])

    def __len__(self) -> int:
        return self._slots.tables.value_count(self._tree)


class _Keys(Mapping[Hashable, list[bytes]]):
    """The keys of a forest, each with the bytes of the bands of its signature."""

    def __init__(self, slots: Slots) -> None:
        self._slots = slots

    def __getitem__(self, key: Hashable) -> list[bytes]:
        return self._slots.bands_of(key)

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._slots.slots)

    def __len__(self) -> int:
        return len(self._slots.slots)
