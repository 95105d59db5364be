"""`lookalike.compat.datasketch` beside datasketch, and its index beside rensa's, in one run.

    python3 -m venv VENV && VENV/bin/pip install datasketch==2.0.0 rensa==0.5.0 numpy ./crates/lookalike-python
    VENV/bin/python bench/compat/datasketch_speed.py

Times are the least of some runs, in turn; each index is filled in a process of its own, whose memory is counted before
and after.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import json
import random
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy

warnings.simplefilter("ignore")
SETS, ELEMENTS, WORDS = 300, 200, 50_000
BANDS, ROWS, PERMUTATIONS = 16, 8, 128
QUERIES = 20_000
TOOLS = ("datasketch", "lookalike", "rensa")


def element_sets() -> list[list[bytes]]:
    """Sets of words as programs have them: objects that lie anywhere in memory."""
    rng = random.Random(1)
    words = [f"token{number}".encode() for number in range(WORDS)]
    return [[rng.choice(words) for _ in range(ELEMENTS)] for _ in range(SETS)]


def least_ns(run: Callable[[], object], runs: int) -> float:
    """Nanoseconds an element."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times) / (SETS * ELEMENTS) * 1e9


def sketch_rows() -> list[str]:
    """One row of the table for each way to make signatures."""
    import datasketch as theirs

    from lookalike.compat import datasketch as ours

    sets = element_sets()
    hashes = [numpy.array([ours.hash32(element) for element in elements], numpy.uint32) for elements in sets]
    rows = []
    for scheme in ("affine32", "legacy"):

        def bulk(package: Any, **keywords: Any) -> Callable[[], object]:
            return lambda: package.MinHash.bulk(sets, num_perm=PERMUTATIONS, scheme=scheme, **keywords)  # noqa: B023

        def batches(package: Any, data: list[Any], **keywords: Any) -> Callable[[], object]:
            def run() -> None:
                for elements in data:
                    minhash = package.MinHash(num_perm=PERMUTATIONS, scheme=scheme, **keywords)  # noqa: B023
                    minhash.update_batch(elements)

            return run

        peer = least_ns(bulk(theirs), 3), least_ns(batches(theirs, sets), 3)
        for name, run, their_ns in (
            ("`bulk`, SHA-1", bulk(ours), peer[0]),
            ("`bulk`, `hash32`", bulk(ours, hashfunc=ours.hash32), peer[0]),
            ("`update_batch`, SHA-1", batches(ours, sets), peer[1]),
            ("`update_batch`, `hash32`", batches(ours, sets, hashfunc=ours.hash32), peer[1]),
            ("`update_batch`, ready hashes", batches(ours, hashes, hashfunc=ours.identity32), peer[1]),
        ):
            our_ns = least_ns(run, 9)
            rows.append(f"| {scheme} | {name} | {their_ns:.0f} | {our_ns:.1f} | {their_ns / our_ns:.1f} |")
    return rows


def signatures(documents: int) -> numpy.ndarray:
    """Signatures of which every tenth is like the one before it."""
    values = numpy.random.default_rng(1).integers(0, 2**32, (documents, PERMUTATIONS), dtype=numpy.uint32)
    kept = PERMUTATIONS * 9 // 10
    values[9::10, :kept] = values[8::10, :kept]
    return values


def resident_bytes() -> int:
    """Memory of this process, without what was freed."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def index_speed(tool: str, documents: int) -> dict[str, float]:
    """Microseconds of an insertion and of a question, bytes of a document, keys that were found."""
    values = signatures(documents)
    if tool == "rensa":
        from rensa import RMinHash, RMinHashLSH

        def made(row: int) -> Any:
            minhash = RMinHash(num_perm=PERMUTATIONS, seed=1)
            minhash.update([str(value) for value in values[row, :1]])
            return minhash

        # Signatures of rensa cannot be given: those of ten strings each, every tenth like the one before it.
        rows = [row - 1 if row % 10 == 9 else row for row in range(documents)]
        minhashes = [made(row) for row in rows]
        index = RMinHashLSH(threshold=0.8, num_perm=PERMUTATIONS, num_bands=BANDS)
        insert: Callable[[int, Any], object] = index.insert
    else:
        if tool == "datasketch":
            from datasketch import LeanMinHash, MinHashLSH
        else:
            from lookalike.compat.datasketch import LeanMinHash, MinHashLSH
        minhashes = [LeanMinHash(seed=1, hashvalues=row, scheme="affine32") for row in values]
        index = MinHashLSH(num_perm=PERMUTATIONS, params=(BANDS, ROWS))
        insert = index.insert
    before = resident_bytes()
    start = time.perf_counter()
    for key, minhash in enumerate(minhashes):
        insert(key, minhash)
    insert_s = time.perf_counter() - start
    held = resident_bytes() - before
    step = documents // QUERIES
    start = time.perf_counter()
    found = sum(len(index.query(minhash)) for minhash in minhashes[8::step])
    query_s = time.perf_counter() - start
    return {"insert": insert_s / documents * 1e6, "query": query_s / QUERIES * 1e6, "bytes": held / documents,
            "found": found}  # fmt: skip


def main() -> None:
    """Prints the tables, or, in a child process, figures of one index."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=200_000)
    parser.add_argument("--tool", choices=TOOLS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.tool:
        print(json.dumps(index_speed(options.tool, options.documents)))
        return
    print(f"| scheme | signatures of {ELEMENTS} elements | datasketch, ns an element | lookalike | times as fast |")
    print("|---|---|---:|---:|---:|", *sketch_rows(), sep="\n")
    print(f"\n| index of {options.documents} | insert, us | query, us | bytes a document | keys found |")
    print("|---|---:|---:|---:|---:|")
    for tool in TOOLS:
        command = [sys.executable, __file__, "--tool", tool, "--documents", str(options.documents)]
        found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        print(f"| {tool} | {found['insert']:.2f} | {found['query']:.2f} | {found['bytes']:.0f} | {found['found']} |")


if __name__ == "__main__":
    main()
