"""Plots of results by matplotlib, which is imported for the first one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._results import Plan, _Result

#: Bars of a histogram from 0 to 1.
BINS = 100


def draw_similarities(result: _Result, ax: Any) -> Any:
    """A histogram of the similarities of the answers on the left axis, the S-curve of the method on the right one."""
    table = result.table
    column = next((name for name in ("similarity", "distance") if name in table.columns), None)
    if column is None and "common" in table.columns:
        raise ValueError("numbers of common elements cannot be drawn: plot() needs similarities or distances")
    if column is None:
        raise ValueError(f"{type(result).__name__} have no similarities to draw: plot the result of pairs() or dedup()")
    values = table.to_arrow()[column].to_pylist()
    axes = _axes(ax)
    width = result.report["parameters"].get("width") if column == "distance" else None
    if width is None:
        edges = [number / BINS for number in range(BINS + 1)]
        axes.set_xlim(0, 1)
    else:
        # A bar for each distance, its number in the middle.
        edges = [number - 0.5 for number in range(max([*values, result.report["parameters"]["distance"]]) + 2)]
    axes.hist(values, bins=edges, color="tab:blue", label=f"{len(values):,} answers")
    axes.set_xlabel(column)
    axes.set_ylabel("answers")
    _draw_threshold(axes, result._native.threshold, width)
    points = [number / BINS for number in range(BINS + 1)]
    if width is not None:
        points = [1 - number / width for number in range(len(edges))]
    probabilities = result._native.probabilities(points)
    if probabilities:
        right = axes.twinx()
        right.plot(points if width is None else range(len(edges)), probabilities, color="tab:orange")
        right.set_ylim(0, 1.05)
        right.set_ylabel("probability that a pair is found", color="tab:orange")
    axes.set_title(repr(result))
    return axes


def draw_curve(plan: Plan, ax: Any) -> Any:
    """The S-curve of a plan, with its threshold."""
    axes = _axes(ax)
    points = [number / BINS for number in range(BINS + 1)]
    label = f"{plan.bands} bands of {plan.rows} rows"
    axes.plot(points, [plan.probability(point) for point in points], color="tab:orange", label=label)
    _draw_threshold(axes, plan.threshold, None)
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1.05)
    axes.set_xlabel("similarity")
    axes.set_ylabel("probability that a pair is found")
    axes.legend(loc="upper left")
    return axes


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    import matplotlib.pyplot

    return matplotlib.pyplot.subplots()[1]


def _draw_threshold(axes: Any, threshold: float | None, width: int | None) -> None:
    if threshold is not None:
        x = threshold if width is None else round((1 - threshold) * width)
        axes.axvline(x, color="gray", linestyle="--")
