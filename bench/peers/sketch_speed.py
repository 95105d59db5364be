#!/usr/bin/env python3
"""Nanoseconds a shingle of the signature kernels alone: ours, rensa's, FastSketchLSH's; one thread each, 128 components.

All get shingles that are hashed already, as one flat array with the bounds of the sets, and write one matrix. Ours is the
example `sketch_speed` of lookalike-core, the only argument. Rounds go through the three in turn; medians of the rounds.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path

sys.dont_write_bytecode = True
import environment  # noqa: E402

SIZES = (20, 100, 500, 2_000, 10_000)
TOTAL = 2_000_000
COMPONENTS = 128
ROUNDS = 7
ONE_THREAD = ("RAYON_NUM_THREADS", "OMP_NUM_THREADS")


def main() -> None:
    """Prints a table in Markdown."""
    os.environ.update(dict.fromkeys(ONE_THREAD, "1"))
    ours = Path(sys.argv[1])
    import report

    heading = [
        "# Signature kernels, nanoseconds a shingle",
        "",
        f"`cargo xtask peers sketches`, {datetime.now(timezone.utc):%Y-%m-%d %H:%M} UTC, {report.machine()}.",
        f"{COMPONENTS} components, hashed shingles, {TOTAL:,} in all, one thread; median of {ROUNDS} rounds.",
        "rensa: `RMinHash.digest_matrix_from_flat_token_hashes`; FastSketchLSH: `batch_csr(prehashed=True)`.",
        "",
        "| shingles a set | lookalike | rensa | FastSketchLSH | rensa / ours | FastSketchLSH / ours |",
        "|---|---|---|---|---|---|",
    ]
    print(*heading, sep="\n")
    for size in SIZES:
        mine, rensa, fast = (statistics.median(times) for times in measure(ours, size))
        row = f"| {size:,} | {mine:.2f} | {rensa:.2f} | {fast:.2f} | {rensa / mine:.1f} | {fast / mine:.1f} |"
        print(row, flush=True)


def measure(ours: Path, size: int) -> list[list[float]]:
    """Nanoseconds a shingle, by tool and round."""
    import numpy
    from FastSketchLSH import FastSimilaritySketch
    from rensa import RMinHash

    count = TOTAL // size
    hashes = numpy.random.default_rng(1).integers(0, 2**64, count * size, dtype=numpy.uint64)
    bounds = numpy.arange(count + 1, dtype=numpy.uint64) * size
    sketch = FastSimilaritySketch(COMPONENTS, 1)
    digest = RMinHash.digest_matrix_from_flat_token_hashes
    tools: list[Callable[[], float]] = [
        lambda: float(subprocess.run([ours, str(size), str(TOTAL)], check=True, capture_output=True).stdout),
        lambda: timed(lambda: digest(hashes, bounds, COMPONENTS, 1), len(hashes)),
        lambda: timed(lambda: sketch.batch_csr(hashes, bounds, prehashed=True, num_threads=1), len(hashes)),
    ]
    rounds = [[tool() for tool in tools] for _ in range(ROUNDS)]
    return [list(times) for times in zip(*rounds, strict=True)]


def timed(work: Callable[[], object], shingles: int) -> float:
    """Nanoseconds a shingle of one call."""
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1e9 / shingles


if __name__ == "__main__":
    environment.ensure_and_enter(Path(__file__).resolve())
    main()
