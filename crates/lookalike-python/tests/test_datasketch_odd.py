"""Odd uses of lookalike.compat.datasketch: most of these were faults of it once."""

from __future__ import annotations

import copy
import itertools
import struct
import sys
import threading
from typing import Any

import datasketch as theirs
import numpy
import pytest

from beside_datasketch import BOTH, made, result
from lookalike.compat import datasketch as ours

pytestmark = pytest.mark.filterwarnings("ignore:the default bands")
# Of `hash32`: signatures that are kept depend on it.
FROZEN = [0, 784793700, 3541332994, 3447546218]


def test_sets_are_read_one_after_the_other() -> None:
    """As iterators need it whose parts live only until the next one."""
    rows = [(1, b"a"), (1, b"b"), (2, b"c")]

    def groups() -> Any:
        return ((element for _, element in group) for _, group in itertools.groupby(rows, key=lambda row: row[0]))

    def reused() -> Any:
        elements: list[bytes] = []
        for _, element in rows:
            elements[:] = [element]
            yield elements

    for sets in (groups, reused):
        made_of = [[m.hashvalues.tolist() for m in package.MinHash.bulk(sets(), num_perm=3)] for package in BOTH]
        assert made_of[0] == made_of[1]


def test_objects_may_change_while_elements_are_read() -> None:
    results = []
    for package in BOTH:
        minhash = package.MinHash(num_perm=3)

        def elements() -> Any:
            minhash.update(b"x")  # noqa: B023
            yield b"y"

        minhash.update_batch(elements())
        results.append(minhash.hashvalues.tolist())
    assert results[0] == results[1]


@pytest.mark.parametrize("call", [
    lambda p: p.MinHash().update_batch(range(2**45)),
    lambda p: p.MinHash().update_batch(numpy.array(["a", "b"])),
    lambda p: p.MinHash().update(memoryview(b"abcd")[::2]),
    lambda p: p.MinHash(gpu_mode="always").update_batch([]),
    lambda p: p.MinHash(hashfunc=lambda _: numpy.int64(-5)).update_batch([b"a"]),
    lambda p: p.MinHashLSH(num_perm=128).insert("a", p.bBitMinHash(p.MinHash())),
    lambda p: p.MinHash.union(p.MinHash(), None),
    lambda p: p.LeanMinHash(p.MinHash()).update_batch([]),
    lambda p: b"xyz" in p.MinHashLSH().hashtables[0],
    lambda p: p.MinHashLSH(params=numpy.array([4, 2])).b,
    lambda p: object.__new__(p.bBitMinHash).__setstate__(struct.pack("<qBdi", 1, 40, 0.0, 3) + bytes(80)),
])  # fmt: skip
def test_odd_calls_do_what_datasketch_does(call: Any) -> None:
    mine, expected = (result(lambda: call(package)) for package in BOTH)  # noqa: B023
    assert mine == expected


def test_components_that_users_set() -> None:
    for values in (numpy.zeros(3, numpy.uint32), [1, 2, 3, 4], [2**32 - 1] * 4):
        results = []
        for package in BOTH:
            minhash = package.MinHash(num_perm=4)
            minhash.hashvalues = values
            results.append(result(lambda: minhash.update(b"a")) or list(minhash.hashvalues))  # noqa: B023
        assert results[0] == results[1]
    for package in BOTH:
        large = package.MinHash(hashvalues=[2**40, 5], scheme="legacy")
        large.update_batch([])
        assert large.hashvalues.tolist() == [2**40, 5]


def test_signatures_of_both_packages_meet() -> None:
    some = [b"a", b"b"]
    assert ours.MinHash.union(made(theirs, some), made(ours, [b"c"])) == made(ours, [*some, b"c"])
    lsh = ours.MinHashLSH(threshold=0.5)
    lsh.insert("theirs", made(theirs, some))
    assert lsh.query(made(ours, some)) == ["theirs"]

    class Named(ours.MinHash):
        def __init__(self, num_perm: int, **keywords: Any) -> None:
            super().__init__(num_perm=num_perm, **keywords)

    assert type(Named.union(Named(3), Named(3))) is Named


def test_a_refused_insertion_leaves_the_index_as_it_was() -> None:
    lsh, minhash = ours.MinHashLSH(params=(2, 2), num_perm=4), ours.MinHash(num_perm=4)
    with pytest.raises(TypeError):
        lsh.insert([], minhash, check_duplication=False)  # type: ignore[arg-type]
    assert lsh.is_empty()
    lsh.insert("a", minhash)
    assert lsh.query(minhash) == ["a"]
    shortened = ours.MinHashLSH(params=(2, 1), num_perm=2, hashfunc=lambda value: value.lstrip(b"\0"))
    with pytest.raises(ValueError, match="equally many"):
        shortened.insert("a", ours.MinHash(hashvalues=[1, 0x010203], scheme="affine32"))


def test_threads_share_an_index() -> None:
    lsh, minhash = ours.MinHashLSH(params=(8, 4), num_perm=32), ours.MinHash(num_perm=32)

    def insert(thread: int) -> None:
        for number in range(2000):
            lsh.insert((thread, number), minhash)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=insert, args=(thread,)) for thread in range(4)]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
    finally:
        sys.setswitchinterval(before)
    assert len(lsh.query(minhash)) == len(lsh.keys) == 8000


def test_equal_signatures_are_removed_in_any_order() -> None:
    lsh, minhash = ours.MinHashLSH(params=(16, 2), num_perm=32), ours.MinHash(num_perm=32)
    for number in range(30_000):
        lsh.insert(number, minhash)
    for number in [*range(0, 30_000, 2), *range(29_999, 100, -2)]:
        lsh.remove(number)
    assert sorted(lsh.query(minhash)) == list(range(1, 100, 2))


def test_copies_of_an_index_keep_all_of_it() -> None:
    for package in BOTH:

        class Tagged(package.MinHashLSH):  # type: ignore[name-defined,misc]
            pass

        lsh, minhash = Tagged(params=(2, 2), num_perm=4), package.MinHash(num_perm=4)
        lsh.tag = "x"
        lsh.insert(1, minhash)
        lsh.add_to_query_buffer(minhash)
        copied = copy.deepcopy(lsh)
        assert copied.tag == "x" and copied.collect_query_buffer() == [1] and lsh.query(minhash) == [1]
    lsh = ours.MinHashLSH(params=(2, 2), num_perm=4)
    lsh.insert("a", minhash := ours.MinHash(num_perm=4))
    lsh.add_to_query_buffer(minhash)
    lsh.remove("a")
    lsh.insert("b", minhash)
    assert lsh.collect_query_buffer() == ["b"]


def test_the_fast_hash_is_frozen() -> None:
    texts = [b"", b"a", "straße".encode(), b"a token of more than sixteen bytes"]
    assert [ours.hash32(text) for text in texts] == FROZEN
