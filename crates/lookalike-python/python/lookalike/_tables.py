"""Tables of pandas, polars and pyarrow, or of any library with the Arrow PyCapsule interface, to documents.

Only the columns that the job reads are handed on: a column that nobody reads is no reason to refuse a table, even if
its type cannot be exported.
"""

from __future__ import annotations

import difflib
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ._lookalike import Documents

#: Columns that a message lists at most.
LISTED = 20


@dataclass(frozen=True)
class Columns:
    """The names of the columns that a job reads."""

    text: str
    #: The default, ``id``, may be missing in a table; another name may not.
    id: str | None
    #: Those of ``keep="max:FIELD"``; of references none.
    scores: tuple[str, ...] = ()
    group_by: str | None = None
    count_field: str | None = None
    #: Those that an index stores; of references none.
    stored: tuple[str, ...] = ()
    #: Whether records that cannot be used are left out.
    skips: bool = False
    #: Whether documents are sets of items.
    has_items: bool = False
    #: The names of both in references, where they are others.
    against_text: str | None = None
    against_id: str | None = None
    #: What messages call the table.
    table: str = "data"

    @staticmethod
    def of(keywords: Mapping[str, Any], scores: tuple[str, ...] = ()) -> Columns:
        """The columns that the keywords of a job name.

        Raises:
            TypeError: A name is no string.
        """
        of_references = ("against_text", "against_id")
        named = ("text", "id", "group_by", "count_field", "bits", "vector", "signature", *of_references)
        names = {name: keywords.get(name) for name in named}
        for name, value in names.items():
            if not isinstance(value, str) and (value is not None or name == "text"):
                raise TypeError(f"{name}: expected the name of a column as str, found {type(value).__name__}")
        points = [names.pop(name) for name in ("bits", "vector", "signature")]
        columns = Columns(**names, scores=scores)  # type: ignore[arg-type]
        has_items, skips = bool(keywords.get("items")), keywords.get("on_error") == "skip"
        stored = tuple(keywords.get("store") or ())
        text = next(filter(None, points), columns.text)
        return replace(columns, text=text, stored=stored, has_items=has_items, skips=skips)

    @property
    def naming(self) -> str | None:
        """The column whose values documents are called by."""
        return self.group_by or self.id

    def of_references(self) -> Columns:
        """The columns of the references, which may have names of their own."""
        text, identifier = self.against_text or self.text, self.against_id or self.id
        return replace(self, table="references", text=text, id=identifier, scores=(), stored=())

    def found_in(self, names: Iterable[object]) -> list[str]:
        """The columns to read out of a table with columns of these names.

        Raises:
            KeyError: A column is missing.
            ValueError: A column occurs twice.
        """
        present = list(names)
        found = {}
        wanted = (self.text, *self.scores, self.group_by, self.count_field, self.id, *self.stored)
        for name in filter(None, wanted):
            column = _column_of(name, present)
            if column is not None:
                found[column] = present.count(column)
            elif name != self.id or name != "id":
                raise KeyError(self._missing(name, present))
        repeated = [f"`{name}`" for name, count in found.items() if count > 1]
        if repeated:
            raise ValueError(f"{self.table} has several columns of the same name: {', '.join(repeated)}")
        return list(found)

    def _missing(self, name: str, present: list[object]) -> str:
        if not present:
            return f"{self.table} has no column `{name}`; it has no columns"
        names = list(dict.fromkeys(str(other) for other in present))
        listed = ", ".join(f"`{other}`" for other in names[:LISTED]) + (", ..." if len(names) > LISTED else "")
        nearest = difflib.get_close_matches(name, names, 1) if len(names) > 1 else []
        hint = f"; the nearest is `{nearest[0]}`" if nearest else ""
        return f"{self.table} has no column `{name}`; its columns are {listed}{hint}"


def _column_of(name: str, present: list[object]) -> str | None:
    """The column with this name, or the struct that holds it: ``doc`` of ``doc.text``."""
    outer = name.partition(".")[0]
    return next((column for column in (name, outer) if column in present), None)


