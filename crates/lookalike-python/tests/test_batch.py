"""Batch functions and joins give the answers of the jobs; columns of all kinds are read, others refused."""

from __future__ import annotations

import multiprocessing
import pickle
import random
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

import lookalike
import pandas
import polars
import pyarrow
import pytest
from arrow_chain import Found, search
from conftest import make_texts
from lookalike import batch
from process import LINUX, other_threads_go_on, resident_bytes

STRINGS = [pyarrow.string(), pyarrow.large_string(), pyarrow.string_view()]


def cut(texts: list[str | None], seed: int) -> list[Any]:
    """Random consecutive batches: slices of arrays, and chunked arrays, of all types of strings."""
    rng = random.Random(seed)
    cuts = sorted([0, len(texts), *(rng.randrange(len(texts) + 1) for _ in range(5))])
    batches = []
    for start, end in zip(cuts, cuts[1:], strict=False):
        whole = pyarrow.array(texts, rng.choice(STRINGS))
        middle = rng.randrange(start, end + 1)
        parts = [whole.slice(start, middle - start), whole.slice(middle, end - middle)]
        batches.append(rng.choice([whole.slice(start, end - start), pyarrow.chunked_array(parts)]))
    return batches


def of_jobs(texts: list[str], threshold: float, **options: Any) -> Found:
    """The answers of the jobs."""
    pairs = lookalike.pairs(texts, threshold, **options).to_arrow()
    removed = lookalike.dedup(texts, threshold, **options).to_arrow()
    roots = list(range(len(texts)))
    members = lookalike.clusters(texts, threshold, **options).to_arrow()
    firsts: dict[int, int] = {}
    for cluster, row in zip(members["cluster"].to_pylist(), members["row"].to_pylist(), strict=True):
        roots[row] = firsts.setdefault(cluster, row)
    columns = [pairs[name].to_pylist() for name in ("a_row", "b_row", "similarity")]
    kept = zip(removed["kept_row"].to_pylist(), removed["similarity"].to_pylist(), strict=True)
    return Found(sorted(zip(*columns, strict=True)), dict(zip(removed["row"].to_pylist(), kept, strict=True)), roots)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("method", ["exact", "minhash"])
def test_a_chain_of_batches_and_joins_has_the_answers_of_the_jobs(method: str, seed: int) -> None:
    texts = make_texts(600, seed)
    threshold = [0.5, 0.8, 1.0][seed % 3]
    expected = of_jobs(texts, threshold, method=method)
    signed = seed % 2 == 1
    found = search(cut([*texts], seed), threshold, exact=method == "exact", signed=signed, method=method)
    assert found == expected
    assert len(expected.pairs) > 50 and len(expected.removed) > 20
    assert threshold == 1.0 or any(similarity < 1.0 for _, _, similarity in expected.pairs)


def test_other_measures_have_the_answers_of_the_jobs() -> None:
    texts = make_texts(200)
    sets = batch.features(pyarrow.array(texts))["elements"].to_arrow()
    rows = [(a, b) for a in range(len(texts)) for b in range(a)]
    left, right = (sets.take([pair[side] for pair in rows]) for side in range(2))
    for options in ({"measure": "containment"}, {"measure": "overlap", "min_common": 12}):
        limits = {**options, "threshold": 0.7} if options["measure"] == "containment" else options
        verified = batch.verify(left, right, **limits).to_arrow()
        expected = lookalike.pairs(texts, method="exact", **limits).to_arrow()
        pairs = zip(expected["b_row"].to_pylist(), expected["a_row"].to_pylist(), strict=True)
        found = [pair for pair, common in zip(rows, verified["common"].to_pylist(), strict=True) if common is not None]
        assert sorted(found) == sorted((max(pair), min(pair)) for pair in pairs)
        assert len(found) > 50


