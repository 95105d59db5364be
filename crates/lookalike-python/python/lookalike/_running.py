"""What all jobs have in common: documents and keywords as the native part takes them, and what is told at the end."""

from __future__ import annotations

import json
import logging
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ._data import Given, given
from ._results import LookalikeWarning
from ._tables import Columns, is_matrix

#: The name of a column that no table has.
NO_COLUMN = ""

#: Frames of the stack from a warning to the caller of a job: `tell`, what calls it, and the job.
_STACK_LEVEL = 4

_log = logging.getLogger("lookalike")


@dataclass(frozen=True)
class Request:
    """A job as the native part takes it."""

    #: Those that are given.
    keywords: dict[str, Any]
    data: Given
    references: Given


def request_of(
    data: object, keywords: Mapping[str, Any], *, references: object = None, scores: tuple[str, ...] = ()
) -> Request:
    """Reads what a caller has passed.

    Args:
        data: What :func:`given` takes, or a :class:`Given`, as for a job without documents.
        keywords: Those of the job; ``None`` is none.
        references: References in any of these forms; ``None`` for a job without.
        scores: The columns of ``keep="max:FIELD"``.

    Raises:
        TypeError: Documents cannot be read from an object of this type.
        KeyError: A column is missing.
        ValueError: A column cannot be read.
    """
    has_rows = is_matrix(data) or is_matrix(references)
    if has_rows and keywords.get("vector") is None and keywords.get("signature") is None:
        # An array with a row of numbers for each document can be nothing else.
        keywords = {**keywords, "vector": keywords["text"]}
    columns = Columns.of(keywords, scores)
    documents = given(data, columns)
    against = given(references, columns.of_references()) if references is not None else Given()
    named = {**keywords, "id": NO_COLUMN if keywords["id"] is None else keywords["id"]}
    passed = {name: value for name, value in named.items() if value is not None}
    return Request({**passed, "inputs": documents.paths, "against": against.paths}, documents, against)


def tell(said: str, messages: list[str]) -> dict[str, Any]:
    """Issues the warnings of a job, logs what it did, and returns its report, which is ``said`` as JSON."""
    report: dict[str, Any] = json.loads(said)
    repeated = report["repeated_ids"]
    if repeated["count"]:
        first, count = repeated["first"], repeated["count"]
        messages = [
            *messages,
            f"{'1 id occurs' if count == 1 else f'{count:,} ids occur'} again; the first, `{first['id']}`, is called "
            f"`{first['qualified']}` at {first['again']}; unique_ids=True refuses this",
        ]
    for message in messages:
        warnings.warn(message, LookalikeWarning, stacklevel=_STACK_LEVEL)
    seconds = sum(stage["seconds"] for stage in report["stages"])
    # Pairs that are clustered again are of no known number of documents.
    documents = report["result"].get("documents")
    counted = "" if documents is None else f"{documents} documents, "
    _log.info("%s: %s%.3f s", report["command"], counted, seconds)
    return report
