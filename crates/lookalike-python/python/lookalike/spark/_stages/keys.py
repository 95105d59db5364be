"""Blocking keys: two documents with a common key are a candidate pair."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow
import pyarrow.compute as pc

from ... import batch
from .._search import EXACT, Search
from .corpus import Corpus
from .sets import packed_field, unpacked
from .shared import shared_entries

#: Elements that a table of frequencies is made for at most: a table of 16 to 32 MiB, which each task loads.
_MAX_COUNTED_ELEMENTS = 16 << 20
#: Tasks that add up the tables of the others.
_ADDING_TASKS = 8

_TABLE = "table binary"
_KEYS = "keys binary, positions binary"


def entries(corpus: Corpus, search: Search) -> Any:
    """The entries of shared keys of all distinct sets: ``key``, ``document``, ``size``, ``position`` (elements
    before the key)."""
    if search.method == EXACT:
        table = frequencies_of(corpus.sets.elements, corpus.elements)
        made = corpus.sets.elements.mapInArrow(_packed_keys(search, table), f"row long, {_KEYS}")
        keyed = made.join(corpus.distinct(), "row").select("document", "size", "keys", "positions")
        keys_of_a_document = corpus.elements * (1 - float(search.threshold)) / max(1, corpus.count) + 1
    else:
        keyed = corpus.distinct("keys").select("document", "size", "keys")
        keys_of_a_document = _bands(search)
    return shared_entries(keyed, _entry_columns, corpus.count * keys_of_a_document)


def _bands(search: Search) -> int:
    """The number of keys that each set has."""
    any_set = pyarrow.array([[0]], pyarrow.list_(pyarrow.int64()))
    return len(batch.blocking_keys(any_set, search.threshold, method=search.method, **search.keys).to_arrow()[0])


def _entry_columns(documents: Any) -> tuple[Any, Any, Any, Any]:
    documents = documents.combine_chunks()
    keys = unpacked(documents["keys"].combine_chunks())
    of = pc.list_parent_indices(keys)
    if "positions" in documents.schema.names:
        positions = pc.list_flatten(unpacked(documents["positions"].combine_chunks(), pyarrow.int32()))
    else:
        positions = pyarrow.repeat(pyarrow.scalar(0, pyarrow.int32()), len(of))
    return pc.list_flatten(keys), documents["document"].take(of), documents["size"].take(of), positions


def _packed_keys(search: Search, table: bytes) -> Any:
    """A function for ``mapInArrow``: sets to ``row``, ``keys``, ``positions``, both packed."""

    def add(batches: Iterator[Any]) -> Iterator[Any]:
        frequencies = batch.Frequencies.from_bytes(table)
        for rows in batches:
            keys = _keys(rows, search, frequencies)
            lists = {"keys": packed_field(keys, "blocking_key"), "positions": packed_field(keys, "position")}
            yield pyarrow.record_batch({"row": rows["row"], **lists})

    return add


def rare_elements(search: Search, table: bytes) -> Any:
    """A function for ``mapInArrow``: the sets of ``elements`` to ``keys`` of the exact method, beside ``document``."""

    def add(batches: Iterator[Any]) -> Iterator[Any]:
        frequencies = batch.Frequencies.from_bytes(table)
        for rows in batches:
            yield pyarrow.record_batch({"document": rows["document"], "keys": _keys(rows, search, frequencies)})

    return add


def _keys(rows: Any, search: Search, frequencies: Any) -> Any:
    sets = unpacked(rows["elements"])
    return batch.blocking_keys(sets, search.threshold, frequencies=frequencies, method=EXACT, signed=True).to_arrow()


def frequencies_of(sets: Any, elements: int) -> bytes:
    """How many of these sets have each element: a table of ``Frequencies``, counted by task and added up.

    Args:
        sets: ``elements``, and other columns.
        elements: Number of elements over all sets, about.
    """
    size = max(1, min(elements, _MAX_COUNTED_ELEMENTS))

    def count(batches: Iterator[Any]) -> Iterator[Any]:
        table = batch.Frequencies.sized_for(size)
        for rows in batches:
            table.count(unpacked(rows["elements"]))
        yield pyarrow.record_batch({"table": pyarrow.array([table.to_bytes()], pyarrow.binary())})

    def add(batches: Iterator[Any]) -> Iterator[Any]:
        total = batch.Frequencies.sized_for(size)
        for rows in batches:
            for table in rows["table"]:
                total.merge(batch.Frequencies.from_bytes(table.as_py()))
        yield pyarrow.record_batch({"table": pyarrow.array([total.to_bytes()], pyarrow.binary())})

    some = sets.select("elements").mapInArrow(count, _TABLE).repartition(_ADDING_TASKS).mapInArrow(add, _TABLE)
    [row] = some.repartition(1).mapInArrow(add, _TABLE).collect()
    return bytes(row["table"])
