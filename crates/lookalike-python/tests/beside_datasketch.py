"""What tests of lookalike.compat.datasketch share, which run on datasketch, too."""

from __future__ import annotations

import random
from typing import Any

import datasketch as theirs

from lookalike.compat import datasketch as ours

SCHEMES = ["affine32", "legacy"]
BOTH = [ours, theirs]


def tokens(rng: random.Random, count: int) -> list[bytes]:
    return [f"w{rng.randrange(300)}é".encode() for _ in range(count)]


def made(package: Any, elements: list[bytes], **keywords: Any) -> Any:
    minhash = package.MinHash(**keywords)
    minhash.update_batch(elements)
    return minhash


def result(call: Any) -> Any:
    """What a call gives, or the type of what it raises."""
    try:
        return call()
    except Exception as error:  # noqa: BLE001
        return type(error)


def assert_same_errors(*calls: Any) -> None:
    """Each call raises the same of both packages."""
    for call in calls:
        kinds = [result(lambda: call(package)) for package in BOTH]  # noqa: B023
        assert isinstance(kinds[1], type) and kinds[0] is kinds[1], (call.__code__.co_firstlineno, kinds)
