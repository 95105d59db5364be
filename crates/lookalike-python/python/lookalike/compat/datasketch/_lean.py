"""``LeanMinHash``: signatures that do not grow, and their bytes."""

from __future__ import annotations

import struct
from typing import Any

import numpy

from lookalike.compat.datasketch._families import LEGACY, check_scheme, counted, scheme_with
from lookalike.compat.datasketch._minhash import MinHash, check_union


class LeanMinHash(MinHash):
    """A signature without what it takes to grow: components, seed and scheme.

    Args:
        minhash: The signature to take them from.
        seed: The seed, where components are given.
        hashvalues: The components.
        scheme: Their scheme.

    Raises:
        ValueError: Neither a signature nor components with seed and scheme are given, or the scheme is another.
    """

    def __init__(
        self,
        minhash: MinHash | None = None,
        seed: int | None = None,
        hashvalues: Any = None,
        scheme: str | None = None,
    ) -> None:
        if minhash is not None:
            if scheme is not None and scheme != minhash.scheme:
                raise ValueError(f"the signature has the scheme {minhash.scheme!r}, and {scheme!r} was given")
            self._set(minhash.seed, minhash.hashvalues, minhash.scheme)
        elif hashvalues is None or seed is None:
            raise ValueError("a LeanMinHash needs a signature, or hash values and their seed")
        elif scheme is None:
            raise ValueError("hash values do not tell their scheme: name it, as scheme='legacy'")
        else:
            self._set(seed, hashvalues, scheme)

    def _set(self, seed: int, hashvalues: Any, scheme: str) -> None:
        check_scheme(scheme)
        self.seed, self.scheme = seed, scheme
        self.hashvalues = self._parse_hashvalues(hashvalues)
        if scheme != LEGACY and not len(self.hashvalues):
            raise ValueError("there are no hash values")

    @classmethod
    def _of(cls, seed: int, hashvalues: Any, scheme: str) -> LeanMinHash:
        lean = object.__new__(LeanMinHash)
        lean._set(seed, hashvalues, scheme)
        return lean

    def update(self, b: Any) -> None:
        """Raises TypeError: the signature does not grow."""
        raise TypeError("a LeanMinHash does not grow: make a MinHash of its hash values")

    def update_batch(self, b: Any) -> None:
        """Raises TypeError if there are elements: the signature does not grow."""
        for element in b:
            self.update(element)

    def copy(self) -> LeanMinHash:
        """A signature of its own with the same components."""
        return self._of(self.seed, self.hashvalues, self.scheme)

    @classmethod
    def union(cls, *lmhs: MinHash) -> LeanMinHash:
        """The signature of the union of two sets or more.

        Raises:
            ValueError: There are fewer than two, or they have different seeds, lengths or schemes.
        """
        check_union(lmhs)
        first = lmhs[0]
        return cls._of(first.seed, numpy.minimum.reduce([lean.hashvalues for lean in lmhs]), first.scheme)

    # Bytes: the seed, the number of components, the components. A number below zero says that a byte with the scheme
    # stands behind it; without, the scheme is `legacy`.

    def _format(self, byteorder: str) -> str:
        scheme = "" if self.scheme == LEGACY else "B"
        return f"{byteorder}qi{scheme}{len(self)}I"

    def bytesize(self, byteorder: str = "@") -> int:
        """Number of bytes that :meth:`serialize` writes."""
        return struct.calcsize(self._format(byteorder))

    def serialize(self, buf: Any, byteorder: str = "@") -> None:
        """Writes the signature into a buffer, as datasketch does.

        Raises:
            ValueError: The buffer is too small.
        """
        if len(buf) < self.bytesize(byteorder):
            raise ValueError(f"the buffer has {len(buf)} bytes, and the signature needs {self.bytesize(byteorder)}")
        header = (self.seed, *counted(self.scheme, len(self)))
        struct.pack_into(self._format(byteorder), buf, 0, *header, *self.hashvalues.tolist())

    @classmethod
    def deserialize(cls, buf: Any, byteorder: str = "@") -> LeanMinHash:
        """The signature that stands in a buffer.

        Raises:
            ValueError: The scheme is unknown.
            struct.error: The buffer ends before the signature.
        """
        view = memoryview(buf)
        seed, count = struct.unpack_from(f"{byteorder}qi", view, 0)
        scheme, at = LEGACY, struct.calcsize(f"{byteorder}qi")
        if count < 0:
            (code,) = struct.unpack_from(f"{byteorder}B", view, at)
            scheme = scheme_with(code)
            at = struct.calcsize(f"{byteorder}qiB0I")
        return cls._of(seed, struct.unpack_from(f"{byteorder}{abs(count)}I", view, at), scheme)

    def __getstate__(self) -> bytearray:
        buffer = bytearray(self.bytesize())
        self.serialize(buffer)
        return buffer

    def __setstate__(self, state: Any) -> None:
        lean = self.deserialize(state)
        self._set(lean.seed, lean.hashvalues, lean.scheme)

    def __hash__(self) -> int:  # type: ignore[override]
        return hash((self.scheme, self.seed, tuple(self.hashvalues.tolist())))
