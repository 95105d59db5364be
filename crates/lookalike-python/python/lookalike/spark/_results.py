"""What the jobs give: DataFrames over the files of the last stages, and a report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Result:
    """What all results have."""

    #: Rows of the input that are no documents: ``id``, ``reason``.
    left_out: Any
    #: What the job did: counts of the documents and the answers; of each stage its seconds, rows, shuffled bytes and
    #: largest bucket.
    report: dict[str, Any]

    def __repr__(self) -> str:
        counts = ", ".join(f"{count:,} {name}" for name, count in self.report["result"].items())
        return f"{type(self).__name__}: {counts}"


@dataclass(frozen=True, repr=False)
class Deduped(Result):
    """The documents that stay, and those that go."""

    #: The rows of the input that are kept, with all their columns.
    kept: Any
    #: ``id``, ``kept``, ``similarity``, ``reason``: the document that is kept in its place, as in
    #: :class:`lookalike.Deduped`.
    removed: Any


@dataclass(frozen=True, repr=False)
class Pairs(Result):
    """Pairs of near-duplicates."""

    #: ``a``, ``b`` (ids; a comes first in the order), ``similarity``, ``reason``.
    pairs: Any


@dataclass(frozen=True, repr=False)
class Clusters(Result):
    """Documents that pairs of near-duplicates connect."""

    #: ``cluster`` (the id of its first document), ``id``: a row for each member of each cluster of two or more.
    members: Any


@dataclass(frozen=True, repr=False)
class Answers(Result):
    """Documents that are near to queries."""

    #: ``query``, ``rank`` (from 1), ``id`` (the document), ``similarity``, ``reason``, as in :class:`lookalike.Answers`.
    answers: Any
