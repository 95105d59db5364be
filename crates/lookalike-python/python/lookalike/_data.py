"""The documents of a job: what the caller holds, or where it is read from."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ._lookalike import Documents

#: The name of a column that no table has.
NO_COLUMN = ""


class _Location(os.PathLike[str]):
    """A place that is no path of one file."""

    def __init__(self, location: str) -> None:
        if not isinstance(location, str):
            raise TypeError(f"expected str, found {type(location).__name__}")
        self._location = location

    def __fspath__(self) -> str:
        return self._location

    def __repr__(self) -> str:
        return f"lookalike.{type(self).__name__}({self._location!r})"


class glob(_Location):
    """All files that a pattern like ``"news/*.jsonl.gz"`` names."""


class url(_Location):
    """An object or a folder behind ``s3://``, ``gs://``, ``az://`` or ``https://``."""


@dataclass(frozen=True)
class Columns:
    """The names of the columns that a job reads."""

    text: str
    id: str | None
    #: That of ``keep="max:FIELD"``.
    score: str | None = None
    #: Whether rows that cannot be used are left out.
    skips: bool = False
    #: Others: the values of groups and counts.
    others: tuple[str, ...] = ()


@dataclass(frozen=True)
class Given:
    """Documents in memory, or paths."""

    documents: Documents | None = None
    paths: list[str] = field(default_factory=list)


def given(data: object, columns: Columns) -> Given:
    """What ``data`` stands for.

    Raises:
        TypeError: It is nothing that can be read.
        KeyError: It lacks a column.
    """
    if isinstance(data, (str, bytes, bytearray)):
        raise TypeError(
            f"a lone {type(data).__name__} is no collection of documents: "
            "pass pathlib.Path(...) for a file, lookalike.glob(...) for a pattern, or [text] for one text"
        )
    if isinstance(data, os.PathLike):
        return Given(paths=[os.fspath(data)])
    if _is_of(data, "pandas"):
        return Given(_of_pandas(data, columns))
    if hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__"):
        return Given(_of_arrow(data, columns))
    if isinstance(data, Mapping):
        keys = [_id(key, row) for row, key in enumerate(data)]
        return Given(Documents.of_texts(list(data.values()), keys))
    if isinstance(data, Iterable):
        items = data if isinstance(data, list) else list(data)
        if items and all(isinstance(item, os.PathLike) for item in items):
            return Given(paths=[os.fspath(item) for item in items])
        return Given(Documents.of_texts(items))
    raise TypeError(
        f"documents cannot be read from {type(data).__name__}: expected texts, a mapping of ids to texts, paths, "
        "or a table with the Arrow PyCapsule interface"
    )


def _is_of(data: object, module: str) -> bool:
    return type(data).__module__.split(".")[0] == module


def _id(key: object, row: int) -> str:
    if isinstance(key, str):
        return key
    if isinstance(key, int) and not isinstance(key, bool):
        return str(key)
    # Integers of numpy.
    if hasattr(key, "__index__") and not isinstance(key, bool):
        return str(key.__index__())
    raise TypeError(f"the id in row {row} is {type(key).__name__}, expected str or int")


def _of_arrow(table: object, columns: Columns) -> Documents:
    documents = Documents.of_arrow(table, columns.text)
    names = documents.column_names or []
    # The default may be missing; a name that was given may not. One with a dot is looked for inside of structs.
    if columns.id not in (None, "id", *names) and "." not in (columns.id or ""):
        raise KeyError(_missing(columns.id, names))
    return documents


def _missing(column: object, names: Iterable[object]) -> str:
    return f"data: no column `{column}`; its columns are {', '.join(f'`{name}`' for name in names)}"


def _of_pandas(data: Any, columns: Columns) -> Documents:
    if data.ndim == 1:
        data = data.rename(columns.text).to_frame()
    names = list(data.columns)
    needed = [columns.text, columns.score, *columns.others]
    if columns.id not in (None, "id"):
        needed.append(columns.id)
    for name in needed:
        if name is not None and name not in names:
            raise KeyError(_missing(name, names))
    wanted = [name for name in dict.fromkeys((*needed, columns.id)) if name is not None and name in names]
    data = data.loc[:, wanted]
    if list(data.columns) != wanted:
        raise ValueError(f"columns of the same name: {', '.join(map(str, data.columns))}")
    if _is_plain(data, columns):
        ids = columns.id if columns.id in wanted else None
        keys = None if ids is None else [_id(key, row) for row, key in enumerate(data[ids].tolist())]
        return Documents.of_texts(data[columns.text].tolist(), keys)
    if hasattr(data, "__arrow_c_stream__"):
        return _of_arrow(data, columns)
    import pyarrow

    return _of_arrow(pyarrow.Table.from_pandas(data, preserve_index=False), columns)


def _is_plain(data: Any, columns: Columns) -> bool:
    """Whether the texts are Python strings, which are read where they lie."""
    if columns.score is not None or columns.others or columns.skips:
        return False
    values = data[columns.text]
    first = values.iloc[0] if len(values) else ""
    return str(values.dtype) == "object" and (isinstance(first, str) or not isinstance(first, (list, dict)))
