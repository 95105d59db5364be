"""``MinHashLSHEnsemble``: an index of sets that contain most of a query."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from functools import lru_cache
from typing import Any, Literal

import numpy

from lookalike._lookalike import least_containment_areas, partitions_by_size
from lookalike.compat.datasketch._lsh import MinHashLSH, check_goal
from lookalike.compat.datasketch._minhash import MinHash


class MinHashLSHEnsemble:
    """An index that finds the keys of sets in which a share of the query's elements is contained: most of those with
    the threshold or more, and some with less (Zhu et al. 2016).

    Args:
        threshold: The share of the query's elements from which on sets should be found.
        num_perm: Number of components of all signatures.
        num_part: Number of parts into which sets are divided by size.
        m: The most rows of a band; each set is indexed about so many times.
        weights: How much false positives and false negatives weigh in the choice of bands.
        storage_config: ``{"type": "dict"}``; those of other stores are datasketch's.
        prepickle: Whether keys are stored as pickles.
        partitions: ``"best"`` divides sizes so that the fewest false positives are expected; the default gives the
            parts of datasketch, of which only the last is as good.

    Raises:
        ValueError: A parameter cannot be used.
        ImportError: The storage is one of datasketch alone.
    """

    def __init__(
        self,
        threshold: float = 0.9,
        num_perm: int = 128,
        num_part: int = 16,
        m: int = 8,
        weights: tuple[float, float] = (0.5, 0.5),
        storage_config: dict[str, Any] | None = None,
        prepickle: bool | None = None,
        partitions: Literal["datasketch", "best"] = "datasketch",
    ) -> None:
        if partitions not in ("datasketch", "best"):
            raise ValueError(f"partitions are 'datasketch' or 'best'; got {partitions!r}")
        check_goal(threshold, num_perm, weights)
        if num_part < 1:
            raise ValueError("num_part must be 1 at least")
        if not 2 <= m <= num_perm:
            raise ValueError("m must be a number from 2 to num_perm")
        self._partitions = partitions
        self.threshold = threshold
        self.h = num_perm
        self.m = m
        # Ratios of the size of a set to that of a query, and the bands and rows for each.
        self.xqs = numpy.exp(numpy.linspace(-5, 5, 10))
        self.params = numpy.array(_areas(threshold, tuple(weights), num_perm, m, tuple(self.xqs)), dtype=int)

        def index(r: int) -> MinHashLSH:
            params = (int(num_perm / r), r)
            return MinHashLSH(num_perm=num_perm, params=params, storage_config=storage_config, prepickle=prepickle)

        self.indexes = [{r: index(r) for r in self._rows()} for _ in range(num_part)]
        self.lowers: list[int | None] = [None] * num_part
        self.uppers: list[int | None] = [None] * num_part

    def _rows(self) -> list[int]:
        """All numbers of rows that are used."""
        return sorted({int(rows) for _, rows in self.params})

    def _get_optimal_param(self, x: float, q: float) -> Any:
        """Bands and rows for sets of size ``x`` and a query of size ``q``."""
        ratio = numpy.searchsorted(self.xqs, float(x) / float(q), side="left")
        return self.params[min(int(ratio), len(self.params) - 1)]

    def index(self, entries: Iterable[tuple[Hashable, MinHash, int]]) -> None:
        """Indexes all sets, each given by its key, its signature and its number of elements. It is called once.

        Raises:
            ValueError: The index is not empty, there are no sets, a size is no whole number above 0, a key comes twice
                in a part, or signatures have different lengths or schemes. The index is then as it was.
            OverflowError: A size is 2**64 or more.
        """
        if not self.is_empty():
            raise ValueError("an ensemble is indexed once")
        entries = sorted(((key, minhash, _whole(size)) for key, minhash, size in entries), key=lambda entry: entry[2])
        if not entries:
            raise ValueError("there are no sets to index")
        sizes = sorted(Counter(size for _, _, size in entries).items())
        partitions = partitions_by_size(sizes, len(self.indexes), self._partitions == "best")
        try:
            part = 0
            for key, minhash, size in entries:
                part += size > partitions[part][1]
                for index in self.indexes[part].values():
                    index.insert(key, minhash)
        except BaseException:
            self._clear()
            raise
        for part, (lower, upper) in enumerate(partitions):
            self.lowers[part], self.uppers[part] = lower, upper

    def _clear(self) -> None:
        for indexes in self.indexes:
            for index in indexes.values():
                index._make_tables()
                index._minhash_scheme = None

    def query(self, minhash: MinHash, size: int) -> Iterator[Hashable]:
        """The keys of sets of which the contained share of the query is about the threshold or above, given the
        query's signature and its number of elements.

        Raises:
            ValueError: The signature has another length or scheme than those of the index.
        """
        for indexes, upper in zip(self.indexes, self.uppers, strict=True):
            if upper is not None:
                bands, rows = self._get_optimal_param(upper, size)
                yield from indexes[int(rows)]._query_b(minhash, int(bands))

    def __contains__(self, key: Hashable) -> bool:
        return any(key in index for indexes in self.indexes for index in indexes.values())

    def is_empty(self) -> bool:
        """Whether nothing was indexed."""
        return all(index.is_empty() for indexes in self.indexes for index in indexes.values())

    def __setstate__(self, state: dict[str, Any]) -> None:
        # What datasketch wrote has no rule.
        self.__dict__.update({"_partitions": "datasketch", **state})


def _whole(size: Any) -> int:
    """The size of a set."""
    if size <= 0 or int(size) != size:
        raise ValueError(f"the size of a set must be a whole number of 1 at least; got {size}")
    return int(size)


@lru_cache(maxsize=64, typed=True)
def _areas(
    threshold: float, weights: tuple[float, float], num_perm: int, max_rows: int, ratios: tuple[float, ...]
) -> list[tuple[int, int]]:
    return least_containment_areas((threshold, weights), num_perm, max_rows, list(ratios))
