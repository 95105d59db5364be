"""`lookalike.compat.datasketch` beside datasketch: random programs of calls have the same results."""

from __future__ import annotations

import copy
import io
import math
import pickle
import random
import struct
import subprocess
import sys
from typing import Any

import datasketch as theirs
import numpy
import pytest

from beside_datasketch import BOTH, SCHEMES, assert_same_errors, made, result, tokens
from lookalike.compat import datasketch as ours

pytestmark = pytest.mark.filterwarnings("ignore:the default bands")


@pytest.mark.parametrize("scheme", SCHEMES)
def test_random_programs_of_signatures(scheme: str) -> None:
    rng = random.Random(scheme)
    for _ in range(60):
        num_perm, seed = rng.choice([1, 4, 31, 128, 200]), rng.choice([0, 1, 42, 2**32 - 1])
        programs = [[package.MinHash(num_perm, seed, scheme=scheme) for _ in range(3)] for package in BOTH]
        for _ in range(12):
            step, one, other, some = rng.randrange(8), rng.randrange(3), rng.randrange(3), tokens(rng, rng.randrange(9))
            results = []
            for package, minhashes in zip(BOTH, programs, strict=True):
                minhash = minhashes[one]
                if step == 0:
                    minhash.update_batch(some)
                elif step == 1 and some:
                    minhash.update(some[0])
                elif step == 2:
                    minhash.merge(minhashes[other])
                elif step == 3:
                    minhashes[one] = package.MinHash.union(minhash, minhashes[other])
                elif step == 4:
                    minhash.clear()
                elif step == 5:
                    minhashes[one] = minhash.copy()
                elif step == 6:
                    minhashes[one] = package.MinHash(
                        seed=seed, hashvalues=minhash.digest(), permutations=minhash.permutations, scheme=scheme
                    )
                else:
                    minhashes[one] = pickle.loads(pickle.dumps(minhash))
                minhash = minhashes[one]
                results.append((
                    minhash.hashvalues.tolist(), minhash.hashvalues.dtype, len(minhash), minhash.is_empty(),
                    minhash.jaccard(minhashes[other]), minhash == minhashes[other], minhash.count(),
                ))
            assert results[0] == results[1], step
        assert numpy.array_equal(*[minhashes[0].permutations for minhashes in programs])


@pytest.mark.parametrize("scheme", SCHEMES)
def test_many_sets_at_once(scheme: str) -> None:
    rng = random.Random(1)
    sets = [tokens(rng, rng.randrange(40)) for _ in range(500)]
    mine = ours.MinHash.bulk(sets, num_perm=64, scheme=scheme)
    expected = theirs.MinHash.bulk(sets, num_perm=64, scheme=scheme)
    assert [m.hashvalues.tolist() for m in mine] == [m.hashvalues.tolist() for m in expected]
    assert [m.hashvalues.tolist() for m in ours.MinHash.generator(iter(sets), num_perm=64, scheme=scheme)] == [
        m.hashvalues.tolist() for m in expected
    ]
    mine[0].update(b"grows alone")
    assert mine[1] == ours.MinHash.bulk(sets[1:2], num_perm=64, scheme=scheme)[0]
    assert ours.MinHash.bulk([], num_perm=64) == []


