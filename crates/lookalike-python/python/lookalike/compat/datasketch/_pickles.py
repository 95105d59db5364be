"""Pickles that datasketch wrote, and pickles that it reads."""

from __future__ import annotations

import importlib
import io
import pickle
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import IO, Any, get_args

from lookalike.compat.datasketch import _hashes
from lookalike.compat.datasketch._b_bit import bBitMinHash
from lookalike.compat.datasketch._ensemble import MinHashLSHEnsemble
from lookalike.compat.datasketch._families import LEGACY
from lookalike.compat.datasketch._forest import MinHashLSHForest
from lookalike.compat.datasketch._lean import LeanMinHash
from lookalike.compat.datasketch._lsh import MinHashLSH
from lookalike.compat.datasketch._minhash import MinHash
from lookalike.compat.datasketch._tables import BUFFER_SIZE
from lookalike.compat.datasketch._weighted import WeightedMinHash, WeightedMinHashGenerator


class _StoredDict:
    """A storage of datasketch in memory, as its pickles have it."""

    _dict: dict[Any, Any]


class _StoredIndex(MinHashLSH):
    """An index of datasketch, on its way to ours."""

    def __setstate__(self, state: dict[str, Any]) -> None:
        keys = state["keys"]._dict
        width = len(next(iter(keys.values()), [b""])[0]) // state["r"]
        self.__class__ = MinHashLSH  # type: ignore[assignment]
        MinHashLSH.__setstate__(self, {
            "_buffer_size": BUFFER_SIZE,
            "_buffered": [],
            # Before version 2.0 there was one scheme.
            "_minhash_scheme": LEGACY,
            **{name: value for name, value in state.items() if name not in _NOT_READ},
            # A sample of a weighted set has two numbers of 8 bytes.
            "_value_bytes": min(width, 8) if state["hashfunc"] is None else 0,
            "_signatures": [],
        })
        for key, values in keys.items():
            self._slots.insert_all(key, list(map(self._slots.shown, values)))

    def _byteswap(self, hs: Any) -> bytes:
        return self._H(hs)

    _hashed_byteswap = _byteswap


class _StoredForest(MinHashLSHForest):
    """A forest of datasketch, on its way to ours."""

    def __setstate__(self, state: dict[str, Any]) -> None:
        keys, trees = state["keys"], [set(values) for values in state["sorted_hashtables"]]
        # A key that was added after the last call of `index` has a value that the trees lack, or is found all the same.
        new = (number for number, values in enumerate(keys.values()) if any(map(_is_not_in, values, trees)))
        self.__class__ = MinHashLSHForest  # type: ignore[assignment]
        MinHashLSHForest.__setstate__(self, {
            "_minhash_scheme": LEGACY,
            **{name: state[name] for name in ("l", "k", "hashranges", "_minhash_scheme") if name in state},
            "_indexed": next(new, len(keys)),
            "_signatures": [(key, b"".join(values)) for key, values in keys.items()],
        })


def _is_not_in(value: bytes, values: set[bytes]) -> bool:
    return value not in values


# Attributes of an index of datasketch that ours has none for, or makes anew.
_NOT_READ = {"hashtables", "keys", "_H", "_require_bytes_keys"}

# By name in datasketch.
_READ: dict[tuple[str, str], Any] = {
    ("datasketch.minhash", "MinHash"): MinHash,
    ("datasketch.lean_minhash", "LeanMinHash"): LeanMinHash,
    ("datasketch.b_bit_minhash", "bBitMinHash"): bBitMinHash,
    ("datasketch.weighted_minhash", "WeightedMinHash"): WeightedMinHash,
    ("datasketch.weighted_minhash", "WeightedMinHashGenerator"): WeightedMinHashGenerator,
    ("datasketch.lsh", "MinHashLSH"): _StoredIndex,
    ("datasketch.lshforest", "MinHashLSHForest"): _StoredForest,
    ("datasketch.lshensemble", "MinHashLSHEnsemble"): MinHashLSHEnsemble,
    ("datasketch.storage", "DictListStorage"): _StoredDict,
    ("datasketch.storage", "DictSetStorage"): _StoredDict,
    ("datasketch.hashfunc", "sha1_hash32"): _hashes.sha1_hash32,
}


class _Reader(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if module.partition(".")[0] != "datasketch":
            return super().find_class(module, name)
        if (module, name) not in _READ:
            raise ImportError(f"lookalike.compat.datasketch has no {name}: read the pickle with datasketch")
        return _READ[module, name]


def load(file: IO[bytes]) -> Any:
    """The object in a file of pickle, also one of datasketch: signatures and indexes are then those of this module.

    As with every pickle, the file may run any code: read those that you trust.

    Raises:
        ImportError: The pickle has an object of datasketch that this module does not have.
    """
    return _Reader(file).load()


def loads(data: bytes) -> Any:
    """As :func:`load`, of bytes."""
    return load(io.BytesIO(data))


# What is written for datasketch.
Signature = MinHash | LeanMinHash | bBitMinHash | WeightedMinHash


def dump(obj: Signature, file: IO[bytes]) -> None:
    """Writes a signature as a pickle that datasketch 2.0 reads, whether it is installed here or not. With another
    ``hashfunc`` than SHA-1, the pickle names that function, which has to be importable where it is read.

    Raises:
        TypeError: The object is no signature.
    """
    kinds = {kind: name for name, kind in _READ.items() if kind in get_args(Signature)}
    if type(obj) not in kinds:
        raise TypeError(f"only signatures are written for datasketch, no {type(obj).__name__}")
    module, name = kinds[type(obj)]
    with _LOCK, _names_of_datasketch():
        theirs = object.__new__(getattr(sys.modules[module], name))
        state = obj.__getstate__()
        if isinstance(state, dict):
            # The permutations stand in a pickle as they were made.
            if state.get("hashfunc") is _hashes.sha1_hash32:
                state["hashfunc"] = sys.modules["datasketch.hashfunc"].sha1_hash32
            theirs.__dict__.update(state)
        else:
            theirs.__setstate__(state)
        pickle.dump(theirs, file)


def dumps(obj: Signature) -> bytes:
    """As :func:`dump`, into bytes."""
    file = io.BytesIO()
    dump(obj, file)
    return file.getvalue()


# The names stand in `sys.modules`, which all threads share.
_LOCK = threading.Lock()


@contextmanager
def _names_of_datasketch() -> Iterator[None]:
    """Makes the names that a pickle of datasketch has importable: by the package, or by others in its place."""
    try:
        importlib.import_module("datasketch")
    except ImportError:
        pass
    else:
        yield
        return
    made = {name: ModuleType(name) for name in {"datasketch", *(module for module, _ in _READ)}}
    for (module, name), kind in _READ.items():
        if isinstance(kind, type):
            stand_in: Any = type(name, (), {"__module__": module, "__setstate__": _keep, "__getstate__": _kept})
        else:
            stand_in = _named(module, name)
        setattr(made[module], name, stand_in)
    sys.modules.update(made)
    try:
        yield
    finally:
        for name in made:
            sys.modules.pop(name, None)


def _keep(stand_in: Any, state: Any) -> None:
    stand_in.__dict__["state"] = state


def _kept(stand_in: Any) -> Any:
    return stand_in.__dict__.get("state", stand_in.__dict__)


def _named(module: str, name: str) -> Any:
    def stand_in(data: Any) -> int:
        return _hashes.sha1_hash32(data)

    stand_in.__module__, stand_in.__name__, stand_in.__qualname__ = module, name, name
    return stand_in
