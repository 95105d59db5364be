#!/usr/bin/env python3
"""Measures `lookalike.dedup` of a list of str and of a polars frame beside the command on the same file.

usage: run.py BINARY FILE.jsonl RUNS

The package is the one that this Python has; polars is needed. The three run in turn, in an order that changes from run to
run; the medians of the ratios count, with an interval of at least 95 % that assumes no distribution (order statistics).
The command reads, parses and writes the file; the package is given what was parsed before.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import lookalike
import polars

sys.path.insert(0, str(Path(__file__).parent.parent))
from old_new import interval


def kept_of_command(binary, file, folder):
    kept = Path(folder) / "kept.jsonl"
    kept.unlink(missing_ok=True)
    subprocess.run([binary, "dedup", file, "-o", kept, "-q"], check=True)
    return kept


def main():
    binary, file, runs = sys.argv[1], sys.argv[2], int(sys.argv[3])
    records = [json.loads(line) for line in Path(file).read_bytes().splitlines()]
    texts = [record["text"] for record in records]
    frame = polars.DataFrame({"id": [str(record["id"]) for record in records], "text": texts})
    del records
    with tempfile.TemporaryDirectory() as folder:
        ways = {
            "command": lambda: kept_of_command(binary, file, folder),
            "list": lambda: lookalike.dedup(texts),
            "polars": lambda: lookalike.dedup(frame),
        }
        expected = sum(1 for _ in ways["command"]().open("rb"))
        for way in ("list", "polars"):
            found = ways[way]().report["result"]["kept"]
            assert found == expected, f"{way}: {found} documents are kept, the command keeps {expected}"
        times = {way: [] for way in ways}
        for number in range(runs):
            names = list(ways)
            for way in names[number % 3 :] + names[: number % 3]:
                start = time.perf_counter()
                ways[way]()
                times[way].append(time.perf_counter() - start)
    load = os.getloadavg()[0]
    print(f"{len(texts):,} documents, {Path(file).stat().st_size / 1e6:.0f} MB; {runs} runs, load {load:.1f}")
    print(f"command: {statistics.median(times['command']):.3f} s")
    for way in ("list", "polars"):
        ratios = [own / command for own, command in zip(times[way], times["command"])]
        low, high = interval(ratios)
        median = statistics.median(ratios)
        print(f"{way}: {statistics.median(times[way]):.3f} s, ratio {median:.3f} ({low:.3f} to {high:.3f})")


if __name__ == "__main__":
    main()
