"""The compared tools: what is run for each, and how its answer is read."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import orjson

import environment
from corpora import Corpus, shards
from drivers.common import BANDS, ROWS, SLOTS, THRESHOLD

HERE = Path(__file__).resolve().parent
RELEASE = environment.ROOT / "target" / "release"
LOOKALIKE = RELEASE / "lookalike"
FLOOR = RELEASE / "examples" / "floor"
MINHASH = ["--method", "minhash", "--bands", str(BANDS), "--rows", str(ROWS), "--permutations", str(SLOTS)]
# The language whose rules spaCy follows in datatrove, where it is not English.
LANGUAGES = {"gesetze_de": "deu"}


@dataclass(frozen=True)
class Answer:
    """What a tool reported: codes a * documents + b (a < b) of pairs, rising; which documents stay, if it says so."""

    pairs: np.ndarray
    keep: np.ndarray | None


@dataclass(frozen=True)
class Job:
    """One tool on one corpus: `work` holds all that it writes."""

    corpus: Corpus
    work: Path
    threads: int

    @property
    def output(self) -> Path:
        """Where the kept records, or the pairs, go."""
        return self.work / "output.jsonl"

    @property
    def language(self) -> str:
        """The language of the corpus as datatrove names it."""
        return next((code for name, code in LANGUAGES.items() if self.corpus.name.startswith(name)), "eng")


@dataclass(frozen=True)
class Tool:
    """`groups` are its names for --tools. `rule` names the shingles that it is judged by; None if it has no answer."""

    name: str
    groups: tuple[str, ...]
    rule: Callable[[Job], str] | None
    command: Callable[[Job], list[str]]
    read: Callable[[Job, dict[str, int]], Answer] | None
    verified: str
    parallel: str
    path: str
    missing: Callable[[], str] = lambda: ""
    reports_removals: bool = False
    # what shows that a tool without an answer did its work: returns what is wrong
    confirm: Callable[[Job, int], str] = lambda job, documents: ""


def all_tools() -> list[Tool]:
    """In the order of the table: the limits, ours, the peers."""
    return [*_limits(), *_ours(), *_peers()]


def _limits() -> list[Tool]:
    # a limit that stopped halfway would make all look slow beside it
    not_built = "" if FLOOR.exists() else f"{FLOOR.relative_to(environment.ROOT)} is not built"
    nothing: dict[str, Any] = {"groups": ("limits",), "rule": None, "read": None, "verified": "-"}
    return [
        Tool(
            name="read only",
            command=lambda job: ["dd", f"if={job.corpus.path}", "of=/dev/null", "bs=1M"],
            parallel="1 thread",
            path="`dd` to /dev/null, file in the page cache",
            confirm=_read_all_bytes,
            **nothing,
        ),
        Tool(
            name="read, parse JSON (Rust)",
            command=lambda job: [str(FLOOR), "parse", str(job.corpus.path), str(job.threads)],
            parallel="threads",
            path="`floor parse`: lookalike's reader and parser, nothing done with the records",
            missing=lambda: not_built,
            confirm=_parsed_all_texts,
            **nothing,
        ),
        Tool(
            name="read, parse, hash tokens (Rust)",
            command=lambda job: [str(FLOOR), "tokens", str(job.corpus.path), str(job.threads)],
            parallel="threads",
            path="`floor tokens`: lookalike's reader, parser and tokenizer, nothing kept",
            missing=lambda: not_built,
            confirm=_parsed_all_texts,
            **nothing,
        ),
        Tool(
            name="read, parse, shingle (Python)",
            command=_driver("front_end"),
            parallel="processes",
            path="what the Python tools share, and no tool",
            confirm=_cut_all_texts,
            **nothing,
        ),
    ]


def _read_all_bytes(job: Job, _: int) -> str:
    log = (job.work / "log.txt").read_text()
    return "" if f"\n{job.corpus.path.stat().st_size} bytes" in log else f"did not read all: {log}"


def _parsed_all_texts(job: Job, documents: int) -> str:
    log = (job.work / "log.txt").read_text()
    parsed = orjson.loads(log)
    text_bytes = sum(len(orjson.loads(line)["text"].encode()) for line in job.corpus.lines())
    return "" if (parsed["records"], parsed["text_bytes"]) == (documents, text_bytes) else f"did not parse all: {log}"


def _cut_all_texts(job: Job, documents: int) -> str:
    cut = np.load(job.work / "keep.npy").size
    return "" if cut == documents else f"cut {cut} of {documents} texts"


def _ours() -> list[Tool]:
    exact, minhash = ("exact", ["--method", "exact"]), (f"minhash {BANDS} x {ROWS}", MINHASH)
    auto = ("auto", ["--method", "auto"])
    dedup = [_lookalike("dedup", *method) for method in (exact, minhash, auto)]
    return [*dedup, *(_lookalike("pairs", *method) for method in (exact, minhash))]


def _lookalike(verb: str, method: str, arguments: list[str]) -> Tool:
    def command(job: Job) -> list[str]:
        extra = ["--removed", str(job.work / "removed.jsonl")] if verb == "dedup" else []
        common = ["--threshold", str(THRESHOLD), "--threads", str(job.threads), "--progress", "never"]
        return [str(LOOKALIKE), verb, str(job.corpus.path), "-o", str(job.output), *extra, *common, *arguments]

    removed = " --removed WHY" if verb == "dedup" else ""
    return Tool(
        name=f"**lookalike {verb}**, {method}",
        groups=("lookalike", verb),
        rule=lambda _: "lookalike",
        command=command,
        read=_read_removals if verb == "dedup" else _read_pairs,
        verified="yes",
        parallel="threads",
        path=f"`lookalike {verb} FILE -o OUT{removed} {' '.join(arguments)}`",
        missing=lambda: "" if LOOKALIKE.exists() else "target/release/lookalike is not built",
        reports_removals=verb == "dedup",
    )


def _peers() -> list[Tool]:
    return [
        _peer("datasketch", "python", "no", "processes sketch, one indexes"),
        _peer("rensa", "python", "no", "processes sketch, one indexes"),
        _peer("rensa deduplicator", "python", "by estimate", "processes sketch, one decides"),
        _peer("FastSketchLSH", "python", "no", "processes sketch, threads index"),
        _peer("gaoya", "gaoya", "by estimate", "threads; reading in one"),
        _peer("SetSimilaritySearch", "python", "yes", "processes shingle, one joins"),
        _peer("datatrove", "datatrove", "no", "processes"),
    ]


def _peer(name: str, rule: str, verified: str, parallel: str) -> Tool:
    """`rensa deduplicator` is the package rensa and the driver drivers/peer_rensa_deduplicator.py."""
    package, module = name.split()[0], name.lower().replace(" ", "_")
    # the driver's own words, read without importing the peer
    description = (HERE / "drivers" / f"peer_{module}.py").read_text().split('"""')[1]
    return Tool(
        name=name,
        groups=(package,),
        rule=lambda job: f"datatrove:{job.language}" if rule == "datatrove" else rule,
        command=_driver(module),
        read=_read_audit,
        verified=verified,
        parallel=parallel,
        path=" ".join(description.split()),
        missing=lambda: environment.unavailable().get(package, ""),
        reports_removals=name == "rensa deduplicator",
    )


