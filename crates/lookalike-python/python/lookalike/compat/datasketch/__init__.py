"""The classes of datasketch over the core of lookalike: the same signatures, bit by bit, and the same answers.

    >>> from lookalike.compat.datasketch import MinHash, MinHashLSH
    >>> cat, dog = MinHash.bulk([[b"the", b"cat", b"sat"], [b"the", b"dog", b"sat"]], num_perm=128)
    >>> lsh = MinHashLSH(threshold=0.4, num_perm=128)
    >>> lsh.insert("cat", cat)
    >>> lsh.query(dog)
    ['cat']

Names, parameters, defaults and exceptions are those of datasketch 2.0. What lookalike adds is asked for: hashing by
:func:`hash32`, bands by recall (``params="recall"``), and estimated similarities beside the keys
(``query(..., with_scores=True)``). numpy has to be installed.
"""

from typing import Any

from lookalike._needed import needed

needed("numpy", "lookalike.compat.datasketch")

from lookalike.compat.datasketch._b_bit import bBitMinHash
from lookalike.compat.datasketch._bloom import MinHashLSHBloom
from lookalike.compat.datasketch._ensemble import MinHashLSHEnsemble
from lookalike.compat.datasketch._forest import MinHashLSHForest
from lookalike.compat.datasketch._hashes import hash32, identity32, sha1_hash32
from lookalike.compat.datasketch._lean import LeanMinHash
from lookalike.compat.datasketch._lsh import MinHashLSH, MinHashLSHDeletionSession, MinHashLSHInsertionSession
from lookalike.compat.datasketch._minhash import MinHash
from lookalike.compat.datasketch._pickles import dump, dumps, load, loads
from lookalike.compat.datasketch._weighted import WeightedMinHash, WeightedMinHashGenerator

# The same classes hold signatures of weighted sets.
WeightedMinHashLSH = MinHashLSH
WeightedMinHashLSHForest = MinHashLSHForest

__all__ = [
    "LeanMinHash",
    "MinHash",
    "MinHashLSH",
    "MinHashLSHBloom",
    "MinHashLSHDeletionSession",
    "MinHashLSHEnsemble",
    "MinHashLSHForest",
    "MinHashLSHInsertionSession",
    "WeightedMinHash",
    "WeightedMinHashGenerator",
    "WeightedMinHashLSH",
    "WeightedMinHashLSHForest",
    "bBitMinHash",
    "dump",
    "dumps",
    "hash32",
    "identity32",
    "load",
    "loads",
    "sha1_hash32",
]

_NOT_HERE = {
    "AsyncMinHashLSH",
    "HNSW",
    "HyperLogLog",
    "HyperLogLogPlusPlus",
    "sha1_hash64",
}


def __getattr__(name: str) -> Any:
    if name in _NOT_HERE:
        raise ImportError(f"lookalike.compat.datasketch has no {name}: import it from datasketch")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
