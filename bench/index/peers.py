#!/usr/bin/env python3
"""Compares the stored index of lookalike with the LSH indexes of its peers, in one run: a table in Markdown on stdout.

    python -m venv VENV
    VENV/bin/pip install -c bench/peers/constraints.txt numpy scipy orjson xxhash datasketch redis rensa gaoya
    python bench/index/million.py DATA documents.jsonl 200000
    VENV/bin/python bench/index/peers.py documents.jsonl > table.md

This script runs in the environment of the peers. Redis is Debian's package redis-server; the script starts a server of
its own and ends it. The command needs the release binary; the Python package needs `lookalike` and pyarrow in the
environment. An absent tool costs only its own line of the table.

Documents and queries are first written anew in words that all tools cut alike (questions.py). So all tools compare the
same sets, and one exact answer judges them all.
"""

from __future__ import annotations

import argparse
import itertools
import json
import platform
import shlex
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench" / "peers"))

import numpy as np  # noqa: E402 (some of these are modules of bench/peers)
import orjson  # noqa: E402
from indexes import IN_PROCESS, PERMUTATIONS, THRESHOLD, InProcess, Job, folder_bytes, number_of  # noqa: E402
from questions import CHANGED_EVERY, codes, is_changed, prepare, true_answers  # noqa: E402
from report import load, machine  # noqa: E402

GROUP_DOCS = 256
SEARCHES = 3
REDIS_START_S = 10.0


@dataclass(frozen=True)
class Measured:
    """One run of one tool. `answers` has document numbers for each query."""

    inserted_docs: int
    # sketching included
    insert_s: float
    # None where sketching cannot be separated
    sketch_s: float | None
    # of each query, or only the mean
    query_us: list[float]
    held_bytes: int
    answers: list[list[int]]
    bands: str = "-"


# Runs of each tool, or why there are none.
Results = dict[str, list[Measured] | str]


# Indexes in a process


def measure_in_process(job: Job) -> Measured:
    """Inserts in groups, as documents come in, then asks."""
    index = IN_PROCESS[job.tool](job)
    # what the first sketch allocates for good is no part of the index
    index.sketch(next(groups(job.corpus)))
    empty_bytes = index.held_bytes()
    sketch_s, other_s = insert_all(index, job.corpus)
    held_bytes = index.held_bytes() - empty_bytes
    query_us: list[float] = []
    answers: list[list[int]] = []
    for text in itertools.chain.from_iterable(groups(job.queries)):
        start = time.perf_counter()
        found = index.ask(text)
        query_us.append((time.perf_counter() - start) * 1e6)
        answers.append(found)
    apart_s = sketch_s if index.has_sketches else None
    return Measured(job.documents, sketch_s + other_s, apart_s, query_us, held_bytes, answers, index.bands)


def insert_all(index: InProcess, corpus: Path) -> tuple[float, float]:
    """Seconds of sketching, and of the rest."""
    first, sketch_s, other_s = 0, 0.0, 0.0
    for texts in groups(corpus):
        start = time.perf_counter()
        sketches = index.sketch(texts)
        sketched = time.perf_counter()
        index.insert(first, sketches)
        other_s += time.perf_counter() - sketched
        sketch_s += sketched - start
        first += len(texts)
    start = time.perf_counter()
    index.finish()
    return sketch_s, other_s + time.perf_counter() - start


def groups(path: Path) -> Iterator[list[str]]:
    """The texts of a file, some at a time."""
    with path.open("rb") as file:
        while lines := list(itertools.islice(file, GROUP_DOCS)):
            yield [orjson.loads(line)["text"] for line in lines]


# The command


def measure_create(job: Job) -> Measured:
    """`index create` of all documents."""
    index = job.work / "idx"
    insert_s = command_s(job.binary, "index", "create", index, job.corpus, "-t", THRESHOLD)
    return searched(job, index, job.documents, insert_s)