COLUMNS: dict[str, Callable[[list[Any]], Any]] = {
    "string": pyarrow.array,
    "large string": lambda texts: pyarrow.array(texts, pyarrow.large_string()),
    "string view": lambda texts: pyarrow.array(texts, pyarrow.string_view()),
    "slice": lambda texts: pyarrow.array(["x", None, *texts, "y"]).slice(2, len(texts)),
    "chunks": lambda texts: pyarrow.chunked_array([texts[:1], [], texts[1:]], pyarrow.string()),
    "column of a table": lambda texts: pyarrow.table({"a": texts, "b": texts})["b"],
    "column of a batch": lambda texts: pyarrow.record_batch({"a": texts})["a"],
    "polars": polars.Series,
    "polars chunks": lambda texts: polars.concat([polars.Series(texts[:2]), polars.Series(texts[2:])], rechunk=False),
    "pandas": lambda texts: pandas.Series(texts, dtype="str"),
}


@pytest.mark.parametrize("kind", COLUMNS)
def test_strings_of_all_kinds_give_the_same_sets(kind: str) -> None:
    texts = ["one two three four five six", None, "", "Él dijo «sí» 三月 hat man", "one two three four five six!"]
    if kind == "pandas" and not hasattr(pandas.Series, "__arrow_c_stream__"):
        pytest.skip("pandas before 3 has no PyCapsule interface")
    expected = batch.features(pyarrow.array(texts)).to_arrow()
    assert [_has_elements(row) for row in expected["elements"]] == [True, None, False, True, True]
    found = batch.features(COLUMNS[kind](texts)).to_arrow()
    assert found.equals(expected)
    assert found["set_hash"][0] == found["set_hash"][4] != found["set_hash"][3]


def _has_elements(scalar: Any) -> bool | None:
    elements = scalar.as_py()
    return None if elements is None else bool(elements)


def test_keywords_of_texts_are_those_of_the_jobs() -> None:
    texts = pyarrow.array(["The harbour: 17 ships", "the HARBOUR, 18 ships"])
    kinds: list[tuple[dict[str, Any], bool]] = [
        ({}, False),
        ({"mask": "numbers"}, True),
        ({"shingle": "char:3"}, False),
    ]
    for options, are_equal in kinds:
        hashes = batch.features(texts, **options)["set_hash"].to_arrow()
        assert (hashes[0] == hashes[1]) == are_equal
        assert (len(lookalike.pairs(texts.to_pylist(), 1.0, **options)) == 1) == are_equal
    with pytest.raises(TypeError, match="`threshold` does not fit"):
        batch.features(texts, threshold=0.5)  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="shingle"):
        batch.features(texts, shingle="word:0")


BASKETS: list[list[str] | None] = [["green tea", "milk"], ["milk", "green tea"], None, [], ["tea", "milk"], ["milk"]]


@pytest.mark.parametrize(
    "column",
    [
        pyarrow.array(BASKETS),
        pyarrow.array(BASKETS, pyarrow.large_list(pyarrow.string_view())),
        pyarrow.chunked_array([BASKETS[:2], BASKETS[2:]]),
        pyarrow.array([["x"], *BASKETS, ["y", "z"]]).slice(1, len(BASKETS)),
        polars.Series(BASKETS),
        pyarrow.array([None if basket is None else "|".join(basket) for basket in BASKETS]),
    ],
    ids=lambda column: f"{type(column).__name__} of {getattr(column, 'type', '')}",
)
def test_items_give_the_sets_of_the_jobs(column: Any) -> None:
    separator = "|" if getattr(column, "type", None) == pyarrow.string() else True
    made = batch.features(column, items=separator).to_arrow()
    assert [_has_elements(row) for row in made["elements"]] == [True, True, None, False, True, True]
    sets, rows = made["elements"], [0, 1, 4, 5]
    pairs = [(a, b) for a in rows for b in rows if a < b]
    left, right = (sets.take(pyarrow.array(side)) for side in zip(*pairs, strict=True))
    found = batch.verify(left, right, 0.4)["similarity"].to_arrow().to_pylist()
    expected = lookalike.pairs([BASKETS[row] or [] for row in rows], 0.4, items=True).to_arrow()
    of_jobs = zip(*(expected[name].to_pylist() for name in ("a_row", "b_row", "similarity")), strict=True)
    found_pairs = {(a, b, value) for (a, b), value in zip(pairs, found, strict=True) if value is not None}
    assert found_pairs == {(rows[a], rows[b], value) for a, b, value in of_jobs}
    assert len(found_pairs) == 4


