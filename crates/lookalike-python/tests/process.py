"""What the tests measure of their own process: its memory, and whether its other threads go on."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

LINUX = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="asks the system for the resident memory")


def resident_bytes() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


@contextmanager
def other_threads_go_on() -> Iterator[None]:
    """Fails if the block holds the lock of the interpreter while it works."""
    steps, is_done = 0, threading.Event()

    def count() -> None:
        nonlocal steps
        while not is_done.is_set():
            steps += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    start = time.perf_counter()
    yield
    seconds = time.perf_counter() - start
    is_done.set()
    thread.join()
    # A thousand in a second if nobody else is at work; a few, while lists are looked through, if the lock were held.
    assert steps > 20 * seconds, f"{steps} steps in {seconds:.1f} s"
