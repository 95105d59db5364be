"""``MinHashLSHBloom``: whether a signature shares a band with one that was seen, in little memory."""

from __future__ import annotations

import hashlib
import os
import struct
import warnings
import weakref
from pathlib import Path
from typing import Any, Literal

import numpy

from lookalike._lookalike import BloomFilter
from lookalike.compat.datasketch._families import SCHEMES, check_signature
from lookalike.compat.datasketch._lsh import bands_and_rows, check_goal
from lookalike.compat.datasketch._minhash import MinHash

# A file: these bytes, then the number of bands, of rows, of the band in it and of the scheme (0: none yet), the SHA-256
# of the filter, the filter.
_MAGIC = b"lookalike band filter 1\n"
_HEAD = struct.Struct("<IIII32s")


class BloomTable:
    """A Bloom filter of the values of one band.

    Args:
        item_count: How many values it will have.
        fp: The share of other values that are found, too, once it has so many.
        band_size: Number of components of a value.
        fname: The file of the filter, which :class:`MinHashLSHBloom` reads and writes.

    Raises:
        ValueError: There is no memory for so many values.
    """

    def __init__(self, item_count: int, fp: float, band_size: int, fname: str | None = None) -> None:
        self.r = band_size
        self.fname = fname
        self.bloom_filter = BloomFilter(item_count, fp)

    def assert_size(self, hashvalues: Any) -> None:
        """Raises a RuntimeError unless there are as many components as in a band."""
        if len(hashvalues) != self.r:
            raise RuntimeError(f"a value of this band has {self.r} components, and this one {len(hashvalues)}")

    def insert(self, hashvalues: Any) -> None:
        """Adds a value."""
        self.assert_size(hashvalues)
        self.bloom_filter.insert(_bytes_of(hashvalues))

    def query(self, hashvalues: Any) -> bool:
        """Whether a value was added; now and then also of one that was not."""
        self.assert_size(hashvalues)
        return _bytes_of(hashvalues) in self.bloom_filter


def _bytes_of(hashvalues: Any) -> bytes:
    """The bytes of components, whatever the width of their numbers."""
    data: bytes = numpy.asarray(hashvalues).astype("<u8").tobytes()
    return data


class MinHashLSHBloom:
    """An index that tells whether a signature shares a band with one that was inserted, and not with which.

    Args:
        threshold: The Jaccard similarity from which on signatures should be found.
        num_perm: Number of components of all signatures.
        n: How many signatures will be inserted.
        fp: The share of other values that each band finds, too, once so many are inserted.
        save_dir: The folder of the index. What is there is read, with its own ``n`` and ``fp``. :meth:`sync` adds to it
            what was inserted, and so does the end of the object or of the program, unless a signal ends that.
        weights: How much false positives and false negatives weigh in the choice of bands.
        params: Bands and rows; ``"recall"`` as in :class:`MinHashLSH`.

    Raises:
        ValueError: A parameter cannot be used, or the folder has files with other bands, rows or schemes, or damaged
            ones.
    """

    def __init__(
        self,
        threshold: float = 0.9,
        num_perm: int = 128,
        n: int | None = None,
        fp: float | None = None,
        save_dir: str | None = None,
        weights: tuple[float, float] = (0.5, 0.5),
        params: tuple[int, int] | Literal["recall"] | None = None,
    ) -> None:
        check_goal(threshold, num_perm, weights)
        if n is None or n <= 0:
            raise ValueError("n must be 1 at least")
        if fp is None or not 0.0 < fp < 1.0:
            raise ValueError("fp must be a number between 0 and 1")
        if save_dir is None:
            warnings.warn("without save_dir the index ends with the program", RuntimeWarning, stacklevel=2)
        self.h = num_perm
        self.b, self.r = bands_and_rows(threshold, num_perm, weights, params)
        if self.b < 2:
            raise ValueError("there must be two bands at least")
        self.hashranges = [(band * self.r, (band + 1) * self.r) for band in range(self.b)]
        files = [None if save_dir is None else os.path.join(save_dir, _name(band)) for band in range(self.b)]
        self.hashtables = [BloomTable(n, fp, self.r, file) for file in files]
        self._folder = _Folder(save_dir, self.hashtables)
        self._folder.read()
        weakref.finalize(self, self._folder.write_at_end)

    @property
    def _minhash_scheme(self) -> str | None:
        return self._folder.scheme

    def _bands_of(self, minhash: MinHash) -> list[bytes]:
        """The bytes of each band of a signature."""
        check_signature(minhash, self.h, self._folder.scheme)
        data = _bytes_of(minhash.hashvalues)
        width = len(data) // self.h
        return [data[start * width : end * width] for start, end in self.hashranges]

    def insert(self, minhash: MinHash) -> None:
        """Adds a signature.

        Raises:
            ValueError: The signature has another length or scheme than the others.
        """
        values = self._bands_of(minhash)
        self._folder.scheme = self._folder.scheme or getattr(minhash, "scheme", None)
        self._folder.has_changed = True
        for value, table in zip(values, self.hashtables, strict=True):
            table.bloom_filter.insert(value)

    def query(self, minhash: MinHash) -> bool:
        """Whether a band of the signature is one of those that were inserted; now and then also of one that is not.

        Raises:
            ValueError: The signature has another length or scheme than those of the index.
        """
        values = self._bands_of(minhash)
        return any(value in table.bloom_filter for value, table in zip(values, self.hashtables, strict=True))

    def sync(self) -> None:
        """Adds what was inserted to the folder, file by file, each of which is whole at every time. What other objects
        and programs wrote there since is kept, and found from then on.

        Raises:
            ValueError: They wrote another index, or a file is damaged.
        """
        if self._folder.path is None:
            warnings.warn("an index without save_dir cannot be written", RuntimeWarning, stacklevel=2)
        else:
            self._folder.write()


