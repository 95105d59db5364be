#!/usr/bin/env python3
"""Compares lookalike with its peers from PyPI: the whole job, the same corpus, shingles and bands, in one run.

    python3 bench/peers/run.py                                          rust_docs, all tools, three rounds
    python3 bench/peers/run.py --corpus license_texts --rounds 1        a first try
    python3 bench/peers/run.py --check                                  only the checks of the checkers
    python3 bench/peers/run.py --corpus generated_300000 --tools limits,lookalike

Needs Python 3.11 and `cargo build --release` (with the example `floor` for the limit rows); `cargo xtask peers`
builds first. For corpora and tools see corpora.py and tools.py; what is measured and how it is judged, the notes of the
table that this writes to target/bench-results.
"""

from __future__ import annotations

import argparse
import fcntl
import shlex
import sys
from pathlib import Path
from typing import IO, Any

sys.dont_write_bytecode = True
import environment  # noqa: E402

RESULTS = environment.ROOT / "target" / "bench-results"


def main() -> None:
    options = _options()
    # the modules below need what the environment holds
    environment.ensure_and_enter(Path(__file__).resolve())
    import check
    import report
    from measure import Plan

    lock = _be_alone()
    plan = Plan(options.rounds, options.threads, options.slow_after, options.timeout)
    tools = _chosen(options.tools)
    load_before = report.load()
    checks = check.check_all(plan.threads)
    print("\n".join(checks))
    if options.check:
        return
    text = report.heading(plan, shlex.join(["bench/peers/run.py", *sys.argv[1:]]), checks, load_before)
    target = options.output or RESULTS / "peers.md"
    target.parent.mkdir(parents=True, exist_ok=True)
    for name in options.corpus:
        part, results = _measure(name, options.limit_docs, tools, plan)
        print(f"\n{part}")
        text += f"\n{part}"
        # written after each corpus: hours of measuring should not be lost to an error in the last one
        target.write_text(f"{text}\n{report.paths(results)}\nLoad after: {report.load()}.\n")
    print(f"wrote {target}")
    lock.close()


def _be_alone() -> IO[str]:
    """Two comparisons at once would measure each other and write to the same folders. Held as long as this is open."""
    lock = environment.FOLDER.with_suffix(".lock").open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        sys.exit("another comparison is running; both would be wrong")
    return lock


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names: dict[str, Any] = {"type": lambda text: text.split(","), "metavar": "NAME,..."}
    seconds: dict[str, Any] = {"type": float, "metavar": "S"}
    parser.add_argument("--corpus", default=["rust_docs"], help="default: rust_docs", **names)
    parser.add_argument("--tools", default=["all"], help="default: all; limits, lookalike, dedup, gaoya, ...", **names)
    parser.add_argument("--rounds", type=int, default=3, help="runs of each tool (default: 3)")
    parser.add_argument("--threads", type=int, default=2, help="threads or processes of each tool (default: 2)")
    parser.add_argument("--limit-docs", type=int, help="only the first documents, to try")
    parser.add_argument("--slow-after", default=120, help="who takes longer runs once (default: 120)", **seconds)
    parser.add_argument("--timeout", default=3600, help="who takes longer is ended (default: 3600)", **seconds)
    parser.add_argument("--check", action="store_true", help="measure nothing")
    parser.add_argument("--output", type=Path, help="the table (default: target/bench-results/peers.md)")
    return parser.parse_args()


def _chosen(groups: list[str]) -> list:
    from tools import all_tools

    tools = all_tools()
    known = {group for tool in tools for group in tool.groups}
    unknown = [group for group in groups if group not in known | {"all"}]
    if unknown:
        sys.exit(f"unknown tools {', '.join(unknown)}; there are {', '.join(sorted(known))}")
    return [tool for tool in tools if "all" in groups or set(tool.groups) & set(groups)]


def _measure(name: str, limit_docs: int | None, tools: list, plan: Any) -> tuple[str, list]:
    import report
    from corpora import corpus
    from measure import Measurement
    from truth import lookalike_is_exact

    source = corpus(name, limit_docs)
    print(f"{source.name}: {source.megabytes:.1f} MB", flush=True)
    measurement = Measurement(source, tools, plan)
    checked = ""
    if any("lookalike" in tool.groups and not tool.missing() for tool in tools):
        pairs = lookalike_is_exact(source, plan.threads)
        checked = f"on the words of the Python tools `lookalike pairs` = the independent join in all {pairs:,} pairs"
    measurement.prepare()
    results = measurement.run()
    return report.section(source, measurement.documents, results, checked), results


if __name__ == "__main__":
    main()