def _driver(module: str) -> Callable[[Job], list[str]]:
    def command(job: Job) -> list[str]:
        source = shards(job.corpus, job.threads) if module == "datatrove" else job.corpus.path
        fixed = [sys.executable, str(HERE / "drivers"), module]
        return [*fixed, str(source), str(job.output), str(job.work), str(job.threads), job.language]

    return command


def _read_audit(job: Job, numbers: dict[str, int]) -> Answer:
    pairs = np.load(job.work / "pairs.npy").astype(np.uint64)
    return Answer(np.unique(pairs[:, 0] * np.uint64(len(numbers)) + pairs[:, 1]), np.load(job.work / "keep.npy"))


def _read_pairs(job: Job, numbers: dict[str, int]) -> Answer:
    return Answer(pair_codes(job.output, ("a", "b"), numbers), None)


def _read_removals(job: Job, numbers: dict[str, int]) -> Answer:
    removed = job.work / "removed.jsonl"
    keep = np.ones(len(numbers), dtype=bool)
    with removed.open("rb") as lines:
        keep[[numbers[orjson.loads(line)["id"]] for line in lines]] = False
    return Answer(pair_codes(removed, ("id", "kept"), numbers), keep)


def pair_codes(path: Path, names: tuple[str, str], numbers: dict[str, int]) -> np.ndarray:
    """Pairs of keys in a JSON Lines file as codes."""
    codes = []
    with path.open("rb") as lines:
        for line in lines:
            record = orjson.loads(line)
            a, b = sorted((numbers[record[names[0]]], numbers[record[names[1]]]))
            codes.append(a * len(numbers) + b)
    return np.unique(np.array(codes, dtype=np.uint64))
