"""Bars show how far a job is."""

from __future__ import annotations

import builtins
import sys
from types import ModuleType
from typing import Any

import lookalike
import pytest
from conftest import make_texts
from lookalike._progress import Watcher


class Bar:
    """What is used of a bar of tqdm, with a record of what it showed."""

    made: list[Bar] = []

    def __init__(self, *, total: int, desc: str, unit: str, unit_scale: bool) -> None:
        self.total, self.desc, self.n, self.is_closed = total, desc, 0, False
        self.shown: list[tuple[int, int]] = []
        Bar.made.append(self)

    def update(self, amount: int) -> None:
        assert not self.is_closed and amount >= 0
        self.n += amount
        self.shown.append((self.n, self.total))

    def close(self) -> None:
        self.is_closed = True


@pytest.fixture
def bars(monkeypatch: pytest.MonkeyPatch) -> list[Bar]:
    module: Any = ModuleType("tqdm.auto")
    module.tqdm = Bar
    monkeypatch.setitem(sys.modules, "tqdm", ModuleType("tqdm"))
    monkeypatch.setitem(sys.modules, "tqdm.auto", module)
    Bar.made = []
    return Bar.made


def test_bars_are_full_when_their_stage_is_done(bars: list[Bar]) -> None:
    with Watcher(True) as watcher:
        assert watcher.callback is not None
        watcher.callback("read", 1, 2, 3, 10, "bytes")
        watcher.callback("read", 1, 2, 12, 20, "bytes")
        watcher.callback("verify", 2, 2, 0, 5, "documents")
    assert [bar.desc for bar in bars] == ["1/2 read", "2/2 verify"]
    assert bars[0].shown == [(3, 10), (12, 20), (20, 20)]
    assert bars[1].shown == [(0, 5), (5, 5)]
    assert all(bar.is_closed for bar in bars)


def test_the_bar_of_a_job_that_failed_is_not_full(bars: list[Bar]) -> None:
    with pytest.raises(KeyboardInterrupt), Watcher(True) as watcher:
        assert watcher.callback is not None
        watcher.callback("read", 1, 2, 3, 10, "bytes")
        raise KeyboardInterrupt
    assert bars[0].shown == [(3, 10)] and bars[0].is_closed


def test_bars_of_a_job_are_full(bars: list[Bar]) -> None:
    lookalike.dedup(make_texts(20_000), 0.3, method="exact", shingle="word:1", progress=True)
    assert bars and all(bar.is_closed and bar.n == bar.total for bar in bars)


def test_a_missing_tqdm_is_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    real_import = builtins.__import__

    def count(name: str, *others: Any, **keywords: Any) -> Any:
        if name.startswith("tqdm"):
            asked.append(name)
            raise ImportError(name)
        return real_import(name, *others, **keywords)

    monkeypatch.setattr(builtins, "__import__", count)
    lookalike.dedup(make_texts(20_000), 0.3, method="exact", shingle="word:1", progress=True)
    assert asked == ["tqdm.auto"]
