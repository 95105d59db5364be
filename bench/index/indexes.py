"""Indexes in a process that bench/index/peers.py compares, each behind the same few functions."""

from __future__ import annotations

import ctypes
import gc
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import xxhash
from launch import resident_bytes
from shingles import WORDS, python_shingles
from truth import FRACTION

THRESHOLD = FRACTION[0] / FRACTION[1]
PERMUTATIONS = 128
# RMinHashLSH has no default; rensa's deduplicator, and its authors' benchmark, take eight at 0.8.
RENSA_BANDS = 8
RENSA_SEED = 42


@dataclass(frozen=True)
class Job:
    """What a child process measures; `work` is an empty folder for what the tool writes."""

    tool: str
    corpus: Path
    queries: Path
    work: Path
    documents: int
    binary: Path
    redis_port: int


def folder_bytes(folder: Path) -> int:
    """Size of all files."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def number_of(written: str) -> int:
    """The number in an id that `write` gave."""
    return int(written[1:])


class InProcess:
    """An index that is given documents by number, in groups, and asked one query after the other."""

    # bands x rows
    bands = "-"
    # whether `insert` takes something else than texts
    has_sketches = False
    _index: Any

    def sketch(self, texts: list[str]) -> list[Any]:
        """What `insert` takes."""
        return texts

    def insert(self, first: int, sketches: list[Any]) -> None:
        """Inserts documents, numbered from `first` on."""
        raise NotImplementedError

    def finish(self) -> None:
        """Makes all documents findable, if some are in a buffer."""

    def ask(self, text: str) -> list[int]:
        """The documents that are near to a text."""
        found: list[int] = self._index.query(self.sketch([text])[0])
        return found

    def held_bytes(self) -> int:
        """Size of the index and of things that do not grow with it: resident memory, without what was freed."""
        gc.collect()
        ctypes.CDLL(None).malloc_trim(0)
        return resident_bytes(os.getpid())


class Datasketch(InProcess):
    """`MinHashLSH`. The documentation advises a faster hash function than the default SHA-1 (here xxh32)."""

    has_sketches = True

    def __init__(self, storage: dict[str, Any] | None = None) -> None:
        from datasketch import MinHash, MinHashLSH

        self._empty = MinHash(num_perm=PERMUTATIONS, hashfunc=xxhash.xxh32_intdigest)
        self._index = MinHashLSH(threshold=THRESHOLD, num_perm=PERMUTATIONS, storage_config=storage)
        # buffers for Redis, and does nothing in memory
        self._session = self._index.insertion_session()
        self.bands = f"{self._index.b} x {self._index.r}"

    def sketch(self, texts: list[str]) -> list[Any]:
        """As `MinHash.generator` does it: the permutations are made once."""
        sketches = [self._empty.copy() for _ in texts]
        for sketch, text in zip(sketches, texts):
            sketch.update_batch(python_shingles(text))
        return sketches

    def insert(self, first: int, sketches: list[Any]) -> None:
        """The numbers are new; to check that would be one more round trip to Redis for each."""
        for number, sketch in enumerate(sketches, first):
            self._session.insert(number, sketch, check_duplication=False)

    def finish(self) -> None:
        self._session.close()


class DatasketchRedis(Datasketch):
    """`MinHashLSH` with its tables in Redis."""

    def __init__(self, port: int) -> None:
        from redis import Redis

        super().__init__({"type": "redis", "basename": b"peers", "redis": {"host": "127.0.0.1", "port": port}})
        self._server = Redis(host="127.0.0.1", port=port)

    def held_bytes(self) -> int:
        return int(self._server.info("memory")["used_memory"])


class Rensa(InProcess):
    """`RMinHashLSH` of `RMinHash` over full token sets."""

    bands = f"{RENSA_BANDS} x {PERMUTATIONS // RENSA_BANDS}"
    has_sketches = True

    def __init__(self) -> None:
        from rensa import RMinHash, RMinHashLSH

        self._sketches = RMinHash.from_token_sets
        self._index = RMinHashLSH(threshold=THRESHOLD, num_perm=PERMUTATIONS, num_bands=RENSA_BANDS)

    def sketch(self, texts: list[str]) -> list[Any]:
        token_sets = list(map(python_shingles, texts))
        sketches: list[Any] = self._sketches(token_sets, num_perm=PERMUTATIONS, seed=RENSA_SEED)
        return sketches

    def insert(self, first: int, sketches: list[Any]) -> None:
        self._index.insert_many(sketches, first)


class Gaoya(InProcess):
    """`MinHashStringIndex` with its own analyzer and bands, and the container for documents with few near ones."""

    def __init__(self) -> None:
        from gaoya.minhash import MinHashStringIndex

        self._index = MinHashStringIndex(
            jaccard_threshold=THRESHOLD,
            num_bands=None,
            band_size=None,
            num_hashes=PERMUTATIONS,
            lowercase=True,
            ngram_range=(WORDS, WORDS),
            id_container="smallvec",
        )
        # only its description says what it has chosen
        chosen = re.search(r"bands = (\d+), rows_per_band = (\d+)", str(self._index))
        self.bands = " x ".join(chosen.groups()) if chosen else "unknown"

    def insert(self, first: int, sketches: list[Any]) -> None:
        self._index.par_bulk_insert_docs(list(range(first, first + len(sketches))), sketches)


class Package(InProcess):
    """`lookalike.Index`; documents are on the disk when `add` returns."""

    def __init__(self, path: Path) -> None:
        import lookalike

        self._index, self._path = lookalike.Index.create(path, threshold=THRESHOLD), path

    def insert(self, first: int, sketches: list[Any]) -> None:
        self._index.add({f"d{number}": text for number, text in enumerate(sketches, first)})

    def ask(self, text: str) -> list[int]:
        ids = self._index.search([text], THRESHOLD).to_arrow()["id"].to_pylist()
        return list(map(number_of, ids))

    def held_bytes(self) -> int:
        return folder_bytes(self._path)


IN_PROCESS: dict[str, Callable[[Job], InProcess]] = {
    "datasketch": lambda job: Datasketch(),
    "redis": lambda job: DatasketchRedis(job.redis_port),
    "rensa": lambda job: Rensa(),
    "gaoya": lambda job: Gaoya(),
    "package": lambda job: Package(job.work / "idx"),
}
