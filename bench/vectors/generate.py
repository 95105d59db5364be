#!/usr/bin/env python3
"""Writes an Arrow file of generated vectors (columns id and emb) in clusters.

usage: generate.py VECTORS DIMENSIONS MEAN SEED OUT.arrow    needs numpy and pyarrow

Directions of clusters lie in a cone: two of them have a cosine of about MEAN. Members lie around the direction of their
cluster, up to 0.7 of its length away, at lengths from 0.5 to 2. Sizes of clusters follow a power law, of 50 at most.
"""

import sys

import numpy as np
import pyarrow as pa
import pyarrow.ipc

BATCH = 50_000


def directions(random, count, dimensions):
    drawn = random.standard_normal((count, dimensions), dtype=np.float32)
    return drawn / np.linalg.norm(drawn, axis=1, keepdims=True)


def clustered(count, dimensions, mean, seed):
    """Clustered vectors, some at a time."""
    random = np.random.default_rng(seed)
    axis = directions(random, 1, dimensions)
    sizes = np.minimum(random.zipf(2.2, size=count), 50)
    clusters = np.repeat(np.arange(len(sizes)), sizes)[:count]
    for start in range(0, count, BATCH):
        numbers, inverse = np.unique(clusters[start : start + BATCH], return_inverse=True)
        # A cluster that two batches share has one direction.
        seeds = (np.random.default_rng([seed, int(number)]) for number in numbers)
        own = np.vstack([directions(of_cluster, 1, dimensions) for of_cluster in seeds])
        centres = np.sqrt(mean) * axis + np.sqrt(1 - mean) * own
        noise = directions(random, len(inverse), dimensions)
        apart = random.uniform(0.05, 0.7, size=(len(inverse), 1)).astype(np.float32)
        length = random.uniform(0.5, 2, size=(len(inverse), 1)).astype(np.float32)
        yield ((centres[inverse] + apart * noise) * length).astype(np.float32)


def write(path, prefix, batches):
    """Writes batches of vectors; an id is the prefix and a number."""
    writer, start = None, 0
    with pa.OSFile(str(path), "wb") as file:
        for vectors in batches:
            lists = pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), vectors.shape[1])
            ids = pa.array([f"{prefix}{number}" for number in range(start, start + len(vectors))])
            batch = pa.record_batch([ids, lists], names=["id", "emb"])
            writer = writer or pa.ipc.new_file(file, batch.schema)
            writer.write(batch)
            start += len(vectors)
        writer.close()


def main():
    count, dimensions, mean, seed, out = sys.argv[1:]
    write(out, "v", clustered(int(count), int(dimensions), float(mean), int(seed)))


if __name__ == "__main__":
    main()
