"""Measures lookalike beside faiss on vectors: seconds and recall.

Two data sets of generated, clustered vectors (100,000 of 256 dimensions; the mean cosine of two clusters is 0 in one
and 0.5 in the other), and two questions to each:

1.  All pairs with a cosine of at least 0.9. lookalike exact and hyperplanes; faiss Flat (range_search), LSH of 256 and
    512 bits and HNSW (the 50 nearest of each vector, of which those stay whose cosine is high enough; a cluster has at
    most 50 vectors, so no more are needed).
2.  The ten nearest of 1,000 queries, which are noisy copies of vectors. lookalike search; faiss Flat, LSH and HNSW.

Recall is the share of the true pairs, or of the true ten nearest, that a program finds. The truth has cosines in
64 bits, from the vectors as they are in the file: of all pairs, those that products of 32 bits put within 0.001 of the
threshold or above are computed anew in 64 bits; of the queries, all cosines are. Against it lookalike's answers are
checked as well: pairs that are missing, too many, listed twice, or whose similarity differs.

Seconds are wall time, of two threads. Of lookalike they are those of the whole process, which reads the Arrow file and
writes JSON Lines. Of faiss they are those of building the index from normalised vectors in memory and of searching it,
with the check of the cosines; reading, normalising and writing are not counted. One HNSW index, and one of each LSH,
answers both questions, and the time to build it counts for both. The programs take turns, and the figures are medians.
All pairs by faiss Flat, which is exact and the slowest by far, are measured `--flat-repeats` times only.

Run:
    pip install numpy pyarrow faiss-cpu
    python beside_faiss.py path/to/lookalike data-folder > table.md

The folder gets the vectors and the answers, some 250 MB; vectors that are there are used again. Progress goes to
stderr. It takes about a quarter of an hour on two cores.
"""

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path

import faiss
import numpy as np
import pyarrow as pa
import pyarrow.ipc
from generate import clustered, write


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lookalike", type=Path, help="the program")
    parser.add_argument("folder", type=Path, help="folder for vectors and answers")
    parser.add_argument("--vectors", type=int, default=100_000)
    parser.add_argument("--dimensions", type=int, default=256)
    parser.add_argument("--queries", type=int, default=1_000)
    parser.add_argument("--means", type=float, nargs="+", default=[0.0, 0.5], help="one data set each")
    parser.add_argument("--threshold", type=float, default=0.9)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--flat-repeats", type=int, default=1, help="of all pairs by faiss Flat")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


# Data


def read_vectors(path):
    column = pa.ipc.open_file(str(path)).read_all()["emb"]
    return np.concatenate([chunk.flatten().to_numpy().reshape(len(chunk), -1) for chunk in column.chunks])


def noisy_copies(vectors, count, seed):
    """Copies of `count` vectors with noise of 0.3 of their length."""
    random = np.random.default_rng([seed, 2])
    copies = vectors[random.choice(len(vectors), size=count, replace=False)]
    noise = random.standard_normal(copies.shape, dtype=np.float32)
    noise *= 0.3 * np.linalg.norm(copies, axis=1, keepdims=True) / np.linalg.norm(noise, axis=1, keepdims=True)
    return copies + noise


def data_set(args, mean):
    """The files of vectors and of queries, and what is in them."""
    stem = f"{args.vectors}x{args.dimensions}-mean{mean}-seed{args.seed}"
    corpus, queries = args.folder / f"{stem}.arrow", args.folder / f"{stem}-{args.queries}queries.arrow"
    if not corpus.exists():
        write(corpus, "v", clustered(args.vectors, args.dimensions, mean, args.seed))
    vectors = read_vectors(corpus)
    if not queries.exists():
        write(queries, "q", [noisy_copies(vectors, args.queries, args.seed)])
    return corpus, queries, vectors, read_vectors(queries)


def normalised(vectors):
    wide = vectors.astype(np.float64)
    return (wide / np.linalg.norm(wide, axis=1, keepdims=True)).astype(np.float32)


# Pairs are sorted arrays of a * count + b with a < b


def cosines(vectors, a, b):
    """Cosines in 64 bits of the pairs (a[i], b[i])."""
    result = np.empty(len(a))
    for start in range(0, len(a), 100_000):
        x = vectors[a[start:start + 100_000]].astype(np.float64)
        y = vectors[b[start:start + 100_000]].astype(np.float64)
        lengths = np.sqrt(np.einsum("ij,ij->i", x, x) * np.einsum("ij,ij->i", y, y))
        result[start:start + 100_000] = np.einsum("ij,ij->i", x, y) / lengths
    return result


def true_pairs(vectors, threshold, block=2_000):
    """Keys and cosines of the pairs. Products of 32 bits err by far less than the 0.001 that they are given."""
    count, units = len(vectors), normalised(vectors)
    firsts, seconds = [], []
    for start in range(0, count, block):
        a, b = np.nonzero(units[start:start + block] @ units[start:].T >= threshold - 0.001)
        firsts.append(a[a < b] + start)
        seconds.append(b[a < b] + start)
    a, b = np.concatenate(firsts), np.concatenate(seconds)
    cosine = cosines(vectors, a, b)
    keys = (a * count + b)[cosine >= threshold]
    order = np.argsort(keys)
    return keys[order], cosine[cosine >= threshold][order]


