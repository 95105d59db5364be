"""The documents of a job: what the caller holds, or where it is read from."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ._lookalike import Documents
from ._tables import Columns, documents_of, of_baskets, of_columns, of_texts


class _Location(os.PathLike[str]):
    """The location of documents that is not the path of one file."""

    def __init__(self, location: str) -> None:
        if not isinstance(location, str):
            raise TypeError(f"expected str, found {type(location).__name__}")
        self._location = location

    def __fspath__(self) -> str:
        return self._location

    def __repr__(self) -> str:
        return f"lookalike.{type(self).__name__}({self._location!r})"


class glob(_Location):
    """The files that match a pattern like ``"news/*.jsonl.gz"``."""


class url(_Location):
    """An object or a folder of an object store (``s3://``, ``gs://``, ``az://``), or a file at ``https://``."""


@dataclass(frozen=True)
class Given:
    """Documents in memory, or paths."""

    documents: Documents | None = None
    paths: list[str] = field(default_factory=list)


def given(data: object, columns: Columns) -> Given:
    """The documents or the paths that ``data`` means; what is given already stays as it is.

    Raises:
        TypeError: Documents cannot be read from an object of this type.
        KeyError: It lacks a column.
    """
    if isinstance(data, Given):
        return data
    if isinstance(data, (str, bytes, bytearray)):
        raise TypeError(
            f"a lone {type(data).__name__} is no collection of documents: "
            "pass pathlib.Path(...) for a file, lookalike.glob(...) for a pattern, or [text] for one text"
        )
    if isinstance(data, os.PathLike):
        return Given(paths=[os.fspath(data)])
    documents = documents_of(data, columns)
    if documents is not None:
        return Given(documents)
    if isinstance(data, Mapping):
        return Given(_of_values(list(data.values()), list(data), columns))
    if isinstance(data, Iterable):
        items = _list_of(data)
        if items and all(isinstance(item, os.PathLike) for item in items):
            return Given(paths=[os.fspath(item) for item in items])
        return Given(_of_values(items, None, columns))
    raise TypeError(
        f"documents cannot be read from {type(data).__name__}: expected texts, a mapping of ids to texts, records "
        "(mappings of names to values), paths, or a table with the Arrow PyCapsule interface"
    )


def _list_of(data: Iterable[Any]) -> list[Any]:
    if isinstance(data, list):
        return data
    # Arrays of numpy: a list of Python's own types.
    items = data.tolist() if hasattr(data, "tolist") else list(data)
    if not isinstance(items, list):
        raise TypeError(f"a {type(data).__name__} without dimensions is no collection of documents: pass [text]")
    return items


def _of_values(values: list[Any], ids: list[Any] | None, columns: Columns) -> Documents:
    """Documents from texts, baskets or records, with an id each or without.

    Raises:
        TypeError: They are something else, as columns are.
        KeyError: No record has a field.
    """
    if columns.has_items and any(isinstance(value, (list, tuple, set, frozenset)) for value in values):
        return of_baskets(values, ids, columns)
    first = values[0] if values else ""
    if ids is None and isinstance(first, Mapping):
        return _of_records(values, columns)
    if ids is not None and (isinstance(first, (list, tuple)) or hasattr(first, "tolist")):
        raise TypeError(
            f"expected a mapping of ids to texts, found a {type(first).__name__} as the first value: "
            "of a mapping of names to columns pass [dict(zip(data, row)) for row in zip(*data.values())]"
        )
    if columns.skips and not all(isinstance(value, str) for value in values):
        # What is no text is a missing one, which is left out.
        texts = {columns.text: [value if isinstance(value, str) else None for value in values]}
        return of_columns({**texts, **({} if ids is None or columns.id is None else {columns.id: ids})}, columns)
    return of_texts(values, ids)


def _of_records(records: list[Any], columns: Columns) -> Documents:
    """Documents that are mappings of names to values, of which only the fields that the job reads are looked at."""
    for row, record in enumerate(records):
        if not isinstance(record, Mapping):
            raise TypeError(f"the record in row {row} is {type(record).__name__}, expected a mapping as the first one")
    names = columns.found_in(dict.fromkeys(name for record in records for name in record))
    values = {name: [record.get(name) for record in records] for name in names}
    texts, ids = values.get(columns.text, []), values.get(columns.id or "")
    if set(names) <= {columns.text, columns.id} and all(isinstance(text, str) for text in texts):
        return of_texts(texts, ids)
    return of_columns(values, columns)
