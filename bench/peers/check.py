"""Checks of the checkers: run before every measurement, a few seconds."""

from __future__ import annotations

import random

import numpy as np

import environment
from corpora import Corpus, corpus, shared_data
from exact_join import brute_force, exact_pairs
from judge import Verdict, judge
from shingles import gaoya_shingles, hashed_sets, python_shingles, ranges, texts
from tools import Answer
from truth import FRACTION, lookalike_is_exact

SMALL = "license_texts"
SMALL_DOCS = 500


def check_all(threads: int) -> list[str]:
    """Fails on the first difference; returns what was found equal."""
    done = [_random_sets(), _verdicts()]
    try:
        small = corpus(SMALL, SMALL_DOCS)
    except SystemExit as absent:
        return [*done, f"NOT CHECKED on real texts: {absent}"]
    done += [_small_corpus(small, threads), _known_pairs(corpus(SMALL, None), threads), _gaoya_words(small)]
    return [check for check in done if check]


def _random_sets() -> str:
    chance = random.Random(3)
    for _ in range(100):
        fraction = chance.choice([(4, 5), (1, 2), (9, 10), (1, 1)])
        sets: list[set[int]] = []
        for _ in range(chance.randint(1, 20)):
            base = set(chance.sample(range(60), chance.randint(0, 25)))
            for _ in range(chance.randint(1, 4)):
                sets.append({element for element in base if chance.random() < 0.9})
        values = np.array([element for one in sets for element in sorted(one)], dtype=np.uint64)
        starts = np.concatenate([[0], np.cumsum([len(one) for one in sets])])
        found = exact_pairs(values, starts, fraction)
        _same("random sets: exact join, brute force", found, brute_force(sets, fraction))
    return "100 lists of random sets: exact join = brute force"


def _verdicts() -> str:
    """The verdict on made-up answers, counted document by document and pair by pair."""
    chance, documents = random.Random(5), 40
    pairs = [(a, b) for a in range(documents) for b in range(a + 1, documents)]
    for _ in range(100):
        true = set(chance.sample(pairs, chance.randint(1, 60)))
        reported = set(chance.sample(pairs, chance.randint(1, 60)))
        keep = [chance.random() < 0.6 for _ in range(documents)]
        partners = [[b if a == one else a for a, b in true if one in (a, b)] for one in range(documents)]
        has_keeper = [any(keep[other] for other in others) for others in partners]
        missed = [keep[one] and any(keep[other] and other < one for other in partners[one]) for one in range(documents)]
        expected = Verdict(
            recall=len(true & reported) / len(true),
            precision=len(true & reported) / len(reported),
            removed=documents - sum(keep),
            wrongly_removed=sum(not stays and not has for stays, has in zip(keep, has_keeper)),
            missed=sum(missed),
        )
        answer = Answer(_codes(reported, documents), np.array(keep))
        found = judge(answer, _codes(true, documents), documents, reports_removals=False)
        if found != expected:
            raise SystemExit(f"WRONG: verdict {found}, expected {expected}")
    return "100 made-up answers: verdicts = counts by definition"


def _codes(pairs: set[tuple[int, int]], documents: int) -> np.ndarray:
    return np.array(sorted(a * documents + b for a, b in pairs), dtype=np.uint64)


def _small_corpus(small: Corpus, threads: int) -> str:
    """The same sets, joined by brute force, by the join here, by lookalike (see truth.py), by SetSimilaritySearch."""
    sets = [set(python_shingles(text)) for part in ranges(small.path, 1) for text in texts(part)]
    expected = brute_force(sets, FRACTION)
    _same("exact join, brute force", exact_pairs(*hashed_sets(small.path, "python", threads), FRACTION), expected)
    names = ["exact join", "lookalike"]
    lookalike_is_exact(small, threads)
    if "SetSimilaritySearch" not in environment.unavailable():
        from SetSimilaritySearch import all_pairs

        found = all_pairs(sets, "jaccard", FRACTION[0] / FRACTION[1])
        codes = _codes({(min(a, b), max(a, b)) for a, b, _ in found}, len(sets))
        _same("SetSimilaritySearch, brute force", codes, expected)
        names.append("SetSimilaritySearch")
    return f"{small.name}, {expected.size} pairs: {' = '.join(names)} = brute force"


def _known_pairs(whole: Corpus, threads: int) -> str:
    """The shared data have all pairs at 0.5 on 3-shingles of the license texts, by somebody else's program."""
    known = shared_data() / f"{SMALL}.pairs_w3_050.tsv.zst"
    if not known.exists():
        return ""
    import zstandard

    with known.open("rb") as packed:
        rows = zstandard.ZstdDecompressor().stream_reader(packed).read().decode().splitlines()
    number = {key: place for place, key in enumerate(whole.keys())}
    expected = set()
    for row in rows:
        ends = sorted(number[key] for key in row.split("\t")[:2] if key in number)
        if len(ends) == 2:
            expected.add((ends[0], ends[1]))
    found = exact_pairs(*hashed_sets(whole.path, "python:3", threads), (1, 2))
    _same("exact join, known pairs of the license texts", found, _codes(expected, len(number)))
    return f"{whole.name}, word 3-shingles at 0.5, {found.size} pairs: exact join = the pairs that came with the data"


def _gaoya_words(small: Corpus) -> str:
    """Our imitation of gaoya's tokenizer must cut where gaoya cuts: a sketch must not change if we put the blanks."""
    if "gaoya" in environment.unavailable():
        return ""
    from gaoya.minhash import MinHashStringIndex

    sketchers = [
        MinHashStringIndex(64, 0.8, 20, 5, None, "word", True, (size, size), "vec").minhash_index for size in (1, 5)
    ]
    for part in ranges(small.path, 1):
        for text in texts(part):
            shingles = gaoya_shingles(text)
            if not shingles:
                continue
            cut = " ".join([shingles[0], *(shingle.rsplit(" ", 1)[1] for shingle in shingles[1:])])
            for sketcher in sketchers:
                if sketcher.tokenize_and_minhash(text.lower()) != sketcher.tokenize_and_minhash(cut):
                    raise SystemExit(f"WRONG: gaoya cuts a text of {small.name} otherwise than shingles.py does")
    return f"{small.name}: gaoya's words = those it is judged by"


def _same(what: str, found: np.ndarray, expected: np.ndarray) -> None:
    if not np.array_equal(found, expected):
        raise SystemExit(f"WRONG: {what} differ in {np.setxor1d(found, expected).size} pairs")
