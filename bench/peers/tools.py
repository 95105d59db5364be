"""The compared tools: what is run for each, and how its answer is read."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import orjson

import environment
from corpora import Corpus, shards
from drivers.common import BANDS, ROWS, SLOTS, THRESHOLD

HERE = Path(__file__).resolve().parent
RELEASE = environment.ROOT / "target" / "release"
LOOKALIKE = RELEASE / "lookalike"
PARSE_ONLY = RELEASE / "examples" / "parse_only"
MINHASH = ["--method", "minhash", "--bands", str(BANDS), "--rows", str(ROWS), "--permutations", str(SLOTS)]
# spaCy's rules that datatrove is told to use
LANGUAGES = {"gesetze_de": "deu"}


@dataclass(frozen=True)
class Answer:
    """What a tool reported: codes a * documents + b (a < b) of pairs, rising, and which documents stay, if it decides that."""

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
    """`groups` are its names for --tools. `rule` names the shingles that the answer is judged by; None where there is no answer."""

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


def all_tools() -> list[Tool]:
    """In the order of the table: the limits, ours, the peers."""
    return [*_limits(), *_ours(), *_peers()]


def _limits() -> list[Tool]:
    no_answer = {"groups": ("limits",), "rule": None, "read": None, "verified": "-"}
    return [
        Tool(
            name="read only",
            command=lambda job: ["dd", f"if={job.corpus.path}", "of=/dev/null", "bs=1M", "status=none"],
            parallel="1 thread",
            path="`dd` to /dev/null, file in the page cache",
            **no_answer,
        ),
        Tool(
            name="read, parse JSON (Rust)",
            command=lambda job: [str(PARSE_ONLY), str(job.corpus.path), str(job.threads)],
            parallel="threads",
            path="`parse_only`: lookalike's reader and parser, nothing done with the records",
            missing=lambda: "" if PARSE_ONLY.exists() else f"{PARSE_ONLY.relative_to(environment.ROOT)} is not built",
            **no_answer,
        ),
        Tool(
            name="read, parse, shingle (Python)",
            command=_driver("front_end"),
            parallel="processes",
            path="what the Python tools below share, and no tool",
            **no_answer,
        ),
    ]


def _ours() -> list[Tool]:
    methods = [("exact", ["--method", "exact"]), (f"minhash {BANDS} x {ROWS}", MINHASH), ("auto", ["--method", "auto"])]
    tools = []
    for verb, read in (("dedup", _read_removals), ("pairs", _read_pairs)):
        for method, arguments in methods if verb == "dedup" else methods[:2]:
            tools.append(
                Tool(
                    name=f"**lookalike {verb}**, {method}",
                    groups=("lookalike", verb),
                    rule=lambda _: "lookalike",
                    command=_lookalike(verb, arguments),
                    read=read,
                    verified="yes",
                    parallel="threads",
                    path=f"`lookalike {verb} FILE -o OUT {' '.join(arguments)}`",
                    missing=lambda: "" if LOOKALIKE.exists() else "target/release/lookalike is not built",
                    reports_removals=verb == "dedup",
                )
            )
    return tools


def _lookalike(verb: str, arguments: list[str]) -> Callable[[Job], list[str]]:
    def command(job: Job) -> list[str]:
        extra = ["--removed", str(job.work / "removed.jsonl")] if verb == "dedup" else []
        common = ["--threshold", str(THRESHOLD), "--threads", str(job.threads), "--progress", "never"]
        return [str(LOOKALIKE), verb, str(job.corpus.path), "-o", str(job.output), *extra, *common, *arguments]

    return command


def _peers() -> list[Tool]:
    peers = [
        ("datasketch", "python", "no", "processes sketch, one indexes"),
        ("rensa", "python", "no", "processes sketch, one indexes"),
        ("rensa deduplicator", "python", "by estimate", "processes sketch, one decides"),
        ("FastSketchLSH", "python", "no", "processes sketch, threads index"),
        ("gaoya", "gaoya", "by estimate", "threads; reading in one"),
        ("SetSimilaritySearch", "python", "yes", "processes shingle, one joins"),
        ("datatrove", "datatrove", "no", "processes"),
    ]
    failed = environment.unavailable()
    return [
        Tool(
            name=name,
            groups=(name.split()[0],),
            rule=_datatrove_rule if rule == "datatrove" else lambda _, rule=rule: rule,
            command=_driver(name),
            read=_read_audit,
            verified=verified,
            parallel=parallel,
            path=_first_words(name),
            missing=lambda package=name.split()[0]: failed.get(package, ""),
            reports_removals=name == "rensa deduplicator",
        )
        for name, rule, verified, parallel in peers
    ]


def _datatrove_rule(job: Job) -> str:
    return f"datatrove:{job.language}"


def _driver(peer: str) -> Callable[[Job], list[str]]:
    def command(job: Job) -> list[str]:
        source = shards(job.corpus, job.threads) if peer == "datatrove" else job.corpus.path
        fixed = [sys.executable, str(HERE / "drivers"), module_name(peer)]
        return [*fixed, str(source), str(job.output), str(job.work), str(job.threads), job.language]

    return command


def module_name(peer: str) -> str:
    """The end of the name of a driver's module."""
    return peer.lower().replace(" ", "_")


def _first_words(peer: str) -> str:
    """The fast path, as the driver's own description tells it, read without importing the peer."""
    text = (HERE / "drivers" / f"peer_{module_name(peer)}.py").read_text().split('"""')[1]
    return " ".join(text.split())


def _read_audit(job: Job, numbers: dict[str, int]) -> Answer:
    pairs = np.load(job.work / "pairs.npy").astype(np.uint64)
    return Answer(np.unique(pairs[:, 0] * np.uint64(len(numbers)) + pairs[:, 1]), np.load(job.work / "keep.npy"))


def _read_pairs(job: Job, numbers: dict[str, int]) -> Answer:
    return Answer(pair_codes(job.output, ("a", "b"), numbers), None)


def _read_removals(job: Job, numbers: dict[str, int]) -> Answer:
    removed = job.work / "removed.jsonl"
    keep = np.ones(len(numbers), dtype=bool)
    with removed.open("rb") as lines:
        keep[[numbers[orjson.loads(line)["key"]] for line in lines]] = False
    return Answer(pair_codes(removed, ("key", "kept"), numbers), keep)


def pair_codes(path: Path, names: tuple[str, str], numbers: dict[str, int]) -> np.ndarray:
    """Pairs of keys in a JSON Lines file as codes."""
    codes = []
    with path.open("rb") as lines:
        for line in lines:
            record = orjson.loads(line)
            a, b = sorted((numbers[record[names[0]]], numbers[record[names[1]]]))
            codes.append(a * len(numbers) + b)
    return np.unique(np.array(codes, dtype=np.uint64))