def true_nearest(vectors, queries, top):
    wide, asked = vectors.astype(np.float64), queries.astype(np.float64)
    products = (asked @ wide.T) / np.linalg.norm(wide, axis=1) / np.linalg.norm(asked, axis=1, keepdims=True)
    return np.argsort(-products, axis=1)[:, :top]


def pairs_among(units, nearest, threshold):
    """Those of the nearest of each vector whose cosine is high enough."""
    a, b = np.repeat(np.arange(len(units)), nearest.shape[1]), nearest.ravel()
    valid = (b >= 0) & (a != b)
    a, b = a[valid], b[valid]
    keys = np.unique(np.minimum(a, b) * len(units) + np.maximum(a, b))
    a, b = np.divmod(keys, len(units))
    kept = [
        np.einsum("ij,ij->i", units[a[s:s + 100_000]], units[b[s:s + 100_000]]) >= threshold
        for s in range(0, len(keys), 100_000)
    ]
    return keys[np.concatenate(kept)]


def nearest_among(units, asked, nearest, top):
    """The nearest of some candidates of each query, by their cosines."""
    scores = np.einsum("qcd,qd->qc", units[nearest], asked)
    scores[nearest < 0] = -2
    return np.take_along_axis(nearest, np.argsort(-scores, axis=1)[:, :top], axis=1)


def recall_of_pairs(found, truth):
    return len(np.intersect1d(found, truth)) / len(truth)


def recall_of_nearest(found, truth):
    return sum(len(np.intersect1d(f, t)) for f, t in zip(found, truth)) / truth.size


# Programs


def timed(function, *values):
    start = time.perf_counter()
    result = function(*values)
    return time.perf_counter() - start, result


def lookalike(args, *flags):
    command = [args.lookalike.resolve(), *flags, "--vector", "emb", "--threads", str(args.threads), "--quiet"]
    subprocess.run(command, check=True)


def lookalike_pairs(args, corpus, method):
    """Seconds, keys in the order of the rows, and the similarities."""
    output = args.folder / f"pairs-{method}.jsonl"
    seconds, _ = timed(lookalike, args, "pairs", corpus, "-t", str(args.threshold), "--method", method, "-o", output)
    with open(output) as file:
        rows = [json.loads(line) for line in file]
    ends = np.array([(int(row["a"][1:]), int(row["b"][1:])) for row in rows]).reshape(-1, 2)
    keys = ends.min(axis=1) * args.vectors + ends.max(axis=1)
    return seconds, keys, np.array([row["similarity"] for row in rows])


def lookalike_nearest(args, corpus, queries, top):
    """Seconds, the ids of each query in the order of their ranks, and the similarities."""
    output = args.folder / "nearest.jsonl"
    seconds, _ = timed(lookalike, args, "search", queries, "--in", corpus, "--top", str(top), "-o", output)
    ids, similarities = [[] for _ in range(args.queries)], [[] for _ in range(args.queries)]
    with open(output) as file:
        for row in map(json.loads, file):
            ids[int(row["query"][1:])].append(int(row["id"][1:]))
            similarities[int(row["query"][1:])].append(row["similarity"])
    return seconds, ids, similarities


def faiss_flat(units):
    index = faiss.IndexFlatIP(units.shape[1])
    index.add(units)
    return index


def faiss_lsh(units, bits):
    index = faiss.IndexLSH(units.shape[1], bits)
    index.train(units)
    index.add(units)
    return index


def faiss_hnsw(units):
    index = faiss.IndexHNSWFlat(units.shape[1], 32, faiss.METRIC_INNER_PRODUCT)
    index.hnsw.efSearch = 64
    index.add(units)
    return index


def flat_pairs(index, units, threshold):
    limits, _, found = index.range_search(units, threshold)
    a = np.repeat(np.arange(len(units)), np.diff(limits.astype(np.int64)))
    return (a * len(units) + found)[a < found]


def approximate_pairs(index, units, threshold):
    return pairs_among(units, index.search(units, 50)[1], threshold)


def approximate_nearest(index, units, asked, candidates, top):
    return nearest_among(units, asked, index.search(asked, candidates)[1], top)


# Measurements


class Results:
    """Seconds of building and searching, and recalls, by question and program."""

    def __init__(self, name):
        self.name = name
        self.runs = defaultdict(list)

    def add(self, question, program, build, search, recall):
        self.runs[question, program].append((build, search, recall))
        total = (build or 0) + search
        print(f"{self.name}: {question}, {program}: {total:.2f} s, recall {recall:.4f}", file=sys.stderr, flush=True)

    def table(self, question):
        lines = ["| program | build s | search s | total s | recall | runs |", "|---|---:|---:|---:|---:|---:|"]
        for (asked, program), runs in self.runs.items():
            if asked == question:
                build, search = (statistics.median(run[i] or 0 for run in runs) for i in (0, 1))
                total = statistics.median((run[0] or 0) + run[1] for run in runs)
                recall = statistics.median(run[2] for run in runs)
                parts = "| | |" if runs[0][0] is None else f"| {build:.2f} | {search:.2f} |"
                lines.append(f"| {program} {parts} {total:.2f} | {recall:.4f} | {len(runs)} |")
        return "\n".join(lines)


