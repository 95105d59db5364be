"""The table: Markdown, one section a corpus. No time is printed without the verdict on the answer that it bought."""

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

NOTES = """\
- All tools: word 5-shingles as sets, Jaccard 0.8, and the MinHash ones 20 bands of 5 rows. Each run is a process of its
  own, from its start to the output written (kept records, or pairs); the files are in the page cache. Rounds go through
  the tools in turn; wall s is the median. A tool that needs more than {slow:g} s runs once. {threads} threads or
  processes each; below it says who can use them. The peers' interpreters need not shut down within their time, and what
  only the check needs they write after it. A run is called disturbed if meanwhile other work kept a tenth of a
  processor or more busy; runs below 0.3 s are too short to tell.
- The limits above lookalike have no answer to judge; that they read, parsed and cut all documents was checked.
- **recall**, **precision**: of the reported pairs, against all true pairs, by the tool's own shingles: Python tools cut
  `re.findall(r"\\w+", text.lower())`, gaoya at ASCII punctuation and blanks, datatrove as it does by default, lookalike
  at Unicode word boundaries. In datatrove all pairs of a bucket count as reported. `lookalike dedup` and rensa's
  deduplicator report removals: recall is the share of true pairs of which not both documents stay; precision is that of
  the pairs (removed, kept), and as rensa's does not say which was kept, the share of its removals that are right. Next
  to them the same against `lookalike pairs --method exact`.
- Texts of fewer than five words are one shingle; in gaoya and datatrove they have none (gaoya then reports all of them
  as alike).
- **removed**: what users do: one of each connected group of reported pairs stays; the two that report removals decide.
  **wrongly**: removed although nothing similar stays. **missed**: stays although something similar before it stays.
  Both by the tool's own shingles. Even true pairs, joined to groups, remove documents that resemble none that stays.
- peak MB: the process with all its children, sampled every 20 ms; pages that they share count for each. The launcher
  makes about 13 of it the least that can be seen.
- The exact answers come from `exact_join.py`, written apart from lookalike, and were checked before this run:
"""


def machine() -> str:
    """Processor, cores, memory, system."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{_processor()}, {os.cpu_count()} cores, {memory:.0f} GiB, Linux {platform.release().split('-')[0]}"


def heading(plan: Plan, command: str, checks: list[str], load_before: str) -> str:
    """Date, machine, versions, notes."""
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
        NOTES.format(slow=plan.slow_after_s, threads=plan.threads) + "\n".join(f"  - {check}" for check in checks),
        "",
    ]
    return "\n".join(lines)


def section(corpus: Corpus, documents: int, results: list[Result], checked: str) -> str:
    """The table of one corpus."""
    ours = {result.tool.name: result.median_s for result in results if result.wall_s}
    reference = next((ours[name] for name in REFERENCES if name in ours), None)
    size = f"{documents:,} documents, {corpus.megabytes:.1f} MB"
    basis = next((f"judged by {result.verdict.basis}" for result in results if result.verdict), "")
    lines = [f"## {corpus.name}", "", "; ".join(part for part in (size, checked, basis) if part) + ".", ""]
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
