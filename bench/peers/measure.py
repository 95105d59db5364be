"""Runs tools in turn, several rounds, and judges what each reported."""

from __future__ import annotations

import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import xxhash

from corpora import Corpus
from generate import DATA
from judge import Verdict, judge
from tools import Answer, Job, Tool
from truth import true_pairs

HERE = Path(__file__).resolve().parent
# A run is disturbed if other work kept this many processors busy; the clock of that is too coarse for very short runs.
DISTURBING_PROCESSORS = 0.1
SHORTEST_JUDGED_S = 0.3


@dataclass
class Result:
    """All runs of one tool on one corpus. A tool that answers has a verdict for each time it has."""

    tool: Tool
    wall_s: list[float] = field(default_factory=list)
    peak_bytes: list[int] = field(default_factory=list)
    disturbed_runs: int = 0
    verdict: Verdict | None = None
    against_ours: Verdict | None = None
    problem: str = ""
    judged: str = ""

    @property
    def median_s(self) -> float:
        """The middle one of the wall times."""
        return statistics.median(self.wall_s)


@dataclass(frozen=True)
class Plan:
    """How to measure."""

    rounds: int
    threads: int
    slow_after_s: float
    timeout_s: float


class Measurement:
    """One corpus and the tools that are compared on it."""

    def __init__(self, corpus: Corpus, tools: list[Tool], plan: Plan) -> None:
        self.corpus, self.plan = corpus, plan
        self.numbers = {key: number for number, key in enumerate(corpus.keys())}
        self.results = [Result(tool, problem=tool.missing()) for tool in tools]
        self.truths: dict[str, np.ndarray] = {}

    @property
    def documents(self) -> int:
        """How many there are."""
        return len(self.numbers)

    def prepare(self) -> None:
        """Does all slow work of the check before any clock runs."""
        runnable = [result.tool for result in self.results if not result.problem]
        for tool in runnable:
            job = self._job(tool)
            # makes the input files of a tool that wants several
            tool.command(job)
            if tool.rule:
                self._truth(tool.rule(job))
        if any(tool.rule for tool in runnable):
            self._truth("lookalike")

    def run(self) -> list[Result]:
        """All rounds, the tools in turn. A slow tool runs once."""
        for number in range(self.plan.rounds):
            for result in self.results:
                is_slow = bool(result.wall_s) and max(result.wall_s) > self.plan.slow_after_s
                if not result.problem and not is_slow:
                    print(f"  round {number + 1}: {result.tool.name}", flush=True)
                    self._run_once(result)
        return self.results

    def _job(self, tool: Tool) -> Job:
        """The tool's own folder, emptied."""
        name = "".join(letter for letter in tool.name.lower().replace(" ", "_") if letter.isalnum() or letter == "_")
        work = DATA / "peers" / self.corpus.name / name
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        return Job(self.corpus, work, self.plan.threads)

    def _run_once(self, result: Result) -> None:
        job = self._job(result.tool)
        report, log, marker = (job.work / name for name in ("report.json", "log.txt", "marker.json"))
        launcher = [sys.executable, "-S", "-E", str(HERE / "launch.py"), str(report), str(log), str(marker), "--"]
        if not self._finishes([*launcher, *result.tool.command(job)]):
            result.problem = f"no answer in {self.plan.timeout_s:g} s"
            return
        measured = json.loads(report.read_text())
        if measured["exit"] != 0:
            lines = [line for line in log.read_text(errors="replace").splitlines() if line.strip()]
            result.problem = f"failed with {measured['exit']}: {lines[-1] if lines else 'without a word'}"
            return
        result.problem = result.tool.confirm(job, self.documents)
        if not result.problem:
            self._judge(result, job)
        if not result.problem:
            wall_s, other = measured["wall_s"], measured["other_processors"]
            result.wall_s.append(wall_s)
            result.peak_bytes.append(measured["peak_bytes"])
            if wall_s >= SHORTEST_JUDGED_S and other > DISTURBING_PROCESSORS:
                result.disturbed_runs += 1
                print(f"    DISTURBED: other work kept {other:.2f} processors busy", flush=True)

    def _finishes(self, command: list[str]) -> bool:
        """Runs a program; false if it takes too long."""
        threads = str(self.plan.threads)
        # one BLAS thread: the peers have their own processes and threads
        settings = {"RAYON_NUM_THREADS": threads, "OMP_NUM_THREADS": threads, "OPENBLAS_NUM_THREADS": "1"}
        process = subprocess.Popen(command, env=os.environ | settings, start_new_session=True)
        try:
            process.wait(self.plan.timeout_s)
        except BaseException as stop:
            # the tool and its processes are a group of their own, which Ctrl-C does not reach
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            if not isinstance(stop, subprocess.TimeoutExpired):
                raise
            return False
        return True

    def _judge(self, result: Result, job: Job) -> None:
        """Judges the answer of this very run; the same answer is not judged twice."""
        tool = result.tool
        if tool.read is None or tool.rule is None:
            return
        answer = tool.read(job, self.numbers)
        written = _count_lines(job.output)
        expected = answer.pairs.size if answer.keep is None else int(answer.keep.sum())
        if written != expected:
            result.problem = f"the output has {written} records, the answer {expected}"
            return
        digest = _digest(answer)
        if digest == result.judged:
            return
        result.judged = digest
        own, ours = self._truth(tool.rule(job)), self._truth("lookalike")
        result.verdict = judge(answer, own, self.documents, tool.reports_removals)
        result.against_ours = judge(answer, ours, self.documents, tool.reports_removals)

    def _truth(self, rule: str) -> np.ndarray:
        if rule not in self.truths:
            self.truths[rule] = true_pairs(self.corpus, rule, self.plan.threads)
        return self.truths[rule]


def _count_lines(output: Path) -> int:
    files = sorted(output.iterdir()) if output.is_dir() else [output]
    return sum(line.count(b"\n") for file in files for line in file.open("rb"))


def _digest(answer: Answer) -> str:
    parts = [answer.pairs] if answer.keep is None else [answer.pairs, answer.keep]
    return "-".join(xxhash.xxh3_128_hexdigest(np.ascontiguousarray(part).data) for part in parts)
