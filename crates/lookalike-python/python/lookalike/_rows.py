"""Rows of answers, and what becomes of the rows of the data."""

from __future__ import annotations

import html
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias, TypeVar, overload

from . import _lookalike
from ._arrow import ArrowColumns
from ._needed import needed
from ._shown import SHOWN_ROWS, lines_of, table_of

if TYPE_CHECKING:
    import numpy

_Self = TypeVar("_Self")

#: Rows that are made at once while a table is gone through.
_CHUNK_ROWS = 4096


class Mask(list[bool]):
    """A truth value for each row, where numpy is not installed: with it, a mask is an array of numpy.

    Frames of polars and pandas take it as it is, and ``itertools.compress(documents, mask)`` selects of a list.
    """

    def __invert__(self) -> Mask:
        return Mask(not value for value in self)

    def any(self) -> bool:
        """Whether one is True."""
        return any(self)

    def all(self) -> bool:
        """Whether all are True."""
        return all(self)

    def sum(self) -> int:
        """The number of those that are True."""
        return sum(self)

    def tolist(self) -> list[bool]:
        """The values as a plain list."""
        return list(self)


#: An array of truth values of numpy, or without numpy a list.
Bools: TypeAlias = "numpy.ndarray[Any, numpy.dtype[numpy.bool_]] | Mask"


def mask_of(native: _lookalike.Answer | _lookalike.SearchAnswer, value: int) -> Bools:
    """For each row of the data whether its value in the native mask is this one."""
    mask = native.mask()
    if mask is None:
        raise ValueError("documents of files have no rows to index: use the table of the result")
    try:
        import numpy
    except ImportError:
        return Mask(state == value for state in mask)
    selected: numpy.ndarray[Any, numpy.dtype[numpy.bool_]] = numpy.frombuffer(mask, dtype=numpy.uint8) == value
    return selected


class Unsendable:
    """What belongs to its process: buffers of the native part, which are shared and not copied."""

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        name = type(self).__name__
        raise TypeError(f"a {name} cannot be pickled or copied: send the pyarrow.Table of `.to_arrow()`")

    def __copy__(self: _Self) -> _Self:
        # Nothing of it can change.
        return self


class Table(Unsendable, ArrowColumns[_lookalike.ArrowTable]):
    """Rows, which any library with the Arrow PyCapsule interface takes over without a copy.

    ``polars.DataFrame(table)``, ``pyarrow.table(table)`` and ``duckdb`` queries work on it as it is. Without any
    library, ``for row in table`` gives each row as a dictionary, ``table[0]`` the first one, ``table[:10]`` ten, and
    ``table["id"]`` a column as a list.
    """

    @property
    def rows(self) -> list[dict[str, Any]]:
        """All rows, each a dictionary by the names of the columns."""
        return list(self)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for start in range(0, len(self), _CHUNK_ROWS):
            yield from self._slice(start, _CHUNK_ROWS)

    @overload
    def __getitem__(self, place: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, place: slice) -> list[dict[str, Any]]: ...
    @overload
    def __getitem__(self, place: str) -> list[Any]: ...
    def __getitem__(self, place: int | slice | str) -> dict[str, Any] | list[Any]:
        """A row by its number, rows by a slice, or a column by its name."""
        if isinstance(place, str):
            return self._native.values(place, 0, len(self))
        if isinstance(place, slice):
            numbers = range(*place.indices(len(self)))
            if numbers.step == 1:
                return self._slice(numbers.start, len(numbers))
            return [self[number] for number in numbers]
        number = range(len(self))[place]
        return self._slice(number, 1)[0]

    def _slice(self, start: int, length: int) -> list[dict[str, Any]]:
        names = self.columns
        columns = [self._native.values(name, start, length) for name in names]
        return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]

    def first_rows(self) -> list[str]:
        """The first rows as lines of text; none without rows."""
        return lines_of(self.columns, self[:SHOWN_ROWS], len(self))

    def first_rows_html(self) -> str:
        """The first rows as a table of HTML; nothing without rows."""
        return table_of(self.columns, self[:SHOWN_ROWS], len(self))

    def __repr__(self) -> str:
        count = len(self)
        head = f"{type(self).__name__}: {count:,} {'row' if count == 1 else 'rows'} of {self._contents()}"
        return "\n".join([head, *self.first_rows()])

    def _repr_html_(self) -> str:
        return self.first_rows_html() or f"<p>{html.escape(repr(self))}</p>"

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._native.__arrow_c_stream__(requested_schema)

    def to_arrow(self) -> Any:
        """The rows as a ``pyarrow.Table``; pyarrow 14 or later has to be installed."""
        return needed("pyarrow", "to_arrow()").table(self)

    def to_pandas(self) -> Any:
        """The rows as a ``pandas.DataFrame``; pandas has to be installed."""
        pandas = needed("pandas", "to_pandas()")
        try:
            import pyarrow
        except ImportError:
            return pandas.DataFrame({name: self[name] for name in self.columns})
        if hasattr(pandas.DataFrame, "from_arrow"):
            return pandas.DataFrame.from_arrow(self)
        return pyarrow.table(self).to_pandas()
