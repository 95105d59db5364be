"""What holds Arrow data of the native part, and hands it on by the PyCapsule interface."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from ._lookalike import ArrowArray, ArrowTable
from ._needed import needed

_Native = TypeVar("_Native", bound=ArrowArray | ArrowTable)


class ArrowData(Generic[_Native]):
    """Rows of Arrow data, which the native part has made."""

    def __init__(self, native: _Native) -> None:
        self._native: _Native = native

    def __len__(self) -> int:
        return len(self._native)

    def __arrow_c_schema__(self) -> object:
        return self._native.__arrow_c_schema__()

    def _contents(self) -> str:
        """What the rows are made of."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"{type(self).__name__}: {len(self):,} rows of {self._contents()}"


class ArrowColumns(ArrowData[_Native]):
    """Columns of one length under names."""

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return self._native.column_names

    def to_polars(self) -> Any:
        """The columns as a ``polars.DataFrame``; polars has to be installed."""
        polars = needed("polars", "to_polars()")
        # An array or a stream, by the kind of the data.
        data: Any = self
        return polars.DataFrame(data)

    def _contents(self) -> str:
        return ", ".join(self.columns)