def documents_of(data: Any, columns: Columns) -> Documents | None:
    """The documents of a table or a column of some library; ``None`` for what is none.

    Raises:
        TypeError: It belongs to such a library and is no table.
        KeyError: A column is missing.
        ValueError: A column cannot be read.
    """
    if _is_of(data, "pandas", "DataFrame", "Series"):
        return _of_pandas(data, columns)
    # Index, and arrays like Categorical; an index of several levels is no column.
    if _is_of(data, "pandas", "Index", "api.extensions.ExtensionArray") and getattr(data, "nlevels", 1) == 1:
        return _of_pandas(sys.modules["pandas"].Series(data), columns)
    if _is_of(data, "polars", "DataFrame", "Series"):
        return _of_polars(data, columns)
    if _is_of(data, "pyarrow", "Table", "RecordBatch", "RecordBatchReader", "Array", "ChunkedArray"):
        return _of_pyarrow(data, columns)
    if _is_of(data, "datasets", "Dataset"):
        # With its selections and shuffles; releases without the PyCapsule interface have a table behind them, too.
        needed = columns.found_in(data.column_names)
        return _of_pyarrow(data.select_columns(needed).with_format("arrow")[:], columns)
    if is_matrix(data):
        return _of_numpy(data, columns)
    if hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__"):
        documents = Documents.of_arrow(data, columns.text, columns.naming)
        columns.found_in(documents.column_names or [])
        return documents if len(documents) else _nothing()
    _refuse_others(data)
    return None


def is_matrix(data: object) -> bool:
    """Whether this is an array of numpy with a row of numbers for each document."""
    if not _is_of(data, "numpy", "ndarray"):
        return False
    array: Any = data
    return array.ndim == 2 and array.dtype.kind in "fiu"


def _of_numpy(data: Any, columns: Columns) -> Documents:
    """The rows of a matrix as vectors.

    Raises:
        ValueError: The rows have no numbers.
    """
    rows, dimensions = data.shape
    if not rows:
        return _nothing()
    if not dimensions:
        raise ValueError("the array has rows without numbers: a vector has at least 1 dimension")
    import numpy

    try:
        import pyarrow
    except ImportError:
        kind = numpy.dtype("f4" if data.dtype.itemsize <= 2 or data.dtype == numpy.float32 else "f8")
        return Documents.of_vectors(columns.text, data.astype(kind).tobytes(), (rows, dimensions))
    # Other byte orders and types of more than 64 bits are none of Arrow.
    kind = data.dtype.newbyteorder("=") if data.dtype.itemsize <= numpy.dtype("f8").itemsize else numpy.dtype("f8")
    numbers = numpy.ascontiguousarray(data, dtype=kind).reshape(-1)
    vectors = pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(numbers), dimensions)
    return Documents.of_arrow(pyarrow.table({columns.text: vectors}), columns.text)


def _is_of(data: object, module: str, *names: str) -> bool:
    """Whether this is an object of such a class, or of a class made from one, without importing the module."""
    found: Any = sys.modules.get(module)
    for name in names if found is not None else ():
        kind = found
        for part in name.split("."):
            kind = getattr(kind, part, None)
        if isinstance(kind, type) and isinstance(data, kind):
            return True
    return False


def _refuse_others(data: object) -> None:
    """Refuses what looks like a table and is none, or not yet, and says which call makes one of it."""
    name = type(data).__name__
    bases = {(base.__module__.partition(".")[0], base.__name__) for base in type(data).__mro__}
    if ("polars", "LazyFrame") in bases:
        raise TypeError(f"a {name} has no rows yet: pass data.collect()")
    if ("pyarrow", "Scanner") in bases:
        raise TypeError(f"a {name} has no rows yet: pass data.to_reader() or data.to_table()")
    if ("pyarrow", "Dataset") in bases:
        raise TypeError(f"a {name} has no rows yet: pass data.scanner().to_reader() or data.to_table()")
    libraries = sorted({library for library, _ in bases} & {"pandas", "polars", "pyarrow"})
    if libraries:
        raise TypeError(f"documents cannot be read from {name} of {libraries[0]}: expected a table or a column")


def _nothing() -> Documents:
    """No documents; the types of columns without rows say nothing."""
    return Documents.of_texts([])