def test_counts_of_items_are_copies() -> None:
    maps = pyarrow.array([{"tea": 2, "milk": 1}, {"tea": 1, "milk": 1}], pyarrow.map_(pyarrow.string(), pyarrow.int32()))
    written = pyarrow.array([["tea:2", "milk:1"], ["milk:1", "tea:1"]])
    made = [batch.features(column, items=True, item_counts=True).to_arrow() for column in (maps, written)]
    assert made[0].equals(made[1])
    sets = made[0]["elements"]
    similarity = batch.verify(sets[:1], sets[1:], 0.5)["similarity"].to_arrow()[0].as_py()
    pairs = lookalike.pairs(pyarrow.table({"text": written}), 0.5, items=True, item_counts=True).to_arrow()
    assert similarity == pytest.approx(2 / 3) and pairs["similarity"].to_pylist() == [similarity]


def test_signed_answers_hold_the_same_bits() -> None:
    texts = pyarrow.array([*make_texts(50), None])
    unsigned, signed = (batch.features(texts, signed=signed).to_arrow() for signed in (False, True))
    assert unsigned.schema.types == [pyarrow.large_list(pyarrow.uint64()), pyarrow.uint64()]
    assert signed.schema.types == [pyarrow.list_(pyarrow.int64()), pyarrow.int64()]
    assert signed["set_hash"].view(pyarrow.uint64()) == unsigned["set_hash"]
    assert signed["elements"].values.view(pyarrow.uint64()) == unsigned["elements"].values
    keys = [batch.blocking_keys(made["elements"], signed=True).to_arrow() for made in (unsigned, signed)]
    assert keys[0] == keys[1] and keys[0].type.id == pyarrow.list_(pyarrow.int8()).id
    same = batch.verify(signed["elements"], unsigned["elements"], signed=True).to_arrow()
    assert same.schema.types == [pyarrow.int64(), pyarrow.float64()]
    assert set(same["similarity"].to_pylist()) == {1.0, None}
    zero, half = pyarrow.array([0]), pyarrow.array([0.5])
    kept = batch.keepers(pyarrow.array([0, 1]), zero, pyarrow.array([1]), half, signed=True)
    assert kept.to_arrow()["kept"].type == batch.Components(2).roots(signed=True).to_arrow().type == pyarrow.int64()


def test_a_batch_without_rows_has_typed_columns() -> None:
    for texts in (
        pyarrow.array([], "string"),
        pyarrow.chunked_array([], "string"),
        polars.Series([], dtype=polars.String),
    ):
        made = batch.features(texts)
        assert len(made) == 0 and made.to_arrow().schema == batch.features(pyarrow.array(["a"])).to_arrow().schema
        assert len(batch.blocking_keys(made["elements"])) == len(batch.verify(made["elements"], made["elements"])) == 0
        with pytest.raises(TypeError, match="column `left`"):
            batch.verify(texts, texts)


def test_answers_feel_at_home_in_other_libraries() -> None:
    made = batch.features(pyarrow.array(make_texts(20)))
    expected = made.to_arrow()
    assert pyarrow.record_batch(made) == expected and pyarrow.table(made).to_batches() == [expected]
    assert polars.DataFrame(made).equals(made.to_polars()) and made.to_polars().height == len(made) == 20
    assert pyarrow.record_batch({name: made[name] for name in made}) == expected
    column = made["elements"]
    assert polars.Series(column).to_arrow().equals(pyarrow.array(column)) and "LargeList(UInt64)" in repr(column)
    assert repr(made) == "Batch: 20 rows of elements, set_hash"
    with pytest.raises(KeyError, match="no column `set`; the columns are `elements`, `set_hash`"):
        made["set"]


def sets_of(rows: list[Any]) -> Any:
    return pyarrow.array(rows, pyarrow.large_list(pyarrow.uint64()))