@pytest.mark.parametrize("scheme", SCHEMES)
def test_hash_functions_of_users(scheme: str) -> None:
    def weak(data: bytes) -> int:
        return len(data) * 2654435761 % 2**32

    rng = random.Random(2)
    some = tokens(rng, 30)
    results = [made(package, some, scheme=scheme, hashfunc=weak).hashvalues.tolist() for package in BOTH]
    assert results[0] == results[1]
    # Scalars of numpy have a buffer, which is hashed.
    numbers = numpy.arange(20)
    results = [made(package, numbers, scheme=scheme).hashvalues.tolist() for package in BOTH]
    assert results[0] == results[1]
    ready = numpy.array([weak(element) for element in some], numpy.uint32)
    by_identity = made(ours, ready, scheme=scheme, hashfunc=ours.identity32)
    assert by_identity.hashvalues.tolist() == made(theirs, some, scheme=scheme, hashfunc=weak).hashvalues.tolist()
    fast = made(ours, some, scheme=scheme, hashfunc=ours.hash32)
    alone = made(ours, some, scheme=scheme, hashfunc=lambda data: ours.hash32(data))
    assert fast.hashvalues.tolist() == alone.hashvalues.tolist()
    assert ours.sha1_hash32(b"a") == theirs.sha1_hash32(b"a")
    too_large = [result(lambda: made(package, [b"a"], scheme=scheme, hashfunc=lambda _: -1)) for package in BOTH]  # noqa: B023
    assert all(isinstance(kind, type) for kind in too_large)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_lean_signatures_and_their_bytes(scheme: str) -> None:
    for order in "@=<>!":
        pair = [package.LeanMinHash(made(package, tokens(random.Random(4), 20), scheme=scheme)) for package in BOTH]
        buffers = [bytearray(lean.bytesize(order)) for lean in pair]
        for lean, buffer in zip(pair, buffers, strict=True):
            lean.serialize(buffer, order)
        assert buffers[0] == buffers[1]
        back = ours.LeanMinHash.deserialize(buffers[1], order)
        assert back == pair[0] and back.hashvalues.dtype == pair[1].hashvalues.dtype
        assert ours.LeanMinHash.deserialize(memoryview(buffers[0]), order) == back
    other = [package.LeanMinHash(made(package, tokens(random.Random(5), 20), scheme=scheme)) for package in BOTH]
    unions = [package.LeanMinHash.union(a, b) for package, a, b in zip(BOTH, pair, other, strict=True)]
    assert unions[0].hashvalues.tolist() == unions[1].hashvalues.tolist()
    assert pair[0].jaccard(other[0]) == pair[1].jaccard(other[1])
    assert hash(pair[0]) == hash(pair[1]) and hash(pair[0]) == hash(pair[0].copy())
    assert pickle.loads(pickle.dumps(pair[0])) == pair[0]
    assert_same_errors(
        lambda p: p.LeanMinHash(), lambda p: p.LeanMinHash(seed=1, hashvalues=[1]),
        lambda p: p.LeanMinHash(pair[BOTH.index(p)], scheme="other"),
        lambda p: pair[BOTH.index(p)].update(b"a"), lambda p: pair[BOTH.index(p)].serialize(bytearray(3)),
        lambda p: p.LeanMinHash.deserialize(struct.pack("<qiB", 1, -3, 77), "<"),
        lambda p: p.LeanMinHash.deserialize(b"short"),
    )  # fmt: skip


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("b", [0, 1, 2, 3, 4, 7, 8, 16, 31, 32])
def test_signatures_of_few_bits(scheme: str, b: int) -> None:
    for r in (0.0, 0.25):
        pairs = []
        for package in BOTH:
            rng = random.Random(6)
            one, other = tokens(rng, 30), tokens(rng, 30)
            minhashes = [made(package, some, scheme=scheme, num_perm=77) for some in (one, one + other)]
            pairs.append([package.bBitMinHash(minhash, b, r) for minhash in minhashes])
        mine, expected = pairs
        assert mine[0].hashvalues.tolist() == expected[0].hashvalues.tolist()
        estimates = [result(lambda: pair[0].jaccard(pair[1])) for pair in pairs]  # noqa: B023
        assert estimates[0] == estimates[1] or all(map(math.isnan, estimates))
        assert mine[0].bytesize() == expected[0].bytesize()
        assert bytes(mine[0].__getstate__()) == bytes(expected[0].__getstate__())
        assert pickle.loads(pickle.dumps(mine[0])) == mine[0]
        assert (mine[0] == mine[1]) == (expected[0] == expected[1])