def check_pairs(method, vectors, keys, similarities, truth):
    """A line about what lookalike's pairs have wrong."""
    true_keys, true_cosines = truth
    again = cosines(vectors, *np.divmod(keys, len(vectors)))
    missing = np.setdiff1d(true_keys, keys)
    wrong = np.setdiff1d(keys, true_keys)
    most = true_cosines[np.isin(true_keys, missing)].max(initial=0)
    return (
        f"- lookalike {method}: {len(keys):,} rows of {len(true_keys):,} true pairs; missing {len(missing):,}"
        + (f" (the highest cosine {most:.4f})" if len(missing) else "")
        + f", false {len(wrong):,}, twice {len(keys) - len(np.unique(keys)):,}; "
        f"similarities differ by at most {np.abs(again - similarities).max(initial=0):.1e}"
    )


def check_nearest(vectors, queries, ids, similarities, truth):
    """A line about what lookalike's nearest have wrong."""
    other = sum(found != true.tolist() for found, true in zip(ids, truth))
    short = sum(len(found) != truth.shape[1] for found in ids)
    both = np.concatenate([vectors, queries])
    a = np.repeat(np.arange(len(queries)), [len(found) for found in ids]) + len(vectors)
    again = cosines(both, a, np.concatenate(ids).astype(np.int64))
    difference = np.abs(again - np.concatenate(similarities)).max()
    return (
        f"- lookalike search: {other:,} queries with other ids or another order, {short:,} with other than "
        f"{truth.shape[1]} answers; similarities differ by at most {difference:.1e}"
    )


def measure(args, mean):
    top, question_pairs, question_nearest = 10, "all pairs", "ten nearest"
    corpus, query_file, vectors, queries = data_set(args, mean)
    units, asked = normalised(vectors), normalised(queries)
    truth = true_pairs(vectors, args.threshold)
    nearest = true_nearest(vectors, queries, top)
    results, checks = Results(f"mean {mean}"), {}

    def add_pairs(program, build, search, found):
        results.add(question_pairs, program, build, search, recall_of_pairs(found, truth[0]))

    def add_nearest(program, build, search, found):
        results.add(question_nearest, program, build, search, recall_of_nearest(found, nearest))

    for repeat in range(args.repeats):
        for method in ("exact", "hyperplanes"):
            seconds, keys, similarities = lookalike_pairs(args, corpus, method)
            add_pairs(f"lookalike {method}", None, seconds, keys)
            checks[method] = check_pairs(method, vectors, keys, similarities, truth)
        seconds, ids, similarities = lookalike_nearest(args, corpus, query_file, top)
        add_nearest("lookalike search", None, seconds, ids)
        checks["search"] = check_nearest(vectors, queries, ids, similarities, nearest)

        build, index = timed(faiss_flat, units)
        if repeat < args.flat_repeats:
            add_pairs("faiss Flat", build, *timed(flat_pairs, index, units, args.threshold))
        search, found = timed(index.search, asked, top)
        add_nearest("faiss Flat", build, search, found[1])

        for bits in (256, 512):
            build, index = timed(faiss_lsh, units, bits)
            add_pairs(f"faiss LSH {bits} bits", build, *timed(approximate_pairs, index, units, args.threshold))
            for candidates in (50, 500):
                search, found = timed(approximate_nearest, index, units, asked, candidates, top)
                add_nearest(f"faiss LSH {bits} bits, {candidates} candidates", build, search, found)

        build, index = timed(faiss_hnsw, units)
        add_pairs("faiss HNSW", build, *timed(approximate_pairs, index, units, args.threshold))
        search, found = timed(index.search, asked, top)
        add_nearest("faiss HNSW", build, search, found[1])

    edge = int((np.abs(truth[1] - args.threshold) < 1e-6).sum())
    print(f"## Mean cosine {mean}: {args.vectors:,} vectors of {args.dimensions} dimensions\n")
    print(f"All pairs with a cosine of {args.threshold} or above: {len(truth[0]):,}, {edge} of them within 1e-6\n")
    print(results.table(question_pairs))
    print(f"\nThe ten nearest of {args.queries:,} queries\n")
    print(results.table(question_nearest))
    print("\nChecked against cosines in 64 bits\n")
    print("\n".join(checks.values()), end="\n\n", flush=True)


def main():
    args = arguments()
    args.folder.mkdir(parents=True, exist_ok=True)
    faiss.omp_set_num_threads(args.threads)
    version = subprocess.run([args.lookalike.resolve(), "--version"], check=True, capture_output=True, text=True).stdout
    print(f"{version.strip()}; faiss {faiss.__version__}; {args.threads} threads\n")
    for mean in args.means:
        measure(args, mean)


if __name__ == "__main__":
    main()