GOOD = sets_of([[1, 2]] * 3000)
LATE = pyarrow.chunked_array([GOOD, sets_of([[1], [2, 1]])])
ONES = pyarrow.array([1] * 3002)
NUMBERS = pyarrow.chunked_array([pyarrow.array([0] * 2500), pyarrow.array([0] * 500 + [2, -1])])
WRONG: list[tuple[type[Exception], str, Callable[[], object]]] = [
    (TypeError, "column `texts`: expected an Arrow array .*, found str", lambda: batch.features("a b")),
    (TypeError, "column `texts`: expected an Arrow array .*, found list", lambda: batch.features(["a"])),
    (TypeError, "column `texts`: expected Utf8, .* found Int64", lambda: batch.features(ONES)),
    (
        TypeError,
        "column `texts`: expected an array, found a table with the columns `a`, `b`: pass one of them",
        lambda: batch.features(pyarrow.table({"a": ["x"], "b": ["y"]})),
    ),
    (TypeError, "column `texts`: expected Utf8, .* found List", lambda: batch.features(pyarrow.array(BASKETS))),
    (
        TypeError,
        "column `texts`: expected strings, or lists of strings or whole numbers, found Int64",
        lambda: batch.features(ONES, items=True),
    ),
    (
        ValueError,
        "column `texts`, row 3000: field `texts` is a list with null, expected a list of strings and numbers",
        lambda: batch.features(pyarrow.chunked_array([[["a"]] * 3000, [["a", None]]]), items=True),
    ),
    (
        ValueError,
        "column `texts`, row 1: item `b` has no count",
        lambda: batch.features(pyarrow.array(["a:1", "b"]), items=True, item_counts=True),
    ),
    (TypeError, "items: expected True, or a str", lambda: batch.features(ONES, items=7)),  # type: ignore[arg-type]
    (TypeError, "`item_counts` needs the keyword `items`", lambda: batch.features(ONES, item_counts=True)),
    (TypeError, "`shingle` does not go with `items`", lambda: batch.features(ONES, items=True, shingle="char:3")),
    (TypeError, "`on_error` does not fit", lambda: batch.features(ONES, on_error="skip")),  # type: ignore[call-arg]
    (TypeError, "signed: expected True or False, found str", lambda: batch.features(pyarrow.array(["a"]), signed="yes")),  # type: ignore[arg-type]
    (TypeError, "column `sets`: expected LargeList or List of", lambda: batch.blocking_keys(ONES)),
    (ValueError, "column `sets`, row 3001: the elements of the set do not", lambda: batch.blocking_keys(LATE)),
    (
        ValueError,
        "column `right`, row 3001: the elements",
        lambda: batch.verify(pyarrow.chunked_array([GOOD, GOOD[:2]]), LATE),
    ),
    (ValueError, "column `right`: expected 3,000 rows, found 3,002", lambda: batch.verify(GOOD, LATE)),
    (
        ValueError,
        "column `right`, row 1: an element of the set is null",
        lambda: batch.verify(GOOD[:2], sets_of([[1], [None]])),
    ),
    (
        ValueError,
        "column `left positions`, row 3000: expected a position of at most",
        lambda: batch.may_reach(ONES, NUMBERS, ONES, ONES),
    ),
    (ValueError, "column `a`, row 3000: expected one of 2 documents", lambda: batch.Components(2).add(NUMBERS, ONES)),
    (
        ValueError,
        "column `b`, row 0: expected a value, found null",
        lambda: batch.Components(2).add(ONES[:1], pyarrow.array([None], "int64")),
    ),
    (ValueError, "column `roots`: expected 2 rows, found 1", lambda: batch.Components(2).add_roots(ONES[:1])),
    (ValueError, "documents: expected a number from 0 .* found -1", lambda: batch.Components(-1)),
    (ValueError, "total_elements: expected .* found 1844", lambda: batch.Frequencies.sized_for(1 << 64)),
    (TypeError, "float", lambda: batch.Components(1.5)),  # type: ignore[arg-type]
    (ValueError, "documents", lambda: batch.Components(1 << 32)),
    (
        ValueError,
        "column `similarity`, row 0",
        lambda: batch.keepers(ONES[:2], ONES[:1], ONES[:1], pyarrow.array([1.5])),
    ),
    (TypeError, "column `similarity`: expected Float64", lambda: batch.keepers(ONES[:2], ONES[:1], ONES[:1], ONES[:1])),
    (ValueError, "stored frequencies cannot be read", lambda: batch.Frequencies.from_bytes(b"x" * 100)),
    (TypeError, "str", lambda: batch.Frequencies.from_bytes("x")),  # type: ignore[arg-type]
    (ValueError, "differ in size", lambda: batch.Frequencies.sized_for(1) + batch.Frequencies.sized_for(1 << 24)),
    (ValueError, "frequencies .* were not given", lambda: batch.blocking_keys(GOOD, method="exact")),
    (ValueError, "method auto is decided", lambda: batch.blocking_keys(GOOD, method="auto")),
    (ValueError, "threshold", lambda: batch.verify(GOOD, GOOD, 1.5)),
    (ValueError, "cosine weighs terms", lambda: batch.verify(GOOD, GOOD, 0.5, measure="cosine")),
    (TypeError, "`recall` does not fit", lambda: batch.verify(GOOD, GOOD, recall=0.9)),  # type: ignore[call-arg]
]