def lsh_programs(scheme: str, **keywords: Any) -> list[Any]:
    return [package.MinHashLSH(num_perm=64, **keywords) for package in BOTH]


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("keywords", [
    {"threshold": 0.5}, {"threshold": 0.3, "weights": (0.2, 0.8)}, {"params": (8, 8)}, {"params": (13, 2)},
    {"threshold": 0.4, "prepickle": True}, {"params": (8, 4), "hashfunc": lambda value: value[:3]},
])  # fmt: skip
def test_random_programs_of_indexes(scheme: str, keywords: dict[str, Any]) -> None:
    rng = random.Random(7)
    pages = [tokens(rng, 25) for _ in range(8)]
    indexes = lsh_programs(scheme, **keywords)
    assert (indexes[0].b, indexes[0].r, indexes[0].hashranges) == (indexes[1].b, indexes[1].r, indexes[1].hashranges)
    for step in range(150):
        key, elements, kind = f"k{rng.randrange(40)}", [*rng.choice(pages)[: rng.randrange(15, 26)]], rng.randrange(9)
        results = []
        for package, lsh in zip(BOTH, indexes, strict=True):
            minhash = made(package, elements, num_perm=64, scheme=scheme)
            if kind < 4:
                changed = result(lambda: lsh.insert(key, minhash))  # noqa: B023
            elif kind == 4:
                changed = result(lambda: lsh.remove(key))  # noqa: B023
            elif kind == 5:
                with lsh.insertion_session(buffer_size=10) as session:
                    changed = result(lambda: session.insert(key, minhash))  # noqa: B023
            elif kind == 6:
                with lsh.deletion_session() as session:
                    changed = result(lambda: session.remove(key))  # noqa: B023
            elif kind == 7 and "hashfunc" not in keywords:
                indexes[BOTH.index(package)] = lsh = pickle.loads(pickle.dumps(lsh))
                changed = None
            else:
                lsh.add_to_query_buffer(minhash)
                lsh.add_to_query_buffer(made(package, pages[0], num_perm=64, scheme=scheme))
                changed = sorted(lsh.collect_query_buffer())
            counts = [sorted(count.items()) for count in lsh.get_counts()]
            subset = [sorted(count.items()) for count in lsh.get_subset_counts(*[k for k in ("k1", "k2") if k in lsh])]
            tables = [sorted((value, sorted(table[value])) for value in table) for table in lsh.hashtables]
            results.append((
                changed, sorted(lsh.query(minhash)), key in lsh, lsh.is_empty(), counts, subset, tables,
                [len(table) for table in lsh.hashtables], sorted(lsh.keys), len(lsh.keys), lsh.buffer_size,
                [lsh.keys[stored] for stored in sorted(lsh.keys)], sorted(lsh._query_b(minhash, 2)),
                [lsh._H(minhash.hashvalues[start:end]) for start, end in lsh.hashranges],
            ))
        assert results[0] == results[1], step


def test_indexes_are_merged() -> None:
    rng = random.Random(8)
    sets = [tokens(rng, 12) for _ in range(30)]
    merged = []
    for package in BOTH:
        lshs = [package.MinHashLSH(threshold=0.5, num_perm=64) for _ in range(2)]
        minhashes = package.MinHash.bulk(sets, num_perm=64)
        for number, minhash in enumerate(minhashes):
            lshs[number % 2].insert(number, minhash)
        lshs[0].merge(lshs[1], check_overlap=True)
        kinds = [
            result(lambda: lshs[0].merge(lshs[1], check_overlap=True)),  # noqa: B023
            result(lambda: lshs[0].merge(package.MinHashLSH(threshold=0.9, num_perm=64))),  # noqa: B023
            result(lambda: lshs[0].merge(3)),  # noqa: B023
        ]
        merged.append((kinds, [sorted(lshs[0].query(minhash)) for minhash in minhashes]))
    assert merged[0] == merged[1]


