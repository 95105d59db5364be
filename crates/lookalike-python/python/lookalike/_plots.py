"""Plots by matplotlib, which is imported for the first one, of plain numbers: results know plots, not the reverse.

Bars stand in front: the S-curve has axes of its own behind them, and the legend stands below the axes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ._needed import needed

#: Bars of a histogram from 0 to 1.
BINS = 100


@dataclass(frozen=True)
class Bits:
    """The signatures whose Hamming distances are counted."""

    width: int
    max_distance: int


@dataclass(frozen=True)
class Histogram:
    """The similarities of the answers of a job, or their distances."""

    #: Each answer's similarity; its distance where there are bits.
    values: list[Any]
    bits: Bits | None
    #: What the answers are.
    answers: str
    title: str
    #: As a similarity; ``None`` if the job has none.
    threshold: float | None
    #: For each similarity the probability that the method finds a pair of it; empty if the method has no S-curve.
    probabilities: Callable[[list[float]], list[float]]


def draw_similarities(shown: Histogram, ax: Any) -> Any:
    """The answers by similarity on the left axis, the S-curve of the method on the right one."""
    locator = needed("matplotlib.ticker", "plot()").MaxNLocator
    axes = _axes(ax)
    bits = shown.bits
    if bits is None:
        # Positions of the S-curve, which are similarities.
        positions = points = [number / BINS for number in range(BINS + 1)]
        axes.set_xlim(0, 1)
        counts, _, bars = axes.hist(shown.values, bins=points, color="tab:blue", label=shown.answers)
    else:
        # A bar for each distance, its number in the middle.
        positions = list(range(max([*shown.values, bits.max_distance]) + 1))
        points = [1 - number / bits.width for number in positions]
        edges = [number - 0.5 for number in range(len(positions) + 1)]
        counts, _, bars = axes.hist(shown.values, bins=edges, color="tab:blue", label=shown.answers, rwidth=0.9)
        axes.xaxis.set_major_locator(locator(integer=True))
    axes.set_ylim(0, 1.05 * max(1, *counts))
    axes.yaxis.set_major_locator(locator(integer=True))
    axes.set_xlabel("similarity" if bits is None else "distance")
    axes.set_ylabel(shown.answers)
    drawn = [bars[0], *_draw_threshold(axes, shown.threshold, bits)]
    drawn += _draw_probabilities(axes, positions, shown.probabilities(points))
    axes.legend(handles=drawn, loc="upper center", bbox_to_anchor=(0.5, -0.15), ncols=len(drawn), frameon=False)
    axes.set_title(shown.title)
    return axes


def draw_curve(label: str, probability: Callable[[float], float], threshold: float, ax: Any) -> Any:
    """The S-curve: the probability that a pair is found, by its similarity."""
    axes = _axes(ax)
    points = [number / BINS for number in range(BINS + 1)]
    axes.plot(points, [probability(point) for point in points], color="tab:orange", label=label)
    _draw_threshold(axes, threshold, None)
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1.05)
    axes.set_xlabel("similarity")
    axes.set_ylabel("probability that a pair is found")
    axes.legend(loc="best")
    return axes


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    # Makes room for the legend below the axes.
    return needed("matplotlib.pyplot", "plot()").subplots(layout="constrained")[1]


def _draw_threshold(axes: Any, threshold: float | None, bits: Bits | None) -> list[Any]:
    """Draws the threshold behind the bars; returns what the legend names."""
    if threshold is None:
        return []
    distance = None if bits is None else round((1 - threshold) * bits.width)
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
