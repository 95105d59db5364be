"""The families of hash functions behind signatures: one for each scheme, length and seed, made once."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy

from lookalike._lookalike import MinHashFamily

LEGACY = "legacy"
AFFINE32 = "affine32"
SCHEMES = (AFFINE32, LEGACY)
# The number of a scheme in bytes; `legacy` has none.
CODES = {AFFINE32: 1}
# Every component of the signature of an empty set.
EMPTY = (1 << 32) - 1


def check_scheme(scheme: str) -> None:
    """Raises a ValueError for a scheme that there is no family of."""
    if scheme not in SCHEMES:
        raise ValueError(f"scheme must be one of {', '.join(SCHEMES)}; got {scheme!r}")


def check_scheme_of(signature: object, known: str | None) -> None:
    """Raises a ValueError if a signature has another scheme than the known one of an index, should both have one."""
    scheme = getattr(signature, "scheme", None)
    if scheme != known and None not in (scheme, known):
        raise ValueError(f"signatures here have the scheme {known!r}, and this one {scheme!r}")


def check_signature(signature: Any, num_perm: int, known: str | None) -> None:
    """Raises a ValueError if a signature has another length, or another scheme, than those of an index."""
    if len(signature) != num_perm:
        raise ValueError(f"signatures here have {num_perm} components, and this one {len(signature)}")
    check_scheme_of(signature, known)


def counted(scheme: str, components: int) -> tuple[int, ...]:
    """The numbers that tell length and scheme in bytes: one below zero says that the scheme follows."""
    return (components,) if scheme == LEGACY else (-components, CODES[scheme])


def scheme_with(code: int) -> str:
    """The scheme with a number; raises a ValueError if there is none."""
    scheme = next((scheme for scheme, known in CODES.items() if known == code), None)
    if scheme is None:
        raise ValueError(f"no scheme of signatures has the number {code}")
    return scheme


def dtype_of(scheme: str) -> Any:
    """The type of hash values in an array."""
    return numpy.uint64 if scheme == LEGACY else numpy.uint32


@lru_cache(maxsize=64)
def empty_values(scheme: str, num_perm: int) -> Any:
    """The components of the signature of an empty set, to be copied."""
    return numpy.full(num_perm, EMPTY, dtype_of(scheme))


@lru_cache(maxsize=64)
def family_of(scheme: str, num_perm: int, seed: int) -> MinHashFamily:
    """The family that follows from a seed."""
    if not 0 <= seed <= EMPTY:
        raise ValueError("the seed must be a number from 0 to 2**32 - 1")
    return MinHashFamily(scheme, num_perm, seed)


def family_of_numbers(scheme: str, permutations: Any) -> MinHashFamily:
    """The family with these numbers a and b."""
    factors, summands = (numpy.ascontiguousarray(row, dtype_of(scheme)).tobytes() for row in permutations)
    return MinHashFamily.of(scheme, factors, summands)


def permutations_of(scheme: str, family: MinHashFamily) -> Any:
    """The numbers a and b of a family, in two rows."""
    rows = [numpy.frombuffer(row, numpy.uint64) for row in family.parameters()]
    return numpy.array(rows, dtype_of(scheme))
