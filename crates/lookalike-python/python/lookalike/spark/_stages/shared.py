"""Entries of shared blocking keys, without a row of the engine for each entry.

There are dozens of entries for each document, and most are singletons: no other one has their key. What Spark does with
a row costs more than what is in it here, so the entries of a task travel as a few long values, one for each part of all
keys, and in the part a table holds singletons back:

    document, keys    ->    part, entries    -- exchange -->    part, entries    ->    key, document, size, position
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import pyarrow
from pyspark.sql import functions as F

from ... import batch

#: Keys, documents, sizes and positions of the rows of a table: a row for each key of each document.
EntryColumns: TypeAlias = Callable[[Any], tuple[Any, Any, Any, Any]]

#: Keys of the table of a task at most: some 60 MB.
_MAX_KEYS_OF_A_TASK = 1_500_000
#: Keys that are worth a task of their own.
_MIN_KEYS_OF_A_TASK = 100_000
#: Tasks of an exchange where the engine says no number; the default of Spark.
_USUAL_TASKS = 200
#: Bytes of keys that are dealt at a time, about.
_DEALT_BYTES = 8 << 20
#: Bytes of entries that a table takes at a time, unless one value is longer.
_TAKEN_BYTES = 8 << 20
#: Entries that are given back at a time.
_ENTRIES_OF_A_BATCH = 100_000

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
    usual = min(_usual_tasks(documents.sparkSession), math.ceil(keys / _MIN_KEYS_OF_A_TASK))
    parts = max(1, usual, math.ceil(keys / _MAX_KEYS_OF_A_TASK))

    def deal(batches: Iterator[Any]) -> Iterator[Any]:
        for some in _gathered(batches, _DEALT_BYTES):
            yield batch.deal(*columns(some), parts=parts, seed=seed, signed=True).to_arrow()

    # A part a task: parts that the engine hashes to tasks would leave some of these with thrice as many as others.
    dealt = documents.mapInArrow(deal, _DEALT).repartitionById(parts, F.col("part").cast("int"))
    return dealt.mapInArrow(_share, _ENTRY)


def _usual_tasks(spark: Any) -> int:
    """The number of tasks of an exchange, if nothing else is said."""
    number = str(spark.conf.get("spark.sql.shuffle.partitions"))
    # Databricks has "auto".
    return int(number) if number.isdigit() else _USUAL_TASKS


def _share(batches: Iterator[Any]) -> Iterator[Any]:
    buckets = batch.Buckets()
    for dealt in _gathered(batches, _TAKEN_BYTES):
        entries = pyarrow.Table.from_batches([buckets.add(dealt["entries"], signed=True).to_arrow()])
        yield from entries.cast(_ENTRY_SCHEMA).to_batches(max_chunksize=_ENTRIES_OF_A_BATCH)


def _gathered(batches: Iterator[Any], size: int) -> Iterator[Any]:
    """Tables of about ``size`` bytes, of pieces of the batches."""
    held: list[Any] = []
    held_bytes = 0
    for some in batches:
        rows = max(1, len(some) * size // max(1, some.nbytes))
        for start in range(0, len(some), rows):
            piece = some.slice(start, rows)
            held.append(piece)
            held_bytes += piece.nbytes
            if held_bytes >= size:
                yield pyarrow.Table.from_batches(held)
                held, held_bytes = [], 0
    if held:
        yield pyarrow.Table.from_batches(held)
