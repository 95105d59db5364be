"""Documents of many kinds, and the answers of one machine for them."""

from __future__ import annotations

import importlib.util
import random
from collections import defaultdict
from pathlib import Path
from typing import Any

import lookalike

# The folder above has a `conftest` of its own.
_SPEC = importlib.util.spec_from_file_location("shared_by_tests", Path(__file__).parents[1] / "conftest.py")
assert _SPEC is not None and _SPEC.loader is not None
_SHARED = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(_SHARED)
make_texts = _SHARED.make_texts


def family(count: int, words: int = 120, seed: int = 3) -> list[str]:
    """Near-copies of one text, not all of each other."""
    rng = random.Random(seed)
    texts = []
    for number in range(count):
        copy = [f"w{word}" for word in range(words)]
        for _ in range(rng.randrange(4)):
            copy[rng.randrange(words)] = f"y{number}"
        texts.append(" ".join(copy))
    return texts


def framed(count: int) -> list[str]:
    """Texts half of which is the same in all, some of them near-duplicates."""
    frame = [f"w{word}" for word in range(60)]
    texts = []
    for number in range(count):
        words = frame + [f"o{number}x{word}" for word in range(60)]
        texts.append(" ".join(words))
        if number % 20 == 0:
            texts.append(" ".join(words[:-2]))
    return texts


def records(texts: list[str], seed: int = 1) -> dict[str, str]:
    """Texts by ids whose order is not theirs, in the order of the bytes of the ids."""
    rng = random.Random(seed)
    named = {f"{rng.choice('aZé')}{rng.randrange(10**9)}-{number}": text for number, text in enumerate(texts)}
    return dict(sorted(named.items(), key=lambda record: record[0].encode()))


def frame(spark: Any, documents: dict[str, str], parts: int = 3, seed: int = 2) -> Any:
    """The documents as a DataFrame, in another order."""
    rows = list(documents.items())
    random.Random(seed).shuffle(rows)
    return spark.createDataFrame(rows, "id string, text string").repartition(parts)


def mixed_records() -> dict[str, str]:
    """Documents of all kinds: near-duplicates, a family, a common frame, copies, texts without words."""
    odd = ["", "", "...", "...", "!?", "one two", "one two", "One two."]
    return records(make_texts(500) + family(60) + framed(80) + odd)


def rows(table: Any, *names: str) -> set[tuple[Any, ...]]:
    """Columns of an Arrow table."""
    return set(zip(*(table[name].to_pylist() for name in names), strict=True))


def removals(result: Any) -> set[tuple[Any, ...]]:
    found = result.removed.collect()
    answer = {(row.id, row.kept, row.similarity, row.reason) for row in found}
    assert len(answer) == len(found)
    return answer


def expected_removals(documents: dict[str, str], **options: Any) -> set[tuple[Any, ...]]:
    return rows(lookalike.dedup(documents, **options).to_arrow(), "id", "kept", "similarity", "reason")


def groups(members: Any) -> set[frozenset[Any]]:
    """Members as sets, of (cluster, id)."""
    found = defaultdict(set)
    for cluster, id in members:
        found[cluster].add(id)
    return {frozenset(ids) for ids in found.values()}
