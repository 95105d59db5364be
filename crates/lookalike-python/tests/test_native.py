"""What could harm the process is refused: contents that are none, arrays that were taken, numbers without limits."""

from __future__ import annotations

import ctypes
import importlib.metadata
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import lookalike
import pyarrow
import pyarrow.dataset
import pyarrow.fs
import pyarrow.parquet
import pytest
from lookalike import _lookalike
from process import other_threads_go_on


def test_strings_that_are_no_utf8_are_refused() -> None:
    broken = [("abc def ghi " * count).encode() + b"\xff" for count in range(1, 30)]
    texts = pyarrow.array(broken).view(pyarrow.string())
    for _ in range(20):
        with pytest.raises(ValueError, match="(?i)utf-?8"):
            lookalike.dedup(pyarrow.table({"text": texts}), 0.5, shingle="char:3")
    ids = pyarrow.array([b"\xff", b"a"]).view(pyarrow.string())
    with pytest.raises(ValueError, match="(?i)utf-?8"):
        lookalike.dedup(pyarrow.table({"text": ["a", "b"], "id": ids}))
    words = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0, 0]), texts[:1])
    with pytest.raises(ValueError, match="(?i)utf-?8"):
        lookalike.dedup(pyarrow.table({"text": words}))


class Handler(pyarrow.fs.FileSystemHandler):  # type: ignore[misc]
    """A file system in Python, which readers of pyarrow ask on threads of their own."""

    def __init__(self) -> None:
        self.local = pyarrow.fs.LocalFileSystem()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.local, name)

    def get_type_name(self) -> str:
        return "py"

    def get_file_info(self, paths: Any) -> Any:
        return self.local.get_file_info(paths)

    def get_file_info_selector(self, selector: Any) -> Any:
        return self.local.get_file_info(selector)

    def open_input_stream(self, path: str) -> Any:
        return self.local.open_input_stream(path)

    def open_input_file(self, path: str) -> Any:
        return self.local.open_input_file(path)

    def normalize_path(self, path: str) -> str:
        return path

    def _no(self, *_: object) -> None:
        raise NotImplementedError

    copy_file = create_dir = delete_dir = delete_dir_contents = delete_file = delete_root_dir_contents = _no
    move = open_append_stream = open_output_stream = _no


def test_a_stream_may_need_python_on_its_own_threads(tmp_path: Any) -> None:
    pyarrow.parquet.write_table(pyarrow.table({"text": ["a b", "a b", "c"]}), tmp_path / "data.parquet")
    files = pyarrow.fs.PyFileSystem(Handler())
    data = pyarrow.dataset.dataset(str(tmp_path / "data.parquet"), format="parquet", filesystem=files)
    result = lookalike.dedup(data.scanner().to_reader())
    assert result.mask.tolist() == [True, False, True]


class Twice:
    """Hands out the same capsules again."""

    def __init__(self) -> None:
        self.pair = pyarrow.array(["a b", "a b"]).__arrow_c_array__()

    def __arrow_c_array__(self, requested_schema: object = None) -> object:
        return self.pair


def test_an_array_that_was_taken_over_is_refused() -> None:
    data = Twice()
    assert lookalike.dedup(data).mask.tolist() == [True, False]
    with pytest.raises(ValueError, match="taken over"):
        lookalike.dedup(data)


class ArrowArray(ctypes.Structure):
    """The first fields of the struct of the Arrow C data interface."""

    _fields_ = [(name, ctypes.c_int64) for name in ("length", "null_count", "offset", "n_buffers", "n_children")]


class Spoiled:
    """An array whose struct was changed by hand."""

    def __init__(self, array: Any, spoil: Callable[[ArrowArray], None]) -> None:
        self.array, self.spoil = array, spoil

    def __arrow_c_array__(self, requested_schema: object = None) -> object:
        schema, array = self.array.__arrow_c_array__()
        pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
        pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        pointer = ctypes.cast(pointer_of(array, b"arrow_array"), ctypes.POINTER(ArrowArray))
        self.spoil(pointer.contents)
        return schema, array


ROWS, LISTS = pyarrow.array([{"text": "a"}, {"text": "b"}]), pyarrow.array([["a"], ["b"]])


@pytest.mark.parametrize(
    ("array", "field", "value"),
    [
        (ROWS, "length", 5),
        (ROWS, "length", -1),
        (ROWS, "offset", -1),
        (ROWS, "n_children", 0),
        (LISTS, "n_children", 0),
        (LISTS, "n_buffers", 0),
        (pyarrow.array(["a", "b"]), "n_buffers", 0),
        (pyarrow.array(["a", "b"], pyarrow.string_view()), "n_buffers", 0),
    ],
)
def test_a_struct_that_contradicts_its_type_is_refused(array: Any, field: str, value: int) -> None:
    def spoil(struct: ArrowArray) -> None:
        setattr(struct, field, value)

    with pytest.raises(ValueError, match="the Arrow array lacks|Invalid argument"):
        lookalike.dedup(Spoiled(array, spoil), items=True)


def test_other_threads_go_on_while_an_array_is_checked() -> None:
    class Whole:
        array = pyarrow.array(["one two é three " * 1_000_000] * 30)

        def __arrow_c_array__(self, requested_schema: object = None) -> Any:
            return self.array.__arrow_c_array__()

    with other_threads_go_on():
        assert len(_lookalike.Documents.of_arrow(Whole(), "text")) == 30


@pytest.mark.parametrize(
    "keywords",
    [
        {"method": "minhash", "bands": 10**6, "rows": 10**6, "permutations": 10**12},
        {"method": "minhash", "permutations": 0},
        {"threads": 0},
        {"threads": 5000},
        {"memory": 1},
        {"measure": "cosine", "method": "simhash", "fingerprint_bits": 10**9},
    ],
)
def test_numbers_have_limits(keywords: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"expected (a number between|1 or more)"):
        lookalike.pairs(["a b"] * 3, **keywords)
    with pytest.raises(ValueError, match="permutations"):
        lookalike.plan(0.8, permutations=10**9)


def test_rows_that_are_left_out_are_neither_kept_nor_removed() -> None:
    table = pyarrow.table({"text": ["a b", None, "a b"]})
    with pytest.warns(lookalike.LookalikeWarning, match="row 1"):
        result = lookalike.dedup(table, on_error="skip")
    assert list(result._native.mask() or b"") == [1, 2, 0]
    assert result.mask.tolist() == [True, False, False]
    with pytest.warns(lookalike.LookalikeWarning, match="row 1"):
        checked = lookalike.search(table, ["a b"], on_error="skip")
    assert checked.mask.tolist() == [True, False, True]


def test_the_version_is_that_of_the_distribution() -> None:
    assert lookalike.__version__ == importlib.metadata.version("lookalike")


def test_jobs_that_there_are_none_of_are_refused(tmp_path: Any) -> None:
    with pytest.raises(ValueError, match="rule: expected one of `pairs`, .*found `keeper`"):
        _lookalike.run("keeper", {})
    with pytest.raises(ValueError, match="there is no job `snap`"):
        _lookalike.write("snap", {})
    # In a process of its own: a command takes over the signals of its process.
    missing = str(tmp_path / "none.jsonl")
    for arguments, status in [(["--version"], 0), (["no-such-command"], 2), (["dedup", missing, "-q"], 2)]:
        call = f"_lookalike.command({['lookalike', *arguments]})"
        code = f"import sys; from lookalike import _lookalike; sys.exit({call})"
        assert subprocess.run([sys.executable, "-c", code], capture_output=True).returncode == status
