"""The keywords of jobs: for type checkers and editors."""

from __future__ import annotations

import os

from typing_extensions import TypedDict

class TextOptions(TypedDict, total=False):
    """How a text is cut into elements; the same as the flags of the command."""

    shingle: str
    tokens: str
    rename_blind: bool
    keywords: str
    bag: bool
    stride: int
    hash_bits: int
    lowercase: bool
    nfkc: bool
    strip_html: bool
    main_content: bool
    stop_words: str
    stem: str
    mask: str
    strip_marks: bool

class Options(TextOptions, total=False):
    """What all searches take; the same as the flags of the command."""

    measure: str
    min_common: int
    weights: str
    distance: int
    empty: str
    method: str
    recall: float
    permutations: int
    bands: int
    rows: int
    fingerprint_bits: int
    select: str
    seed: int
    check_texts: bool
    idf: str | os.PathLike[str]
    save_idf: str | os.PathLike[str]
    items: bool | str
    item_counts: bool
    bits: str
    width: int
    digits: str
    group_by: str
    count_field: str
    unique_ids: bool
    on_error: str
    max_document: int
    input_format: str
    encoding: str
    threads: int
    memory: int
    temp_dir: str | os.PathLike[str]
    work_dir: str | os.PathLike[str]
    summary: str | os.PathLike[str]
