"""`python bench/peers/drivers PEER CORPUS OUTPUT AUDIT THREADS LANGUAGE`: one peer does the whole job on one corpus."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from drivers.common import Task, save_for_check, stop_the_clock, write_kept  # noqa: E402 (needs the path above)


def main() -> None:
    peer, corpus, output, audit, threads, language = sys.argv[1:]
    task = Task(Path(corpus), Path(output), Path(audit), int(threads), language)
    driver = importlib.import_module(f"drivers.peer_{peer}")
    found = driver.find(task)
    # datatrove writes its own output
    if not getattr(driver, "WRITES_OUTPUT", False):
        write_kept(task, found.keep)
        stop_the_clock(task.audit)
    save_for_check(task.audit, found)


if __name__ == "__main__":
    main()
