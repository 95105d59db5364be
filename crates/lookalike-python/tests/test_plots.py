"""Pictures show the numbers of the results."""

from __future__ import annotations

from typing import Any

import lookalike
import matplotlib
import numpy
import pyarrow
import pytest
from conftest import make_texts

matplotlib.use("Agg")


def bars(axes: Any) -> list[int]:
    return [round(patch.get_height()) for patch in axes.patches]


def test_a_histogram_counts_all_pairs_beside_the_s_curve() -> None:
    found = lookalike.pairs(make_texts(500), 0.5, method="minhash")
    axes = found.plot()
    similarities = found.to_arrow()["similarity"].to_numpy()
    expected, _ = numpy.histogram(similarities, bins=[number / 100 for number in range(101)])
    assert len(similarities) > 100
    assert bars(axes) == expected.tolist()
    method = found.report["method"]
    curve = next(other for other in axes.figure.axes if other is not axes).lines[0]
    expected = [1 - (1 - x ** method["rows"]) ** method["bands"] for x in curve.get_xdata()]
    assert numpy.allclose(curve.get_ydata(), expected)
    assert axes.lines[0].get_xdata()[0] == 0.5


def test_distances_have_a_bar_each() -> None:
    bits = pyarrow.table({"id": ["a", "b", "c"], "bits": ["0000000000000000", "0000000000000001", "0000000000000007"]})
    found = lookalike.pairs(bits, measure="hamming", distance=3, bits="bits")
    axes = found.plot()
    assert bars(axes) == [0, 1, 1, 1]
    assert axes.lines[0].get_xdata()[0] == 3
    # Each bar is around its number, and the curve ends where they do.
    assert [round(patch.get_x() + patch.get_width() / 2, 6) for patch in axes.patches] == [0, 1, 2, 3]
    curve = next(other for other in axes.figure.axes if other is not axes).lines[0]
    assert list(curve.get_xdata()) == [0, 1, 2, 3]


def labels(axes: Any) -> list[str]:
    return [text.get_text() for text in axes.get_legend().get_texts()]


def test_threshold_and_curve_have_labels_and_nothing_covers_the_bars() -> None:
    axes = lookalike.pairs(make_texts(500), 0.5, method="minhash").plot()
    assert labels(axes) == ["pairs", "threshold 0.5", "probability that a pair is found"]
    curve = next(other for other in axes.figure.axes if other is not axes)
    assert curve.get_zorder() < axes.get_zorder() and curve.patch.get_visible() and not axes.patch.get_visible()
    assert all(axes.lines[0].get_zorder() < patch.get_zorder() for patch in axes.patches)
    axes.figure.draw_without_rendering()
    assert axes.get_legend().get_window_extent().y1 < axes.get_window_extent().y0
    assert axes.get_legend().get_window_extent().y0 >= 0
    assert labels(lookalike.plan(0.8).plot()) == ["16 bands of 6 rows", "threshold 0.8"]


def test_numbers_of_answers_are_integers() -> None:
    for texts in (["a b c d e f", "A b c d e f"], ["a"], make_texts(500)):
        axes = lookalike.dedup(texts).plot()
        ticks = axes.get_yticks()
        assert axes.get_ylim()[0] == 0 and len(ticks) > 1 and all(tick == round(tick) for tick in ticks)


def test_a_result_draws_on_the_axes_that_it_is_given() -> None:
    from matplotlib.figure import Figure

    axes = Figure().subplots()
    assert lookalike.dedup(make_texts(100)).plot(axes) is axes
    assert lookalike.dedup(["a"]).plot(axes) is axes
    curve = lookalike.plan(0.8).plot()
    assert curve.lines[0].get_ydata()[80] == pytest.approx(lookalike.plan(0.8).recall)


def test_numbers_of_common_elements_cannot_be_drawn() -> None:
    found = lookalike.pairs(["a b", "a b"], shingle="word:1", measure="overlap", min_common=1)
    with pytest.raises(ValueError, match="only similarities and numbers of bits are drawn"):
        found.plot()


def test_clusters_have_nothing_to_draw() -> None:
    with pytest.raises(ValueError, match="no similarities"):
        lookalike.clusters(["a", "b"]).plot()
