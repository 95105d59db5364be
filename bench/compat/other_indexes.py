"""Forests, ensembles and weighted signatures of `lookalike.compat.datasketch` beside datasketch, in one run.

    VENV/bin/python bench/compat/other_indexes.py

The environment is that of datasketch_speed.py. Indexes are filled once; the time of a call is the mean of some hundred.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from typing import Any

import datasketch
import numpy
from datasketch.lshensemble_partition import optimal_partitions
from scipy import sparse

from lookalike._lookalike import partitions_by_size
from lookalike.compat import datasketch as lookalike

warnings.simplefilter("ignore")
PACKAGES = [lookalike, datasketch]
SIGNATURES, FAMILY, PERMUTATIONS, DIMENSIONS, SIZES, PARTS = 100_000, 10, 128, 1000, 1000, 16
CALLS = 300


def main() -> None:
    rows = [*zip(*map(forest, PACKAGES), strict=True), *zip(*map(weighted, PACKAGES), strict=True), partitions()]
    print("| what | lookalike | datasketch | times as fast |\n|---|---:|---:|---:|")
    for (what, ours), (_, theirs) in rows:
        print(f"| {what} | {shown(ours)} | {shown(theirs)} | {theirs / ours:.1f} |")


def shown(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds > 0.1 else f"{seconds * 1e6:,.0f} us"


def timed(call: Callable[[], Any], calls: int = 1) -> float:
    start = time.perf_counter()
    for _ in range(calls):
        call()
    return (time.perf_counter() - start) / calls


def forest(package: Any) -> list[tuple[str, float]]:
    random = numpy.random.default_rng(1)
    values = numpy.repeat(random.integers(0, 2**32, (SIGNATURES // FAMILY, PERMUTATIONS), numpy.uint32), FAMILY, axis=0)
    others = random.random(values.shape) < 0.2
    values[others] = random.integers(0, 2**32, int(others.sum()), numpy.uint32)
    strange = random.integers(0, 2**32, (CALLS, PERMUTATIONS), numpy.uint32)
    minhashes = [package.MinHash(hashvalues=row, scheme="affine32") for row in values]
    index = package.MinHashLSHForest(PERMUTATIONS)
    near = iter(minhashes[:: SIGNATURES // CALLS])
    far = iter([package.MinHash(hashvalues=row, scheme="affine32") for row in strange])
    return [
        (f"forest: `add`, {SIGNATURES:,}", timed(lambda: [index.add(key, one) for key, one in enumerate(minhashes)])),
        ("forest: `index`", timed(index.index)),
        ("forest: `query` for 10, of families", timed(lambda: index.query(next(near), 10), CALLS)),
        ("forest: `query` for 10, of random signatures", timed(lambda: index.query(next(far), 10), CALLS)),
    ]


def weighted(package: Any) -> list[tuple[str, float]]:
    random = numpy.random.default_rng(2)
    generator = package.WeightedMinHashGenerator(DIMENSIONS)
    dense = random.random((DIMENSIONS, DIMENSIONS))
    few = dense * (random.random(dense.shape) < 0.05)
    sparse_few = sparse.csr_matrix(few)
    rows = [iter(matrix[:CALLS]) for matrix in (dense, few)]
    generator.minhash(dense[0])
    return [
        (f"`minhash` of {DIMENSIONS} weights", timed(lambda: generator.minhash(next(rows[0])), CALLS)),
        ("`minhash` of one weight in twenty", timed(lambda: generator.minhash(next(rows[1])), CALLS)),
        (f"`minhash_many` of {DIMENSIONS} such rows", timed(lambda: generator.minhash_many(few))),
        ("the same, sparse", timed(lambda: generator.minhash_many(sparse_few))),
    ]


def partitions() -> tuple[tuple[str, float], tuple[str, float]]:
    sizes = numpy.arange(1, SIZES + 1)
    pairs = [(int(size), 1) for size in sizes]
    what = f"ensemble: {SIZES:,} sizes into {PARTS} parts"
    ours = timed(lambda: partitions_by_size(pairs, PARTS, False))
    return (what, ours), (what, timed(lambda: optimal_partitions(sizes, numpy.ones(SIZES, int), PARTS)))


if __name__ == "__main__":
    main()
