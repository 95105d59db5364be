"""Plots of results by matplotlib, which is imported for the first one.

Bars stand in front: the S-curve has axes of its own behind them, and the legend stands below the axes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._results import Plan, _Result

#: Bars of a histogram from 0 to 1.
BINS = 100

#: What the answers of a result are, by its class.
ANSWERS = {"Deduped": "removed documents", "Checked": "documents", "Matches": "matches"}


def draw_similarities(result: _Result, ax: Any) -> Any:
    """A histogram of the similarities of the answers on the left axis, the S-curve of the method on the right one."""
    from matplotlib.ticker import MaxNLocator

    column = _drawn_column(result)
    values = result.table.to_arrow()[column].to_pylist()
    axes = _axes(ax)
    width = result.report["parameters"].get("width") if column == "distance" else None
    answers = ANSWERS.get(type(result).__name__, "pairs")
    if width is None:
        # Positions of the S-curve, which are similarities.
        positions = points = [number / BINS for number in range(BINS + 1)]
        axes.set_xlim(0, 1)
        counts, _, bars = axes.hist(values, bins=points, color="tab:blue", label=answers)
    else:
        # A bar for each distance, its number in the middle.
        positions = list(range(max([*values, result.report["parameters"]["distance"]]) + 1))
        points = [1 - number / width for number in positions]
        edges = [number - 0.5 for number in range(len(positions) + 1)]
        counts, _, bars = axes.hist(values, bins=edges, color="tab:blue", label=answers, rwidth=0.9)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_ylim(0, 1.05 * max(1, *counts))
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel(column)
    axes.set_ylabel(answers)
    drawn = [bars[0], *_draw_threshold(axes, result._native.threshold, width)]
    drawn += _draw_probabilities(axes, positions, result._native.probabilities(points))
    axes.legend(handles=drawn, loc="upper center", bbox_to_anchor=(0.5, -0.15), ncols=len(drawn), frameon=False)
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
    axes.legend(loc="best")
    return axes


def _drawn_column(result: _Result) -> str:
    """The column with what the axis shows.

    Raises:
        ValueError: There is none.
    """
    columns = result.table.columns
    column = next((name for name in ("similarity", "distance") if name in columns), None)
    if column is not None:
        return column
    if "common" in columns:
        raise ValueError("numbers of common elements cannot be drawn: plot() needs similarities or distances")
    raise ValueError(f"{type(result).__name__} have no similarities to draw: plot the result of pairs() or dedup()")


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    import matplotlib.pyplot

    # Makes room for the legend below the axes.
    return matplotlib.pyplot.subplots(layout="constrained")[1]


def _draw_threshold(axes: Any, threshold: float | None, width: int | None) -> list[Any]:
    """Draws the threshold behind the bars; returns what the legend names."""
    if threshold is None:
        return []
    distance = None if width is None else round((1 - threshold) * width)
    x, label = (threshold, f"threshold {threshold:g}") if distance is None else (distance, f"distance {distance}")
    return [axes.axvline(x, color="gray", linestyle="--", label=label, zorder=0.5)]


def _draw_probabilities(axes: Any, positions: list[Any], probabilities: list[float]) -> list[Any]:
    """Draws the S-curve on axes of its own behind the bars, if there is one; returns what the legend names."""
    if not probabilities:
        return []
    right = axes.twinx()
    label = "probability that a pair is found"
    lines: list[Any] = right.plot(positions, probabilities, color="tab:orange", label=label)
    right.set_ylim(0, 1.05)
    right.set_ylabel(label, color="tab:orange")
    axes.set_zorder(right.get_zorder() + 1)
    if axes.patch.get_visible():
        # The background moves behind the curve.
        right.patch.set(visible=True, facecolor=axes.get_facecolor())
        axes.patch.set_visible(False)
    return lines
