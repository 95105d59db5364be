"""Rows as a small table, for ``repr`` and for notebooks."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any

#: Rows that are shown.
SHOWN_ROWS = 5
#: Letters of a cell, and of a line.
_CELL, _LINE = 40, 110


def lines_of(names: Sequence[str], rows: Sequence[dict[str, Any]], count: int) -> list[str]:
    """The first rows of ``count`` below the names of their columns; numbers stand at the right. None without rows."""
    if not rows:
        return []
    columns = [[name, *(_cell(row[name]) for row in rows)] for name in names]
    is_number = [all(isinstance(row[name], (int, float)) for row in rows) for name in names]
    widths = [max(map(len, column)) for column in columns]
    fitting = len(names)
    while fitting > 1 and sum(widths[:fitting]) + 2 * (fitting - 1) > _LINE:
        fitting -= 1
    lines = []
    for line in zip(*columns[:fitting], strict=True):
        cells = [
            cell.rjust(width) if number else cell.ljust(width)
            for cell, width, number in zip(line, widths, is_number, strict=False)
        ]
        lines.append("  ".join(cells).rstrip())
    if fitting < len(names):
        lines.append(f"... and the columns {', '.join(names[fitting:])}")
    if count > len(rows):
        more = count - len(rows)
        lines.append(f"... and {more:,} more {'row' if more == 1 else 'rows'}")
    return lines


def table_of(names: Sequence[str], rows: Sequence[dict[str, Any]], count: int) -> str:
    """The same as HTML."""
    if not rows:
        return ""
    head = "".join(f"<th>{html.escape(name)}</th>" for name in names)
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(_cell(row[name]))}</td>" for name in names) + "</tr>" for row in rows
    )
    more = f"<caption>first {len(rows)} of {count:,} rows</caption>" if count > len(rows) else ""
    return f"<table>{more}<tr>{head}</tr>{body}</table>"


def _cell(value: object) -> str:
    if value is None:
        return ""
    text = f"{value:.4f}" if isinstance(value, float) else str(value)
    printable = "".join(letter if letter.isprintable() else " " for letter in text)
    return printable if len(printable) <= _CELL else printable[: _CELL - 1] + "…"
