"""What a search is: near-duplicates of which similarity, and how candidates are found."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, TypedDict

import pyarrow

from .. import batch
from .._options import TextOptions, refuse_unknown, threshold_of

EXACT, MINHASH = "exact", "minhash"


class SparkOptions(TextOptions, total=False):
    """How texts are cut into elements and candidates are found; the same as the keywords of :func:`lookalike.dedup`."""

    recall: float
    permutations: int
    bands: int
    rows: int
    seed: int


class _Keys(TypedDict, total=False):
    method: str
    recall: float
    permutations: int
    bands: int
    rows: int
    seed: int


@dataclass(frozen=True)
class Search:
    """The search of a job. Its fields are plain values, which travel to the executors."""

    #: Minimum similarity (>=) of near-duplicates.
    threshold: float | str
    #: ``"exact"`` or ``"minhash"``.
    method: str
    #: Whether texts of zero bytes are duplicates of each other: ``"duplicate"`` or ``"keep"``.
    empty: str
    #: How a text is cut into elements.
    features: dict[str, Any] = field(default_factory=dict)
    #: How blocking keys are made.
    keys: dict[str, Any] = field(default_factory=dict)

    def described(self) -> dict[str, Any]:
        """The search as JSON values, equal for equal searches."""
        return {
            "threshold": str(Decimal(str(self.threshold)).normalize()),
            "method": self.method,
            "empty": self.empty,
            "features": self.features,
            "keys": self.keys,
        }


def search_of(threshold: object, method: str, empty: str, options: dict[str, Any]) -> Search:
    """The search that these keywords say.

    Raises:
        TypeError: A keyword is unknown or of a wrong type.
        ValueError: A value cannot be used.
    """
    refuse_unknown(search_of, options, SparkOptions)
    if method not in (EXACT, MINHASH):
        raise ValueError(f"method: expected {EXACT!r} or {MINHASH!r}, found {method!r}")
    if empty not in ("keep", "duplicate"):
        raise ValueError(f"empty: expected 'keep' or 'duplicate', found {empty!r}")
    given = {name: value for name, value in options.items() if value is not None}
    keys = {name: given.pop(name) for name in _Keys.__annotations__ if name in given}
    least = threshold_of(threshold)
    search = Search(0.8 if least is None else least, method, empty, given, keys)
    _try(search)
    return search


def _try(search: Search) -> None:
    """Makes sets and keys of a text: what cannot be used is found before the engine starts."""
    sets = batch.features(pyarrow.array(["a text"]), signed=True, **search.features)["elements"]
    frequencies = batch.Frequencies.sized_for(1) if search.method == EXACT else None
    batch.blocking_keys(sets, search.threshold, frequencies=frequencies, method=search.method, **search.keys)
