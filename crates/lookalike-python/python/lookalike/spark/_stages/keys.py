"""Blocking keys: two documents with a common key are a candidate pair."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow
from pyspark.sql import functions as F

from ... import batch
from .._search import EXACT, Search
from .corpus import Corpus
from .sets import unpacked

#: Elements that a table of frequencies is made for at most: a table of 16 to 32 MiB, which each task loads.
_MAX_COUNTED_ELEMENTS = 16 << 20
#: Tasks that add up the tables of the others.
_ADDING_TASKS = 8

_TABLE = "table binary"
_KEYS = "row long, keys array<struct<blocking_key: long, position: int>>"


def entries(corpus: Corpus, search: Search) -> Any:
    """The keys of all distinct sets: ``key``, ``document``, ``size``, ``position`` (elements before the key)."""
    table = frequencies_of(corpus.sets.elements, corpus.elements) if search.method == EXACT else None
    keyed = corpus.sets.elements.mapInArrow(add_keys(search, search.method, table, "row"), _KEYS)
    found = keyed.join(corpus.distinct, "row").select("document", "size", F.inline("keys"))
    return found.withColumnRenamed("blocking_key", "key")


def add_keys(search: Search, method: str, table: bytes | None, name: str) -> Any:
    """A function for ``mapInArrow``: the sets of ``elements`` to ``keys``, beside the column of this name."""

    def add(batches: Iterator[Any]) -> Iterator[Any]:
        frequencies = None if table is None else batch.Frequencies.from_bytes(table)
        options = search.keys if method == search.method else {}
        for part in batches:
            sets = unpacked(part["elements"])
            keys = batch.blocking_keys(
                sets, search.threshold, frequencies=frequencies, method=method, signed=True, **options
            )
            yield pyarrow.record_batch({name: part[name], "keys": keys})

    return add


def frequencies_of(sets: Any, elements: int) -> bytes:
    """How many of these sets have each element: a table of ``Frequencies``, counted by task and added up.

    Args:
        sets: ``elements``, and other columns.
        elements: Number of elements over all sets, about.
    """
    size = max(1, min(elements, _MAX_COUNTED_ELEMENTS))

    def count(batches: Iterator[Any]) -> Iterator[Any]:
        table = batch.Frequencies.sized_for(size)
        for part in batches:
            table.count(unpacked(part["elements"]))
        yield pyarrow.record_batch({"table": pyarrow.array([table.to_bytes()], pyarrow.binary())})

    def add(batches: Iterator[Any]) -> Iterator[Any]:
        total = batch.Frequencies.sized_for(size)
        for part in batches:
            for table in part["table"]:
                total.merge(batch.Frequencies.from_bytes(table.as_py()))
        yield pyarrow.record_batch({"table": pyarrow.array([total.to_bytes()], pyarrow.binary())})

    some = sets.select("elements").mapInArrow(count, _TABLE).repartition(_ADDING_TASKS).mapInArrow(add, _TABLE)
    [row] = some.repartition(1).mapInArrow(add, _TABLE).collect()
    return bytes(row["table"])
