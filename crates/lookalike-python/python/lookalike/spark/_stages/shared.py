"""Keys that more than one document has, without a row of the engine for each key.

There are dozens of keys for each document, most of which no other one has. What Spark does with a row costs more than
what is in it here, so the keys of a task travel as a few long values, one for each part of all keys, and in the part a
table lets those pass that another document has:

    document, keys    ->    part, entries    -- exchange -->    part, entries    ->    key, document, size, position
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import pyarrow

from ... import batch

#: Keys, documents, sizes and positions of the rows of a table: a row for each key of each document.
EntryColumns: TypeAlias = Callable[[Any], tuple[Any, Any, Any, Any]]

#: Keys of the table of a task: some 80 MB.
_KEYS_OF_A_TASK = 2_000_000
#: Parts that a task of the exchange has, which therefore differ less in size than the parts do.
_PARTS_OF_A_TASK = 8
#: Tasks of an exchange where the engine says no number; the default of Spark.
_USUAL_TASKS = 200
#: Documents whose keys are dealt at a time, at least.
_DEALT_DOCUMENTS = 100_000

_DEALT = "part long, entries binary"
_ENTRY = "key long, document long, size int, position int"
_ENTRY_SCHEMA = pyarrow.schema(
    {"key": pyarrow.int64(), "document": pyarrow.int64(), "size": pyarrow.int32(), "position": pyarrow.int32()}
)


def shared_entries(documents: Any, columns: EntryColumns, keys: float) -> Any:
    """The entries whose key another entry has: ``key``, ``document``, ``size``, ``position``.

    Args:
        documents: What ``columns`` needs.
        columns: Makes entries of documents, in a task.
        keys: Number of keys over all documents, about.
    """
    seed = secrets.randbits(63)
    tasks = math.ceil(keys / _KEYS_OF_A_TASK)
    usual = _usual_tasks(documents.sparkSession)
    parts = _PARTS_OF_A_TASK * max(tasks, usual)

    def deal(batches: Iterator[Any]) -> Iterator[Any]:
        for some in _gathered(batches):
            yield batch.deal(*columns(some), parts=parts, seed=seed, signed=True).to_arrow()

    dealt = documents.mapInArrow(deal, _DEALT)
    # Where the usual number of tasks suffices, the engine may join small ones.
    dealt = dealt.repartition(tasks, "part") if tasks > usual else dealt.repartition("part")
    return dealt.mapInArrow(_share, _ENTRY)


def _usual_tasks(spark: Any) -> int:
    """The number of tasks of an exchange, if nothing else is said."""
    number = str(spark.conf.get("spark.sql.shuffle.partitions"))
    # Databricks has "auto".
    return int(number) if number.isdigit() else _USUAL_TASKS


def _share(batches: Iterator[Any]) -> Iterator[Any]:
    buckets = batch.Buckets()
    for dealt in batches:
        entries = pyarrow.Table.from_batches([buckets.add(dealt["entries"], signed=True).to_arrow()])
        yield from entries.cast(_ENTRY_SCHEMA).to_batches()


def _gathered(batches: Iterator[Any]) -> Iterator[Any]:
    """Fewer and longer tables of the batches."""
    held: list[Any] = []
    rows = 0
    for some in batches:
        held.append(some)
        rows += len(some)
        if rows >= _DEALT_DOCUMENTS:
            yield pyarrow.Table.from_batches(held)
            held, rows = [], 0
    if rows:
        yield pyarrow.Table.from_batches(held)
