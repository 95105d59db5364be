"""The progress of a job, told to a function of the caller or drawn as bars of tqdm."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ._results import Progress

Callback = Callable[[Progress], object]


class Watcher:
    """Tells progress to a function of the caller, or draws a bar of tqdm for each stage."""

    def __init__(self, progress: bool | Callback | None) -> None:
        self._bar: Any = None
        self._stage = (0, "")
        self.callback: Callable[[str, int, int, int, int, str], object] | None = None
        if progress is True:
            self._new_bar = _bar_of_tqdm()
            self.callback = self._draw if self._new_bar is not None else None
        elif callable(progress):
            call = progress
            self.callback = lambda *state: call(Progress(*state))
        elif progress not in (None, False):
            raise TypeError("progress: expected a function, True, False or None")

    def _draw(self, stage: str, number: int, stages: int, done: int, total: int, unit: str) -> None:
        if self._bar is None or self._stage != (number, stage):
            self._finish()
            unit = "B" if unit == "bytes" else " docs"
            self._bar = self._new_bar(total=total, desc=f"{number}/{stages} {stage}", unit=unit, unit_scale=True)
            self._stage = (number, stage)
        # The total of a stage grows while its inputs are found.
        self._bar.total = max(total, done)
        self._bar.update(max(0, done - self._bar.n))

    def _finish(self) -> None:
        """Fills and closes the bar of a finished stage, whose last amounts of work were not reported."""
        if self._bar is not None:
            self._bar.update(self._bar.total - self._bar.n)
        self._close()

    def _close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None

    def __enter__(self) -> Watcher:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self._finish()
        else:
            self._close()


def _bar_of_tqdm() -> Any:
    """The class of bars, or ``None`` if tqdm is not installed."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm
