#!/usr/bin/env python3
"""Compares lookalike with its peers from PyPI: the whole job, the same corpus, the same shingles and bands, in one run.

    python3 bench/peers/run.py                                          rust_docs, all tools, three rounds
    python3 bench/peers/run.py --corpus license_texts --rounds 1        a first try
    python3 bench/peers/run.py --check                                  only the checks of the checkers
    python3 bench/peers/run.py --corpus generated_1000000,generated_2000000 --tools limits,lookalike

Needs `cargo build --release` (with the example `parse_only` for the limit row); `cargo xtask peers` does that first. Corpora and tools
see corpora.py and tools.py; what is measured and how it is judged, the notes of the table that this writes to bench/results/.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from datetime import datetime, timezone
from pathlib import Path

sys.dont_write_bytecode = True
import environment  # noqa: E402

RESULTS = environment.ROOT / "bench" / "results"
TRIALS = environment.ROOT / "target" / "bench-data" / "peers"


def main() -> None:
    # the modules below need what the environment holds
    environment.ensure_and_enter(Path(__file__).resolve())
    import check
    import report
    from measure import Plan

    options = _options()
    plan = Plan(options.rounds, options.threads, options.slow_after, options.timeout)
    tools = _chosen(options.tools)
    load_before = report.load()
    checks = check.check_all(plan.threads)
    print("\n".join(checks))
    if options.check:
        return
    command = shlex.join(["bench/peers/run.py", *sys.argv[1:]])
    text = report.heading(plan, command, checks, load_before)
    target = options.output or _target(options)
    target.parent.mkdir(parents=True, exist_ok=True)
    results = []
    for name in options.corpus:
        part, results = _measure(name, options.limit_docs, tools, plan)
        print(f"\n{part}")
        text += f"\n{part}"
        # written after each corpus: hours of measuring should not be lost to an error in the last one
        target.write_text(f"{text}\n{report.paths(results)}\nLoad after: {report.load()}.\n")
    print(f"wrote {target}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = {"type": lambda text: text.split(","), "metavar": "NAME,..."}
    parser.add_argument("--corpus", default=["rust_docs"], help="default: rust_docs", **names)
    parser.add_argument("--tools", default=["all"], help="all, limits, lookalike, dedup, pairs, datasketch, ... (default: all)", **names)
    parser.add_argument("--rounds", type=int, default=3, help="runs of each tool (default: 3)")
    parser.add_argument("--threads", type=int, default=2, help="threads or processes of each tool (default: 2)")
    parser.add_argument("--limit-docs", type=int, help="only the first documents, for trying; the table goes to target/")
    parser.add_argument("--slow-after", type=float, default=120, metavar="S", help="a tool that takes longer runs once (default: 120)")
    parser.add_argument("--timeout", type=float, default=3600, metavar="S", help="a tool that takes longer is ended (default: 3600)")
    parser.add_argument("--check", action="store_true", help="measure nothing")
    parser.add_argument("--output", type=Path, help="the table (default: bench/results/DATE-peers.md)")
    return parser.parse_args()


def _target(options: argparse.Namespace) -> Path:
    date = f"{datetime.now(timezone.utc):%Y-%m-%d}"
    return TRIALS / f"{date}-trial.md" if options.limit_docs else RESULTS / f"{date}-peers.md"


def _chosen(groups: list[str]) -> list:
    from tools import all_tools

    tools = all_tools()
    known = {group for tool in tools for group in tool.groups}
    unknown = [group for group in groups if group not in known | {"all"}]
    if unknown:
        sys.exit(f"unknown tools {', '.join(unknown)}; there are {', '.join(sorted(known))}")
    return [tool for tool in tools if "all" in groups or set(tool.groups) & set(groups)]


def _measure(name: str, limit_docs: int | None, tools: list, plan):
    import report
    from corpora import corpus
    from measure import Measurement
    from truth import lookalike_is_exact

    source = corpus(name, limit_docs)
    print(f"{source.name}: {source.megabytes:.1f} MB", flush=True)
    measurement = Measurement(source, tools, plan)
    checked = ""
    if measurement.is_listed and any("lookalike" in tool.groups and not tool.missing() for tool in tools):
        pairs = lookalike_is_exact(source, plan.threads)
        checked = f"`lookalike pairs` = the independent exact join in all {pairs:,} pairs, on the words of the Python tools"
    measurement.prepare()
    results = measurement.run()
    return report.section(source, len(measurement.keys), results, checked), results


if __name__ == "__main__":
    main()