def _of_pandas(data: Any, columns: Columns) -> Documents:
    if data.ndim == 1:
        data = data.rename(columns.text).to_frame()
    data = data.loc[:, columns.found_in(data.columns)]
    if not len(data):
        return _nothing()
    naming = columns.naming
    ids = data[naming].tolist() if naming in list(data.columns) else None
    if _is_plain(data, columns):
        return of_texts(data[columns.text].tolist(), ids)
    try:
        import pyarrow
    except ImportError:
        return _of_values(data, columns)
    if ids is not None and data[naming].dtype == object:
        # Integers beside strings are no column of Arrow.
        data = data.assign(**{str(naming): _uniform(ids)})
    # The index is no column of the documents, whatever it is called.
    return _of_pyarrow(pyarrow.Table.from_pandas(data, preserve_index=False), columns)


def _of_values(data: Any, columns: Columns) -> Documents:
    """The columns of a frame of pandas, value by value: without pyarrow.

    Raises:
        ImportError: A column holds values of a type that needs pyarrow.
    """
    values = {str(name): [_plain(value) for value in data[name].tolist()] for name in data.columns}
    try:
        return of_columns(values, columns)
    except TypeError as error:
        raise ImportError(f"{error}: such a column of pandas needs pyarrow: pip install pyarrow") from None


def _plain(value: Any) -> Any:
    """A value of a frame as Python has it."""
    if _is_missing(value):
        return None
    return value.tolist() if hasattr(value, "tolist") else value


def _is_plain(data: Any, columns: Columns) -> bool:
    """Whether the texts are Python strings, which are read where they lie."""
    if columns.text not in list(data.columns) or columns.scores or columns.group_by or columns.skips or columns.stored:
        return False
    values = data[columns.text]
    if str(values.dtype) != "object" and getattr(values.dtype, "storage", None) != "python":
        return False
    first = values.iloc[0]
    is_list = isinstance(first, (list, dict)) or getattr(first, "ndim", 0) > 0
    return isinstance(first, str) or not (columns.has_items or is_list)


def _of_polars(data: Any, columns: Columns) -> Documents:
    import polars

    if isinstance(data, polars.Series):
        data = data.struct.unnest() if data.dtype == polars.Struct else data.to_frame(columns.text)
    data = data.select(columns.found_in(data.columns))
    if not data.height:
        return _nothing()
    strings: dict[Any, Any] = {polars.Null: polars.String, polars.List(polars.Null): polars.List(polars.String)}
    casts = [polars.col(name).cast(strings[kind]) for name, kind in data.schema.items() if kind in strings]
    return Documents.of_arrow(data.with_columns(casts), columns.text, columns.naming)


def _of_pyarrow(data: Any, columns: Columns) -> Documents:
    table = _table_of(data, columns.text)
    table = table.select(columns.found_in(table.column_names))
    if not table.num_rows:
        return _nothing()
    for position, field in enumerate(table.schema):
        strings = _strings_of(field.type)
        if strings is not None:
            table = table.set_column(position, field.name, table.column(position).cast(strings))
    return Documents.of_arrow(table, columns.text, columns.naming)


def _table_of(data: Any, name: str) -> Any:
    """The table that an object of pyarrow is; an array that holds no structs is a column of this name."""
    import pyarrow

    if isinstance(data, pyarrow.Table):
        return data
    if isinstance(data, pyarrow.RecordBatchReader):
        return data.read_all()
    if isinstance(data, pyarrow.RecordBatch):
        return pyarrow.Table.from_batches([data])
    if pyarrow.types.is_struct(data.type):
        chunks = data.chunks if isinstance(data, pyarrow.ChunkedArray) else [data]
        schema = pyarrow.schema(list(data.type))
        return pyarrow.Table.from_batches([pyarrow.RecordBatch.from_struct_array(chunk) for chunk in chunks], schema)
    return pyarrow.table({name: data})


def _strings_of(kind: Any) -> Any:
    """The type with strings in place of one that has no values, as a column of nulls has; ``None`` for other types."""
    import pyarrow

    if pyarrow.types.is_null(kind):
        return pyarrow.string()
    if pyarrow.types.is_list(kind) or pyarrow.types.is_large_list(kind):
        return pyarrow.list_(pyarrow.string()) if pyarrow.types.is_null(kind.value_type) else None
    return None


