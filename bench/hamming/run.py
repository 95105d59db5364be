#!/usr/bin/env python3
"""Fingerprints of 64 bits: how long `pairs --measure hamming` takes, beside brute force and the simhash package.

usage: run.py BINARY [--large N] [--small N] [--folder FOLDER]

Needs numpy and simhash from PyPI (`SimhashIndex`). Three corpora of N large ones: random bits; the same where a tenth
of the fingerprints have an equal quarter; where they have equal halves. A tenth of each corpus are copies of others with
0 to 5 flipped bits. Of N small ones lookalike, brute force (all pairs by exclusive or and popcount, numpy, one thread)
and SimhashIndex answer the same question, and the pairs are compared.
"""

import argparse
import csv
import os
import subprocess
import sys
import tempfile
import time

import numpy as np

DISTANCE = 3
QUARTER = np.uint64(0xABCD << 48)
HALF = np.uint64(0xABCD1234 << 32)


def fingerprints(count, kind):
    """Random fingerprints, the last tenth of them near copies of others."""
    random = np.random.default_rng(7)
    bits = random.integers(0, 2**64, size=count, dtype=np.uint64)
    copies = count // 10
    near = bits[random.integers(0, count - copies, size=copies)].copy()
    for _ in range(5):
        flipped = random.integers(0, 64, size=copies).astype(np.uint64)
        near ^= random.integers(0, 2, size=copies).astype(np.uint64) << flipped
    bits[count - copies :] = near
    equal = max(count // 10, 1)
    if kind == "quarter":
        bits[:equal] = bits[:equal] & ~(np.uint64(0xFFFF) << np.uint64(48)) | QUARTER
    if kind == "half":
        bits[:equal] = bits[:equal] & ~(np.uint64(0xFFFFFFFF) << np.uint64(32)) | HALF
    return bits


def write(bits, path):
    with open(path, "w") as file:
        for start in range(0, len(bits), 100_000):
            part = bits[start : start + 100_000].tolist()
            file.write("".join('{"id":"%d","phash":"%016x"}\n' % (start + at, value) for at, value in enumerate(part)))


def run(binary, arguments):
    """Wall time in seconds, processor time, peak memory in MiB, and what was said."""
    start = time.perf_counter()
    process = subprocess.Popen([binary, *arguments], stderr=subprocess.PIPE, text=True)
    words = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(words)
    return time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, words


def large(binary, count, folder):
    print(f"## {count:,} fingerprints, all pairs within {DISTANCE} bits\n")
    print("| corpus | wall s | processor s | peak MiB | pairs | reading s |\n|---|---|---|---|---|---|")
    search = ["--bits", "phash", "--measure", "hamming", "--distance", str(DISTANCE), "--memory", "2GiB", "-v"]
    search += ["--progress", "never"]
    for kind in ["random", "quarter", "half"]:
        path = os.path.join(folder, f"{kind}.jsonl")
        write(fingerprints(count, kind), path)
        wall, processor, peak, words = run(binary, ["pairs", path, "-o", os.path.join(folder, "p.csv"), *search])
        pairs = words.split(": ")[1].split(" pairs")[0]
        reading = next(line.split()[1] for line in words.splitlines() if line.startswith("reading"))
        print(f"| {kind} | {wall:.1f} | {processor:.1f} | {peak:.0f} | {pairs} | {reading} |", flush=True)
        print("\n".join("    " + line for line in words.splitlines()), file=sys.stderr)
        os.remove(path)


def by_lookalike(binary, bits, folder):
    path, output = os.path.join(folder, "small.jsonl"), os.path.join(folder, "small.csv")
    write(bits, path)
    search = ["--bits", "phash", "--measure", "hamming", "--distance", str(DISTANCE)]
    wall, processor, _, _ = run(binary, ["pairs", path, "-o", output, *search])
    with open(output) as file:
        return wall, processor, {(int(row["a"]), int(row["b"])) for row in csv.DictReader(file)}


def by_brute_force(bits, _):
    pairs = set()
    for at in range(len(bits)):
        near = np.flatnonzero(np.bitwise_count(bits[at + 1 :] ^ bits[at]) <= DISTANCE)
        pairs.update((at, at + 1 + int(other)) for other in near)
    return pairs


def by_simhash(bits, _):
    from simhash import Simhash, SimhashIndex

    values = [Simhash(value) for value in bits.tolist()]
    index = SimhashIndex([(str(at), value) for at, value in enumerate(values)], k=DISTANCE)
    pairs = set()
    for at, value in enumerate(values):
        pairs.update((min(at, int(other)), max(at, int(other))) for other in index.get_near_dups(value))
    return {(a, b) for a, b in pairs if a != b}


def small(binary, count, folder):
    bits = fingerprints(count, "random")
    print(f"\n## {count:,} fingerprints, all pairs within {DISTANCE} bits, three ways\n")
    print("| way | wall s | processor s | pairs | equal |\n|---|---|---|---|---|")
    wall, processor, expected = by_lookalike(binary, bits, folder)
    print(f"| lookalike pairs, reading and writing included | {wall:.2f} | {processor:.2f} | {len(expected):,} | |", flush=True)
    for name, find in [("SimhashIndex, in memory", by_simhash), ("brute force, numpy popcount", by_brute_force)]:
        start, used = time.perf_counter(), time.process_time()
        found = find(bits, None)
        wall, processor = time.perf_counter() - start, time.process_time() - used
        equal = "yes" if found == expected else f"no: {len(expected - found)} missed, {len(found - expected)} more"
        print(f"| {name} | {wall:.1f} | {processor:.1f} | {len(found):,} | {equal} |", flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("binary")
    arguments.add_argument("--large", type=int, default=10_000_000)
    arguments.add_argument("--small", type=int, default=300_000)
    arguments.add_argument("--folder", default=None)
    asked = arguments.parse_args()
    with tempfile.TemporaryDirectory(dir=asked.folder) as folder:
        if asked.large:
            large(asked.binary, asked.large, folder)
        if asked.small:
            small(asked.binary, asked.small, folder)


if __name__ == "__main__":
    main()
