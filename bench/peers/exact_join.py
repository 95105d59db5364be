"""All pairs of sets with Jaccard similarity at or above a threshold, exactly: the answer that tools are compared with.

Written apart from lookalike's own join, in NumPy, so that each can catch the other's mistakes; `brute_force` below
checks both.

    sets -> one of each group of equal sets -> elements in order of rising frequency
         -> pairs with a common element in their prefixes -> exact overlap of each, by sparse matrix rows
         -> pairs of groups -> pairs of documents

The prefix filter (Bayardo, Ma, Srikant, WWW 2007): J(x, y) >= t needs an overlap of at least t|x|, so two such sets
share an element among the first |x| - ceil(t|x|) + 1 of each, in any fixed order. All comparisons are of integers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy.sparse import csr_matrix

# The threshold as a fraction, so that 0.8 is 0.8.
Threshold = tuple[int, int]
BLOCK = 20_000_000
MOST_PAIRS = 300_000_000


def exact_pairs(values: np.ndarray, starts: np.ndarray, threshold: Threshold) -> np.ndarray:
    """Codes a * documents + b (a < b), rising, of all pairs of similar non-empty sets.

    Set number i is `values[starts[i]:starts[i + 1]]`, its elements sorted.
    """
    groups, kept = _group_equal_sets(values, starts)
    values, starts = _take(values, starts, kept)
    elements, frequent = _rank(values, starts)
    candidates = _candidates(elements, starts, frequent, threshold)
    left, right = _verify(candidates, elements, starts, frequent, threshold)
    return _expand(left, right, groups)


def brute_force(sets: list[set], threshold: Threshold) -> np.ndarray:
    """The same by definition, for tests."""
    over, under = threshold
    found = [
        a * len(sets) + b
        for a, b in combinations(range(len(sets)), 2)
        if sets[a] and len(sets[a] & sets[b]) * under >= over * len(sets[a] | sets[b])
    ]
    return np.array(found, dtype=np.uint64)


def spread(first: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """first[0], first[0] + 1, ... counts[0] of them, then those from first[1], and so on."""
    ends = np.cumsum(counts)
    return np.arange(ends[-1] if ends.size else 0) + np.repeat(first - (ends - counts), counts)


@dataclass(frozen=True)
class _Groups:
    """Documents with equal sets: group g has `members[starts[g]:starts[g + 1]]`, rising."""

    documents: int
    members: np.ndarray
    starts: np.ndarray


def _group_equal_sets(values: np.ndarray, starts: np.ndarray) -> tuple[_Groups, np.ndarray]:
    """Groups non-empty sets by size and two 64-bit sums of mixed elements; also the first document of each group."""
    documents, sizes = len(starts) - 1, np.diff(starts)
    full = np.flatnonzero(sizes)
    if full.size == 0:
        return _Groups(documents, full, np.array([0])), full
    sums = [np.add.reduceat(_mix(values, odd), starts[full]) for odd in (0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93)]
    keys = [sizes[full], *sums]
    order = np.lexsort([full, *keys])
    is_new = np.ones(full.size, dtype=bool)
    is_new[1:] = np.any([key[order][1:] != key[order][:-1] for key in keys], axis=0)
    first = np.flatnonzero(is_new)
    groups = _Groups(documents, full[order], np.append(first, full.size))
    return groups, groups.members[first]


def _mix(values: np.ndarray, odd: int) -> np.ndarray:
    mixed = values * np.uint64(odd)
    mixed ^= mixed >> np.uint64(29)
    return mixed * np.uint64(0xBF58476D1CE4E5B9)


def _take(values: np.ndarray, starts: np.ndarray, documents: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    sizes = np.diff(starts)[documents]
    return values[spread(starts[documents], sizes)], np.concatenate([[0], np.cumsum(sizes)])


def _rank(values: np.ndarray, starts: np.ndarray) -> tuple[np.ndarray, int]:
    """Elements replaced by their rank by rising frequency, each set sorted; and how many, the first, occur once."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    rank = np.empty(counts.size, dtype=np.uint64)
    rank[np.argsort(counts, kind="stable")] = np.arange(counts.size, dtype=np.uint64)
    document = np.repeat(np.arange(len(starts) - 1, dtype=np.uint64), np.diff(starts))
    keyed = (document << np.uint64(32)) | rank[inverse]
    keyed.sort()
    return (keyed & np.uint64(0xFFFFFFFF)).astype(np.int64), int(np.count_nonzero(counts == 1))


