"""The keywords of jobs, as types for checkers and editors, and the checks that Python does itself."""

from __future__ import annotations

import difflib
import inspect
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, TypedDict

from . import _lookalike

# At run time only `typing.get_type_hints` needs the name; the package depends on nothing for it.
if sys.version_info >= (3, 11):
    from typing import Unpack as Unpack
elif TYPE_CHECKING:
    from typing_extensions import Unpack as Unpack
else:
    try:
        from typing_extensions import Unpack as Unpack
    except ImportError:

        class Unpack:
            """Stands for its argument, where no library has the type of this name."""

            def __class_getitem__(cls, options: object) -> object:
                return options


#: Keywords of other programs, each with the keyword that is meant here and how it is written where that is not plain.
#: Of several lines with a name, the first one whose keyword the job has is meant.
_MEANT: tuple[tuple[str, str, str], ...] = (
    ("num_perm num_perms n_perm perms num_permutations num_hashes n_hashes hashes", "permutations", ""),
    ("ngram ngrams ngram_size n_gram n_grams shingle_size min_length min_words", "min_match", ""),
    ("ngram ngrams ngram_size n_gram n_grams ngram_range shingle_size n k", "shingle", 'shingle="word:5"'),
    ("char_ngram char_ngrams char_ngram_size", "shingle", 'shingle="char:5"'),
    ("b num_bands n_bands", "bands", ""),
    ("r num_rows n_rows rows_per_band band_size", "rows", ""),
    ("params", "bands", "bands=20, rows=5"),
    ("similarity min_similarity similarity_threshold jaccard_threshold cutoff min_score t", "threshold", ""),
    ("max_distance hamming_distance bit_diff", "distance", ""),
    ("metric similarity_metric similarity_measure measure_name", "measure", ""),
    ("algorithm algo backend strategy", "method", ""),
    ("false_negative_rate min_recall target_recall", "recall", ""),
    ("text_column text_field text_key column col content subset on field", "text", ""),
    ("id_column id_field id_key index_column idx key ids", "id", ""),
    ("reference references ref other corpus index", "against", ""),
    ("k top top_k topk n_results num_results limit n_neighbors", "k", ""),
    ("num_proc num_workers n_workers workers n_jobs jobs num_threads n_threads cpus processes", "threads", ""),
    ("max_memory ram mem memory_limit", "memory", 'memory="4GiB"'),
    ("tmp tmp_dir tmpdir temp cache_dir spill_dir", "temp_dir", ""),
    ("random_state random_seed", "seed", ""),
    ("case_sensitive keep_case", "lowercase", "lowercase=False"),
    ("ignore_case lower case_insensitive", "lowercase", "lowercase=True, the default"),
    ("tokenizer tokenize token", "tokens", 'tokens="words" or "code"'),
    ("stopwords stop_word", "stop_words", ""),
    ("html clean_html remove_html", "strip_html", ""),
    ("errors skip_errors ignore_errors", "on_error", 'on_error="skip"'),
    ("verbose show_progress progress_bar progressbar", "progress", "progress=True"),
    ("output_file out out_path save_path path", "output", ""),
)

#: Keywords of outputs, which jobs with answers in memory do not have.
_OUTPUTS = frozenset(["output", "output_file", "output_path", "out", "out_path", "save_path", "path", "o", "removed"])

#: Decimal places of a threshold.
PLACES = 18


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

    identical: bool
    measure: str
    min_common: int
    weights: str
    distance: float
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
    vector: str
    features: str
    signature: str
    texts: Sequence[str | os.PathLike[str]]
    signature_id: str
    width: int
    digits: str
    group_by: str
    count_field: str
    exclude: str | Sequence[str]
    gitignore: bool
    unique_ids: bool
    on_error: str
    max_document: int | str
    input_format: str
    against_text: str
    against_id: str
    encoding: str
    quote: str
    threads: int
    memory: int | str
    temp_dir: str | os.PathLike[str]
    work_dir: str | os.PathLike[str]
    report: str | os.PathLike[str]
    summary: str | os.PathLike[str]


class NoOptions(TypedDict, total=False):
    """None: for jobs all of whose keywords are parameters."""


