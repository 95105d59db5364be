"""The native part of the package."""

import os
from collections.abc import Callable, Sequence
from typing import Any, final

__all__ = [
    "Answer",
    "ArrowTable",
    "Documents",
    "LookalikeError",
    "command",
    "compare",
    "compare_files",
    "plan",
    "probability",
    "run",
]

class LookalikeError(Exception):
    """A job that could not be finished for want of memory, disk or luck."""

@final
class ArrowTable:
    """A table of answers, which any library can take over by the PyCapsule interface."""

    @property
    def column_names(self) -> list[str]: ...
    def __len__(self) -> int: ...
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...

@final
class Documents:
    """Documents that Python holds, ready for a job."""

    @staticmethod
    def of_texts(texts: list[Any], ids: list[Any] | None = None) -> Documents: ...
    @staticmethod
    def of_arrow(table: object, text_field: str) -> Documents: ...
    @property
    def column_names(self) -> list[str] | None: ...
    def __len__(self) -> int: ...

@final
class Answer:
    """What a job found."""

    @property
    def warnings(self) -> list[str]: ...
    def kept(self) -> ArrowTable: ...
    def removed(self) -> ArrowTable: ...
    def mask(self) -> bytes | None: ...
    def pairs(self) -> ArrowTable: ...
    def clusters(self) -> ArrowTable: ...
    def report(self) -> str: ...

def run(
    rule: str,
    keywords: dict[str, Any],
    data: Documents | None = None,
    references: Documents | None = None,
    progress: Callable[[str, int, int, int, int, str], object] | None = None,
) -> Answer: ...
def compare(left: str, right: str, keywords: dict[str, Any]) -> dict[str, Any]: ...
def compare_files(left: str, right: str, keywords: dict[str, Any]) -> dict[str, Any]: ...
def plan(
    threshold: float, recall: float, permutations: int, low: tuple[float, float] | None = None
) -> tuple[int, int, float]: ...
def probability(bands: int, rows: int, similarity: float) -> float: ...
def command(arguments: Sequence[str | os.PathLike[str]]) -> int: ...
