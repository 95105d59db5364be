#!/usr/bin/env python3
"""Puts a server under load: `load.py BINARY IDX FILE.jsonl [SECONDS]`, with `wrk` (Debian's package).

Searches for documents of FILE.jsonl, which are of the size of those in the index, over 64 connections that stay open, on
the machine of the server:

1. as fast as it goes: the saturation rate, and which statuses came;
2. at half of that rate: the time of an answer, by percentile;
3. the same while one request in a hundred is a document that is put;
4. over more connections than questions may wait: only 200 and 429.

Beside each stands the memory of the server. Prints a table in Markdown.
"""

from __future__ import annotations

import argparse
import http.client
import itertools
import json
import subprocess
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

TOKEN = "write-write-write-write"
CONNECTIONS = 64


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("binary")
    arguments.add_argument("index")
    arguments.add_argument("documents")
    arguments.add_argument("seconds", type=int, nargs="?", default=60)
    asked = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bodies = Path(folder, "bodies.txt")
        texts = write_bodies(asked.documents, bodies)
        tokens = Path(folder, "tokens")
        tokens.write_text(f"write {TOKEN}\n")
        command = [asked.binary, "serve", asked.index, "--tokens", tokens, "--listen", "127.0.0.1:0", "--log", "errors"]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
            assert server.stderr is not None
            address = server.stderr.readline().rsplit(" ", 1)[1].strip()
            try:
                measure(server.pid, address, bodies, texts, asked.seconds)
            finally:
                server.terminate()


def write_bodies(documents: str, bodies: Path) -> list[str]:
    """Every fiftieth document with a word changed, as the body of a search."""
    with open(documents, encoding="utf-8") as lines:
        texts = [json.loads(line)["text"] for line in itertools.islice(lines, 0, 500_000, 50)]
    changed = [" ".join(["changed", *text.split()[1:]]) for text in texts]
    bodies.write_text("\n".join(json.dumps({"text": text, "limit": 10}) for text in changed), encoding="utf-8")
    return changed


def measure(pid: int, address: str, bodies: Path, texts: list[str], seconds: int) -> None:
    print("| | rate a second | p50 ms | p90 ms | p99 ms | p99.9 ms | statuses | resident MB |")
    print("|---|---|---|---|---|---|---|---|")

    def run(name: str, connections: int, rate: float | None) -> float:
        pause = 0.0 if rate is None else 1000.0 * connections / rate
        script = [str(Path(__file__).with_name("search.lua")), f"{address}/v1/search", "--", str(bodies), str(pause)]
        flags = ["--latency", "-t", "2", "-c", str(connections), "-d", f"{seconds}s", "-s", *script]
        told = subprocess.run(["wrk", *flags], capture_output=True, text=True, check=True).stdout
        found: dict[str, Any] = json.loads(told.strip().splitlines()[-1])
        times = " | ".join(f"{found[key]:.2f}" for key in ("p50", "p90", "p99", "p99.9"))
        statuses = ", ".join(f"{status}: {count:,}" for status, count in sorted(found["statuses"].items()))
        broken = f", broken: {found['broken']}" if found["broken"] else ""
        print(f"| {name} | {found['rate']:,.0f} | {times} | {statuses}{broken} | {resident(pid):,} |", flush=True)
        return float(found["rate"])

    run("warming up", CONNECTIONS, None)
    saturation = run(f"as fast as it goes, {CONNECTIONS} connections", CONNECTIONS, None)
    half = saturation / 2
    run("half of that", CONNECTIONS, half)
    with putting(address, half / 100, texts) as count:
        run("half of that, and 1 % of it puts", CONNECTIONS, half)
    print(f"\nputs: {count[0]:,}, all acknowledged\n")
    run("400 connections, 128 may wait", 400, None)


class putting:  # noqa: N801
    """Puts documents at a rate, beside what else is done."""

    def __init__(self, address: str, rate: float, texts: list[str]) -> None:
        self._host, self._rate, self._texts = address.removeprefix("http://"), rate, texts
        self._ends, self._count = threading.Event(), [0]
        self._thread = threading.Thread(target=self._put)

    def __enter__(self) -> list[int]:
        self._thread.start()
        return self._count

    def __exit__(self, *_: object) -> None:
        self._ends.set()
        self._thread.join()

    def _put(self) -> None:
        connection = http.client.HTTPConnection(self._host)
        headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
        start = time.monotonic()
        while not self._ends.is_set():
            number = self._count[0]
            body = json.dumps({"text": f"put{number} " + self._texts[number % len(self._texts)]})
            connection.request("PUT", f"/v1/documents/put{number}", body, headers)
            response = connection.getresponse()
            response.read()
            assert response.status in (200, 201), response.status
            self._count[0] += 1
            time.sleep(max(0.0, start + self._count[0] / self._rate - time.monotonic()))


def resident(pid: int) -> int:
    """Memory of the server in megabytes, pages of mapped files included."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) // 1024


if __name__ == "__main__":
    main()
