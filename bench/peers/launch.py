"""Runs one program and measures it: `launch.py REPORT LOG MARKER -- PROGRAM ARGUMENT...`; writes JSON to REPORT.

A process of its own, and a small one: Linux counts the memory of the process that starts another into the other's peak,
so the large caller must not be the parent.

Wall time is from start to end, or, where the program writes MARKER, to the moment that it names: drivers of the peers
write it when their output stands, before they dump what only the check needs. Peak memory is the largest sum over the
process and its descendants seen every 20 ms, and at least the peak of the process itself as the kernel kept it.

Other work: how many processors were busy on average with something else. A load looked up before a run of minutes says
nothing about the run.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import subprocess
import sys
import threading
import time
from pathlib import Path

INTERVAL_S = 0.02
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
TICKS_PER_S = os.sysconf("SC_CLK_TCK")
PR_SET_CHILD_SUBREAPER = 36


def resident_bytes(process: int) -> int:
    """Memory of a process and its descendants. Pages that they share count for each of them."""
    try:
        total = int(Path(f"/proc/{process}/statm").read_text().split()[1]) * PAGE_BYTES
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except (OSError, IndexError):
        return 0
    return total + sum(resident_bytes(int(child)) for child in children)


def busy_s() -> float:
    """Time that all processors together have worked: all but idle, waiting for a disk, and taken by the host."""
    user, nice, system, _, _, interrupts, soft = map(int, Path("/proc/stat").read_text().split()[1:8])
    return (user + nice + system + interrupts + soft) / TICKS_PER_S


def reap_all() -> None:
    """Waits for descendants whose parents have ended: only then does their work count as the tool's."""
    try:
        while True:
            os.wait()
    except ChildProcessError:
        return


class Sampler(threading.Thread):
    """Looks at the memory until told to stop."""

    def __init__(self, process: int) -> None:
        super().__init__(daemon=True)
        self.process = process
        self.samples: list[tuple[float, int]] = []
        self.done = threading.Event()

    def run(self) -> None:
        while not self.done.wait(INTERVAL_S):
            self.samples.append((time.monotonic(), resident_bytes(self.process)))


def main() -> None:
    report, log, marker = (Path(argument) for argument in sys.argv[1:4])
    marker.unlink(missing_ok=True)
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    with log.open("wb") as words:
        busy, start = busy_s(), time.monotonic()
        process = subprocess.Popen(sys.argv[5:], stdout=words, stderr=words)
        sampler = Sampler(process.pid)
        sampler.start()
        _, status, usage = os.wait4(process.pid, 0)
    end = time.monotonic()
    reap_all()
    own = resource.getrusage(resource.RUSAGE_CHILDREN)
    other_s = busy_s() - busy - own.ru_utime - own.ru_stime
    other_processors = max(other_s, 0.0) / (time.monotonic() - start)
    sampler.done.set()
    own_peak = usage.ru_maxrss * 1024
    if marker.exists():
        finished = json.loads(marker.read_text())
        end, own_peak = finished["monotonic_s"], finished["peak_bytes"]
    seen = [resident for moment, resident in sampler.samples if moment <= end]
    result = {
        "exit": os.waitstatus_to_exitcode(status),
        "wall_s": end - start,
        "peak_bytes": max([own_peak, *seen]),
        "other_processors": other_processors,
    }
    report.write_text(json.dumps(result))


if __name__ == "__main__":
    main()
