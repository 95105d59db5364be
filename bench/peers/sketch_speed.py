"""Nanoseconds a shingle of the signature kernels alone: ours, rensa's, FastSketchLSH's; one thread each, 128 components.

All get shingles that are hashed already, as one flat array with the bounds of the sets, and write one matrix. Ours is the
example `sketch_speed` of lookalike-core. Rounds go through the three in turn.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

for variable in ("RAYON_NUM_THREADS", "OMP_NUM_THREADS", "RENSA_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy  # noqa: E402
from FastSketchLSH import FastSimilaritySketch  # noqa: E402
from rensa import RMinHash  # noqa: E402

SIZES = (20, 100, 500, 2_000, 10_000)
TOTAL = 2_000_000
COMPONENTS = 128
ROUNDS = 5


def main() -> None:
    """Prints a Markdown table; the argument is the path of our example."""
    ours = Path(sys.argv[1])
    print("| shingles a set | lookalike | rensa | FastSketchLSH | rensa / ours | FastSketchLSH / ours |")
    print("|---|---|---|---|---|---|")
    for size in SIZES:
        measured = measure(ours, size)
        mine, rensa, fast = (statistics.median(times) for times in measured)
        print(f"| {size:,} | {mine:.2f} | {rensa:.2f} | {fast:.2f} | {rensa / mine:.1f} | {fast / mine:.1f} |", flush=True)


def measure(ours: Path, size: int) -> list[list[float]]:
    """Nanoseconds a shingle, by tool and round."""
    count = TOTAL // size
    hashes = numpy.random.default_rng(1).integers(0, 2**64, count * size, dtype=numpy.uint64)
    bounds = numpy.arange(count + 1, dtype=numpy.uint64) * size
    sketch = FastSimilaritySketch(COMPONENTS, 1)
    tools: list[Callable[[], float]] = [
        lambda: float(subprocess.run([ours, str(size), str(TOTAL)], check=True, capture_output=True).stdout),
        lambda: timed(lambda: RMinHash.digest_matrix_from_flat_token_hashes(hashes, bounds, COMPONENTS, 1), len(hashes)),
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
    main()
