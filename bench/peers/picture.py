#!/usr/bin/env python3
"""Draws the first section of a table of results: `picture.py bench/results/peers.md OUT.svg`.

One row a tool: a bar on a logarithmic axis, and in columns beside it what its answer was worth, for nobody should see a
speed alone. A test of xtask (`picture.rs`) compares the drawing with the table: each tool once, no text upon another.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

sys.dont_write_bytecode = True
import environment  # noqa: E402

KINDS = {"lookalike": "#1f6f8b", "other tools": "#b9b9b9", "reading alone: no answer": "#e3cf93"}
# Heading of a column beside the bars -> column of the table, and where it is centred, in widths of the axes.
COLUMNS = {"recall": ("recall", 1.08), "precision": ("precision", 1.25), "verified?": ("verified?", 1.45)}


def main() -> None:
    """Reads the table, writes the picture."""
    table, target = Path(sys.argv[1]), Path(sys.argv[2])
    title, rows = _first_section(table.read_text())
    _draw(title, rows, target)


def _first_section(text: str) -> tuple[str, list[dict[str, str]]]:
    """What was measured, and the rows of its table, as dictionaries by column."""
    section = text.split("\n## ")[1].splitlines()
    size = next(line for line in section if " documents, " in line).split(";")[0]
    lines = [line for line in section if line.startswith("|")]
    columns = _cells(lines[0])
    rows = [dict(zip(columns, _cells(line), strict=True)) for line in lines[2:]]
    return f"{section[0]}: {size}", [row for row in rows if _is_number(row["wall s"])]


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

    figure, axes = pyplot.subplots(figsize=(6, 0.3 * len(rows) + 1))
    # By number, not by name: bars of one name would share one place.
    seconds = [float(row["wall s"].replace(",", "")) for row in rows]
    bars = axes.barh(range(len(rows)), seconds, height=0.7, color=[KINDS[_kind(row)] for row in rows], log=True)
    axes.bar_label(bars, [row["wall s"] for row in rows], padding=3, fontsize=9)
    axes.set_yticks(range(len(rows)), [row["tool"] for row in rows], fontsize=9)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xlim(min(seconds) / 2, max(seconds) * 6)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.tick_params(axis="x", labelsize=9)
    axes.set_xlabel("seconds for the whole job (logarithmic)", fontsize=9)
    axes.spines[["top", "right"]].set_visible(False)
    _add_columns(axes, rows)
    _add_legend(figure, axes)
    axes.text(0, 1.14, title, transform=axes.transAxes, fontsize=11)
    figure.savefig(target, bbox_inches="tight", metadata={"Date": None})


def _kind(row: dict[str, str]) -> str:
    if row["recall"] == "-":
        return "reading alone: no answer"
    return "lookalike" if row["tool"].startswith("lookalike") else "other tools"


def _add_columns(axes: Any, rows: list[dict[str, str]]) -> None:
    """What the answers are worth, beside the bars."""
    style = {"horizontalalignment": "center", "verticalalignment": "center", "fontsize": 9}
    for heading, (column, place) in COLUMNS.items():
        axes.text(place, -1, heading, transform=axes.get_yaxis_transform(), fontweight="bold", **style)
        for number, row in enumerate(rows):
            axes.text(place, number, row[column], transform=axes.get_yaxis_transform(), **style)


def _add_legend(figure: Any, axes: Any) -> None:
    from matplotlib.patches import Patch

    handles = [Patch(color=color, label=kind) for kind, color in KINDS.items()]
    place = {"loc": "upper left", "bbox_to_anchor": (-0.02, 1.13), "bbox_transform": axes.transAxes}
    figure.legend(handles=handles, ncols=len(handles), frameon=False, fontsize=9, borderpad=0, **place)


if __name__ == "__main__":
    environment.ensure_and_enter(Path(__file__).resolve())
    main()
