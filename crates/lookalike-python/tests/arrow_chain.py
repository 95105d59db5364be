"""A whole search of batch functions and joins of pyarrow: what an engine does, in one process."""

from __future__ import annotations

import functools
import operator
import pickle
from dataclasses import dataclass
from typing import Any

import pyarrow
import pyarrow.compute as pc
from lookalike import batch

Pair = tuple[int, int, float]


@dataclass
class Found:
    """Documents are called by their rows."""

    #: Pairs of near-duplicates, a before b, in order.
    pairs: list[Pair]
    #: The row that stays in place of one that goes, and their similarity.
    removed: dict[int, tuple[int, float]]
    #: By row: the first row of its cluster.
    roots: list[int]


def search(batches: list[Any], threshold: float, *, exact: bool, signed: bool = False, **options: Any) -> Found:
    """Searches columns of texts, each of which may be another kind of Arrow array."""
    made = [batch.features(texts, signed=signed) for texts in batches]
    sets = pyarrow.chunked_array([part["elements"].to_arrow() for part in made])
    hashes = pyarrow.chunked_array([part["set_hash"].to_arrow() for part in made])
    group_of = _groups(sets, hashes, threshold)
    first = [row for row, group in enumerate(group_of) if row == group]
    keys = _keys(sets.take(first), first, threshold, exact=exact, signed=signed, **options)
    candidates = _candidates(keys, threshold)
    verified = batch.verify(sets.take(candidates["row"]), sets.take(candidates["row_b"]), threshold, signed=signed)
    similarity = verified["similarity"].to_arrow()
    near = similarity.is_valid()
    a, b, similarity = (column.filter(near) for column in (candidates["row"], candidates["row_b"], similarity))
    found = list(zip(a.to_pylist(), b.to_pylist(), similarity.to_pylist(), strict=True))
    return Found(_all_pairs(found, group_of), _removed(found, group_of), _roots(found, group_of))


def _groups(sets: Any, hashes: Any, threshold: float) -> list[int | None]:
    """By row: the first row with the same set; None without elements."""
    rows = pyarrow.array(range(len(sets)), pyarrow.int64())
    table = pyarrow.table({"row": rows, "set_hash": hashes}).filter(
        pc.fill_null(pc.greater(pc.list_value_length(sets), 0), False)
    )
    firsts = table.group_by("set_hash").aggregate([("row", "min")])
    table = table.join(firsts, "set_hash", join_type="inner")
    same = batch.verify(sets.take(table["row"]), sets.take(table["row_min"]), threshold)["similarity"].to_arrow()
    groups: list[int | None] = [None] * len(sets)
    for row, first, similarity in zip(
        table["row"].to_pylist(), table["row_min"].to_pylist(), same.to_pylist(), strict=True
    ):
        # A hash alone proves nothing.
        groups[row] = first if similarity == 1.0 else row
    return groups


def _keys(sets: Any, rows: list[int], threshold: float, *, exact: bool, signed: bool, **options: Any) -> Any:
    """A row for each blocking key: key, position, document and the size of its set."""
    frequencies = None
    if exact:
        tables = []
        for chunk in sets.chunks:
            table = batch.Frequencies.sized_for(1000)
            table.count(chunk)
            tables.append(pickle.loads(pickle.dumps(table)))
        frequencies = functools.reduce(operator.add, tables, batch.Frequencies.sized_for(1000))
    keys = batch.blocking_keys(sets, threshold, frequencies=frequencies, signed=signed, **options).to_arrow()
    documents = pyarrow.table({"row": pyarrow.array(rows, pyarrow.int64()), "size": pc.list_value_length(sets)})
    flat = pc.list_flatten(keys)
    table = documents.take(pc.list_parent_indices(keys))
    table = table.append_column("key", flat.field("blocking_key"))
    table = table.append_column("position", flat.field("position"))
    return _shared(table, signed=signed) if signed else table


def _shared(table: Any, *, signed: bool) -> Any:
    """The rows whose key another one has: what two tasks deal out to three parts, each of which has its own table."""
    middle = table.num_rows // 3
    tasks = [
        batch.deal(
            *(rows[name] for name in ("key", "row", "size", "position")), parts=3, seed=middle, signed=signed
        ).to_arrow()
        for rows in (table.slice(0, middle), table.slice(middle))
    ]
    found = []
    for part in range(3):
        buckets = batch.Buckets()
        for dealt in tasks:
            entries = dealt.filter(pc.equal(dealt["part"], part))["entries"]
            found.append(buckets.add(entries, signed=signed).to_arrow())
    rows = pyarrow.Table.from_batches(found)
    assert rows.num_rows < table.num_rows or not table.num_rows
    return rows.rename_columns(["key", "row", "size", "position"])


def _candidates(keys: Any, threshold: float) -> Any:
    """Distinct pairs of documents with a common key that may reach the threshold."""
    pairs = keys.join(keys, "key", join_type="inner", right_suffix="_b")
    pairs = pairs.filter(pc.less(pairs["row"], pairs["row_b"]))
    passes = batch.may_reach(pairs["size"], pairs["position"], pairs["size_b"], pairs["position_b"], threshold)
    pairs = pairs.filter(passes.to_arrow())
    return pairs.group_by(["row", "row_b"]).aggregate([])


def _all_pairs(found: list[Pair], group_of: list[int | None]) -> list[Pair]:
    """The pairs of all members of the groups."""
    members: dict[int, list[int]] = {}
    for row, group in enumerate(group_of):
        if group is not None:
            members.setdefault(group, []).append(row)
    pairs = [(a, b, 1.0) for same in members.values() for a in same for b in same if a < b]
    for a, b, similarity in found:
        pairs += [(min(x, y), max(x, y), similarity) for x in members[a] for y in members[b]]
    return sorted(pairs)


def _removed(found: list[Pair], group_of: list[int | None]) -> dict[int, tuple[int, float]]:
    """Decides about the first of each group; the others go with it, or because of it."""
    ranks = pyarrow.array(range(len(group_of)), pyarrow.uint32())
    a, b = (pyarrow.array([pair[side] for pair in found], pyarrow.int64()) for side in range(2))
    similarity = pyarrow.array([pair[2] for pair in found], pyarrow.float64())
    decided = batch.keepers(ranks, a, b, similarity).to_arrow()
    kept, similarity = decided["kept"].to_pylist(), decided["similarity"].to_pylist()
    removed: dict[int, tuple[int, float]] = {}
    for row, group in enumerate(group_of):
        if group is not None and kept[group] is not None:
            removed[row] = kept[group], similarity[group]
        elif group not in (None, row):
            assert group is not None
            removed[row] = group, 1.0
    return removed


def _roots(found: list[Pair], group_of: list[int | None]) -> list[int]:
    """Components of two tasks, of which one has the pairs of groups and of the other ones every second."""
    tasks = [batch.Components(len(group_of)), batch.Components(len(group_of))]
    groups = [(row, group, 1.0) for row, group in enumerate(group_of) if group is not None]
    for task, pairs in zip(tasks, (found[::2], found[1::2] + groups), strict=True):
        task.add(*(pyarrow.array([pair[side] for pair in pairs], pyarrow.uint64()) for side in range(2)))
    tasks[0].add_roots(tasks[1].roots(signed=True))
    roots: list[int] = tasks[0].roots().to_arrow().to_pylist()
    return roots
