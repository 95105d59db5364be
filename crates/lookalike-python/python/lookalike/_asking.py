"""Questions: which documents are near to these?"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from . import _lookalike
from ._data import Given
from ._options import Options, check_side, threshold_of
from ._progress import Callback, Watcher
from ._results import Answers
from ._running import request_of, tell
from ._tables import list_of_ids

#: Answers to a query, if nothing is said of them.
USUAL_ANSWERS = 10


class Question(NamedTuple):
    """What a search asks; the arguments of :func:`lookalike.search`."""

    queries: object
    threshold: float | str | None
    k: int | None
    ids: Iterable[str | int]
    text: str
    id: str | None
    containment: str | None
    measure_recall: bool


def ask(asked: Question, corpus: object, options: Options, progress: bool | Callback | None) -> Answers:
    """Asks documents, or the native part of an index that is open."""
    check_side(asked.containment, options.get("measure"), corpus)
    limits = (asked.threshold, options.get("min_common"), options.get("distance"))
    k = USUAL_ANSWERS if asked.k is None and all(limit is None for limit in limits) else asked.k
    keywords: dict[str, Any] = {**options, "threshold": threshold_of(asked.threshold), "text": asked.text}
    keywords.update(id=asked.id, containment=asked.containment, k=k, ids=list_of_ids(asked.ids, "ids"))
    keywords.update(measure_recall=asked.measure_recall)
    index = corpus if isinstance(corpus, _lookalike.Index) else None
    queries = Given() if asked.queries is None else asked.queries
    request = request_of(queries, keywords, references=Given() if index is not None else corpus)
    documents, searched = request.data.documents, request.references.documents
    with Watcher(progress) as watcher:
        answer = _lookalike.search(request.keywords, documents, searched, index, watcher.callback)
    return Answers(answer, tell(answer.report(), answer.warnings))