def measure_add(job: Job) -> Measured:
    """`index add` of the last tenth of the documents to an index of the others."""
    index, old, new = (job.work / name for name in ("idx", "old.jsonl", "new.jsonl"))
    added = max(job.documents // 10, 1)
    with job.corpus.open("rb") as corpus:
        old.write_bytes(b"".join(itertools.islice(corpus, job.documents - added)))
        new.write_bytes(corpus.read())
    command_s(job.binary, "index", "create", index, old, "-t", THRESHOLD)
    return searched(job, index, added, command_s(job.binary, "index", "add", index, new))


def searched(job: Job, index: Path, inserted_docs: int, insert_s: float) -> Measured:
    """Asks all queries in one command."""
    output = job.work / "answers.jsonl"
    search = [job.binary, "search", job.queries, "--in", index, "-t", THRESHOLD, "-o", output]
    search_s = statistics.median(command_s(*search) for _ in range(SEARCHES))
    answers: list[list[int]] = [[] for _ in job.queries.open("rb")]
    for line in output.read_bytes().splitlines():
        answer = orjson.loads(line)
        answers[number_of(answer["query"])].append(number_of(answer["id"]))
    return Measured(inserted_docs, insert_s, None, [search_s / len(answers) * 1e6], folder_bytes(index), answers)


def command_s(*command: Any) -> float:
    """Seconds of a command that must succeed, from start to end."""
    arguments = [*map(str, command), "-q"]
    start = time.perf_counter()
    result = subprocess.run(arguments, capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - start
    if result.returncode:
        sys.exit(f"`{shlex.join(arguments)}`: {' '.join(result.stderr.split())}")
    return seconds


# Name for --tools -> name in the table, function that measures.
TOOLS: dict[str, tuple[str, Callable[[Job], Measured]]] = {
    "datasketch": ("datasketch `MinHashLSH`, memory", measure_in_process),
    "redis": ("datasketch `MinHashLSH`, Redis", measure_in_process),
    "rensa": ("rensa `RMinHashLSH`, memory", measure_in_process),
    "gaoya": ("gaoya `MinHashStringIndex`, memory", measure_in_process),
    "create": ("**lookalike** `index create`, `search`", measure_create),
    "add": ("**lookalike** `index add`, `search`", measure_add),
    "package": ("**lookalike** `Index` of Python", measure_in_process),
}
EXACT = ("create", "add", "package")


# Child processes


@contextmanager
def redis_server(folder: Path) -> Iterator[int]:
    """A server of our own on a free port, which writes nothing to the disk; ended in any case."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    # without a file of settings, none of the system's holds
    settings = f"--port {port} --bind 127.0.0.1 --dir {shlex.quote(str(folder))} --save '' --appendonly no"
    with (folder / "redis.log").open("wb") as log:
        process = subprocess.Popen(["redis-server", *shlex.split(settings)], stdout=log, stderr=log)
    try:
        await_redis(process, port)
        yield port
    finally:
        process.kill()
        process.wait()


def await_redis(process: subprocess.Popen[bytes], port: int) -> None:
    """Waits until the server answers, and makes sure that it is this one."""
    import redis

    end = time.monotonic() + REDIS_START_S
    while process.poll() is None and time.monotonic() < end:
        try:
            if redis.Redis(host="127.0.0.1", port=port).info("server")["process_id"] == process.pid:
                return
        except redis.ConnectionError:
            pass
        time.sleep(0.05)
    raise RuntimeError("redis-server did not start")


def run_child(fields: dict[str, Any], folder: Path) -> Measured:
    """Measures one tool in a fresh process, which is killed if this one is stopped."""
    with tempfile.TemporaryDirectory(dir=folder) as work:
        result = Path(work) / "measured.json"
        with redis_server(Path(work)) if fields["tool"] == "redis" else nullcontext(0) as port:
            job = json.dumps({**fields, "work": work, "redis_port": port}, default=str)
            command = [sys.executable, __file__, "--child", job, str(result)]
            ended = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
        if ended.returncode:
            raise RuntimeError((ended.stderr.strip().splitlines() or [f"ended with {ended.returncode}"])[-1])
        return Measured(**orjson.loads(result.read_bytes()))


def be_child(given: str, result: str) -> None:
    """The work of the child process."""
    fields = orjson.loads(given)
    paths = {name: Path(fields[name]) for name in ("corpus", "queries", "work", "binary")}
    job = Job(**{**fields, **paths})
    Path(result).write_bytes(orjson.dumps(asdict(TOOLS[job.tool][1](job))))


def run_all(options: argparse.Namespace, fields: dict[str, Any], folder: Path) -> Results:
    """All rounds, the tools in turn. A tool that failed is not tried again."""
    results: Results = {tool: [] for tool in options.tools}
    for number, tool in itertools.product(range(options.rounds), options.tools):
        runs = results[tool]
        if isinstance(runs, str):
            continue
        print(f"round {number + 1}: {tool}", file=sys.stderr, flush=True)
        try:
            runs.append(run_child({**fields, "tool": tool}, folder))
        except (OSError, ImportError, RuntimeError) as problem:
            results[tool] = str(problem)
    return results


# The table

COLUMNS = ["tool", "bands", "insert, documents/s", "without sketching", "query p50 us", "p99 us", "bytes/document"]
COLUMNS += ["recall", "of changed queries", "precision"]

NOTES = """\
- {documents:,} documents, word 5-shingles, Jaccard 0.8. One document in {step:g} is a query, {queries:,} in all; every
  other query has one word in {every} replaced.
- **bands**: bands x rows, of {permutations} permutations; each peer's own choice for 0.8. gaoya gives answers whose
  sketches agree enough, the others all that share a band.
- **insert**: in groups of {group}, from texts, in one process; gaoya and the commands use several threads, the others
  one. Sketching includes cutting into shingles, which is done in Python for datasketch and rensa. datasketch sends to
  Redis in batches. Each group that `Index` of lookalike has added is synced. `index create` and `index add` are
  commands from start to end, with reading and parsing; `index add` adds a tenth of the documents to the others.
- **query**: one at a time, from text to ids, sketching included; of `search` the mean of all queries in one command.
- **bytes/document**: growth of the resident memory of a fresh process; growth of used_memory of Redis; size of the
  folder, in which the last documents of `Index` are still in the log. The peers store numbers in place of ids, and
  nothing that an answer could be verified by.
- **recall**, **precision**: of the pairs (query, document), against all {pairs:,} similar ones by definition, of
  which {changed:,} are of changed queries. All tools were given texts that they cut into the same shingles."""


def heading(options: argparse.Namespace, load_before: str) -> list[str]:
    """Command, machine, versions."""
    packages = ("datasketch", "redis", "rensa", "gaoya")
    versions = sorted(f"{found.name} {found.version}" for found in distributions() if found.name in packages)
    return [
        "# The stored index and its peers",
        "",
        f"`{shlex.join(['bench/index/peers.py', *sys.argv[1:]])}`, {datetime.now(timezone.utc):%Y-%m-%d %H:%M} UTC.",
        f"{machine()}. Load before: {load_before}; after: {load()}.",
        f"{version_of(options.binary)}; {version_of('redis-server')};",
        f"Python {platform.python_version()}: {', '.join(versions)}. Runs of each tool: {options.rounds}; medians.",
        "",
    ]


def version_of(program: str | Path) -> str:
    """What a program says, without the details of the build of Redis."""
    try:
        return subprocess.check_output([program, "--version"], text=True).partition(" sha=")[0].strip()
    except (OSError, subprocess.CalledProcessError):
        return f"no {program}"


def notes(options: argparse.Namespace, truth: np.ndarray, documents: int) -> str:
    """What the numbers mean."""
    return NOTES.format(
        documents=documents,
        step=documents / options.queries,
        queries=options.queries,
        every=CHANGED_EVERY,
        permutations=PERMUTATIONS,
        group=GROUP_DOCS,
        pairs=truth.size,
        changed=np.count_nonzero(is_changed(truth // documents)),
    )


def cells(tool: str, runs: list[Measured] | str, truth: np.ndarray, documents: int) -> list[str]:
    """Medians of all runs, and the verdict on the answers of the last one."""
    if isinstance(runs, str):
        return [TOOLS[tool][0], f"not available: {runs}", *[""] * (len(COLUMNS) - 2)]
    found = codes(runs[-1].answers, documents)
    found_changed, true_changed = (pairs[is_changed(pairs // documents)] for pairs in (found, truth))
    shares = [share(found, truth), share(found_changed, true_changed), share(truth, found)]
    held = statistics.median(run.held_bytes for run in runs) / documents
    return [TOOLS[tool][0], runs[-1].bands, *speeds(runs), f"{held:,.0f}", *shares]


def speeds(runs: list[Measured]) -> list[str]:
    """Documents a second with and without sketching, microseconds of queries."""
    insert = statistics.median(run.inserted_docs / run.insert_s for run in runs)
    apart = [run.inserted_docs / (run.insert_s - run.sketch_s) for run in runs if run.sketch_s is not None]
    p50, p99 = (statistics.median(np.percentile(run.query_us, percent) for run in runs) for percent in (50, 99))
    query = [f"{p50:,.0f}", f"{p99:,.0f}"] if len(runs[-1].query_us) > 1 else [f"mean {p50:,.0f}", "-"]
    return [f"{insert:,.0f}", f"{statistics.median(apart):,.0f}" if apart else "-", *query]


def share(found: np.ndarray, wanted: np.ndarray) -> str:
    """How much of what is wanted was found; 1 only if nothing is lost to rounding."""
    common = np.intersect1d(found, wanted, assume_unique=True).size
    return "1" if common == wanted.size else f"{min(common / wanted.size, 0.9999):.4f}"


def compare(options: argparse.Namespace, folder: Path) -> None:
    """The whole comparison; fails if an answer that should be exact is not."""
    load_before, corpus, queries = load(), folder / "documents.jsonl", folder / "queries.jsonl"
    documents = prepare(options, corpus, queries)
    print(f"{documents:,} documents are written; the exact answer ...", file=sys.stderr, flush=True)
    truth = true_answers(corpus, queries)
    fields = {"corpus": corpus, "queries": queries, "documents": documents, "binary": options.binary.resolve()}
    results = run_all(options, fields, folder)
    table = [COLUMNS, ["---"] * len(COLUMNS), *(cells(tool, runs, truth, documents) for tool, runs in results.items())]
    print("\n".join([*heading(options, load_before), notes(options, truth, documents), ""]))
    print("\n".join(f"| {' | '.join(line)} |" for line in table))
    for tool, runs in results.items():
        judged = runs if tool in EXACT and not isinstance(runs, str) else []
        if not all(np.array_equal(codes(run.answers, documents), truth) for run in judged):
            sys.exit(f"WRONG: {tool} has other answers than the definition")


def parse_options() -> argparse.Namespace:
    """What the user wants."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, help="JSON Lines with `text`, made by bench/index/million.py")
    parser.add_argument("--binary", type=Path, default=ROOT / "target/release/lookalike", help="default: %(default)s")
    parser.add_argument("--documents", type=int, default=200_000, help="the first of the file (default: %(default)s)")
    parser.add_argument("--queries", type=int, default=2_000, help="default: %(default)s")
    parser.add_argument("--tools", default=",".join(TOOLS), help="default: %(default)s")
    parser.add_argument("--rounds", type=int, default=1, help="runs of each tool (default: %(default)s)")
    parser.add_argument("--folder", type=Path, help="for temporary files, five times the size of the documents")
    options = parser.parse_args()
    options.tools = options.tools.split(",")
    unknown = [tool for tool in options.tools if tool not in TOOLS]
    if unknown:
        parser.error(f"--tools: unknown {', '.join(unknown)}; there are {', '.join(TOOLS)}")
    return options


def main() -> None:
    if sys.argv[1:2] == ["--child"]:
        be_child(*sys.argv[2:])
        return
    options = parse_options()
    # a signal also ends the child and the server
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        compare(options, Path(folder))


if __name__ == "__main__":
    main()