def _name(band: int) -> str:
    """The name of the file of a band."""
    return f"band-{band}.bf"


class _Folder:
    """The files of an index, one for each band."""

    def __init__(self, path: str | None, tables: list[BloomTable]) -> None:
        # A program may go to another folder before it ends.
        self.path = None if path is None else Path(path).absolute()
        self.tables = tables
        self.scheme: str | None = None
        self.has_changed = False

    def _head(self, band: int, data: bytes) -> bytes:
        scheme = 0 if self.scheme is None else 1 + SCHEMES.index(self.scheme)
        return _MAGIC + _HEAD.pack(len(self.tables), self.tables[band].r, band, scheme, hashlib.sha256(data).digest())

    def read(self) -> None:
        """Reads the filters that are in the folder."""
        if self.path is not None:
            self.path.mkdir(parents=True, exist_ok=True)
            stored = self._stored()
            for table, (_, stored_filter) in zip(self.tables, stored, strict=False):
                table.bloom_filter = stored_filter
            self._learn({scheme for scheme, _ in stored})

    def _file(self, band: int) -> Path:
        return (self.path or Path()) / _name(band)

    def _stored(self) -> list[tuple[int, BloomFilter]]:
        """For each band the number of its scheme, and the filter; nothing if there are no files."""
        files = [self._file(band) for band in range(len(self.tables))]
        missing = [file for file in files if not file.exists()]
        if len(missing) == len(files):
            return []
        if missing:
            raise ValueError(f"the index in {self.path} has no file {missing[0].name}, and others of its bands")
        return [self._stored_band(band, file) for band, file in enumerate(files)]

    def _stored_band(self, band: int, file: Path) -> tuple[int, BloomFilter]:
        data = file.read_bytes()
        start = len(_MAGIC) + _HEAD.size
        if not data.startswith(_MAGIC) or len(data) < start:
            raise ValueError(f"{file} is no filter of lookalike; those of datasketch hold sums, and cannot be read")
        bands, rows, place, scheme, digest = _HEAD.unpack(data[len(_MAGIC) : start])
        if (bands, rows, place) != (len(self.tables), self.tables[band].r, band):
            raise ValueError(f"{file} is band {place} of {bands} with {rows} rows, and not one of this index")
        if hashlib.sha256(data[start:]).digest() != digest or scheme > len(SCHEMES):
            raise ValueError(f"{file} is damaged: its bytes are not those that were written")
        return scheme, BloomFilter.from_bytes(data[start:])

    def _learn(self, schemes: set[int]) -> None:
        """Takes over the scheme of the files, given by its number."""
        known = schemes - {0}
        known |= set() if self.scheme is None else {1 + SCHEMES.index(self.scheme)}
        if len(known) > 1:
            raise ValueError(f"the index in {self.path} has signatures of different schemes")
        self.scheme = SCHEMES[known.pop() - 1] if known else None

    def write(self) -> None:
        """Writes all filters, together with what is in the folder by now."""
        if self.path is None:
            return
        stored = self._stored()
        self._learn({scheme for scheme, _ in stored})
        for table, (_, stored_filter) in zip(self.tables, stored, strict=False):
            table.bloom_filter.merge(stored_filter)
        for band, table in enumerate(self.tables):
            data = table.bloom_filter.to_bytes()
            part = self._file(band).with_suffix(f".{os.getpid()}.part")
            try:
                with part.open("wb") as file:
                    file.write(self._head(band, data) + data)
                    file.flush()
                    os.fsync(file.fileno())
                part.replace(self._file(band))
            except BaseException:
                part.unlink(missing_ok=True)
                raise
        self.has_changed = False

    def write_at_end(self) -> None:
        """Writes what was not written yet."""
        if self.has_changed:
            self.write()