def test_bad_parameters_raise_what_datasketch_raises() -> None:
    def legacy(package: Any) -> Any:
        return made(package, [b"a"], scheme="legacy")

    def filled(package: Any) -> Any:
        lsh = package.MinHashLSH(threshold=0.5, num_perm=128)
        lsh.insert("a", made(package, [b"a"]))
        return lsh

    assert_same_errors(
        lambda p: p.MinHash(0), lambda p: p.MinHash(-1), lambda p: p.MinHash(2**40), lambda p: p.MinHash(hashfunc=3),
        lambda p: p.MinHash(scheme="sha"), lambda p: p.MinHash(hashvalues=[1, 2]), lambda p: p.MinHash(seed=-1),
        lambda p: p.MinHash(seed=2**32), lambda p: p.MinHash(permutations=[[1], [2]]),
        lambda p: p.MinHash(hashvalues=[1, 2], permutations=[[1], [2]], scheme="affine32"),
        lambda p: p.MinHash(num_perm=1, permutations=[[2], [2]], scheme="affine32"),
        lambda p: p.MinHash(hashvalues=[2**32], scheme="affine32"),
        lambda p: p.MinHash(gpu_mode="always").update_batch([b"a"]),
        lambda p: p.MinHash().update("text"), lambda p: p.MinHash().update_batch(["text"]),
        lambda p: p.MinHash().update_batch(3), lambda p: p.MinHash.union(p.MinHash()),
        lambda p: p.MinHash.union(p.MinHash(), p.MinHash(seed=2)), lambda p: hash(p.MinHash()),
        lambda p: p.MinHash().jaccard(p.MinHash(seed=2)), lambda p: p.MinHash().merge(p.MinHash(64)),
        lambda p: p.MinHash().jaccard(legacy(p)), lambda p: p.MinHash().jaccard(3),
        lambda p: p.MinHashLSH(1.5), lambda p: p.MinHashLSH(-0.1), lambda p: p.MinHashLSH(num_perm=1),
        lambda p: p.MinHashLSH(weights=(0.5, 0.4)), lambda p: p.MinHashLSH(weights=(1.5, -0.5)),
        lambda p: p.MinHashLSH(params=(20, 20)), lambda p: p.MinHashLSH(params=(1, 20)),
        lambda p: filled(p).insert("a", p.MinHash()), lambda p: filled(p).insert("b", p.MinHash(64)),
        lambda p: filled(p).query(p.MinHash(64)), lambda p: filled(p).query(legacy(p)),
        lambda p: filled(p).insert("b", legacy(p)), lambda p: filled(p).remove("b"), lambda p: filled(p).insert([], p.MinHash()),
        lambda p: filled(p)._query_b(p.MinHash(), 1000), lambda p: p.bBitMinHash(p.MinHash(), 33), lambda p: p.bBitMinHash(p.MinHash(), 1, 1.5),
        lambda p: p.bBitMinHash(p.MinHash(), 1).jaccard(p.bBitMinHash(p.MinHash(), 2)),
    )  # fmt: skip


@pytest.mark.parametrize("scheme", SCHEMES)
def test_pickles_go_both_ways(scheme: str) -> None:
    some = tokens(random.Random(9), 20)
    theirs_minhash, mine = (made(package, some, scheme=scheme, num_perm=32) for package in (theirs, ours))
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        read = ours.loads(pickle.dumps(theirs_minhash, protocol))
        assert type(read) is ours.MinHash and read == mine
        read.update(b"one more")
        theirs_copy = copy.deepcopy(theirs_minhash)
        theirs_copy.update(b"one more")
        assert read.hashvalues.tolist() == theirs_copy.hashvalues.tolist()
    back = pickle.loads(ours.dumps(mine))
    assert type(back) is theirs.MinHash and back == theirs_minhash and back.hashfunc is theirs.sha1_hash32
    back.update(b"one more")
    lean = pickle.loads(ours.dumps(ours.LeanMinHash(mine)))
    assert lean == theirs.LeanMinHash(theirs_minhash)
    assert ours.loads(pickle.dumps(lean)) == ours.LeanMinHash(mine)
    few = pickle.loads(ours.dumps(ours.bBitMinHash(mine, 3)))
    assert few == theirs.bBitMinHash(theirs_minhash, 3)
    assert ours.loads(pickle.dumps(few)) == ours.bBitMinHash(mine, 3)
    old = theirs_minhash.__getstate__()
    del old["scheme"]
    assert scheme == "affine32" or ours.MinHash.__new__(ours.MinHash).__setstate__(old) is None
    with pytest.raises(TypeError, match="only signatures"):
        ours.dump({}, io.BytesIO())  # type: ignore[arg-type]
    with pytest.raises(ImportError, match="HyperLogLog"):
        ours.loads(pickle.dumps(theirs.HyperLogLog()))


