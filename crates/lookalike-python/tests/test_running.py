"""A job leaves the interpreter, its threads and its memory as they were."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
import signal
import subprocess
import sys
import threading
from pathlib import Path

import lookalike
import pyarrow
import pytest
from conftest import make_texts
from process import LINUX, other_threads_go_on, resident_bytes


def large_texts() -> list[str]:
    """Work for some seconds: any two texts have much in common, and none are near-duplicates."""
    return [" ".join(f"w{(row * 31 + word * (1 + row % 7)) % 997}" for word in range(300)) for row in range(20_000)]


def test_other_threads_go_on_while_a_job_runs() -> None:
    texts = large_texts()
    with other_threads_go_on():
        lookalike.dedup(texts, shingle="word:2", method="exact")


def test_an_interrupt_ends_a_job_within_a_second() -> None:
    code = (
        "import os, signal, sys, threading, time, lookalike\n"
        "sys.path.insert(0, sys.argv[1])\n"
        "from test_running import large_texts\n"
        "texts = large_texts() * 8\n"
        "sent = []\n"
        "def interrupt(progress):\n"
        "    if progress.done and not sent:\n"
        "        sent.append(time.perf_counter())\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "try:\n"
        "    lookalike.dedup(texts, 0.1, shingle='word:1', method='exact', progress=interrupt)\n"
        "    print('finished')\n"
        "except KeyboardInterrupt:\n"
        "    print(time.perf_counter() - sent[0])\n"
    )
    folder = str(Path(__file__).parent)
    done = subprocess.run([sys.executable, "-c", code, folder], capture_output=True, text=True, check=True, timeout=120)
    assert float(done.stdout) < 1.0, done.stdout


@pytest.mark.parametrize("pause", ["time.sleep(0.005)", "sum(range(1000))"])
def test_an_interrupt_ends_an_endless_stream(pause: str) -> None:
    code = (
        "import os, signal, threading, time, lookalike, pyarrow\n"
        "batch = pyarrow.record_batch({'text': ['a b']})\n"
        "def batches():\n"
        "    while True:\n"
        f"        {pause}\n"
        "        yield batch\n"
        "class Endless:\n"
        "    def __arrow_c_stream__(self, requested_schema=None):\n"
        "        return pyarrow.RecordBatchReader.from_batches(batch.schema, batches()).__arrow_c_stream__()\n"
        "threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n"
        "try:\n"
        "    lookalike.dedup(Endless())\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120)
    assert done.stdout == "interrupted\n", done.stderr


def test_progress_is_told_and_an_exception_in_it_ends_the_job() -> None:
    seen: list[lookalike.Progress] = []
    lookalike.dedup(large_texts(), shingle="word:2", progress=seen.append)
    assert seen and all(progress.done <= progress.total for progress in seen)
    assert all(1 <= progress.number <= progress.stages for progress in seen)

    def refuse(progress: lookalike.Progress) -> None:
        raise RuntimeError(progress.stage)

    with pytest.raises(RuntimeError):
        lookalike.dedup(large_texts(), shingle="word:2", progress=refuse)


@LINUX
def test_texts_are_not_copied() -> None:
    code = (
        "import sys, pyarrow, lookalike\n"
        "sys.path.insert(0, sys.argv[1])\n"
        "from process import resident_bytes\n"
        "text = 'one two three four five six seven eight nine ten ' * 20_000\n"
        "texts = [text + str(row) for row in range(200)]\n"
        "data = texts if sys.argv[2] == 'list' else pyarrow.table({'text': texts})\n"
        "size = sum(map(len, texts))\n"
        "lookalike.dedup(['warm'])\n"
        "before = resident_bytes()\n"
        "peak = [0]\n"
        "lookalike.dedup(data, threads=2, progress=lambda _: peak.append(resident_bytes()))\n"
        "print((max(peak + [resident_bytes()]) - before) / size)\n"
    )
    for form in ("list", "table"):
        command = [sys.executable, "-c", code, str(Path(__file__).parent), form]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert float(done.stdout) < 0.3, f"{form}: {done.stdout} of the size of the texts"


def growth_of_a_thousand_calls() -> int:
    """By how many bytes the resident memory grows."""
    texts = make_texts(200)
    table = pyarrow.table({"text": texts, "id": [str(row) for row in range(len(texts))]})

    def call() -> None:
        result = lookalike.dedup(texts)
        assert len(result.removed) == 200 - result.report["result"]["kept"]
        lookalike.pairs(table).to_arrow()
        with pytest.raises(ValueError):
            lookalike.dedup(pyarrow.table({"text": ["a", None]}))

    for _ in range(100):
        call()
    before = resident_bytes()
    for _ in range(1000):
        call()
    return resident_bytes() - before


@LINUX
def test_a_thousand_calls_leave_the_memory_where_it_was() -> None:
    # In a process of its own: what other tests have freed is taken up again bit by bit.
    code = (
        "import sys\n"
        "sys.path.insert(0, sys.argv[1])\n"
        "from test_running import growth_of_a_thousand_calls\n"
        "print(growth_of_a_thousand_calls())\n"
    )
    command = [sys.executable, "-c", code, str(Path(__file__).parent)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert int(done.stdout) < 8 << 20


def _count(texts: list[str]) -> int:
    count: int = lookalike.dedup(texts).report["result"]["kept"]
    return count


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_forked_and_spawned_processes_work(method: str) -> None:
    texts = make_texts(300)
    expected = _count(texts)
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(_count, [texts] * 4, chunksize=1) == [expected] * 4


def test_results_stay_in_their_process_and_their_tables_travel() -> None:
    result = lookalike.dedup(["a b c", "a b c"])
    for held in (result, result.removed, lookalike.pairs(["a"])):
        for send in (pickle.dumps, copy.deepcopy):
            with pytest.raises(TypeError, match=rf"{type(held).__name__} cannot be pickled .*\.to_arrow\(\)"):
                send(held)
        assert copy.copy(held) is held
    assert pickle.loads(pickle.dumps(result.to_arrow())).equals(result.to_arrow())
    chosen = lookalike.plan(0.8)
    assert pickle.loads(pickle.dumps(chosen)) == chosen
    assert copy.deepcopy(lookalike.compare("a b", "a b")).jaccard == 1.0


def test_several_threads_work_at_once() -> None:
    texts = make_texts(300)
    expected, found = _count(texts), []
    threads = [threading.Thread(target=lambda: found.append(_count(texts))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 8


def test_ctrl_c_is_pythons_again_after_a_job() -> None:
    before = signal.getsignal(signal.SIGINT)
    lookalike.dedup(["a", "b"])
    assert signal.getsignal(signal.SIGINT) is before


def test_a_second_interpreter_of_the_process_is_refused() -> None:
    code = (
        "try:\n"
        "    import _interpreters as interpreters\n"
        "except ImportError:\n"
        "    import _xxsubinterpreters as interpreters\n"
        "import lookalike\n"
        "found = interpreters.run_string(interpreters.create(), 'import lookalike')\n"
        "print(found)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    said = done.stdout + done.stderr
    assert "ImportError" in said and "interpreter" in said, said
