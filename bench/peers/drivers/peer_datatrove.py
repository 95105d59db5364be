"""datatrove: its four-stage MinHash pipeline on the local executor, with its own reader, words, output and processes.

Fast path: what its example does, without compression of the output and with one input file for each process, as its
unit of work is the file. CORPUS is a folder of such files. Stage 2 writes neighbours of each bucket only; here all
pairs of a bucket count as reported, as they do with the other tools.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import numpy as np
import orjson

# before the imports below read it
os.environ.setdefault("HF_HUB_OFFLINE", "1")

from datatrove.executor.local import LocalPipelineExecutor  # noqa: E402
from datatrove.pipeline.dedup import MinhashDedupCluster, MinhashDedupFilter, MinhashDedupSignature  # noqa: E402
from datatrove.pipeline.dedup.minhash import MinhashConfig, MinhashDedupBuckets  # noqa: E402
from datatrove.pipeline.readers import JsonlReader  # noqa: E402
from datatrove.pipeline.writers.jsonl import JsonlWriter  # noqa: E402

from drivers.common import BANDS, ROWS, Found, Task, stop_the_clock  # noqa: E402
from shingles import WORDS  # noqa: E402

WRITES_OUTPUT = True


def find(task: Task) -> Found:
    """Pairs that share a bucket; not verified."""
    work = task.audit / "datatrove"
    files = len(list(task.corpus.iterdir()))
    config = MinhashConfig(n_grams=WORDS, num_buckets=BANDS, hashes_per_bucket=ROWS)
    reader = JsonlReader(str(task.corpus))
    signatures, buckets, removals = (str(work / name) for name in ("signatures", "buckets", "removals"))
    stages = [
        ([reader, MinhashDedupSignature(signatures, config, language=task.language)], files),
        ([MinhashDedupBuckets(signatures, buckets, config=config)], BANDS),
        ([MinhashDedupCluster(buckets, removals, config=config)], 1),
        ([reader, MinhashDedupFilter(removals), JsonlWriter(str(task.output), compression=None)], files),
    ]
    for number, (pipeline, tasks) in enumerate(stages):
        workers = min(tasks, task.threads)
        LocalPipelineExecutor(pipeline, tasks, workers, logging_dir=str(work / f"log{number}")).run()
    stop_the_clock(task.audit)
    found = _reported(task, Path(buckets), Path(removals))
    shutil.rmtree(work)
    return found


def _reported(task: Task, buckets: Path, removals: Path) -> Found:
    """Reads what the stages wrote. Records without text are not read at all: not numbered, and not in the output."""
    numbers, first = [], 0
    for file in sorted(task.corpus.iterdir()):
        has_text = [bool(orjson.loads(line)["text"]) for line in file.open("rb")]
        numbers.append(first + np.flatnonzero(has_text))
        first += len(has_text)
    keep = np.zeros(first, dtype=bool)
    for rank, documents in enumerate(numbers):
        keep[documents] = True
        removed = removals / f"{rank:06d}.remove"
        if removed.exists():
            keep[documents[np.fromfile(removed, dtype="<u4")]] = False
    pairs = [np.empty((0, 2), dtype=np.uint32)]
    for file in sorted(buckets.glob("*.dups")):
        neighbours = np.fromfile(file, dtype="<u4").reshape(-1, 2, 2)
        ends = np.stack([_number(neighbours[:, side], numbers) for side in (0, 1)], axis=1)
        pairs.append(_all_of_chains(ends))
    return Found(np.unique(np.concatenate(pairs), axis=0), keep)


def _number(places: np.ndarray, numbers: list[np.ndarray]) -> np.ndarray:
    """Document numbers of (file, place in the file)."""
    found = np.empty(len(places), dtype=np.int64)
    for rank, documents in enumerate(numbers):
        here = places[:, 0] == rank
        found[here] = documents[places[here, 1]]
    return found


def _all_of_chains(neighbours: np.ndarray) -> np.ndarray:
    """All pairs within chains a-b, b-c, c-d: the rows of a chain follow each other in the file."""
    pairs = [np.empty((0, 2), dtype=np.uint32)]
    is_begin = np.ones(len(neighbours), dtype=bool)
    is_begin[1:] = neighbours[1:, 0] != neighbours[:-1, 1]
    starts = np.append(np.flatnonzero(is_begin), len(neighbours)).tolist()
    for start, end in zip(starts, starts[1:]):
        chain = np.sort(np.append(neighbours[start:end, 0], neighbours[end - 1, 1])).astype(np.uint32)
        a, b = np.triu_indices(chain.size, 1)
        pairs.append(np.stack([chain[a], chain[b]], axis=1))
    return np.concatenate(pairs)
