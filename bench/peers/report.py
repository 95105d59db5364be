"""The table: Markdown, one section a corpus. No time is printed without the verdict on the answer that it bought.

What the columns mean stands in `bench/results/peers.md`.
"""

from __future__ import annotations

import os
import platform
import subprocess
import textwrap
from datetime import datetime, timezone
from pathlib import Path

import environment
from corpora import Corpus
from judge import Verdict
from measure import Plan, Result
from tools import LOOKALIKE

# The row that others are compared with: the first of these that has a time.
REFERENCES = ("**lookalike dedup**, exact", "**lookalike dedup**, auto")

COLUMNS = [
    "tool",
    "wall s",
    "of runs",
    "MB/s",
    "time / ours",
    "recall",
    "precision",
    "recall, our words",
    "precision, our words",
    "removed",
    "wrongly",
    "missed",
    "peak MB",
    "verified?",
]

def machine() -> str:
    """Processor, cores, memory, system."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{_processor()}, {os.cpu_count()} cores, {memory:.0f} GiB, Linux {platform.release().split('-')[0]}"


def heading(plan: Plan, command: str, checks: list[str], load_before: str) -> str:
    """Date, machine, versions, checks."""
    versions = ", ".join(f"{peer} {version}" for peer, version in environment.versions().items())
    ours = _output_of(str(LOOKALIKE), "--version") or "lookalike"
    lines = [
        "# lookalike and its peers",
        "",
        f"`{command}`, {datetime.now(timezone.utc):%Y-%m-%d %H:%M} UTC.",
        f"{machine()}.",
        f"Load before: {load_before}.",
        f"{ours}, {_output_of('rustc', '--version')}; Python {platform.python_version()}: {versions}.",
        "Compare within a section only.",
        "",
        f"{plan.threads} threads; a tool that needs more than {plan.slow_after_s:g} s runs once. Checked before this run:",
        "",
        *(f"- {check}" for check in checks),
        "",
    ]
    return "\n".join(lines)


def section(corpus: Corpus, documents: int, results: list[Result], checked: str) -> str:
    """The table of one corpus."""
    ours = {result.tool.name: result.median_s for result in results if result.wall_s}
    reference = next((ours[name] for name in REFERENCES if name in ours), None)
    size = f"{documents:,} documents, {corpus.megabytes:.1f} MB"
    lines = [f"## {corpus.name}", "", "; ".join(part for part in (size, checked) if part) + ".", ""]
    lines += [_line(COLUMNS), "|" + "---|" * len(COLUMNS)]
    lines += [_line(_row(result, corpus, reference)) for result in results]
    return "\n".join(lines) + "\n"


def paths(results: list[Result]) -> str:
    """What was run for each tool."""
    lines = ["## What each tool was given", ""]
    for result in results:
        text = f"- {result.tool.name} ({result.tool.parallel}): {result.tool.path}"
        lines += textwrap.wrap(text, 120, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines) + "\n"


def load() -> str:
    """How busy the machine is: the load, and the share of time that something waited for a processor."""
    average = os.getloadavg()[0]
    try:
        waiting = Path("/proc/pressure/cpu").read_text().split()[1].removeprefix("avg10=")
    except (OSError, IndexError):
        return f"{average:.1f}"
    return f"{average:.1f}; in {waiting} % of the last 10 s something waited for a processor"


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _row(result: Result, corpus: Corpus, reference: float | None) -> list[str]:
    tool = result.tool
    if result.problem or not result.wall_s:
        cells = [tool.name, f"not available: {result.problem or 'did not run'}"]
        return cells + [""] * (len(COLUMNS) - len(cells))
    if tool.rule and not result.verdict:
        raise ValueError(f"{tool.name}: there is no verdict on its answer, so its time is not printed")
    wall, runs = result.median_s, len(result.wall_s)
    spread = f"{runs}: {_seconds(min(result.wall_s))}-{_seconds(max(result.wall_s))}" if runs > 1 else "1"
    return [
        tool.name,
        _seconds(wall),
        spread + (f", {result.disturbed_runs} disturbed" if result.disturbed_runs else ""),
        f"{corpus.megabytes / wall:,.1f}",
        f"{wall / reference:.2f}" if reference else "-",
        *_shares(result.verdict),
        *_shares(result.against_ours),
        *_counts(result.verdict),
        f"{max(result.peak_bytes) / 1e6:,.0f}",
        tool.verified,
    ]


def _shares(verdict: Verdict | None) -> list[str]:
    return [_share(verdict.recall), _share(verdict.precision)] if verdict else ["-", "-"]


def _share(share: float) -> str:
    """Four digits; 1 only if nothing is lost to rounding."""
    return "1" if share == 1 else f"{min(share, 0.9999):.4f}"


def _counts(verdict: Verdict | None) -> list[str]:
    if verdict is None:
        return ["-", "-", "-"]
    numbers = (verdict.removed, verdict.wrongly_removed, verdict.missed)
    return ["-" if number is None else f"{number:,}" for number in numbers]


def _seconds(seconds: float) -> str:
    return f"{seconds:.3f}" if seconds < 1 else f"{seconds:.2f}" if seconds < 100 else f"{seconds:.0f}"


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def _output_of(*command: str) -> str:
    try:
        result = subprocess.run(command, capture_output=True, text=True, check=False, cwd=environment.ROOT)
    except OSError:
        return ""
    return result.stdout.strip()
