"""How right an answer is.

Pairs: recall is the share of the true pairs that were reported, precision the share of the reported pairs that are
true. For a tool that reports removals, recall is the share of the true pairs of which not both documents stay;
precision is as before if it names the document kept in place of each, and otherwise the share of the removals that are
right.

Documents: a removal is wrong if no document that stays is similar enough; a document is missed if it stays although an
earlier one that stays is similar enough.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tools import Answer


@dataclass(frozen=True)
class Verdict:
    """None where a question does not arise."""

    recall: float
    precision: float
    removed: int | None
    wrongly_removed: int | None
    missed: int | None


def judge(answer: Answer, truth: np.ndarray, documents: int, reports_removals: bool) -> Verdict:
    """Compares an answer with the codes of all true pairs."""
    right = np.intersect1d(answer.pairs, truth, assume_unique=True).size
    precision = right / answer.pairs.size if answer.pairs.size else 1.0
    recall = right / truth.size if truth.size else 1.0
    if answer.keep is None:
        return Verdict(recall, precision, None, None, None)
    keep = answer.keep
    a, b = np.divmod(truth.astype(np.int64), documents)
    # Whether something similar to a document stays, and whether it stays and so does something similar before it.
    has_keeper, missed = np.zeros(documents, dtype=bool), np.zeros(documents, dtype=bool)
    has_keeper[a[keep[b]]] = True
    has_keeper[b[keep[a]]] = True
    missed[b[keep[a] & keep[b]]] = True
    removed, wrongly = int(np.count_nonzero(~keep)), int(np.count_nonzero(~keep & ~has_keeper))
    if reports_removals:
        recall = 1.0 - int(np.count_nonzero(keep[a] & keep[b])) / max(truth.size, 1)
        precision = precision if answer.pairs.size else 1.0 - wrongly / max(removed, 1)
    return Verdict(recall, precision, removed, wrongly, int(np.count_nonzero(missed)))
