"""Jobs whose answers are files, the same as those of the command."""

from __future__ import annotations

import os
from typing import Any

from . import _lookalike
from ._data import Given
from ._options import Options, Unpack, refuse_comparison, refuse_unknown, scores_of, threshold_of
from ._progress import Callback, Watcher
from ._running import request_of, tell

StrPath = str | os.PathLike[str]


def snapshot(
    data: object,
    output: StrPath,
    *,
    text: str = "text",
    id: str | None = "id",
    counts: bool = False,
    passages: bool = False,
    progress: bool | Callback | None = None,
    **options: Unpack[Options],
) -> dict[str, Any]:
    """Saves ids and shingle sets, which later jobs take in place of the documents: ``Path("news.snapshot")``.

    Args:
        data: Documents, in any form that :func:`dedup` takes.
        output: The file, whose name ends in ``.snapshot``.
        text, id, progress: As for :func:`dedup`.
        counts: Whether to save how often each shingle occurs, for ``measure="cosine"``.
        passages: Whether to save the tokens with their places, too, for :func:`sources`.
        options: The keywords of :func:`dedup` for features, items, reading and resources.

    Returns:
        The report of the job; exceptions are those of :func:`dedup`.
    """
    refuse_unknown(snapshot, options)
    keywords = {**options, "text": text, "id": id, "counts": counts, "passages": passages, "output": output}
    return _write("snapshot", data, keywords, progress)


def cut(
    data: object,
    output: StrPath | None = None,
    *,
    against: object = None,
    keep: str = "first",
    separator: str | None = None,
    min_left: int = 1,
    min_cut: int | None = None,
    min_between: int = 0,
    removed: StrPath | None = None,
    left_out: StrPath | None = None,
    annotate: bool = False,
    text: str = "text",
    id: str | None = "id",
    progress: bool | Callback | None = None,
    **options: Unpack[Options],
) -> dict[str, Any]:
    """Cuts out of texts in files what occurred before; the first occurrence stays.

    Args:
        data: Paths, as :func:`dedup` takes them.
        output: File or folder for the records without what is cut; without it only the report tells what would go.
        against: Paths: only what stands in these documents is cut.
        keep: Whose occurrence is the first, as for :func:`dedup`.
        separator: What stands in the place of a cut; ``None`` for what separated the tokens.
        min_left: Documents of which fewer words are left go as a whole.
        min_cut: Words of the shortest cut: shorter repeats stay, as headings do; ``None`` for 8 of lines, sentences and
            paragraphs, else 0.
        min_between: What has so few words between two cuts, or fewer, goes as well.
        removed: File with a row for each cut, and where its text stays.
        left_out: A folder for the files that are no documents, or ``"drop"``; without it they are copied beside the
            records, if these go to a folder.
        annotate: Whether to leave the texts and add the bytes to cut.
        text, id, progress: As for :func:`dedup`.
        options: Those of :func:`dedup` that say how texts are read and cut into tokens, and what may be used.
            ``shingle`` is the shortest run that is cut: ``word:50`` (the default), ``paragraph:1``, ``sentence:3``,
            ``line:1``. ``report`` is a page of what is cut.

    Returns:
        The report of the job; exceptions are those of :func:`dedup`.
    """
    refuse_unknown(cut, options)
    refuse_comparison("cut", options)
    scores_of(keep)
    if against is not None and keep != "first":
        raise ValueError("`against` does not go with `keep`: what stands in references is cut wherever it stands")
    keywords: dict[str, Any] = {"shingle": "word:50", **options, "keep": keep, "text": text, "id": id}
    keywords.update(output=output, separator=separator, min_left=min_left, removed=removed, annotate=annotate)
    keywords.update(min_cut=min_cut, min_between=min_between, left_out=left_out)
    return _write("cut", data, keywords, progress, references=against)


