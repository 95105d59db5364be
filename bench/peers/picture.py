#!/usr/bin/env python3
"""Draws the first section of a table of results: `picture.py bench/results/DATE-peers.md OUT.svg`.

One bar a tool, on a logarithmic axis, with what its answer was worth beside it: nobody should see a speed alone.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.dont_write_bytecode = True
import environment  # noqa: E402

OURS, OTHERS, LIMITS = "#1f6f8b", "#c8c8c8", "#e8d9a8"


def main() -> None:
    """Reads the table, writes the picture."""
    table, target = Path(sys.argv[1]), Path(sys.argv[2])
    corpus, rows = _first_section(table.read_text())
    _draw(f"{corpus}: whole job, seconds (logarithmic), median", rows, target)


def _first_section(text: str) -> tuple[str, list[dict[str, str]]]:
    """Name of the corpus and the rows of its table, as dictionaries by column."""
    section = text.split("\n## ")[1]
    corpus = section.splitlines()[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    columns = _cells(lines[0])
    rows = [dict(zip(columns, _cells(line), strict=True)) for line in lines[2:]]
    tools = [row["tool"] for row in rows]
    if len(set(tools)) < len(tools):
        sys.exit(f"{corpus}: a tool has two rows, and its bars would lie upon each other")
    return corpus, [row for row in rows if _is_number(row["wall s"])]


def _cells(line: str) -> list[str]:
    return [cell.strip().replace("**", "") for cell in line.strip("|").split("|")]


def _is_number(cell: str) -> bool:
    return cell.replace(",", "").replace(".", "", 1).isdigit()


def _draw(title: str, rows: list[dict[str, str]], target: Path) -> None:
    import matplotlib

    matplotlib.use("svg")
    # the same bytes for the same table
    matplotlib.rcParams["svg.hashsalt"] = "lookalike"
    matplotlib.rcParams["svg.fonttype"] = "none"
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(9, 0.36 * len(rows) + 1.1))
    seconds = [float(row["wall s"].replace(",", "")) for row in rows]
    bars = axes.barh([row["tool"] for row in rows], seconds, color=[_color(row) for row in rows], log=True)
    axes.bar_label(bars, [_label(row) for row in rows], padding=4, fontsize=8)
    axes.invert_yaxis()
    axes.set_xlim(min(seconds) / 1.5, max(seconds) * 60)
    axes.set_title(title, fontsize=10, loc="left")
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(target, bbox_inches="tight", metadata={"Date": None})


def _color(row: dict[str, str]) -> str:
    if row["recall"] == "-":
        return LIMITS
    return OURS if row["tool"].startswith("lookalike") else OTHERS


def _label(row: dict[str, str]) -> str:
    if row["recall"] == "-":
        return f"{row['wall s']} s"
    return f"{row['wall s']} s, recall {row['recall']}, precision {row['precision']}"


if __name__ == "__main__":
    environment.ensure_and_enter(Path(__file__).resolve())
    main()
