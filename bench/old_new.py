#!/usr/bin/env python3
"""Runs a job with two binaries in turn and prints the median of the ratios of their times.

usage: old_new.py OLD NEW RUNS FILE [FLAG ...]

The job is `dedup FILE -o ...` with the flags. Before each run the output of the last one is removed and the disk is
waited for: replacing a file that is not on the disk yet takes a tenth of the job. The order of the two changes from run
to run, because machines slow down and speed up. The interval of the median has a confidence of at least 95 % and
assumes no distribution (order statistics).
"""

import math
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time


def run(binary, arguments):
    """Wall time and processor time of one run, in seconds."""
    output = arguments[arguments.index("-o") + 1]
    if os.path.exists(output):
        os.remove(output)
    os.sync()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    subprocess.run([binary, *arguments], check=True, capture_output=True)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def interval(values):
    """Two of the sorted values between which the true median lies with a confidence of at least 95 %."""
    values, tail, skipped = sorted(values), 0.0, 0
    while True:
        tail += math.comb(len(values), skipped) / 2 ** len(values)
        if tail > 0.025:
            break
        skipped += 1
    first = max(skipped - 1, 0)
    return values[first], values[len(values) - 1 - first]


def main():
    old, new, runs, file, *flags = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        arguments = ["dedup", file, "-o", f"{folder}/kept.jsonl", *flags]
        run(old, arguments), run(new, arguments)
        times = {old: [], new: []}
        for number in range(int(runs)):
            for binary in [old, new] if number % 2 else [new, old]:
                times[binary].append(run(binary, arguments))
    for name, which in [("wall", 0), ("processor", 1)]:
        ratios = [b[which] / a[which] for a, b in zip(times[old], times[new])]
        low, high = interval(ratios)
        medians = [statistics.median(t[which] for t in times[binary]) for binary in (old, new)]
        shown = f"ratio {statistics.median(ratios):.3f} ({low:.3f} to {high:.3f})"
        print(f"{name}: old {medians[0]:.2f} s, new {medians[1]:.2f} s, {shown}")


if __name__ == "__main__":
    main()