@pytest.mark.parametrize(("kind", "message", "call"), WRONG)
def test_wrong_columns_are_named_with_the_row(kind: type[Exception], message: str, call: Callable[[], object]) -> None:
    with pytest.raises(kind, match=message):
        call()


def test_frequencies_add_up_and_travel_as_bytes() -> None:
    sets = batch.features(pyarrow.array(make_texts(300)))["elements"].to_arrow()
    whole = batch.Frequencies.sized_for(10_000)
    whole.count(sets)
    parts = [batch.Frequencies.sized_for(10_000) for _ in range(3)]
    for part, start in zip(parts, (0, 100, 200), strict=True):
        part.count(sets.slice(start, 100))
    total = parts[0] + parts[1]
    before = parts[0].to_bytes()
    total += pickle.loads(pickle.dumps(parts[2]))
    assert total.to_bytes() == whole.to_bytes() == batch.Frequencies.from_bytes(whole.to_bytes()).to_bytes()
    assert parts[0].to_bytes() == before != total.to_bytes()
    doubled = whole + batch.Frequencies.from_bytes(whole.to_bytes())
    whole.merge(whole)
    assert whole.to_bytes() == doubled.to_bytes()
    with pytest.raises(TypeError):
        _ = whole + 1


def test_threads_share_frequencies_and_other_threads_go_on() -> None:
    texts = pyarrow.array([" ".join(f"w{row * 7919 % 65536}x{word}" for word in range(2000)) for row in range(2000)])
    with other_threads_go_on():
        sets = batch.features(texts)["elements"].to_arrow()
    expected, shared = batch.Frequencies.sized_for(4_000_000), batch.Frequencies.sized_for(4_000_000)
    expected.count(sets)
    found = []

    def work(start: int) -> None:
        part = sets.slice(start, 250)
        shared.count(part)
        found.append(batch.verify(part, part).to_arrow()["similarity"].to_pylist())

    threads = [threading.Thread(target=work, args=[start]) for start in range(0, 2000, 250)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert shared.to_bytes() == expected.to_bytes()
    assert found == [[1.0] * 250] * 8


def test_an_interrupt_ends_a_long_batch_within_a_second() -> None:
    code = (
        "import os, signal, threading, time, pyarrow\n"
        "from lookalike import batch\n"
        "text = ' '.join(f'w{word}' for word in range(20_000))\n"
        "texts = pyarrow.chunked_array([pyarrow.array([text] * 100)] * 1000)\n"
        "sent = []\n"
        "def interrupt():\n"
        "    sent.append(time.perf_counter())\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "threading.Timer(0.5, interrupt).start()\n"
        "try:\n"
        "    batch.features(texts)\n"
        "    print('finished')\n"
        "except KeyboardInterrupt:\n"
        "    print(time.perf_counter() - sent[0])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    assert float(done.stdout) < 1.0, done.stdout


def _verify_itself(sets: Any) -> Any:
    return batch.verify(sets, sets, 0.8)


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_forked_and_spawned_processes_map_features_and_verify(method: str) -> None:
    # The parent has used the functions already: a forked child inherits what they leave behind.
    parts = [pyarrow.array([*make_texts(100, seed), None]) for seed in range(4)]
    expected = [batch.features(part).to_arrow() for part in parts]
    with multiprocessing.get_context(method).Pool(2) as pool:
        made = pool.map(batch.features, parts, chunksize=1)
        assert [part.to_arrow() for part in made] == expected
        columns = [part["elements"] for part in made]
        assert [column.to_arrow() for column in pickle.loads(pickle.dumps(columns))] == [
            part["elements"] for part in expected
        ]
        verified = pool.map(_verify_itself, columns, chunksize=1)
        keys = pool.map(batch.blocking_keys, columns, chunksize=1)
    assert [part.to_arrow() for part in verified] == [_verify_itself(part["elements"]).to_arrow() for part in expected]
    assert [part.to_arrow() for part in keys] == [batch.blocking_keys(part["elements"]).to_arrow() for part in expected]


@LINUX
def test_texts_in_chunks_are_not_copied() -> None:
    text = "one two three four five six seven eight nine ten " * 20_000
    texts = pyarrow.chunked_array([pyarrow.array([text + str(row) for row in range(20)]) for _ in range(10)])
    before, peak, is_done = resident_bytes(), [0], threading.Event()

    def watch() -> None:
        while not is_done.wait(0.001):
            peak.append(resident_bytes())

    watching = threading.Thread(target=watch)
    watching.start()
    made = batch.features(texts)
    is_done.set()
    watching.join()
    assert len(made) == 200 and len(peak) > 20
    assert max(peak) - before < 0.3 * texts.nbytes, f"{(max(peak) - before) / texts.nbytes} of the size of the texts"


@LINUX
def test_a_thousand_batches_leave_the_memory_where_it_was() -> None:
    texts = pyarrow.chunked_array([pyarrow.array(make_texts(100, seed)) for seed in range(2)])

    def call() -> None:
        made = pickle.loads(pickle.dumps(batch.features(texts)))
        sets = made["elements"].to_arrow()
        frequencies = batch.Frequencies.sized_for(10_000)
        frequencies.count(sets)
        keys = batch.blocking_keys(sets, 0.5, frequencies=pickle.loads(pickle.dumps(frequencies)), signed=True)
        assert len(keys.to_polars()) == len(batch.verify(sets, made["elements"], 0.5).to_polars()) == 200
        with pytest.raises(TypeError):
            batch.verify(texts, texts)

    for _ in range(100):
        call()
    before = resident_bytes()
    for _ in range(1000):
        call()
    assert resident_bytes() - before < 8 << 20


def test_entries_of_keys_are_checked() -> None:
    one, two = pyarrow.array([1]), pyarrow.array([1, 2])
    with pytest.raises(ValueError, match="column `sizes`: expected 1 row, found 2"):
        batch.deal(one, one, two, one, parts=1, seed=0)
    with pytest.raises(ValueError, match="column `documents`, row 0: expected a value, found null"):
        batch.deal(one, pyarrow.array([None], pyarrow.int64()), one, one, parts=1, seed=0)
    with pytest.raises(TypeError, match="column `keys`: expected Int64 or UInt64, found Utf8"):
        batch.deal(pyarrow.array(["x"]), one, one, one, parts=1, seed=0)
    with pytest.raises(ValueError, match="seed: expected a number from 0"):
        batch.deal(one, one, one, one, parts=1, seed=-1)
    with pytest.raises(OverflowError):
        batch.deal(one, one, one, one, parts=-1, seed=0)
    buckets = batch.Buckets()
    with pytest.raises(ValueError, match="column `entries`, row 1: expected entries of 24 bytes, found 3 bytes"):
        buckets.add(pyarrow.array([b"", b"abc"]))
    assert buckets.add(pyarrow.array([], pyarrow.binary()))["key"].to_arrow().to_pylist() == []
    assert len(batch.deal(*[pyarrow.array([], pyarrow.int64())] * 4, parts=4, seed=0)) == 0


def test_one_entry_of_a_large_bucket_comes_for_each_document() -> None:
    documents = pyarrow.array(range(10_000))
    keys = pyarrow.array([7] * 9_999 + [8])
    nothing = pyarrow.array([0] * 10_000)
    dealt = batch.deal(keys, documents, nothing, nothing, parts=5, seed=3)["entries"].to_arrow()
    found = batch.Buckets().add(dealt, signed=True).to_arrow()
    assert sorted(found["document"].to_pylist()) == list(range(9_999))
    assert found.schema.field("size").type == pyarrow.int64()
