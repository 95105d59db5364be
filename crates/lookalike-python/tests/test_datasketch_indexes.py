"""The forest, the ensemble, the Bloom filters and weighted signatures of `lookalike.compat.datasketch`."""

from __future__ import annotations

import itertools
import pickle
import random
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import datasketch as theirs
import numpy
import pytest
from scipy import sparse

from beside_datasketch import BOTH, SCHEMES, assert_same_errors, made, result, tokens
from lookalike.compat import datasketch as ours

pytestmark = [
    pytest.mark.filterwarnings("ignore:the default bands"),
    pytest.mark.filterwarnings("ignore:without save_dir"),
]


def versions(rng: random.Random, count: int) -> list[list[bytes]]:
    """Sets in families: each is like one before it, or new."""
    sets: list[list[bytes]] = []
    for _ in range(count):
        if sets and rng.random() < 0.7:
            kept = [token for token in rng.choice(sets) if rng.random() < 0.9]
            sets.append(kept + tokens(rng, rng.randrange(4)))
        else:
            sets.append(tokens(rng, rng.randrange(1, 30)))
    return sets


# Forests.


@pytest.mark.parametrize("scheme", SCHEMES)
def test_random_programs_of_forests(scheme: str) -> None:
    rng = random.Random(scheme)
    for _ in range(25):
        num_perm, trees = rng.choice([(8, 2), (32, 8), (33, 4), (128, 8), (5, 5), (16, 1)])
        forests = [package.MinHashLSHForest(num_perm, trees) for package in BOTH]
        sets = versions(rng, 40)
        for step in range(60):
            number = rng.randrange(len(sets))
            pair = [made(package, sets[number], num_perm=num_perm + 3 * (step % 2), scheme=scheme) for package in BOTH]
            if rng.random() < 0.5:
                both = zip(forests, pair, strict=True)
                added = [result(lambda: forest.add(number, minhash)) for forest, minhash in both]  # noqa: B023
                assert added[0] == added[1]
            elif rng.random() < 0.2:
                [forest.index() for forest in forests]
            k, depth = rng.choice([1, 2, 5, 100]), rng.randrange(1, num_perm // trees + 1)
            found = [
                (forest.query(minhash, k), list(forest._query(minhash, depth, 1)), forest.is_empty(), number in forest,
                 [list(table) for table in forest.sorted_hashtables], dict(forest.keys),
                 [{value: list(keys) for value, keys in table.items()} for table in forest.hashtables])
                for forest, minhash in zip(forests, pair, strict=True)
            ]
            assert found[0] == found[1]
        for number in list(forests[1].keys)[:5]:
            values = [forest.get_minhash_hashvalues(number) for forest in forests]
            assert values[0].dtype == values[1].dtype and values[0].tolist() == values[1].tolist()
        # As it was kept: by us, and by datasketch.
        for kept in (pickle.loads(pickle.dumps(forests[0])), ours.loads(pickle.dumps(forests[1]))):
            assert type(kept) is ours.MinHashLSHForest
            for elements in sets:
                minhash = made(ours, elements, num_perm=num_perm, scheme=scheme)
                for k in (1, 3, 100):
                    assert set(kept.query(minhash, k)) == set(forests[0].query(minhash, k))
            minhash = made(ours, [b"another one"], num_perm=num_perm, scheme=scheme)
            kept.add("late", minhash)
            kept.index()
            assert "late" in kept.query(minhash, 1000)


def test_many_equal_signatures_are_not_all_looked_at() -> None:
    forest = ours.MinHashLSHForest(16, 4)
    minhash = made(ours, [b"a"], num_perm=16)
    for number in range(3000):
        forest.add(number, minhash)
    forest.index()
    assert forest.query(minhash, 3) == [0, 1, 2] and forest.hashtables[0][forest.keys[0][0]] == list(range(3000))


def test_a_key_that_cannot_be_compared_leaves_nothing_behind() -> None:
    class Key:
        at = 0

        def __init__(self, value: int) -> None:
            self.value = value

        def __hash__(self) -> int:
            return 7

        def __eq__(self, other: object) -> bool:
            Key.at -= 1
            if Key.at == 0:
                raise KeyError("no")
            return isinstance(other, Key) and self.value == other.value

    minhash = made(ours, [b"a"], num_perm=16)
    for index, add in (
        (lsh := ours.MinHashLSH(num_perm=16, params=(4, 4)), lsh.insert),
        (forest := ours.MinHashLSHForest(16, 4), forest.add),
    ):
        for at in (1, 2):
            Key.at = 0
            first, second = Key(10 * at), Key(10 * at + 1)
            add(first, minhash)
            count = len(index.hashtables[0][index.keys[first][0]])
            Key.at = at
            with pytest.raises(KeyError):
                add(second, minhash)
            Key.at = 0
            assert second not in index and len(index.hashtables[0][index.keys[first][0]]) == count


def test_threads_ask_a_forest_while_it_is_indexed() -> None:
    forest = ours.MinHashLSHForest(16, 4)
    minhashes = [made(ours, [b"%d" % number], num_perm=16) for number in range(300)]
    errors: list[BaseException] = []
    done = threading.Event()

    def ask() -> None:
        while not done.is_set():
            try:
                forest.query(minhashes[0], 3)
            except BaseException as error:  # noqa: BLE001
                errors.append(error)

    threads = [threading.Thread(target=ask) for _ in range(2)]
    [thread.start() for thread in threads]
    for number, minhash in enumerate(minhashes):
        forest.add(number, minhash)
        forest.index()
    done.set()
    [thread.join() for thread in threads]
    assert not errors and 0 in forest.query(minhashes[0], 3)


def test_forests_refuse_what_datasketch_refuses() -> None:
    def forest(package: Any) -> Any:
        forest = package.MinHashLSHForest(16, 4)
        forest.add("a", made(package, [b"a"], num_perm=16))
        forest.index()
        return forest

    assert_same_errors(
        lambda p: p.MinHashLSHForest(0, 1), lambda p: p.MinHashLSHForest(4, 0), lambda p: p.MinHashLSHForest(4, 5),
        lambda p: forest(p).add("a", made(p, [b"b"], num_perm=16)),
        lambda p: forest(p).add("b", made(p, [b"b"], num_perm=15)),
        lambda p: forest(p).add("b", made(p, [b"b"], num_perm=16, scheme="legacy")),
        lambda p: forest(p).add([], made(p, [b"b"], num_perm=16)),
        lambda p: forest(p).query(made(p, [b"b"], num_perm=16), 0),
        lambda p: forest(p).query(made(p, [b"b"], num_perm=15), 1),
        lambda p: forest(p).query(made(p, [b"b"], num_perm=16, scheme="legacy"), 1),
        lambda p: forest(p).get_minhash_hashvalues("b"), lambda p: forest(p).keys["b"],
        lambda p: list(forest(p)._query(made(p, [b"b"], num_perm=16), 5, 1)),
    )


# Ensembles.


def test_random_ensembles() -> None:
    rng = random.Random(5)
    for num_part, m, threshold in itertools.product([1, 3, 16], [2, 8], [0.0, 0.3, 0.8, 1.0]):
        sets = [sorted(set(elements)) for elements in versions(rng, rng.choice([1, 30, 60]))]
        sets = [elements for elements in sets if elements] or [[b"a"]]
        # Small sizes can be divided equally well in two ways, of which either is taken.
        sizes = [len(elements) * 1000 + rng.randrange(1000) for elements in sets]
        ensembles = []
        for package in BOTH:
            ensemble = package.MinHashLSHEnsemble(threshold, num_perm=64, num_part=num_part, m=m)
            minhashes = [made(package, elements, num_perm=64) for elements in sets]
            entries = list(zip(range(len(sets)), minhashes, sizes, strict=True))
            ensemble.index(entries if num_part == 3 else iter(entries))
            ensembles.append(ensemble)
        mine, expected = ensembles
        assert mine.params.tolist() == expected.params.tolist() and mine.xqs.tolist() == expected.xqs.tolist()
        assert (mine.lowers, mine.uppers) == (expected.lowers, expected.uppers)
        assert mine.is_empty() == expected.is_empty() and (0 in mine, 77 in mine) == (0 in expected, 77 in expected)
        kept = [mine, pickle.loads(pickle.dumps(mine)), ours.loads(pickle.dumps(expected))]
        for elements in [*sets, tokens(rng, 5)]:
            size, query = rng.randrange(1, 50_000), made(theirs, elements, num_perm=64)
            answer = sorted(expected.query(query, size))
            for one in kept:
                assert sorted(one.query(made(ours, elements, num_perm=64), size)) == answer
        best = ours.MinHashLSHEnsemble(threshold, num_perm=64, num_part=num_part, m=m, partitions="best")
        best.index(zip(range(len(sets)), (made(ours, elements, num_perm=64) for elements in sets), sizes, strict=True))
        assert _false_positives(sizes, best) <= _false_positives(sizes, mine) * (1 + 1e-9)
        for package, ensemble in zip(BOTH, ensembles, strict=True):
            with pytest.raises(ValueError, match="."):
                ensemble.index([("x", made(package, [b"x"], num_perm=64), 1)])


def _false_positives(sizes: list[int], ensemble: Any) -> float:
    """How many are expected of these sizes, in the parts of an ensemble."""
    parts = [part for part in zip(ensemble.lowers, ensemble.uppers, strict=True) if part[0] is not None]
    return sum((upper - size) / upper for lower, upper in parts for size in sizes if lower <= size <= upper)


def test_ensembles_refuse_what_datasketch_refuses() -> None:
    def one(package: Any, **keywords: Any) -> Any:
        return package.MinHashLSHEnsemble(**{"threshold": 0.5, "num_perm": 16, "num_part": 2, "m": 2, **keywords})

    def entry(package: Any, key: str, size: int = 3, **keywords: Any) -> Any:
        return key, made(package, [b"a"], **{"num_perm": 16, **keywords}), size

    assert_same_errors(
        *(lambda p, keywords=keywords: one(p, **keywords) for keywords in (
            {"threshold": 1.1}, {"num_perm": 1}, {"num_part": 0}, {"m": 1}, {"m": 17}, {"weights": (0.9, 0.9)},
            {"weights": (1.5, -0.5)},
        )),
        lambda p: one(p).index([]), lambda p: one(p).index(iter([entry(p, "a", 0)])),
        lambda p: one(p).index([entry(p, "a"), entry(p, "a")]), lambda p: one(p).index([entry(p, "a", num_perm=8)]),
        lambda p: one(p).index([entry(p, "a"), entry(p, "b", scheme="legacy")]),
    )
    with pytest.raises(ValueError, match=r"a whole number of 1 at least; got 2\.5"):
        one(ours).index([entry(ours, "a", 2.5)])  # type: ignore[arg-type]
    # What was refused leaves nothing behind.
    ensemble = one(ours)
    with pytest.raises(ValueError, match="the key is there already"):
        ensemble.index([entry(ours, "a"), entry(ours, "a")])
    assert ensemble.is_empty() and ensemble.uppers == [None, None]
    ensemble.index([entry(ours, "a", scheme="legacy")])
    assert list(ensemble.query(entry(ours, "", scheme="legacy")[1], 3)) == ["a"]
    with pytest.raises(ImportError, match="import MinHashLSH from datasketch"):
        one(ours, storage_config={"type": "redis"})


# Bloom filters.


def test_bands_that_were_seen(tmp_path: Path) -> None:
    rng = random.Random(8)
    sets = versions(rng, 200)
    minhashes = [made(ours, elements, num_perm=64) for elements in sets]
    lsh = ours.MinHashLSH(num_perm=64, params=(16, 4))
    bloom = ours.MinHashLSHBloom(num_perm=64, params=(16, 4), n=200, fp=1e-9, save_dir=str(tmp_path / "index"))
    for number, minhash in enumerate(minhashes):
        assert bloom.query(minhash) == bool(lsh.query(minhash))
        lsh.insert(number, minhash)
        bloom.insert(minhash)
        assert bloom.query(minhash)
    bloom.sync()
    again = ours.MinHashLSHBloom(num_perm=64, params=(16, 4), n=1, fp=0.5, save_dir=str(tmp_path / "index"))
    others = [made(ours, tokens(rng, 20), num_perm=64) for _ in range(200)]
    assert [again.query(minhash) for minhash in minhashes + others] == [bloom.query(m) for m in minhashes + others]
    # The same components in another order have the same sum.
    turned = ours.MinHash(hashvalues=minhashes[0].hashvalues.reshape(16, 4)[:, ::-1].ravel(), scheme="affine32")
    alone = ours.MinHashLSHBloom(num_perm=64, params=(16, 4), n=10, fp=1e-9)
    alone.insert(minhashes[0])
    assert not alone.query(turned)
    with pytest.raises(ValueError, match="have the scheme 'affine32', and this one 'legacy'"):
        again.query(made(ours, [b"a"], num_perm=64, scheme="legacy"))


def test_an_index_is_written_at_the_end_and_is_whole(tmp_path: Path) -> None:
    # It is written where it was opened.
    program = (
        "import os; from lookalike.compat.datasketch import MinHash, MinHashLSHBloom\n"
        "minhash = MinHash(num_perm=16); minhash.update(b'a')\n"
        "index = MinHashLSHBloom(num_perm=16, params=(4, 4), n=10, fp=0.01, save_dir='.')\n"
        "index.insert(minhash)\n"
        "os.chdir('/')\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, cwd=tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"band-{band}.bf" for band in range(4)]
    again = ours.MinHashLSHBloom(num_perm=16, params=(4, 4), n=10, fp=0.01, save_dir=str(tmp_path))
    assert again.query(made(ours, [b"a"], num_perm=16)) and not again.query(made(ours, [b"b"], num_perm=16))
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}

    def opened(bands: int = 4, rows: int = 4) -> None:
        ours.MinHashLSHBloom(num_perm=16, params=(bands, rows), n=10, fp=0.01, save_dir=str(tmp_path))

    last = tmp_path / "band-3.bf"
    for damage, said in (
        (lambda data: data[:-1] + bytes([data[-1] ^ 1]), "is damaged"), (lambda data: data[:-1], "is damaged"),
        (lambda data: b"", "is no filter of lookalike"), (lambda _: before[tmp_path / "band-2.bf"], "is band 2 of 4"),
    ):
        last.write_bytes(damage(before[last]))
        with pytest.raises(ValueError, match=said):
            opened()
    last.unlink()
    with pytest.raises(ValueError, match=r"has no file band-3\.bf"):
        opened()
    last.write_bytes(before[last])
    with pytest.raises(ValueError, match="is band 0 of 4 with 4 rows"):
        opened(2, 4)
    opened()
    assert before == {path: path.read_bytes() for path in tmp_path.iterdir()}


def test_two_indexes_in_one_folder_add_to_it(tmp_path: Path) -> None:
    def opened() -> Any:
        return ours.MinHashLSHBloom(num_perm=16, params=(4, 4), n=100, fp=1e-6, save_dir=str(tmp_path))

    def minhash(number: int, **keywords: Any) -> Any:
        return made(ours, [b"%d" % number], num_perm=16, **keywords)

    one, other = opened(), opened()
    one.insert(minhash(1))
    other.insert(minhash(2))
    one.sync()
    other.sync()
    assert [opened().query(minhash(number)) for number in (1, 2, 3)] == [True, True, False]
    assert other.query(minhash(1))
    # The name stands for a new object, which is made before the old one is written.
    index = opened()
    index.insert(minhash(4))
    index = opened()
    assert not index.query(minhash(4))
    index.insert(minhash(5))
    index.sync()
    assert all(opened().query(minhash(number)) for number in (1, 2, 4, 5)) and index.query(minhash(4))
    for file in tmp_path.iterdir():
        file.unlink()
    one, other = opened(), opened()
    one.insert(minhash(1))
    one.sync()
    other.insert(minhash(2, scheme="legacy"))
    with pytest.raises(ValueError, match="signatures of different schemes"):
        other.sync()
    other._folder.has_changed = False


def test_bloom_filters_refuse_what_they_cannot_use() -> None:
    for keywords in ({"n": None}, {"n": 0}, {"fp": None}, {"fp": 0.0}, {"fp": 1.0}, {"threshold": 2.0}, {"num_perm": 1},
                     {"params": (1, 16)}, {"params": (5, 4)}, {"params": (4, 0)},
                     {"weights": (0.5, 0.6)}, {"n": 2**60, "fp": 1e-9}):
        with pytest.raises(ValueError, match="."):
            ours.MinHashLSHBloom(**{"num_perm": 16, "n": 10, "fp": 0.1, **keywords})  # type: ignore[arg-type]
    with pytest.warns(RuntimeWarning, match="without save_dir"):
        index = ours.MinHashLSHBloom(num_perm=16, n=10, fp=0.1, params=(4, 4))
    with pytest.warns(RuntimeWarning, match="cannot be written"):
        index.sync()
    for call in (index.insert, index.query):
        with pytest.raises(ValueError, match="have 16 components"):
            call(made(ours, [b"a"], num_perm=8))
    table = index.hashtables[0]
    table.insert([1, 2, 3, 4])
    assert table.query(numpy.array([1, 2, 3, 4], numpy.uint32)) and not table.query([1, 2, 4, 3])
    with pytest.raises(RuntimeError, match="has 4 components, and this one 3"):
        table.query([1, 2, 3])


# Weighted sets.


def test_samples_of_weighted_sets() -> None:
    rng = numpy.random.default_rng(2)
    for dim, samples, seed in [(1, 4, 1), (20, 16, 7), (300, 128, 42)]:
        generators = [package.WeightedMinHashGenerator(dim, samples, seed) for package in BOTH]
        matrix = rng.poisson(0.7, (30, dim)).astype(float) * rng.choice([1, 0.25, 100], (30, dim))
        matrix[:, 0] = numpy.arange(30)
        expected = [generators[1].minhash(row) if row.any() else None for row in matrix]
        kept = [pickle.loads(pickle.dumps(generators[0])), ours.loads(pickle.dumps(generators[1]))]
        for generator in (generators[0], *kept):
            found = [generator.minhash(row) if row.any() else None for row in matrix]
            assert [_samples(one) for one in found] == [_samples(one) for one in expected]
            assert _samples(generator.minhash(list(matrix[5]))) == _samples(expected[5])
        many = [_samples(one) for one in generators[1].minhash_many(matrix)]
        for given in (matrix, matrix.astype(numpy.float32), sparse.csr_matrix(matrix), sparse.coo_array(matrix)):
            assert [_samples(one) for one in generators[0].minhash_many(given)] == many
        assert (many[0] is None) == (dim == 1)
        one, other = found[5], found[6]
        assert one is not None and other is not None and expected[5] is not None
        assert one.jaccard(other) == expected[5].jaccard(expected[6]) and one.jaccard(one) == 1.0
        assert one == one.copy() and len(one) == samples and one.digest() is not one.hashvalues
        assert (one == other) == (dim == 1 and one.jaccard(other) == 1.0)
        assert _samples(pickle.loads(ours.dumps(one))) == _samples(one)
        assert _samples(ours.loads(pickle.dumps(expected[5]))) == _samples(one)


def _samples(minhash: Any) -> Any:
    return None if minhash is None else (minhash.seed, minhash.hashvalues.dtype, minhash.hashvalues.tolist())


def test_explicit_zeros_of_a_sparse_matrix_are_no_weights() -> None:
    generator = ours.WeightedMinHashGenerator(4, 8)
    matrix = sparse.csr_matrix(([0.0, 2.0, 0.0], [0, 3, 1], [0, 2, 3]), shape=(2, 4))
    found = generator.minhash_many(matrix)
    (dense,) = generator.minhash_many(numpy.array([[0, 0, 0, 2.0]]))
    assert _samples(found[0]) == _samples(dense) and found[1] is None


def test_weighted_sets_that_datasketch_refuses() -> None:
    for wrong in (
        lambda g: g.minhash(7), lambda g: g.minhash([1, 2]), lambda g: g.minhash([0, 0, 0]),
        lambda g: g.minhash(numpy.array([1.0, numpy.inf, 0])), lambda g: g.minhash_many([[1, 2, 3]]),
        lambda g: g.minhash_many(numpy.ones((2, 2))), lambda g: g.minhash_many(numpy.ones(3)),
        lambda g: g.minhash([1, 2, 3]).jaccard(type(g)(3, 8).minhash([1, 2, 3])),
        lambda g: g.minhash([1, 2, 3]).jaccard(type(g)(3, 4, 2).minhash([1, 2, 3])),
    ):
        kinds = [result(lambda: wrong(package.WeightedMinHashGenerator(3, 4))) for package in BOTH]  # noqa: B023
        assert isinstance(kinds[0], type) and kinds[0] is kinds[1]
    for bad in (-1.0, numpy.nan):
        with pytest.raises(ValueError, match="zero at least"):
            ours.WeightedMinHashGenerator(3, 4).minhash_many(numpy.array([[1, bad, 2]]))


def test_weighted_signatures_in_indexes() -> None:
    rng = numpy.random.default_rng(4)
    matrix = rng.poisson(2, (40, 12)).astype(float) + 0.5
    matrix[20:] = matrix[:20] * rng.choice([1, 1, 1.2], (20, 12))
    answers = []
    for package in BOTH:
        minhashes = [package.WeightedMinHashGenerator(12, 64).minhash(row) for row in matrix]
        lsh = package.WeightedMinHashLSH(num_perm=64, params=(16, 4))
        forest = package.WeightedMinHashLSHForest(num_perm=64, l=8)
        for number, minhash in enumerate(minhashes):
            lsh.insert(number, minhash)
            forest.add(number, minhash)
        forest.index()
        answers.append([(sorted(lsh.query(minhash)), forest.query(minhash, 5)) for minhash in minhashes])
        assert isinstance(result(lambda: forest.get_minhash_hashvalues(0)), type)  # noqa: B023
    assert answers[0] == answers[1]
    theirs_lsh = theirs.MinHashLSH(num_perm=64, params=(16, 4))
    theirs_lsh.insert("a", theirs.WeightedMinHashGenerator(12, 64).minhash(matrix[3]))
    kept = ours.loads(pickle.dumps(theirs_lsh))
    assert kept.query(ours.WeightedMinHashGenerator(12, 64).minhash(matrix[3])) == ["a"]
    assert kept.keys["a"] == theirs_lsh.keys["a"]
    lsh = ours.MinHashLSH(num_perm=64, params=(16, 4))
    minhashes = [ours.WeightedMinHashGenerator(12, 64).minhash(row) for row in matrix]
    [lsh.insert(number, minhash) for number, minhash in enumerate(minhashes)]
    for number, score in lsh.query(minhashes[3], with_scores=True):
        assert score == minhashes[3].jaccard(minhashes[number])