def _candidates(elements: np.ndarray, starts: np.ndarray, frequent: int, threshold: Threshold) -> np.ndarray:
    """Codes a * sets + b of pairs that share an element of their prefixes and may be similar by size and position."""
    over, under = threshold
    sizes = np.diff(starts)
    entry = spread(starts[:-1], sizes - _ceil(sizes * over, under) + 1)
    entry = entry[elements[entry] >= frequent]
    owner = np.searchsorted(starts, entry, side="right") - 1
    # one run of entries for each element, small sets first
    order = np.lexsort([sizes[owner], elements[entry]])
    entry, owner = entry[order], owner[order]
    element, size, rest = elements[entry], sizes[owner], starts[owner + 1] - entry
    width = int(sizes.max(initial=0)) + 1
    # partners of an entry: earlier ones of the same run that are not too small
    first = np.searchsorted(element * width + size, element * width + _ceil(size * over, under))
    counts = np.arange(entry.size) - np.minimum(first, np.arange(entry.size))
    found = [np.empty(0, dtype=np.uint64)]
    for low, high in _blocks(counts):
        a = spread(first[low:high], counts[low:high])
        b = np.repeat(np.arange(low, high), counts[low:high])
        # with this as the first common element, no more can be common than what remains of either
        possible = np.minimum(rest[a], rest[b]) * (over + under) >= over * (size[a] + size[b])
        found.append(np.unique(_codes(owner[a[possible]], owner[b[possible]], sizes.size)))
    return np.unique(np.concatenate(found))


def _verify(
    candidates: np.ndarray, elements: np.ndarray, starts: np.ndarray, frequent: int, threshold: Threshold
) -> tuple[np.ndarray, np.ndarray]:
    """Those candidates that are similar, as two arrays of set numbers."""
    over, under = threshold
    sizes = np.diff(starts)
    # elements that occur once are in no intersection
    is_shared = elements >= frequent
    shared_starts = np.concatenate([[0], np.cumsum(is_shared)])[starts]
    columns = elements[is_shared] - frequent
    shape = (sizes.size, int(columns.max(initial=0)) + 1)
    matrix = csr_matrix((np.ones(columns.size, dtype=np.int32), columns, shared_starts), shape=shape)
    left, right = np.divmod(candidates.astype(np.int64), max(sizes.size, 1))
    similar = np.zeros(candidates.size, dtype=bool)
    for low, high in _blocks(sizes[left] + sizes[right]):
        a, b = left[low:high], right[low:high]
        overlap = np.asarray(matrix[a].multiply(matrix[b]).sum(axis=1)).ravel().astype(np.int64)
        similar[low:high] = overlap * (over + under) >= over * (sizes[a] + sizes[b])
    return left[similar], right[similar]


def _expand(left: np.ndarray, right: np.ndarray, groups: _Groups) -> np.ndarray:
    """Pairs of documents from pairs of groups, with the pairs inside groups."""
    sizes = np.diff(groups.starts)
    total = int((sizes[left] * sizes[right]).sum() + (sizes * (sizes - 1) // 2).sum())
    if total > MOST_PAIRS:
        raise OverflowError(f"{total:,} pairs are too many to list")
    inside = np.flatnonzero(sizes > 1)
    left, right = np.concatenate([left, inside]), np.concatenate([right, inside])
    counts = sizes[left] * sizes[right]
    found = [np.empty(0, dtype=np.uint64)]
    for low, high in _blocks(counts):
        number = spread(np.zeros(high - low, dtype=np.int64), counts[low:high])
        wide = np.repeat(sizes[right[low:high]], counts[low:high])
        a = groups.members[np.repeat(groups.starts[left[low:high]], counts[low:high]) + number // wide]
        b = groups.members[np.repeat(groups.starts[right[low:high]], counts[low:high]) + number % wide]
        # inside a group both orders of a pair were made, and each with itself
        found.append(np.unique(_codes(a[a != b], b[a != b], groups.documents)))
    return np.unique(np.concatenate(found))


def _codes(a: np.ndarray, b: np.ndarray, documents: int) -> np.ndarray:
    return (np.minimum(a, b) * documents + np.maximum(a, b)).astype(np.uint64)


def _ceil(numerator: np.ndarray, denominator: int) -> np.ndarray:
    return -(-numerator // denominator)


def _blocks(counts: np.ndarray) -> Iterator[tuple[int, int]]:
    """Stretches of `counts` that sum to about BLOCK, so that memory stays bounded."""
    ends = np.cumsum(counts)
    low = 0
    while low < counts.size:
        before = ends[low - 1] if low else 0
        high = max(low + 1, int(np.searchsorted(ends, before + BLOCK, side="right")))
        yield low, high
        low = high