def of_texts(texts: list[Any], ids: list[Any] | None = None) -> Documents:
    """Documents that are Python strings, which are not copied, with an id each or without.

    Raises:
        TypeError: A text is no string, or an id is neither a string nor an integer.
    """
    if ids is None:
        return Documents.of_texts(texts)
    return Documents.of_texts(texts, *spelled_ids(ids))


def of_columns(values: dict[str, list[Any]], columns: Columns) -> Documents:
    """Documents whose fields are lists of Python values, which are copied.

    Raises:
        TypeError: Values are of several types, or of one that no field has.
    """
    naming = columns.naming
    if naming is not None and naming in values:
        values = {**values, naming: _uniform(values[naming])}
    return Documents.of_columns(list(values.items()), naming)


def of_baskets(baskets: list[Any], ids: list[Any] | None, columns: Columns) -> Documents:
    """Documents that are lists of items.

    Raises:
        TypeError: A basket is no list of strings.
    """
    values: dict[str, list[Any]] = {columns.text: [_items_of(basket, row) for row, basket in enumerate(baskets)]}
    if ids is not None and columns.id is not None:
        values[columns.id] = ids
    return of_columns(values, columns) if baskets else _nothing()


def _items_of(basket: object, row: int) -> list[str] | None:
    if basket is None:
        return None
    if not isinstance(basket, (list, tuple, set, frozenset)):
        raise TypeError(f"the items in row {row} are {type(basket).__name__}, expected a list of str")
    for item in basket:
        if not isinstance(item, str):
            raise TypeError(f"an item in row {row} is {type(item).__name__}, expected str")
    return sorted(basket) if isinstance(basket, (set, frozenset)) else list(basket)


def spelled_ids(ids: list[Any]) -> tuple[list[str | None], str | None]:
    """Ids as strings, of which some may be missing, and the type of column that they fit if all are integers.

    Raises:
        TypeError: One is neither a string nor an integer.
    """
    spelled = [id_of(value, row) for row, value in enumerate(ids)]
    has_strings = any(isinstance(value, str) for value in ids)
    integers = [] if has_strings else [int(value) for value in spelled if value is not None]
    if not integers:
        return spelled, None
    if -(1 << 63) <= min(integers) and max(integers) < 1 << 63:
        return spelled, "int64"
    return spelled, "uint64" if min(integers) >= 0 and max(integers) < 1 << 64 else None


def _uniform(ids: list[Any]) -> list[str | None] | list[int | None]:
    """Ids that are all integers, or all strings; of either some may be missing."""
    spelled, id_type = spelled_ids(ids)
    return spelled if id_type is None else [None if value is None else int(value) for value in spelled]


def id_of(value: Any, row: int) -> str | None:
    """An id as a string; ``None`` for a missing one. A float that is a whole number is the integer that it was before
    a gap in its column made it a float.

    Raises:
        TypeError: It is neither a string nor an integer.
    """
    if isinstance(value, str):
        return value
    if _is_missing(value):
        return None
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    # Integers of numpy.
    if hasattr(value, "__index__") and not isinstance(value, bool):
        return str(value.__index__())
    if hasattr(value, "is_integer") and value.is_integer():
        return str(int(value))
    raise TypeError(f"the id in row {row} is {type(value).__name__}, expected str or int")


def _is_missing(value: Any) -> bool:
    """Whether this is ``None``, NaN, or what pandas has for a missing value."""
    if value is None:
        return True
    if hasattr(value, "is_integer"):
        return bool(value != value)
    return type(value).__name__ in ("NAType", "NaTType")


def list_of_ids(ids: Iterable[Any], keyword: str) -> list[str]:
    """Ids of documents that are there, as strings.

    Raises:
        TypeError: It is a lone id, or one of them is neither a string nor an integer.
    """
    if isinstance(ids, (str, int)):
        raise TypeError(f"{keyword}: expected several, as a list; found a lone {type(ids).__name__}")
    spelled = [id_of(value, row) for row, value in enumerate(ids)]
    if any(value is None for value in spelled):
        raise TypeError(f"{keyword}: expected str or int, found a missing id")
    return [value for value in spelled if value is not None]
