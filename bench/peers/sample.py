"""How right an answer is on a corpus whose true pairs are too many to list: looked up for a sample of the documents.

Some documents, evenly spread, are compared exactly with all documents that may be their partner: with those that stay,
if the tool reports removals, with all, if it reports pairs. Sets are those of the Python tools; on generated corpora,
where words are plain, every tool makes the same.
"""

from __future__ import annotations

from functools import partial
from multiprocessing import Pool

import numpy as np

from corpora import Corpus
from exact_join import spread
from judge import Verdict, by_document
from shingles import Range, range_hashes, ranges
from tools import Answer
from truth import FRACTION

SAMPLE_DOCS = 20_000
RANGE_BYTES = 32_000_000


class Sample:
    """The sampled documents and their sets, as postings: element -> sampled documents that have it."""

    def __init__(self, corpus: Corpus, documents: int) -> None:
        self.numbers = np.unique(np.linspace(0, documents - 1, SAMPLE_DOCS).astype(np.int64))
        wanted = set(self.numbers.tolist())
        part = Corpus("sample", corpus.path.with_suffix(".sample"))
        with part.path.open("wb") as out:
            out.writelines(line for number, line in enumerate(corpus.lines()) if number in wanted)
        values, self.sizes = range_hashes("python", (str(part.path), 0, part.path.stat().st_size))
        part.path.unlink()
        owners = np.repeat(np.arange(self.numbers.size), self.sizes)
        order = np.argsort(values, kind="stable")
        self.elements, starts = np.unique(values[order], return_index=True)
        self.owners, self.starts = owners[order], np.append(starts, values.size)


def judge_sample(answer: Answer, corpus: Corpus, documents: int, threads: int, reports_removals: bool) -> Verdict:
    """Compares an answer with the truth about the sample."""
    sample = Sample(corpus, documents)
    keep = answer.keep
    partners = keep if reports_removals and keep is not None else np.ones(documents, dtype=bool)
    truth = _true_pairs(sample, corpus, partners, threads)
    a, b = np.divmod(answer.pairs.astype(np.int64), documents)
    is_sampled = np.zeros(documents, dtype=bool)
    is_sampled[sample.numbers] = True
    if reports_removals and keep is not None:
        # the removed end must be in the sample: its keeper stands for thousands
        is_sampled &= ~keep
    reported = answer.pairs[is_sampled[a] | is_sampled[b]]
    right = np.intersect1d(reported, truth).size
    precision = right / reported.size if reported.size else 1.0
    recall = right / truth.size if truth.size else 1.0
    basis = f"sample of {sample.numbers.size:,} documents"
    if keep is None:
        return Verdict(recall, precision, None, None, None, basis)
    has_keeper, missed = (flags[sample.numbers] for flags in by_document(truth, keep, documents))
    removed = ~keep[sample.numbers]
    wrongly, missing = int(np.count_nonzero(removed & ~has_keeper)), int(np.count_nonzero(missed))
    if reports_removals:
        basis += " (recall: of those that a similar one stays for, the share that is not missed)"
        recall = 1.0 - missing / max(int(np.count_nonzero(has_keeper)), 1)
        precision = precision if answer.pairs.size else 1.0 - wrongly / max(int(np.count_nonzero(removed)), 1)
    return Verdict(recall, precision, int(np.count_nonzero(~keep)), wrongly, missing, basis)


def _true_pairs(sample: Sample, corpus: Corpus, partners: np.ndarray, threads: int) -> np.ndarray:
    """Codes of all similar pairs of a sampled document and a possible partner."""
    parts = ranges(corpus.path, 1 + corpus.path.stat().st_size // RANGE_BYTES)
    with Pool(threads, _share, (sample, partners)) as pool:
        counts = pool.map(_count, parts)
        firsts = np.concatenate([[0], np.cumsum(counts)]).tolist()
        found = pool.map(partial(_similar, partners.size), list(zip(parts, firsts)), chunksize=1)
    return np.unique(np.concatenate(found))


_shared: tuple[Sample, np.ndarray]


def _share(sample: Sample, partners: np.ndarray) -> None:
    global _shared
    _shared = (sample, partners)


def _count(part: Range) -> int:
    path, start, end = part
    with open(path, "rb") as file:
        file.seek(start)
        return file.read(end - start).count(b"\n")


def _similar(documents: int, work: tuple[Range, int]) -> np.ndarray:
    part, first = work
    sample, partners = _shared
    over, under = FRACTION
    values, sizes = range_hashes("python", part)
    owner = np.repeat(np.arange(sizes.size), sizes)
    values, owner = values[partners[first + owner]], owner[partners[first + owner]]
    place = np.searchsorted(sample.elements, values)
    hit = sample.elements[np.minimum(place, sample.elements.size - 1)] == values
    place, owner = place[hit], owner[hit]
    counts = np.diff(sample.starts)[place]
    sampled = sample.owners[spread(sample.starts[place], counts)]
    pair, overlap = np.unique(np.repeat(owner, counts) * sample.numbers.size + sampled, return_counts=True)
    owner, sampled = np.divmod(pair, sample.numbers.size)
    similar = overlap * (over + under) >= over * (sizes[owner] + sample.sizes[sampled])
    a, b = first + owner[similar], sample.numbers[sampled[similar]]
    a, b = np.minimum(a, b)[a != b], np.maximum(a, b)[a != b]
    return (a * documents + b).astype(np.uint64)