@pytest.mark.parametrize("scheme", SCHEMES)
def test_indexes_of_datasketch_are_read(scheme: str) -> None:
    rng = random.Random(10)
    sets = [tokens(rng, 9) for _ in range(40)]
    lsh = theirs.MinHashLSH(threshold=0.4, num_perm=32)
    for number, minhash in enumerate(theirs.MinHash.bulk(sets, num_perm=32, scheme=scheme)):
        lsh.insert(number, minhash)
    read = ours.loads(pickle.dumps(lsh))
    assert type(read) is ours.MinHashLSH and (read.h, read.b, read.r) == (lsh.h, lsh.b, lsh.r)
    for mine, other in zip(
        ours.MinHash.bulk(sets, num_perm=32, scheme=scheme), theirs.MinHash.bulk(sets, num_perm=32, scheme=scheme),
        strict=True,
    ):  # fmt: skip
        assert sorted(read.query(mine)) == sorted(lsh.query(other))
    assert [sorted(count.items()) for count in read.get_counts()] == [sorted(c.items()) for c in lsh.get_counts()]
    read.remove(3)
    assert 3 not in read and 4 in read


def test_bands_are_those_of_datasketch() -> None:
    # Of two or three components, several shapes have equal areas at the threshold 0.5.
    for num_perm in (16, 100, 128):
        for threshold in (0.0, 0.05, 0.35, 0.5, 0.75, 0.8, 0.9, 0.95, 1.0):
            shapes = []
            for package in BOTH:
                lsh = result(lambda: package.MinHashLSH(threshold, num_perm))  # noqa: B023
                shapes.append(lsh if isinstance(lsh, type) else (lsh.b, lsh.r))
            assert shapes[0] == shapes[1], (num_perm, threshold)


def test_what_is_asked_for_beyond_datasketch() -> None:
    lsh = ours.MinHashLSH(0.8, num_perm=128, params="recall")
    assert 1 - (1 - 0.8**lsh.r) ** lsh.b >= 0.99
    rng = random.Random(11)
    some = tokens(rng, 30)
    for key, count in (("all", 30), ("most", 27), ("few", 8)):
        lsh.insert(key, made(ours, some[:count]))
    scores = lsh.query(made(ours, some), with_scores=True)
    assert scores[0] == ("all", 1.0) and scores[1][0] == "most" and scores[0][1] > scores[1][1] > 0.6
    assert dict(scores).keys() == set(lsh.query(made(ours, some)))
    lsh.insert("all", made(ours, some[:3]), check_duplication=False)
    assert lsh.query(made(ours, some[:3])) == ["all"] and len(lsh.keys) == 3
    lsh.remove("all")
    assert "all" not in lsh.query(made(ours, some))
    with pytest.raises(ImportError, match="HNSW: import it from datasketch"):
        ours.HNSW  # noqa: B018
    with pytest.raises(ImportError, match="redis"):
        ours.MinHashLSH(storage_config={"type": "redis"})
    with pytest.raises(ValueError, match="tell no similarity"):
        shortened = ours.MinHashLSH(params=(4, 4), hashfunc=lambda value: value[:2])
        shortened.insert("a", made(ours, some))
        shortened.query(made(ours, some), with_scores=True)


def test_pickles_are_written_without_datasketch(tmp_path: Any) -> None:
    """In a process that cannot import datasketch."""
    program = (
        "import sys; sys.modules['datasketch'] = None\n"
        "from lookalike.compat import datasketch as ours\n"
        "m = ours.MinHash(16); m.update_batch([b'a', b'b'])\n"
        "open(sys.argv[1], 'wb').write(ours.dumps(m)); open(sys.argv[2], 'wb').write(ours.dumps(ours.LeanMinHash(m)))\n"
        "assert ours.loads(open(sys.argv[1], 'rb').read()) == m\n"
    )
    files = [tmp_path / "minhash", tmp_path / "lean"]
    subprocess.run([sys.executable, "-c", program, *map(str, files)], check=True)
    expected = made(theirs, [b"a", b"b"], num_perm=16)
    assert pickle.loads(files[0].read_bytes()) == expected
    assert pickle.loads(files[1].read_bytes()) == theirs.LeanMinHash(expected)
