"""The hash tables and the keys of an index, as datasketch shows them."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

import numpy

from lookalike._lookalike import BandTables

# Changes that a session of datasketch keeps back, by default.
BUFFER_SIZE = 50_000


class Slots:
    """The keys of an index, and where their signatures are in the tables of the core."""

    def __init__(self, bands: int) -> None:
        self.bands = bands
        self.tables = BandTables(bands)
        # Of a key that was inserted more than once without a check, the first; the others stand in `more`.
        self.slots: dict[Hashable, int] = {}
        self.more: dict[Hashable, list[int]] = {}
        # Bytes of a hash value; 0 if bands are shortened by a hash function.
        self.value_bytes = 0

    def insert(self, key: Hashable, bands: bytes) -> None:
        """Adds a signature, given by the bytes of its bands."""
        slot = self.tables.insert(bands, key)
        try:
            if self.slots.setdefault(key, slot) != slot:
                self.more.setdefault(key, []).append(slot)
        except BaseException:
            # A key without a hash, or one that cannot be compared, leaves no signature behind.
            self.tables.remove(slot)
            raise

    def insert_all(self, key: Hashable, bands: list[bytes]) -> None:
        """Adds the signatures that :meth:`bands_of` gave."""
        for first in range(0, len(bands), self.bands):
            self.insert(key, b"".join(bands[first : first + self.bands]))

    def remove(self, key: Hashable) -> bool:
        """Removes what was inserted under a key; whether there was something."""
        slot = self.slots.pop(key, None)
        if slot is None:
            return False
        for number in (slot, *self.more.pop(key, ())):
            self.tables.remove(number)
        return True

    def shown(self, value: bytes) -> bytes:
        """The bytes of a band, with those of each hash value in the order that datasketch gives them, and back."""
        if not self.value_bytes or len(value) % self.value_bytes:
            return value
        swapped: bytes = numpy.frombuffer(value, f"u{self.value_bytes}").byteswap().tobytes()
        return swapped

    def bands_of(self, key: Hashable) -> list[bytes]:
        """The bytes of all bands under a key, as they are stored."""
        slots = (self.slots[key], *self.more.get(key, ()))
        return [self.tables.value(slot, band) or b"" for slot in slots for band in range(self.bands)]


class Storage:
    """The part of a storage of datasketch that programs look at."""

    buffer_size = BUFFER_SIZE

    def __init__(self, slots: Slots) -> None:
        self._slots = slots

    def keys(self) -> Any:
        """All keys."""
        raise NotImplementedError

    def get(self, key: Any) -> Any:
        """What stands under a key."""
        raise NotImplementedError

    def has_key(self, key: Any) -> bool:
        """Whether something stands under a key."""
        raise NotImplementedError

    def size(self) -> int:
        """Number of keys."""
        raise NotImplementedError

    def getmany(self, *keys: Any) -> list[Any]:
        """What stands under some keys."""
        return [self.get(key) for key in keys]

    def itemcounts(self) -> dict[Any, int]:
        """How much stands under each key."""
        return {key: len(self.get(key)) for key in self.keys()}

    def empty_buffer(self) -> None:
        """Nothing waits in a buffer."""

    def __getitem__(self, key: Any) -> Any:
        return self.get(key)

    def __contains__(self, key: Any) -> bool:
        return self.has_key(key)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.keys())

    def __len__(self) -> int:
        return self.size()


class HashTable(Storage):
    """One hash table: the bytes of a band, and the set of keys whose signatures have them."""

    def __init__(self, slots: Slots, band: int) -> None:
        super().__init__(slots)
        self._band = band

    def keys(self) -> list[bytes]:
        tables, band = self._slots.tables, self._band
        return [self._slots.shown(tables.value(slot, band) or b"") for slot in tables.values(band)]

    def get(self, key: bytes) -> set[Hashable]:
        if not isinstance(key, bytes):
            return set()
        return set(self._slots.tables.keys_with(self._band, self._slots.shown(key)))

    def has_key(self, key: bytes) -> bool:
        return bool(self.get(key))

    def size(self) -> int:
        return self._slots.tables.value_count(self._band)


class KeyTable(Storage):
    """The keys of an index, each with the bytes of the bands of its signature."""

    def keys(self) -> Any:
        return self._slots.slots.keys()

    def get(self, key: Hashable) -> list[bytes]:
        if key not in self._slots.slots:
            return []
        return [self._slots.shown(band) for band in self._slots.bands_of(key)]

    def has_key(self, key: Hashable) -> bool:
        return key in self._slots.slots

    def size(self) -> int:
        return len(self._slots.slots)
