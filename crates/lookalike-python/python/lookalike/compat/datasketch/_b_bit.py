"""``bBitMinHash``: the lowest bits of the components of a signature."""

from __future__ import annotations

import struct
from typing import Any

import numpy

from lookalike.compat.datasketch._families import LEGACY, check_scheme, counted, scheme_with
from lookalike.compat.datasketch._minhash import MinHash

_HEADER = "<qBdi"
_BLOCK_BITS = 64


class bBitMinHash:  # noqa: N801 (a name of datasketch)
    """The ``b`` lowest bits of each component (Li and König 2010), from which the Jaccard similarity is estimated.

    Args:
        minhash: The signature.
        b: Number of bits, from 0 to 32.
        r: The size of the set as a share of the universe; 0 if it is not known.

    Raises:
        ValueError: A parameter lies outside of its range.
    """

    __slots__ = ("b", "hashvalues", "r", "scheme", "seed")

    def __init__(self, minhash: MinHash, b: int = 1, r: float = 0.0) -> None:
        b, r = int(b), float(r)
        if not 0 <= b <= 32:
            raise ValueError("b must be a number from 0 to 32")
        if r > 1.0:
            raise ValueError("r must be a number from 0 to 1")
        check_scheme(minhash.scheme)
        mask = minhash.hashvalues.dtype.type((1 << b) - 1)
        self.hashvalues = numpy.bitwise_and(minhash.hashvalues, mask).astype(numpy.uint32)
        self.seed, self.scheme, self.b, self.r = minhash.seed, minhash.scheme, b, r

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, bBitMinHash)
            and (self.scheme, self.seed, self.b, self.r) == (other.scheme, other.seed, other.b, other.r)
            and numpy.array_equal(self.hashvalues, other.hashvalues)
        )

    __hash__ = None  # type: ignore[assignment]

    def jaccard(self, other: bBitMinHash) -> float:
        """An estimate of the Jaccard similarity, corrected for components that agree in so few bits by chance.

        Raises:
            ValueError: The signatures have different b, seeds or schemes.
        """
        for what in ("b", "scheme", "seed"):
            if getattr(self, what) != getattr(other, what):
                raise ValueError(f"cannot compare signatures of different {what}")
        agreement = float(numpy.count_nonzero(self.hashvalues == other.hashvalues)) / float(self.hashvalues.size)
        mine, theirs = self._by_chance(self.r), self._by_chance(other.r)
        if self.r == 0.0 and other.r == 0.0:
            low, high = mine, theirs
        else:
            # Rounded as in datasketch.
            share = 1 / (self.r + other.r)
            low, high = (mine * other.r + theirs * self.r) * share, (mine * self.r + theirs * other.r) * share
        return (agreement - low) / (1 - high)

    def _by_chance(self, r: float) -> float:
        """How probably components of different elements agree, for a set with the share ``r`` of the universe."""
        if r == 0.0:
            return 1.0 / (1 << self.b)
        return float(r * (1 - r) ** (2**self.b - 1) / (1 - (1 - r) ** (2 * self.b)))

    # Bytes: a header and blocks of 64 bits, each with as many components as it has slots of 1, 2, 4, 8, 16 or 32 bits.

    def _slot_bits(self) -> int:
        return next(bits for bits in (1, 2, 4, 8, 16, 32) if self.b <= bits and (self.b > 0 or bits == 4))

    def _header(self) -> str:
        return _HEADER if self.scheme == LEGACY else f"{_HEADER}B"

    def _blocks(self) -> int:
        return -(-len(self.hashvalues) // (_BLOCK_BITS // self._slot_bits()))

    def bytesize(self) -> int:
        """Number of bytes in a pickle."""
        return struct.calcsize(f"{self._header()}{self._blocks()}Q")

    def __getstate__(self) -> bytearray:
        bits = self._slot_bits()
        padded = numpy.zeros(self._blocks() * (_BLOCK_BITS // bits), numpy.uint64)
        padded[: len(self.hashvalues)] = self.hashvalues
        blocks = numpy.bitwise_or.reduce(padded.reshape(self._blocks(), -1) << _shifts(bits), axis=1)
        counts = counted(self.scheme, len(self.hashvalues))
        buffer = bytearray(self.bytesize())
        struct.pack_into(
            f"{self._header()}{len(blocks)}Q", buffer, 0, self.seed, self.b, self.r, *counts, *blocks.tolist()
        )
        return buffer

    def __setstate__(self, state: Any) -> None:
        view = memoryview(state)
        self.seed, self.b, self.r, size = struct.unpack_from(_HEADER, view, 0)
        if self.b > 32:
            raise ValueError(f"b must be a number from 0 to 32; the pickle has {self.b}")
        self.scheme, at = LEGACY, struct.calcsize(_HEADER)
        if size < 0:
            (code,) = struct.unpack_from("<B", view, at)
            self.scheme, at, size = scheme_with(code), at + 1, -size
        self.hashvalues = numpy.zeros(size, numpy.uint32)
        bits = self._slot_bits()
        blocks = numpy.array(struct.unpack_from(f"{self._blocks()}Q", view, at), numpy.uint64)
        values = (blocks[:, None] >> _shifts(bits)) & numpy.uint64((1 << bits) - 1)
        self.hashvalues[:] = values.reshape(-1)[:size]


def _shifts(bits: int) -> Any:
    """By slot of a block the number of bits behind it."""
    return numpy.arange(_BLOCK_BITS - bits, -1, -bits, dtype=numpy.int64).astype(numpy.uint64)
