"""Documents that the tests share."""

from __future__ import annotations

import random

import pytest


def make_texts(count: int, seed: int = 1) -> list[str]:
    """Texts of which many are near-duplicates, and some are equal or empty."""
    rng = random.Random(seed)
    pages = [[f"p{page}w{word}" for word in range(rng.randrange(5, 80))] for page in range(count // 6 + 1)]
    texts = []
    for number in range(count):
        words = list(rng.choice(pages))
        for _ in range(rng.randrange(4)):
            words[rng.randrange(len(words))] = f"x{number}é"
        texts.append(" ".join(words) if number % 97 else "")
    return texts


@pytest.fixture(scope="session")
def texts() -> list[str]:
    return make_texts(3000)
