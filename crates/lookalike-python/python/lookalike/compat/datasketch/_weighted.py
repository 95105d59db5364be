"""``WeightedMinHash``: signatures of weighted sets."""

from __future__ import annotations

import copy
from collections.abc import Sized
from typing import Any

import numpy

from lookalike._lookalike import ConsistentSampler


class WeightedMinHash:
    """A signature of a weighted set, by which the weighted Jaccard similarity is estimated: the sum of smaller weights
    divided by that of larger ones.

    Args:
        seed: That of the generator.
        hashvalues: For each sample its dimension and the step of the logarithm of its weight.
    """

    def __init__(self, seed: int, hashvalues: Any) -> None:
        self.seed = seed
        self.hashvalues = hashvalues

    def jaccard(self, other: WeightedMinHash) -> float:
        """The share of samples in which two signatures agree.

        Raises:
            ValueError: The signatures have different seeds or lengths.
        """
        if other.seed != self.seed:
            raise ValueError("cannot compare signatures of different seeds")
        if len(self) != len(other):
            raise ValueError("cannot compare signatures of different lengths")
        equal = numpy.asarray(self.hashvalues) == numpy.asarray(other.hashvalues)
        return float(numpy.count_nonzero(equal.reshape(len(self), -1).all(axis=1))) / float(len(self))

    def digest(self) -> Any:
        """A copy of the samples."""
        return copy.copy(self.hashvalues)

    def copy(self) -> WeightedMinHash:
        """A signature of its own with the same samples."""
        return WeightedMinHash(self.seed, self.digest())

    def __len__(self) -> int:
        return len(self.hashvalues)

    def __eq__(self, other: object) -> bool:
        return (
            type(self) is type(other)
            and isinstance(other, WeightedMinHash)
            and self.seed == other.seed
            and numpy.array_equal(self.hashvalues, other.hashvalues)
        )

    __hash__ = None  # type: ignore[assignment]

    def __getstate__(self) -> dict[str, Any]:
        return dict(self.__dict__)


class WeightedMinHashGenerator:
    """Makes signatures of weighted sets, given as vectors with the weight of each dimension (Ioffe 2010).

    Args:
        dim: Number of dimensions.
        sample_size: Number of samples of a signature.
        seed: What the family of samples follows from.
    """

    def __init__(self, dim: int, sample_size: int = 128, seed: int = 1) -> None:
        self.dim = dim
        self.sample_size = sample_size
        self.seed = seed
        # The numbers of datasketch, which are those of this generator of numpy.
        random = numpy.random.RandomState(seed=seed)
        shape = (sample_size, dim)
        self.rs = random.gamma(2, 1, shape).astype(numpy.float32)
        self.ln_cs = numpy.log(random.gamma(2, 1, shape)).astype(numpy.float32)
        self.betas = random.uniform(0, 1, shape).astype(numpy.float32)
        self._made_sampler: tuple[list[Any], ConsistentSampler] | None = None

    def _sampler(self) -> ConsistentSampler:
        drawn, made = [self.rs, self.ln_cs, self.betas], self._made_sampler
        # A program may put other numbers there.
        if made is None or any(one is not other for one, other in zip(made[0], drawn, strict=True)):
            numbers = [numpy.ascontiguousarray(kind, numpy.float32).tobytes() for kind in drawn]
            made = self._made_sampler = drawn, ConsistentSampler(self.sample_size, self.dim, *numbers)
        return made[1]

    def minhash(self, v: Any) -> WeightedMinHash:
        """The signature of a set, given by the weights of all dimensions.

        Raises:
            TypeError: The weights are no sequence.
            OverflowError: A weight is infinite.
            ValueError: There are not as many weights as dimensions, or all are zero.
        """
        if not isinstance(v, Sized):
            raise TypeError("the weights must be a sequence")
        if len(v) != self.dim:
            raise ValueError(f"there must be a weight for each of {self.dim} dimensions, and there are {len(v)}")
        weights = numpy.array(v, dtype=numpy.float32)
        if not numpy.any(weights):
            raise ValueError("all weights are zero")
        weights[weights == 0] = numpy.nan
        logs = numpy.log(weights)
        (dimensions,) = numpy.nonzero(~numpy.isnan(logs))
        if not dimensions.size:
            raise ValueError("no weight is above zero")
        return WeightedMinHash(self.seed, self._samples([dimensions.size], dimensions, logs[dimensions], False)[0])

    def minhash_many(self, X: Any) -> list[WeightedMinHash | None]:  # noqa: N803 (a name that users of datasketch know)
        """The signatures of the rows of a matrix, of numpy or sparse of scipy; ``None`` for a row of zeros. They are
        not to be compared with those of :meth:`minhash`, as in datasketch: numbers are rounded otherwise.

        Raises:
            TypeError: There is no matrix.
            OverflowError: A weight is infinite.
            ValueError: It has not as many columns as there are dimensions, or a weight is negative or no number.
        """
        if not isinstance(X, numpy.ndarray) and not hasattr(X, "tocsr"):
            raise TypeError("the weights must be a matrix of numpy or a sparse one of scipy")
        if X.ndim != 2:
            raise ValueError("the weights must have two dimensions")
        if X.shape[1] != self.dim:
            raise ValueError(f"there must be a weight for each of {self.dim} dimensions, and there are {X.shape[1]}")
        counts, dimensions, weights = _rows(X)
        if not numpy.all(weights > 0):
            raise ValueError("weights must be numbers of zero at least")
        samples = self._samples(counts, dimensions, numpy.log(weights), True)
        pairs = zip(counts, samples, strict=True)
        return [WeightedMinHash(self.seed, row.copy()) if count else None for count, row in pairs]

    def _samples(self, counts: Any, dimensions: Any, logs: Any, rate_first: bool) -> Any:
        """For each set the samples, given how many weights it has, and the dimensions and logarithms of all."""
        ends = numpy.cumsum(numpy.asarray(counts), dtype=numpy.uint64).tobytes()
        weights = (dimensions.astype(numpy.uint32).tobytes(), logs.astype(numpy.float32).tobytes())
        sampled, sampled_steps = self._sampler().sample(ends, weights, rate_first)
        steps = numpy.frombuffer(sampled_steps, numpy.float32).reshape(-1, self.sample_size)
        if not numpy.isfinite(steps[numpy.asarray(counts) > 0]).all():
            raise OverflowError("a weight is infinite")
        steps = numpy.where(numpy.isfinite(steps), steps, 0)
        numbers = numpy.frombuffer(sampled, numpy.uint32).reshape(steps.shape)
        return numpy.stack([numbers.astype(int), steps.astype(int)], axis=-1)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_made_sampler"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update({**state, "_made_sampler": None})


def _rows(matrix: Any) -> tuple[Any, Any, Any]:
    """For each row how many weights it has; of all rows, one after the other, the dimensions and the weights."""
    if isinstance(matrix, numpy.ndarray):
        weights = numpy.asarray(matrix, numpy.float32)
        rows, dimensions = numpy.nonzero(weights)
        return numpy.bincount(rows, minlength=len(weights)), dimensions, weights[rows, dimensions]
    sparse = matrix.tocsr(copy=True).astype(numpy.float32)
    sparse.sum_duplicates()
    sparse.eliminate_zeros()
    return numpy.diff(sparse.indptr), sparse.indices, sparse.data