#: What a search for passages has no use for.
_NOT_OF_PASSAGES = frozenset(
    ["bag", "stride", "hash_bits", "identical", "measure", "min_common", "weights", "distance", "empty"]
    + ["method", "recall", "permutations", "bands", "rows", "fingerprint_bits", "select", "seed", "check_texts"]
    + ["idf", "save_idf", "items", "item_counts", "bits", "vector", "features", "signature", "texts", "width", "digits"]
    + ["signature_id", "group_by", "count_field"]
)


def refuse_comparison(job: str, options: Mapping[str, object]) -> None:
    """Checks that none of the options of a job for passages is one of a comparison of sets.

    Raises:
        TypeError: One is.
    """
    unfit = next((name for name in options if name in _NOT_OF_PASSAGES), None)
    if unfit is not None:
        raise TypeError(f"the keyword `{unfit}` does not fit {job}, which looks for runs of tokens")


def refuse_unknown(job: Callable[..., object], options: Mapping[str, object], kind: type = Options) -> None:
    """Checks that all options of a call are keywords of its job.

    Raises:
        TypeError: One is none.
    """
    # All keys of such a type are optional.
    known = kind.__optional_keys__  # type: ignore[attr-defined]
    unknown = next((name for name in options if name not in known), None)
    if unknown is None:
        return
    parameters = set(inspect.signature(job).parameters)
    if unknown == "containment" and kind is Options:
        raise TypeError(f"the keyword `containment` does not fit {job.__name__}: {_no_side(parameters)}")
    names = sorted(known | (parameters - {"options", "self"}))
    raise TypeError(f"unexpected keyword `{unknown}`{_hint(unknown, names)}")


def _hint(unknown: str, names: list[str]) -> str:
    """The keyword that is meant by one of another program, or by one that is mistyped."""
    meant = next(
        (use or name for others, name, use in _MEANT if unknown.lower() in others.split() and name in names), None
    )
    if meant is not None:
        return f": use `{meant}`"
    if unknown in _OUTPUTS:
        return ": the result holds the answer, as `result.rows`; the command `lookalike` writes files"
    nearest = difflib.get_close_matches(unknown, names, 1)
    return f"; did you mean `{nearest[0]}`?" if nearest else ""


def _no_side(parameters: set[str]) -> str:
    """Why a job with these parameters does not take `containment`."""
    if "against" in parameters:
        return "it finds both directions; select one by the columns `containment` and `containment_of_reference`"
    return "it says whether a document is in a reference or the reference in it, and this job has no references"


def check_side(containment: str | None, measure: object, against: object) -> None:
    """Checks that ``containment`` has the measure and the references that it says something about.

    Raises:
        TypeError: It lacks one of them.
    """
    if containment is None:
        return
    if measure != "containment":
        raise TypeError('the keyword `containment` does not fit the measure: pass measure="containment"')
    if against is None:
        raise TypeError("the keyword `containment` needs references: pass `against`")


def threshold_of(threshold: object) -> float | str | None:
    """A threshold as the native part takes it: a float of more decimal places than it has is rounded to these.

    Raises:
        TypeError: It is no number, and no str of one.
        ValueError: It is an integer or a fraction beyond the range of a float.
    """
    if threshold is None or isinstance(threshold, str):
        return threshold
    # Also the truth values of numpy.
    if type(threshold).__name__ in ("bool", "bool_") or not hasattr(threshold, "__float__"):
        raise TypeError(f"threshold: expected a number, found {type(threshold).__name__}")
    try:
        number = float(threshold)
    except OverflowError:
        raise ValueError("threshold must be above 0 and at most 1; found a number too large for a float") from None
    shortest = Decimal(repr(number))
    exponent = shortest.as_tuple().exponent
    is_longer = isinstance(exponent, int) and exponent < -PLACES
    return f"{shortest:.{PLACES}f}" if is_longer else number


def scores_of(keep: object) -> tuple[str, ...]:
    """The fields that ``keep`` orders documents by, as of ``keep="max:FIELD,longest"``.

    Raises:
        TypeError: ``keep`` is no string.
        ValueError: It is no order.
    """
    if not isinstance(keep, str):
        raise TypeError(f"keep: expected a str, as \"first\", found {type(keep).__name__}")
    return tuple(_lookalike.score_fields(keep))
