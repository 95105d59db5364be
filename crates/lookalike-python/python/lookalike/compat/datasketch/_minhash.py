"""``MinHash``: signatures of sets that grow."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

import numpy

from lookalike._lookalike import MinHashFamily
from lookalike.compat.datasketch._families import (
    AFFINE32,
    EMPTY,
    LEGACY,
    check_scheme,
    dtype_of,
    empty_values,
    family_of,
    family_of_numbers,
    permutations_of,
)
from lookalike.compat.datasketch._hashes import identity32, native_name, sha1_hash32

# Sets whose signatures are made by one call of the core.
_BULK_SETS = 4096


class MinHash:
    """A MinHash signature: ``num_perm`` minima, by which the Jaccard similarity of sets is estimated.

    Args:
        num_perm: Number of components; that of ``hashvalues`` if they are given.
        seed: What the family of hash functions follows from.
        gpu_mode: ``"disable"`` or ``"detect"``; with ``"always"`` a batch is refused, for there is no code for a GPU.
        hashfunc: Makes a number of 32 bits of an element. The default is the first four bytes of its SHA-1;
            :func:`hash32` is faster; elements that are such numbers take :func:`identity32`.
        hashobj: Without effect.
        hashvalues: The components of another signature; ``scheme`` has to be named with them.
        permutations: The numbers a and b of another signature; ``scheme`` has to be named with them.
        scheme: ``"affine32"`` (the default), or ``"legacy"`` for signatures of datasketch before 2.0.

    Raises:
        ValueError: A parameter cannot be used.
    """

    scheme: str
    seed: int
    num_perm: int
    hashfunc: Callable[[Any], int]
    hashvalues: Any

    def __init__(
        self,
        num_perm: int = 128,
        seed: int = 1,
        gpu_mode: str = "disable",
        hashfunc: Callable[[Any], int] | None = None,
        hashobj: object | None = None,
        hashvalues: Any = None,
        permutations: Any = None,
        scheme: str | None = None,
    ) -> None:
        if scheme is None:
            if hashvalues is not None or permutations is not None:
                raise ValueError("hash values and permutations do not tell their scheme: name it, as scheme='legacy'")
            scheme = AFFINE32
        check_scheme(scheme)
        if hashvalues is not None:
            num_perm = len(hashvalues)
        if not 1 <= num_perm <= EMPTY + 1:
            raise ValueError("num_perm must be a number from 1 to 2**32")
        hashfunc = sha1_hash32 if hashfunc is None else hashfunc
        if not callable(hashfunc):
            raise ValueError("hashfunc must be callable")
        if hashobj is not None:
            warnings.warn("hashobj is deprecated and has no effect: use hashfunc", DeprecationWarning, stacklevel=2)
        self.scheme, self.seed, self.num_perm, self.hashfunc = scheme, seed, num_perm, hashfunc
        self._permutations = None
        self._made_family: MinHashFamily | None = None
        if permutations is not None:
            self.permutations = permutations
        self._family()
        self.hashvalues = self._empty(num_perm) if hashvalues is None else self._parse_hashvalues(hashvalues)
        if permutations is not None and len(permutations[0]) != num_perm:
            raise ValueError("there are other numbers of hash values and of permutations")
        self._gpu_mode = gpu_mode

    # The family, made when it is needed.

    @property
    def permutations(self) -> Any:
        """The numbers a and b of the family, in two rows."""
        if self._permutations is None:
            self._permutations = permutations_of(self.scheme, self._family())
        return self._permutations

    @permutations.setter
    def permutations(self, permutations: Any) -> None:
        if self.scheme != LEGACY:
            rows = [self._to_scheme(row, "permutations") for row in permutations]
            if len(rows) != 2 or not numpy.all(rows[0] & numpy.uint32(1)):
                raise ValueError("the first of two rows of permutations must be odd numbers")
            is_parsed = isinstance(permutations, numpy.ndarray) and permutations.dtype == numpy.uint32
            permutations = permutations if is_parsed else numpy.array(rows)
        self._permutations = permutations
        self._made_family = family_of_numbers(self.scheme, permutations)

    def _family(self) -> MinHashFamily:
        # Cleared in no step: the parameters behind it do not change.
        family = self._made_family
        if family is None:
            family = self._made_family = family_of(self.scheme, self.num_perm, self.seed)
        return family

    def _empty(self, num_perm: int) -> Any:
        return empty_values(self.scheme, num_perm).copy()

    def _to_scheme(self, values: Any, what: str) -> Any:
        """An array of numbers of 32 bits."""
        wide = values if isinstance(values, numpy.ndarray) else numpy.array(list(values), dtype=object)
        if wide.size and (int(wide.max()) > EMPTY or int(wide.min()) < 0):
            raise ValueError(f"{what} of the scheme {self.scheme} are numbers from 0 to 2**32 - 1")
        return wide.astype(dtype_of(self.scheme))

    def _parse_hashvalues(self, hashvalues: Any) -> Any:
        if self.scheme == LEGACY:
            return numpy.array(hashvalues, dtype=numpy.uint64)
        return self._to_scheme(hashvalues, "hash values")

    # Elements.

    def update(self, b: Any) -> None:
        """Adds an element."""
        name = native_name(self.hashfunc)
        if name is not None:
            self._lower(self._family().minima((b,), name))
        else:
            self._update_hashes([self.hashfunc(b)])

    def update_batch(self, b: Iterable[Any]) -> None:
        """Adds elements; an array of numpy of hashes, if ``hashfunc`` is :func:`identity32`."""
        name = native_name(self.hashfunc)
        if self._gpu_mode == "always":
            b = list(b)
            if b:
                raise RuntimeError("gpu_mode 'always' needs a GPU, for which there is no code")
        if name is not None:
            self._lower(self._family().minima(b, name))
        elif self.hashfunc is identity32:
            self._update_hashes(b if isinstance(b, numpy.ndarray) else list(b))
        else:
            self._update_hashes([self.hashfunc(element) for element in b])

    def _update_hashes(self, hashes: Any) -> None:
        if not len(hashes):
            return
        if self.scheme == LEGACY:
            self._lower(self._family().minima_of_hashes(numpy.ascontiguousarray(hashes, numpy.uint64).tobytes()))
            return
        if isinstance(hashes, numpy.ndarray):
            narrow = hashes if hashes.dtype == numpy.uint32 else self._to_scheme(hashes, "hashes")
        else:
            try:
                narrow = numpy.array(hashes, numpy.uint32)
            except OverflowError as error:
                raise ValueError(f"a hash of the scheme {self.scheme} does not fit 32 bits: {error}") from error
        self._lower(self._family().minima_of_hashes32(narrow.tobytes()))

    def _lower(self, minima: bytearray) -> None:
        """Lowers components to those of elements."""
        values = self._array(minima)
        # Components of others may be larger than those of an empty set, which must not lower them.
        if self.scheme != LEGACY or numpy.any(values != EMPTY):
            self.hashvalues = numpy.minimum(values, self.hashvalues)

    def _array(self, components: bytearray) -> Any:
        values = numpy.frombuffer(components, numpy.uint32)
        return values if self.scheme != LEGACY else values.astype(numpy.uint64)

    # Comparisons.

    def jaccard(self, other: MinHash) -> float:
        """The share of components in which two signatures agree: an estimate of the Jaccard similarity of their sets.

        Raises:
            ValueError: The signatures have different seeds, lengths or schemes.
        """
        _check_like(self, other, "compare")
        return float(numpy.count_nonzero(self.hashvalues == other.hashvalues)) / float(len(self))

    def count(self) -> float:
        """An estimate of the number of elements (Cohen 1994), from the sum of the components."""
        return float(float(len(self)) / numpy.sum(self.hashvalues / float(EMPTY)) - 1.0)

    def merge(self, other: MinHash) -> None:
        """Makes this the signature of the union of both sets.

        Raises:
            ValueError: The signatures have different seeds, lengths or schemes.
        """
        _check_like(self, other, "merge")
        self.hashvalues = numpy.minimum(other.hashvalues, self.hashvalues)

    def digest(self) -> Any:
        """A copy of the components."""
        return self.hashvalues.copy()

    def is_empty(self) -> bool:
        """Whether there were no elements yet."""
        return not bool(numpy.any(self.hashvalues != EMPTY))

    def clear(self) -> None:
        """Forgets all elements."""
        self.hashvalues = self._empty(len(self))

    def copy(self) -> MinHash:
        """A signature of its own with the same components."""
        return self._with(self.digest())

    def _with(self, hashvalues: Any) -> MinHash:
        """The same with other components, without the checks of ``__init__``."""
        copy = object.__new__(MinHash)
        copy.__dict__.update(self.__dict__)
        copy.hashvalues = hashvalues
        return copy

    def __len__(self) -> int:
        return len(self.hashvalues)

    def __eq__(self, other: object) -> bool:
        return (
            type(self) is type(other)
            and isinstance(other, MinHash)
            and self.scheme == other.scheme
            and self.seed == other.seed
            and numpy.array_equal(self.hashvalues, other.hashvalues)
        )

    __hash__ = None  # type: ignore[assignment]

    # Many signatures.

    @classmethod
    def union(cls, *mhs: MinHash) -> MinHash:
        """The signature of the union of two sets or more.

        Raises:
            ValueError: There are fewer than two, or they have different seeds, lengths or schemes.
        """
        check_union(mhs)
        first = mhs[0]
        return cls(
            num_perm=len(first),
            seed=first.seed,
            hashfunc=first.hashfunc,
            hashvalues=numpy.minimum.reduce([minhash.hashvalues for minhash in mhs]),
            permutations=first.permutations,
            gpu_mode=first._gpu_mode,
            scheme=first.scheme,
        )

    @classmethod
    def bulk(cls, b: Iterable[Iterable[Any]], **minhash_kwargs: Any) -> list[MinHash]:
        """The signatures of many sets, by all cores; the parameters are those of the class."""
        empty = cls(**minhash_kwargs)
        name = native_name(empty.hashfunc)
        if name is None or empty._gpu_mode == "always" or not empty.is_empty():
            return list(_one_by_one(empty, b))
        minhashes: list[MinHash] = []
        sets = iter(b)
        # Each set is read before the next one is asked for.
        while components := empty._family().bulk(islice(sets, _BULK_SETS), name):
            rows = empty._array(components).reshape(-1, len(empty))
            minhashes.extend(empty._with(row.copy()) for row in rows)
        return minhashes

    @classmethod
    def generator(cls, b: Iterable[Iterable[Any]], **minhash_kwargs: Any) -> Iterator[MinHash]:
        """The signatures of many sets, each when it is asked for."""
        yield from _one_by_one(cls(**minhash_kwargs), b)

    # Pickles, with the names that datasketch gives to what is in them.

    def __getstate__(self) -> Any:
        state = {name: value for name, value in self.__dict__.items() if name not in {"_made_family", "_permutations"}}
        return {**state, "permutations": self.permutations, "_a_gpu": None, "_b_gpu": None}

    def __setstate__(self, state: Any) -> None:
        state = dict(state)
        # Before version 2.0 there was one scheme.
        self.scheme = state.pop("scheme", LEGACY)
        check_scheme(self.scheme)
        permutations = state.pop("permutations")
        self.__dict__.update({name: value for name, value in state.items() if name not in {"_a_gpu", "_b_gpu"}})
        self._permutations = self._made_family = None
        self.permutations = permutations


def _one_by_one(empty: MinHash, sets: Iterable[Iterable[Any]]) -> Iterator[MinHash]:
    for elements in sets:
        minhash = empty.copy()
        minhash.update_batch(elements)
        yield minhash


def _check_like(one: MinHash, other: MinHash, what: str) -> None:
    if getattr(other, "scheme", None) != one.scheme:
        raise ValueError(f"cannot {what} signatures of different schemes")
    if other.seed != one.seed:
        raise ValueError(f"cannot {what} signatures of different seeds")
    if len(other) != len(one):
        raise ValueError(f"cannot {what} signatures of different lengths")


def check_union(minhashes: tuple[MinHash, ...]) -> None:
    """Raises a ValueError unless there are two signatures at least, of one seed, length and scheme."""
    if len(minhashes) < 2:
        raise ValueError("a union needs two signatures at least")
    kinds = {(minhash.scheme, minhash.seed, len(minhash)) for minhash in minhashes}
    if len(kinds) > 1:
        raise ValueError("a union needs signatures of one scheme, seed and length")
