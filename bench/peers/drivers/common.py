"""What all drivers share: reading and shingling in processes, keeping one of each connected group, writing the output.

Several processes read, cut and (where the peer can be used so) sketch; that is how users of these libraries use more
than one core.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing import Pool
from pathlib import Path
from typing import TypeVar

import numpy as np

from shingles import Range, ranges

# The banding that all compared tools use.
BANDS, ROWS = 20, 5
SLOTS = BANDS * ROWS
THRESHOLD = 0.8

Chunk = TypeVar("Chunk")


@dataclass(frozen=True)
class Task:
    """What to do: the corpus, where the kept records go, and where the check finds what was reported."""

    corpus: Path
    output: Path
    audit: Path
    threads: int
    language: str


@dataclass(frozen=True)
class Found:
    """What a peer reported: pairs of document numbers, one row a pair, and which documents stay."""

    pairs: np.ndarray
    keep: np.ndarray


def in_processes(task: Task, work: Callable[[Range], Chunk]) -> Iterator[Chunk]:
    """Does `work` on stretches of the corpus in `threads` processes; results in order, while later ones are made."""
    with Pool(task.threads) as pool:
        yield from pool.imap(work, ranges(task.corpus, 8 * task.threads))


def pairs_of_lists(documents: np.ndarray, counts: np.ndarray, partners: np.ndarray) -> np.ndarray:
    """Pairs from lists of partners, one list a document: each pair once, smaller number first, none with itself."""
    first = np.repeat(documents, counts)
    return np.stack([first, partners], axis=1)[first < partners].astype(np.uint32)


def keep_one_of_each(pairs: np.ndarray, documents: int) -> np.ndarray:
    """Keeps the first document of each group that pairs connect, as users of LSH do."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    ones = np.ones(len(pairs), dtype=np.int8)
    graph = coo_matrix((ones, (pairs[:, 0], pairs[:, 1])), shape=(documents, documents))
    _, labels = connected_components(graph, directed=False)
    keep = np.zeros(documents, dtype=bool)
    keep[np.unique(labels, return_index=True)[1]] = True
    return keep


def write_kept(task: Task, keep: np.ndarray) -> None:
    """Copies the records that stay."""
    with task.corpus.open("rb") as source, task.output.open("wb") as out:
        out.writelines(line for line, stays in zip(source, keep.tolist()) if stays)


def stop_the_clock(audit: Path) -> None:
    """Marks that the output stands: see launch.py."""
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    peak_bytes = int(status["VmHWM"].split()[0]) * 1024
    marker = {"monotonic_s": time.monotonic(), "peak_bytes": peak_bytes}
    (audit / "marker.json").write_text(json.dumps(marker))


def save_for_check(audit: Path, found: Found) -> None:
    """Writes what was reported; not part of the measured time."""
    np.save(audit / "pairs.npy", found.pairs)
    np.save(audit / "keep.npy", found.keep)
