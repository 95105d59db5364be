#!/usr/bin/env python3
"""Runs the hard corpora with all methods side by side and prints a table in Markdown.

usage: run.py BINARY... [--corpus TEXT] [--timeout SECONDS] [--rounds N] [--most RATIO]

For each corpus and command: the median time of the methods exact, minhash and auto by each binary, what was found, and
how many times the best of the two methods auto takes; with --most, more than that by the last binary is a failure.
Corpora (3 GB) are generated into target/hard-data.
"""

import argparse
import json
import math
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from corpora import CORPORA, write  # noqa: E402

DATA = pathlib.Path(__file__).parents[2] / "target" / "hard-data"
METHODS = ["exact", "minhash", "auto"]


def data(name):
    """The file of a corpus, made if it is not there."""
    DATA.mkdir(parents=True, exist_ok=True)
    path = DATA / (re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_") + ".jsonl")
    if not path.exists():
        partial = path.with_suffix(".partial")
        write(CORPORA[name][0](), partial)
        partial.rename(path)
    return path


def run(binary, command, method, path, timeout):
    """Seconds and what the summary says, or None if it took longer than `timeout`."""
    with tempfile.TemporaryDirectory() as folder:
        output = {"dedup": "kept.jsonl", "pairs": "pairs.csv"}[command[0]]
        summary = f"{folder}/summary.json"
        arguments = [command[0], str(path), "-o", f"{folder}/{output}", "--summary", summary, "--method", method]
        start = time.perf_counter()
        try:
            subprocess.run([binary, *arguments, *command[1:]], check=True, capture_output=True, timeout=timeout)
        except subprocess.TimeoutExpired:
            return None
        seconds = time.perf_counter() - start
        with open(summary, encoding="utf-8") as file:
            return seconds, json.load(file)


def found(summary):
    """What was found, in a word."""
    result = summary["result"]
    if "pairs" in result:
        return f"{result['pairs']:,} pairs"
    return f"{result['documents'] - result['kept']:,} removed"


def measure(binary, command, path, options):
    """The cells of a row."""
    times, words = {}, ""
    for method in METHODS:
        runs = []
        for _ in range(options.rounds):
            result = run(binary, command, method, path, options.timeout)
            if result is None:
                break
            runs.append(result[0])
            if method == "exact" or not words:
                words = found(result[1])
            if result[0] > options.timeout / 10:
                break
        times[method] = statistics.median(runs) if runs else None
    best = min((t for m, t in times.items() if t and m != "auto"), default=None)
    ratio = times["auto"] / best if times["auto"] and best else None
    shown = [f"{times[m]:.2f}" if times[m] else f"over {options.timeout:.0f}" for m in METHODS]
    return ratio, [*shown, f"{ratio:.2f}" if ratio else "-", words]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binaries", nargs="+")
    parser.add_argument("--corpus", default="")
    parser.add_argument("--timeout", type=float, default=120)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--most", type=float, default=math.inf)
    options = parser.parse_args()
    worst = 0
    print("| corpus | command | binary | exact s | minhash s | auto s | auto / best | found |\n" + "|---" * 8 + "|")
    chosen = {name: corpus for name, corpus in CORPORA.items() if options.corpus in name}
    if not chosen:
        sys.exit(f"no corpus has {options.corpus!r} in its name: {', '.join(CORPORA)}")
    for name, (_, commands) in chosen.items():
        path = data(name)
        for command in commands:
            for binary in options.binaries:
                ratio, cells = measure(binary, command, path, options)
                if binary == options.binaries[-1]:
                    worst = max(worst, ratio or 0)
                shown = [name, " ".join(command), pathlib.Path(binary).name, *cells]
                print("| " + " | ".join(shown) + " |", flush=True)
    if worst > options.most:
        sys.exit(f"auto took {worst:.2f} times the time of the best method")


if __name__ == "__main__":
    main()
