"""Blocking keys: two documents with a common key are a candidate pair."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow
from pyspark.sql import functions as F

from .. import batch
from ._checkpoints import Checkpoints
from ._corpus import Corpus
from ._search import EXACT, Search
from ._sets import unpacked

#: Elements that a table of frequencies is made for at most: a table of 16 to 32 MiB, which each task loads.
_MAX_COUNTED_ELEMENTS = 16 << 20
#: Tasks that add up the tables of the others.
_ADDING_TASKS = 8

_KEYS = "row long, keys array<struct<blocking_key: long, position: int>>"


def entries(corpus: Corpus, search: Search) -> Any:
    """The keys of all distinct sets: ``key``, ``document``, ``size``, ``position`` (elements before the key)."""
    table = _frequencies(corpus) if search.method == EXACT else None
    keyed = corpus.sets.elements.mapInArrow(_adds_keys(search, table), _KEYS).join(corpus.distinct, "row")
    return keyed.select("document", "size", F.inline("keys")).withColumnRenamed("blocking_key", "key")


def _adds_keys(search: Search, table: bytes | None) -> Any:
    def add_keys(batches: Iterator[Any]) -> Iterator[Any]:
        frequencies = None if table is None else batch.Frequencies.from_bytes(table)
        for part in batches:
            keys = batch.blocking_keys(
                unpacked(part["elements"]),
                search.threshold,
                frequencies=frequencies,
                method=search.method,
                signed=True,
                **search.keys,
            )
            yield pyarrow.record_batch({"row": part["row"], "keys": keys})

    return add_keys


def _frequencies(corpus: Corpus) -> bytes:
    """How many sets have each element, of all documents: counted by task, and added up."""
    size = max(1, min(corpus.elements, _MAX_COUNTED_ELEMENTS))

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

    tables = corpus.sets.elements.mapInArrow(count, "table binary")
    some = tables.repartition(_ADDING_TASKS).mapInArrow(add, "table binary")
    [row] = some.repartition(1).mapInArrow(add, "table binary").collect()
    return bytes(row["table"])
