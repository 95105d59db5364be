"""How far a job has come: to a function of the caller, or a bar of tqdm."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ._results import Progress

Callback = Callable[[Progress], object]


class Watcher:
    """Hands progress to the caller, or to a bar of tqdm."""

    def __init__(self, progress: bool | Callback | None) -> None:
        self._bar: Any = None
        self._stage = ""
        self.callback: Callable[[str, int, int, int, int, str], object] | None = None
        if progress is True:
            self.callback = self._draw
        elif callable(progress):
            call = progress
            self.callback = lambda *state: call(Progress(*state))
        elif progress not in (None, False):
            raise TypeError("progress: expected a function, True, False or None")

    def _draw(self, stage: str, number: int, stages: int, done: int, total: int, unit: str) -> None:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            self.callback = None
            return
        if self._bar is None or self._stage != stage:
            self._close()
            unit = "B" if unit == "bytes" else " docs"
            self._bar = tqdm(total=total, desc=f"{number}/{stages} {stage}", unit=unit, unit_scale=True)
            self._stage = stage
        self._bar.update(max(0, done - self._bar.n))

    def _close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None

    def __enter__(self) -> Watcher:
        return self

    def __exit__(self, *_: object) -> None:
        self._close()
