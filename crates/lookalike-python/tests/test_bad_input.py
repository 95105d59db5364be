"""Bad input has precise exceptions, and nothing is half done."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
import typing
import warnings
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import lookalike
import numpy
import pandas
import polars
import pyarrow
import pytest
from lookalike import dedup


#: Calls, each with the exception and its message.
REFUSED: list[tuple[Any, str, Callable[..., object]]] = [
    (TypeError, r"pathlib\.Path", lambda: dedup("news.jsonl")),
    (TypeError, r"pathlib\.Path", lambda: dedup(b"news.jsonl")),
    (TypeError, "documents cannot be read from", lambda: dedup(None)),
    (TypeError, "documents cannot be read from", lambda: dedup(7)),
    (TypeError, "documents cannot be read from", lambda: dedup(object())),
    (TypeError, "the text in row 1 is NoneType, expected str", lambda: dedup(["a", None])),
    (TypeError, "the text in row 1 is int, expected str", lambda: dedup(["a", 7])),
    (TypeError, "the text in row 0 is float, expected str", lambda: dedup([float("nan")])),
    (TypeError, "the text in row 0 is .*Path, expected str", lambda: dedup([Path("a"), "b"])),
    (ValueError, "the text in row 1 is not Unicode", lambda: dedup(["a", "b\udc80"])),
    (ValueError, "column `text`", lambda: dedup(polars.DataFrame({"text": [1, 2]}))),
    (ValueError, "id in row 0 is the float 0.5", lambda: dedup(polars.DataFrame({"text": ["a"], "id": [0.5]}))),
    (TypeError, "the id in row 1 is float", lambda: dedup({"a": "x", 0.5: "y"})),
    *((ValueError, "threshold", lambda wrong=wrong: dedup(["a"], wrong))
      for wrong in (0, -1, 1.5, float("nan"), float("inf"), "x", 10**400, Fraction(10**400))),
    *((TypeError, "threshold: expected a number, found", lambda wrong=wrong: dedup(["a"], wrong))
      for wrong in (True, numpy.True_, 1j, [0.8])),
    *((TypeError, "keep: expected a str", lambda wrong=wrong: dedup(["a"], keep=wrong)) for wrong in (1, ["first"])),
    (TypeError, "keep: expected a str", lambda: lookalike.recluster("pairs.parquet", keep=1)),
    (TypeError, "no_such", lambda: dedup(["a"], no_such=1)),
    (ValueError, "measure: expected one of `jaccard`", lambda: dedup(["a"], measure="jaccrd")),
    (TypeError, "threads", lambda: dedup(["a"], threads="many")),
    (TypeError, "`distance` does not fit", lambda: dedup(["a"], distance=3)),
    (TypeError, "min_common", lambda: dedup(["a"], measure="overlap")),
    (ValueError, "against", lambda: dedup(["a"], against=["b"], cluster="connected")),
    (ValueError, "work folder", lambda: dedup(["a"], work_dir="folder")),
    (ValueError, 'memory: expected a number of bytes, or a str such as "1GiB"; found `much`',
     lambda: dedup(["a"], memory="much")),
    (TypeError, "memory: expected a number of bytes", lambda: dedup(["a"], memory=1.5)),
    (ValueError, "memory", lambda: dedup(["a"], memory="1KiB")),
    (ValueError, "no input is", lambda: dedup(["a b c"], quote="none")),
    (ValueError, "no input is", lambda: dedup(["a b c"], encoding="latin1")),
    (ValueError, "no input is", lambda: dedup(["a b c"], input_format="csv")),
    (TypeError, "^unexpected keyword `top_k`: use `k`$", lambda: lookalike.search(["a"], ["b"], top_k=3)),
    (TypeError, "^unexpected keyword `num_perm`: use `permutations`$", lambda: lookalike.plan(0.8, num_perm=256)),
    (TypeError, "^unexpected keyword `ngram`: use `min_match`$", lambda: lookalike.sources(["a"], ngram=5)),
    (TypeError, "^unexpected keyword `output`: the result holds the answer", lambda: dedup(["a"], output="a.jsonl")),
    (TypeError, "^unexpected keyword `treshold`; did you mean `threshold`",
     lambda: lookalike.search(["a"], ["b"], treshold=0.5)),
    (TypeError, "^unexpected keyword `threshold`$", lambda: lookalike.compare("a", "b", threshold=0.5)),
    *((TypeError, re.escape(f"unexpected keyword `{wrong}`: use `{meant}`") + "$",
       lambda wrong=wrong: dedup(["a"], **{wrong: 1}))
      for wrong, meant in {
          "num_perm": "permutations", "ngram": 'shingle="word:5"', "ngram_size": 'shingle="word:5"', "column": "text",
          "num_proc": "threads", "n_jobs": "threads", "similarity_threshold": "threshold", "id_column": "id",
          "params": "bands=20, rows=5", "max_memory": 'memory="4GiB"',
      }.items()),
]  # fmt: skip


@pytest.mark.parametrize(("error", "message", "call"), REFUSED)
def test_what_is_wrong_is_refused(error: Any, message: str, call: Callable[..., object]) -> None:
    with pytest.raises(error, match=message):
        call()


@pytest.mark.parametrize("frame", [polars.DataFrame, pyarrow.table])
def test_nulls_are_named_by_row_or_left_out(frame: Any) -> None:
    data = frame({"text": ["a b c", "a b c", None, "d"]})
    with pytest.raises(ValueError, match="data, row 2: field `text` is null"):
        lookalike.dedup(data)
    with pytest.warns(lookalike.LookalikeWarning, match="data, row 2"):
        result = lookalike.dedup(data, on_error="skip")
    assert result.mask.tolist() == [True, False, False, True]
    assert result.report["result"]["bad_records"] == 1


def test_missing_columns_are_named_beside_those_there_are() -> None:
    for frame in (pandas.DataFrame, polars.DataFrame, pyarrow.table):
        data = frame({"body": ["a"], "number": [1]})
        with pytest.raises(KeyError, match=r"`text`.*body.*number"):
            lookalike.dedup(data)
        with pytest.raises(KeyError, match=r"`key`.*body.*number"):
            lookalike.dedup(data, text="body", id="key")


def test_thresholds_are_numbers_of_any_kind() -> None:
    assert lookalike.dedup(["a b c", "a b d"], 1 / 300).report["parameters"]["threshold"] == pytest.approx(1 / 300)
    for threshold in (Fraction(4, 5), Decimal("0.8"), numpy.float64(0.8), "0.8", 0.8):
        assert lookalike.dedup(["a"], threshold).report["parameters"]["threshold"] == 0.8  # type: ignore[arg-type]


@pytest.mark.parametrize("job", [lookalike.dedup, lookalike.pairs, lookalike.clusters, lookalike.snapshot])
def test_unknown_keywords_are_refused_with_the_nearest(job: Any) -> None:
    arguments = (["a"], "a.snapshot") if job is lookalike.snapshot else (["a"],)
    for wrong, nearest in [("shingles", "shingle"), ("on_errors", "on_error"), ("textt", "text")]:
        with pytest.raises(TypeError, match=f"^unexpected keyword `{wrong}`; did you mean `{nearest}`\\?$"):
            job(*arguments, **{wrong: 1})
    with pytest.raises(TypeError, match="^unexpected keyword `zzz`$"):
        job(*arguments, zzz=None)


def test_texts_that_are_too_short_are_warned_of(tmp_path: Path) -> None:
    with pytest.warns(lookalike.LookalikeWarning, match='3 of 3 documents have fewer than 15 words: shingle="word:5"'):
        lookalike.dedup(["one two three", "one two four", "five"])
    long = " ".join(f"word{number}" for number in range(30))
    few = '1 of 3 documents has fewer tokens than shingle="word:5", and can only be equal to others'
    with pytest.warns(lookalike.LookalikeWarning, match=few):
        lookalike.dedup([long, long, "one two three"])
    assert len(lookalike.search(["salt bridge"], ["the old salt bridge of Lunden"], measure="containment")) == 1
    corpus = [f"{long} and the old salt bridge of Lunden", "old bridge"]
    with lookalike.Index.create(tmp_path / "salt.idx", corpus[:1], measure="containment") as index:
        with pytest.warns(lookalike.LookalikeWarning, match="1 query has one shingle.*not looked for inside"):
            index.search(["salt bridge"])
        index.add(corpus[1:])
        with pytest.warns(lookalike.LookalikeWarning, match="1 document has one shingle: the sets of"):
            index.search(corpus[:1])
    with pytest.warns(lookalike.LookalikeWarning, match="1 document shorter than `min_match`"):
        lookalike.sources(["too short"], ["the old salt bridge of Lunden"])
    few = '1 of 2 documents of the corpus has fewer tokens than shingle="word:5", and can only be equal to others'
    with pytest.warns(lookalike.LookalikeWarning, match=few):
        lookalike.search([long], [long, "one two three"])
    with pytest.warns(lookalike.LookalikeWarning, match="1 reference shorter than `min_match`"):
        lookalike.sources([long], ["too short"])
    with pytest.warns(lookalike.LookalikeWarning, match="1 of 1 reference has fewer tokens than"):
        lookalike.dedup([long], against=["too short"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        lookalike.dedup(["one two three", "one two four", "five"], shingle="word:1")
        lookalike.pairs([["one", "two"], ["three"]], items=True)
        lookalike.dedup(["one two three"], identical=True)


def test_stop_words_that_match_nothing_are_warned_of(tmp_path: Path) -> None:
    stop_words = tmp_path / "stop.txt"
    stop_words.write_text("the\nnew york\n")
    long = " ".join(f"word{number}" for number in range(30))
    with pytest.warns(lookalike.LookalikeWarning, match="1 of 2 stop words matches nothing, as `new york`: "):
        lookalike.dedup([long], stop_words=str(stop_words))


def test_sizes_are_numbers_of_bytes_or_strings() -> None:
    for memory in ("1GiB", "1 GiB", 1 << 30):
        assert lookalike.dedup(["a"], memory=memory).report["parameters"]["memory_bytes"] == 1 << 30
    assert lookalike.dedup(["a"], max_document="1MiB").report["parameters"]["max_document_bytes"] == 1 << 20


def test_the_documentation_lists_all_keywords() -> None:
    options = typing.get_args(typing.get_type_hints(lookalike.dedup)["options"])[0]
    listed = set(re.findall(r"``([a-z_]+)``", lookalike.dedup.__doc__ or ""))
    assert set(typing.get_type_hints(options)) <= listed


@pytest.mark.parametrize("name", ["dedup", "pairs", "search", "compare", "snapshot", "recluster"])
def test_types_can_be_asked_for(name: str) -> None:
    hints = typing.get_type_hints(getattr(lookalike, name))
    assert "shingle" in typing.get_type_hints(typing.get_args(hints["options"])[0])


def test_files_that_are_missing_are_named() -> None:
    with pytest.raises(FileNotFoundError) as raised:
        lookalike.dedup(Path("/no-such.jsonl"))
    # As Python says it of its own files.
    with pytest.raises(FileNotFoundError) as opened:
        Path("/no-such.jsonl").open()
    assert str(raised.value) == str(opened.value)
    assert raised.value.filename == "/no-such.jsonl"


def test_a_generator_that_raises_is_heard() -> None:
    def texts() -> Iterator[str]:
        yield "a"
        raise RuntimeError("midway")

    with pytest.raises(RuntimeError, match="midway"):
        lookalike.dedup(texts())


def test_no_documents_have_an_empty_answer() -> None:
    arrow = pyarrow.table({"text": pyarrow.array([], "string")})
    for data in ([], {}, pandas.DataFrame({"text": []}, dtype=str), arrow):
        result = lookalike.dedup(data)
        assert (len(result.kept), len(result.removed), len(result.mask)) == (0, 0, 0)
        assert len(lookalike.pairs(data)) == len(lookalike.clusters(data)) == 0


def test_ids_that_repeat_are_qualified_with_a_warning_or_refused() -> None:
    data = polars.DataFrame({"text": ["a", "b", "c"], "id": ["x", "x", "y"]})
    message = "1 id occurs again; the first, `x`, is called `x@1` at data, row 1;"
    with pytest.warns(lookalike.LookalikeWarning, match=message) as caught:
        result = lookalike.dedup(data, shingle="word:1")
    assert len(caught) == 1
    assert result.kept.to_polars()["id"].to_list() == ["x", "x@1", "y"]
    with pytest.raises(ValueError, match="data, row 1: id `x` was used at data, row 0"):
        lookalike.dedup(data, unique_ids=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert lookalike.dedup(data, id=None, shingle="word:1").kept.to_polars()["id"].to_list() == ["0", "1", "2"]


#: What only a command has: outputs, words at a terminal, and fields that are `text` and `id` here, also of references.
OF_THE_COMMAND = {
    *("about", "annotate", "color", "dry_run", "fail_if_found", "format", "help", "histogram", "output", "quiet"),
    *("removed", "verbose", "id_field", "text_field", "against_id_field", "against_text_field", "no_clobber"),
    *("with_source", "top", "add", "no_replace", "left_out"),
}


@pytest.mark.parametrize("job", ["dedup", "pairs", "clusters"])
def test_flags_of_the_command_are_keywords(job: str) -> None:
    command = [sys.executable, "-m", "lookalike", job, "--help"]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    flags = {flag.replace("-", "_") for flag in re.findall(r"^ +(?:-., )?--([a-z-]+)", shown, re.MULTILINE)}
    assert len(flags) > 40
    for flag in flags - OF_THE_COMMAND - set(inspect.signature(getattr(lookalike, job)).parameters):
        # A value of no type that any keyword has: refused by name, or by the keywords that it needs.
        message = rf"{flag}: |`{flag}` does not fit|needs the keyword|together"
        with pytest.raises((TypeError, ValueError), match=message):
            getattr(lookalike, job)(["a"], **{flag: object()})


def test_missing_texts_in_a_list_are_left_out() -> None:
    result = lookalike.dedup(["a b c", None, "a b c", float("nan")], on_error="skip")
    assert result.mask.tolist() == [True, False, False, False]
    assert result.left_out.tolist() == [False, True, False, True]
    # What is no text is left out like what is missing.
    assert lookalike.dedup(["a", 7], on_error="skip").left_out.tolist() == [False, True]
    with pytest.raises(TypeError, match="the text in row 1 is int, expected str"):
        lookalike.dedup(["a", 7])


def test_a_field_of_files_without_fields_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a b c")
    with pytest.raises(ValueError, match="no input has fields, and `body`"):
        lookalike.dedup(tmp_path, text="body")