def fingerprint(
    data: object,
    output: StrPath,
    *,
    text: str = "text",
    id: str | None = "id",
    progress: bool | Callback | None = None,
    **options: Unpack[Options],
) -> dict[str, Any]:
    """Writes the SimHash fingerprint of each document: columns ``id`` and ``simhash``, which ``bits`` reads.

    Args:
        data: Documents, in any form that :func:`dedup` takes.
        output: The file; it is Parquet, Arrow, CSV or JSON Lines by its name.
        text, id, progress: As for :func:`dedup`.
        options: ``weights``, ``fingerprint_bits`` (64, 128, 256, 512, 1024), ``seed``, and those of
            :func:`dedup` for features, items, reading and resources.

    Returns:
        The report of the job; exceptions are those of :func:`dedup`.
    """
    refuse_unknown(fingerprint, options)
    return _write("fingerprint", data, {**options, "text": text, "id": id, "output": output}, progress)


def checksum(
    data: object,
    output: StrPath,
    *,
    algorithm: str = "xxh3",
    text: str = "text",
    id: str | None = "id",
    progress: bool | Callback | None = None,
    **options: Unpack[Options],
) -> dict[str, Any]:
    """Lists exact copies among the documents of files, by bytes and by normalized text.

    Args:
        data: Paths, as :func:`dedup` takes them.
        output: The file, with a row for each document that has an exact copy.
        algorithm: The checksum in the rows: ``sum``, ``crc32``, ``xxh3`` or ``sha256``. Copies are recognized by a hash
            of 128 bits, whichever it is.
        text, id, progress: As for :func:`dedup`.
        options: The keywords of :func:`dedup` for reading and resources.

    Returns:
        The report of the job; exceptions are those of :func:`dedup`.
    """
    refuse_unknown(checksum, options)
    keywords = {**options, "text": text, "id": id, "output": output, "algorithm": algorithm}
    return _write("checksum", data, keywords, progress)


def recluster(
    pairs: StrPath,
    output: StrPath | None = None,
    threshold: float | str | None = None,
    *,
    documents: object = None,
    removed: StrPath | None = None,
    records: StrPath | None = None,
    left_out: StrPath | None = None,
    keep: str = "first",
    text: str = "text",
    id: str | None = "id",
    progress: bool | Callback | None = None,
    **options: Unpack[Options],
) -> dict[str, Any]:
    """Tries another threshold, or another choice of copies, on a file of pairs that ``lookalike pairs`` has written.

    Args:
        pairs: The file of pairs.
        output: File for the clusters.
        threshold: Minimum similarity (>=); not lower than that of the pairs; 0.8 if it is not given.
        documents: Paths of the documents that were compared: needed for ``records``, and for most orders of ``keep``.
        removed: File with a row for each document that would be removed.
        records: File or folder for the records of the kept documents.
        left_out: A folder for the files that are no documents, or ``"drop"``, as for :func:`cut`.
        keep: The order in which documents become kept ones, as for :func:`dedup`.
        text, id, progress: As for :func:`dedup`.
        options: The keywords of :func:`dedup` for the measure, for reading and resources.

    Returns:
        The report of the job; exceptions are those of :func:`dedup`.
    """
    refuse_unknown(recluster, options)
    scores_of(keep)
    keywords: dict[str, Any] = {**options, "threshold": threshold_of(threshold), "keep": keep, "text": text, "id": id}
    keywords.update(pairs=pairs, output=output, removed=removed, records=records, left_out=left_out)
    return _write("recluster", Given() if documents is None else documents, keywords, progress)


def _write(
    name: str,
    data: object,
    keywords: dict[str, Any],
    progress: bool | Callback | None,
    *,
    references: object = None,
) -> dict[str, Any]:
    """Runs a job that writes files, and issues its warnings."""
    request = request_of(data, keywords, references=references)
    documents = request.data.documents or request.references.documents
    if documents is not None and name in ("checksum", "cut", "recluster"):
        raise TypeError(f"{name} reads files: expected paths")
    with Watcher(progress) as watcher:
        said, messages = _lookalike.write(name, request.keywords, documents, watcher.callback)
    return tell(said, messages)
