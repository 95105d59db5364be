"""Functions that hash elements, and the names of those that the core computes by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lookalike._lookalike import hash32, sha1_hash32

HashFunction = Callable[[Any], int]


def identity32(value: int) -> int:
    """For elements that are hashes already, numbers from 0 to 2**32 - 1: an array of numpy is taken as it is."""
    return value


# The names of those that the core computes, by function.
NATIVE: dict[HashFunction, str] = {sha1_hash32: "sha1", hash32: "token"}


def native_name(function: HashFunction) -> str | None:
    """The name of a hash function that the core computes; None for others."""
    try:
        return NATIVE.get(function)
    except TypeError:  # a callable that cannot be a key
        return None


__all__ = ["NATIVE", "HashFunction", "hash32", "identity32", "native_name", "sha1_hash32"]
