"""The jobs: keywords in, results out."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from . import _lookalike
from ._asking import Question, ask
from ._index import Index
from ._options import (
    NoOptions,
    Options,
    TextOptions,
    Unpack,
    check_side,
    refuse_comparison,
    refuse_unknown,
    scores_of,
    threshold_of,
)
from ._progress import Callback, Watcher
from ._results import Answers, Clusters, Comparison, Deduped, Pairs, Plan, Sources
from ._running import request_of, tell


def dedup(
    data: object,
    threshold: float | str | None = None,
    *,
    text: str = "text",
    id: str | None = "id",
    keep: str | None = None,
    cluster: str = "keepers",
    against: object = None,
    containment: str | None = None,
    progress: bool | Callback | None = None,
    **options: Unpack[Options],
) -> Deduped:
    """Selects the documents to keep; of the others it names the kept document of which each is a near-duplicate.

    A kept document is no near-duplicate of another kept one, as far as the method finds all pairs: ``exact`` does,
    ``minhash`` and others find a pair at the threshold with the probability ``recall``. With ``against``, documents are
    compared with the references only; with ``against`` and ``keep``, with each other, too.

    Args:
        data: Texts (any iterable of ``str``), a mapping of ids to texts, records (mappings of names to values), a table
            (pandas, polars, pyarrow, anything with the Arrow PyCapsule interface), an array of numpy with a vector in
            each row, or paths (``pathlib.Path``, :class:`lookalike.glob`, :class:`lookalike.url`, or a list of them),
            which are read as by the command.
        threshold: Minimum similarity (>=) of near-duplicates, above 0 and at most 1; 0.8 if it is not given.
        text: Column or field with the text.
        id: Column or field with the id, a string or an integer; ``None`` for the number of the row. A string that
            occurs again is qualified as ``ID@ROW``, with a warning; ``unique_ids=True`` raises.
        keep: The order in which documents become kept ones: ``first``, ``last``, ``longest``, ``shortest``,
            ``max:FIELD``, ``min:FIELD``, or ``source`` (the order of the inputs); ``first`` if it is not given. Several
            with commas between them decide in turn, as ``max:score,longest``. Strings that are all numbers, or all
            dates or times of ISO 8601, are ordered as such; others as text, with a warning. Beside ``against`` the
            references stay anyway. ``measure="containment"`` takes documents with more elements first, and those with
            equally many in this order.
        cluster: ``keepers`` removes only near-duplicates of a kept document; ``connected`` keeps one document of each
            cluster, and may remove one that is less similar to it than ``threshold``.
        against: References, in any form that ``data`` can have: only near-duplicates of these are removed, unless
            ``keep`` is given.
        containment: With ``measure="containment"`` and ``against``: ``either``, ``in-reference``, ``of-reference``.
        progress: A function that is called with a :class:`Progress` at most 20 times a second, or ``True`` for a bar by
            tqdm.
        options: Further flags of ``lookalike dedup``, with ``_`` in place of ``-``; ``lookalike dedup --help``
            explains each.

            - Measure: ``measure``, ``min_common``, ``weights``, ``idf``, ``save_idf``, ``distance``, ``empty``,
              ``check_texts``
            - Method: ``method``, ``recall``, ``permutations``, ``bands``, ``rows``, ``fingerprint_bits``, ``select``,
              ``seed``
            - Features of texts: ``shingle``, ``tokens``, ``rename_blind``, ``keywords``, ``bag``, ``stride``,
              ``hash_bits``, ``lowercase``, ``nfkc``, ``strip_html``, ``main_content``, ``stop_words``, ``stem``,
              ``mask``, ``strip_marks``; or ``identical``: only texts that are equal byte for byte are copies
            - Items, fingerprints and vectors in place of texts: ``items``, ``item_counts``, ``group_by``,
              ``count_field``, ``bits``, ``width``, ``digits``, ``vector``
            - Images in files: ``features`` (``image-hash`` or ``image-vector``)
            - Signatures: ``signature``, with which :func:`pairs` and :func:`clusters` give estimates; and ``texts``,
              the paths of the texts that verify them, where the signatures are in files, too
              (their ids in the field ``signature_id``, ``id`` if it is not given)
            - References: ``against_text``, ``against_id``, where their fields have names of their own
            - Reading: ``unique_ids``, ``on_error``, ``max_document``, ``input_format``, ``encoding``, ``exclude``,
              ``gitignore``, ``quote`` (``double`` or ``none``: whether quotation marks of tables enclose fields)
            - Resources and report: ``threads``, ``memory``, ``temp_dir``, ``work_dir``, ``summary``,
              ``report`` (a page of the answer for a browser)

    Returns:
        A :class:`Deduped` with ``kept``, ``removed``, ``mask`` and ``report``.

    Raises:
        TypeError: ``data`` or a keyword has a wrong type.
        ValueError: A parameter, a column or a document cannot be used.
        KeyError: A column is missing.
        OSError: A file cannot be read.
        LookalikeError: Memory or disk space does not suffice.

    >>> import lookalike
    >>> result = lookalike.dedup({"a": "one two three four five six", "b": "One two three, four five six."})
    >>> result.mask.tolist()
    [True, False]
    >>> [(row["id"], row["kept"], row["similarity"]) for row in result]
    [('b', 'a', 1.0)]
    """
    refuse_unknown(dedup, options)
    check_side(containment, options.get("measure"), against)
    scores = () if keep is None else scores_of(keep)
    if against is not None and cluster != "keepers":
        raise ValueError("`against` does not go with `cluster`: references decide which documents go")
    keywords = {**options, "threshold": threshold, "text": text, "id": id, "containment": containment, "keep": keep}
    if against is None:
        keywords.update(cluster=cluster)
    rule = "keepers" if against is None else "against"
    return Deduped(*_run(rule, data, keywords, progress, references=against, scores=scores))


def pairs(
    data: object,
    threshold: float | str | None = None,
    *,
    text: str = "text",
    id: str | None = "id",
    max_pairs: int | None = None,
    progress: bool | Callback | None = None,
    **options: Unpack[Options],
) -> Pairs:
    """Finds all pairs of near-duplicates; arguments and exceptions are those of :func:`dedup`.

    More than ``max_pairs`` pairs raise a ``ValueError``, as soon as that is known: n equal documents have n (n - 1) / 2
    pairs. An answer of ten million pairs or more is warned of before they are listed.

    >>> import lookalike
    >>> found = lookalike.pairs(["one two three four five six", "unrelated", "one two three four five six seven"], 0.6)
    >>> found
    Pairs: 3 documents, 1 pair
    a_row  a  b_row  b  similarity  reason
        0  0      2  2      0.6667  near
    """
    refuse_unknown(pairs, options)
    keywords = {**options, "threshold": threshold, "text": text, "id": id, "max_pairs": max_pairs}
    return Pairs(*_run("pairs", data, keywords, progress))


def clusters(
    data: object,
    threshold: float | str | None = None,
    *,
    text: str = "text",
    id: str | None = "id",
    progress: bool | Callback | None = None,
    **options: Unpack[Options],
) -> Clusters:
    """Finds the clusters of documents that pairs of near-duplicates connect.

    Arguments and exceptions are those of :func:`dedup`.
    """
    refuse_unknown(clusters, options)
    keywords = {**options, "threshold": threshold, "text": text, "id": id}
    return Clusters(*_run("clusters", data, keywords, progress))


def search(
    queries: object = None,
    corpus: object = None,
    threshold: float | str | None = None,
    *,
    k: int | None = None,
    ids: Iterable[str | int] = (),
    text: str = "text",
    id: str | None = "id",
    containment: str | None = None,
    measure_recall: bool = False,
    progress: bool | Callback | None = None,
    **options: Unpack[Options],
) -> Answers:
    """Finds the documents of a corpus that are nearest to each query, the most similar first, by exact similarity.

    Args:
        queries: Documents in any form that :func:`dedup` takes; ``None`` if only ``ids`` ask.
        corpus: Documents in any of these forms, or an :class:`Index`, or the path of one.
        threshold: Minimum similarity (>=) of answers; without it the nearest are found down to the lowest similarity:
            of an index the one that it was made for.
        k: The number of answers to a query at most; 10 if it is not given, and all with a limit (``threshold``,
            ``min_common``, ``distance``).
        ids: Documents of the corpus that are asked about, by their ids; they are no answers to themselves.
        text, id, progress: As for :func:`dedup`.
        containment: With ``measure="containment"``: ``either``, ``in-reference`` (the query is in the document), or
            ``of-reference``.
        measure_recall: Whether the recall of a method that is not complete is measured, from 64 queries on: a sample of
            them is compared with every document, which may take longer than the search.
        options: Those of :func:`dedup`; ``against_text`` and ``against_id`` name the fields of the corpus. An index
            says itself what is not given.

    Returns:
        :class:`Answers`; exceptions are those of :func:`dedup`.

    >>> import lookalike
    >>> corpus = ["one two three four five six", "unrelated", "one two three four five six seven"]
    >>> found = lookalike.search(["One two three four five six"], corpus)
    >>> found
    Answers: 1 query, 2 answers
    query_row  query  rank  row  id  similarity  reason
            0  0         1    0  0       1.0000  equal
            0  0         2    2  2       0.6667  near
    >>> found.table["row"], found.mask.tolist()
    ([0, 2], [True])
    """
    refuse_unknown(search, options)
    if corpus is None:
        raise TypeError("`corpus` is None: expected documents, in any form that data can have, or an Index")
    asked = Question(queries, threshold, k, ids, text, id, containment, measure_recall)
    return ask(asked, corpus.native if isinstance(corpus, Index) else corpus, options, progress)


def sources(
    data: object,
    against: object = None,
    *,
    min_match: int | str = 5,
    gap: int = 3,
    common: int = 10,
    ignore: Iterable[str | os.PathLike[str]] = (),
    text: str = "text",
    id: str | None = "id",
    progress: bool | Callback | None = None,
    **options: Unpack[Options],
) -> Sources:
    """Finds which documents have passages of others, how much of them, and where.

    Each run of at least ``min_match`` tokens that a document and a source have in common is found, in whatever order
    they stand there.

    Args:
        data: Documents in any form that :func:`dedup` takes.
        against: Where passages may come from, in any of these forms; without it the documents among each other.
        min_match: The shortest passage: a number of words, or ``UNIT:N`` such as ``sentence:2``. Five find what people
            rewrite; twelve what is verbatim.
        gap: Other tokens inside what is shown as one passage, at most; they are not counted.
        common: What stands in more documents than this is nobody's passage.
        ignore: Paths of what is no passage: an assignment, a template.
        text, id, progress: As for :func:`dedup`.
        options: Those of :func:`dedup` that say how texts are read and cut, and what may be used.

    Returns:
        :class:`Sources`; exceptions are those of :func:`dedup`.

    >>> import lookalike
    >>> library = ["the bridge was built by two brothers who had never built a bridge before, and it stands"]
    >>> essay = "As we all know, the bridge was built by two brothers who had never built a bridge before."
    >>> found = lookalike.sources([essay], library)
    >>> found.report["result"]["passages"]
    1
    >>> row = found.rows[0]
    >>> essay[row["start"]:row["end"]]
    'the bridge was built by two brothers who had never built a bridge before'
    """
    refuse_unknown(sources, options)
    if "shingle" in options:
        raise TypeError("the keyword `shingle` does not fit sources: `min_match` says how long a passage is")
    refuse_comparison("sources", options)
    if isinstance(ignore, (str, os.PathLike)):
        raise TypeError("ignore: expected several paths, as a list; found a lone one")
    size = min_match if isinstance(min_match, str) and ":" in min_match else f"word:{min_match}"
    keywords: dict[str, Any] = {**options, "text": text, "id": id, "shingle": size, "gap": gap, "common": common}
    keywords["ignore"] = [os.fspath(path) for path in ignore]
    request = request_of(data, keywords, references=against)
    with Watcher(progress) as watcher:
        answer = _lookalike.sources(
            request.keywords, request.data.documents, request.references.documents, watcher.callback
        )
    return Sources(answer, tell(answer.report(), answer.warnings))


def compare(
    a: str | os.PathLike[str], b: str | os.PathLike[str], **options: Unpack[TextOptions]
) -> Comparison:
    """Compares two texts, or the documents that two paths name (``Path("news.jsonl:7")`` is a record by its id).

    >>> import lookalike
    >>> lookalike.compare("one two three four five six", "one two three four five six seven")
    Comparison: Jaccard similarity 0.6667, 1 common passage
    """
    refuse_unknown(compare, options, TextOptions)
    keywords: dict[str, Any] = {**options}
    if isinstance(a, str) and isinstance(b, str):
        return Comparison(_lookalike.compare(a, b, keywords))
    if isinstance(a, os.PathLike) and isinstance(b, os.PathLike):
        return Comparison(_lookalike.compare_files(os.fspath(a), os.fspath(b), keywords))
    found = f"{type(a).__name__} and {type(b).__name__}"
    raise TypeError(f"expected two texts (str) or two paths (pathlib.Path), found {found}")


def plan(
    threshold: float = 0.8,
    *,
    recall: float = 0.99,
    permutations: int = 128,
    low: float | None = None,
    low_rate: float | None = None,
    **options: Unpack[NoOptions],
) -> Plan:
    """Chooses bands and rows of MinHash that find a pair at ``threshold`` with the probability ``recall`` or more.

    Of several choices within ``permutations`` it is the one with the fewest false candidates; with ``low`` and
    ``low_rate`` the one with the fewest permutations that finds a pair at ``low`` with at most the probability
    ``low_rate``.

    >>> import lookalike
    >>> chosen = lookalike.plan(0.5, recall=0.995, low=0.05, low_rate=0.01)
    >>> chosen.bands, chosen.rows
    (40, 3)
    """
    refuse_unknown(plan, options, NoOptions)
    if (low is None) != (low_rate is None):
        raise TypeError("`low` and `low_rate` are given together")
    limit = None if low is None or low_rate is None else (low, low_rate)
    return Plan(threshold, *_lookalike.plan(threshold, recall, permutations, limit))


def _run(
    rule: str,
    data: object,
    keywords: dict[str, Any],
    progress: bool | Callback | None,
    *,
    references: object = None,
    scores: tuple[str, ...] = (),
) -> tuple[_lookalike.Answer, dict[str, Any]]:
    """Runs a job and issues its warnings; returns the answer and the report."""
    keywords["threshold"] = threshold_of(keywords["threshold"])
    request = request_of(data, keywords, references=references, scores=scores)
    documents, against = request.data.documents, request.references.documents
    with Watcher(progress) as watcher:
        answer = _lookalike.run(rule, request.keywords, documents, against, watcher.callback)
    return answer, tell(answer.report(), answer.warnings)
