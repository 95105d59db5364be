"""What a budget of memory costs: seconds, memory, and bytes of temporary files for each byte of input.

    python3 bench/scale/temporary.py BINARY exact,minhash default,1GiB FILE.jsonl ...

Each row is one run of `lookalike dedup FILE --dry-run --removed ...`, without other outputs than its rows. Temporary
bytes are what the system counts as written by the process, less those rows. Linux only.
"""

from __future__ import annotations

import os
import sys
import time
import zlib
from pathlib import Path


def main() -> None:
    binary, methods, budgets, *files = sys.argv[1:]
    print("| MB | method | memory | seconds | peak MiB | temporary bytes a byte | same rows |")
    print("|---:|---|---|---:|---:|---:|---|")
    for file in map(Path, files):
        size = file.stat().st_size
        for method in methods.split(","):
            first = None
            for budget in budgets.split(","):
                rows = file.with_suffix(".removed.csv")
                seconds, peak, written = run(binary, method, budget, file, rows)
                checksum = zlib.crc32(rows.read_bytes())
                first = first or checksum
                share = max(written - rows.stat().st_size, 0) / size
                same = "yes" if checksum == first else "NO"
                measured = f"{seconds:.1f} | {peak >> 20:,} | {share:.2f}"
                print(f"| {size / 1e6:,.0f} | {method} | {budget} | {measured} | {same} |", flush=True)
                rows.unlink()


def run(binary: str, method: str, budget: str, file: Path, rows: Path) -> tuple[float, int, int]:
    """Seconds, the peak of memory and the bytes written by one run."""
    memory = [] if budget == "default" else [f"--memory={budget}"]
    arguments = [binary, "dedup", str(file), "--dry-run", "--method", method, "--removed", str(rows)]
    arguments += ["--temp-dir", str(file.parent), *memory]
    silent = [(os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0)]
    start = time.monotonic()
    process = os.posix_spawn(binary, arguments, os.environ, file_actions=silent)
    _, status, used = os.wait4(process, 0)
    if status != 0:
        sys.exit(f"{' '.join(arguments)} failed")
    return time.monotonic() - start, used.ru_maxrss * 1024, used.ru_oublock * 512


if __name__ == "__main__":
    main()
