#!/usr/bin/env python3
"""Writes an Arrow file of generated vectors (columns id and emb) in clusters.

usage: generate.py VECTORS DIMENSIONS MEAN SEED OUT.arrow    needs numpy and pyarrow

Directions of clusters lie in a cone: two of them have a cosine of about MEAN. Members lie around the direction of their
cluster, up to 0.7 of its length away, at lengths from 0.5 to 2. Sizes of clusters follow a power law, of 50 at most.
"""

import sys

import numpy as np
import pyarrow as pa

BATCH = 50_000


def directions(random, count, dimensions):
    drawn = random.standard_normal((count, dimensions), dtype=np.float32)
    return drawn / np.linalg.norm(drawn, axis=1, keepdims=True)


def main():
    count, dimensions, mean, seed, out = sys.argv[1:]
    count, dimensions, mean, seed = int(count), int(dimensions), float(mean), int(seed)
    random = np.random.default_rng(seed)
    axis = directions(random, 1, dimensions)
    sizes = np.minimum(random.zipf(2.2, size=count), 50)
    clusters = np.repeat(np.arange(len(sizes)), sizes)[:count]
    schema = pa.schema([("id", pa.string()), ("emb", pa.list_(pa.float32(), dimensions))])
    with pa.OSFile(out, "wb") as file, pa.ipc.new_file(file, schema) as writer:
        for start in range(0, count, BATCH):
            numbers, inverse = np.unique(clusters[start : start + BATCH], return_inverse=True)
            # A cluster that two batches share has one direction.
            seeds = (np.random.default_rng([seed, int(number)]) for number in numbers)
            own = np.vstack([directions(of_cluster, 1, dimensions) for of_cluster in seeds])
            centres = np.sqrt(mean) * axis + np.sqrt(1 - mean) * own
            noise = directions(random, len(inverse), dimensions)
            apart = random.uniform(0.05, 0.7, size=(len(inverse), 1)).astype(np.float32)
            length = random.uniform(0.5, 2, size=(len(inverse), 1)).astype(np.float32)
            vectors = ((centres[inverse] + apart * noise) * length).astype(np.float32)
            lists = pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), dimensions)
            ids = pa.array([f"v{number}" for number in range(start, start + len(inverse))])
            writer.write(pa.record_batch([ids, lists], schema=schema))


if __name__ == "__main__":
    main()
