"""How unequal the work of the tasks is that gather keys, for ten billion documents.

usage: skew.py FILE.jsonl...     (id, text; decompressed; needs numpy and the lookalike package)

Measures, in real documents, how many documents share a key and how that grows with their number. Then draws the tasks
of a job of ten billion documents: keys are dealt at random, the documents of a key are drawn from what was measured.
Two models bound what larger collections do: `same` takes the sizes of buckets as they are; in `share` each bucket grows
with the number of documents, as boilerplate does that a share of all pages has.
"""

import json
import sys

import numpy as np
import pyarrow
from lookalike import batch

DOCUMENTS = 10_000_000_000
#: Keys of a task, bytes of a packed entry, and bytes of a key in the table of a task.
TASK_KEYS, ENTRY_BYTES, TABLE_BYTES = 1_500_000, 24, 36
TASKS_DRAWN = 2000


def texts_of(path: str) -> list[str]:
    with open(path, "rb") as file:
        return [json.loads(line)["text"] for line in file]


def keys_of(texts: list[str]) -> np.ndarray:
    """All band keys of the texts that have elements, at a threshold of 0.8 and a recall of 0.99."""
    made = batch.features(pyarrow.array(texts), signed=True).to_arrow()
    # Equal sets are one document here: copies are found before.
    _, first = np.unique(made["set_hash"].to_numpy(zero_copy_only=False), return_index=True)
    keys = batch.blocking_keys(made["elements"].take(pyarrow.array(first)), 0.8, signed=True).to_arrow()
    return np.asarray(keys.drop_null().flatten().field("blocking_key").to_numpy())


def sizes_of(keys: np.ndarray) -> np.ndarray:
    return np.unique(keys, return_counts=True)[1]


def describe(name: str, documents: int, sizes: np.ndarray) -> None:
    entries = sizes.sum()
    shared = sizes[sizes > 1]
    print(
        f"| {name} | {documents:,} | {entries / max(1, documents):.1f} | {shared.sum() / entries:.3f} "
        f"| {sizes.max():,} | {sizes.max() / documents:.4f} | {(shared * (shared - 1) / 2).sum() / documents:.1f} |"
    )


def simulate(name: str, sizes: np.ndarray, bands: float, documents: int) -> None:
    """Tasks of the exchange by keys."""
    rng = np.random.default_rng(2)
    keys = DOCUMENTS * bands * len(sizes) / sizes.sum()
    tasks = int(np.ceil(DOCUMENTS * bands / TASK_KEYS))
    # Keys of a task: Poisson. Documents of a key: small buckets by their mean, the large ones one by one.
    large = np.sort(sizes)[-1000:]
    small_mean = (sizes.sum() - large.sum()) / (len(sizes) - len(large))
    for model in ("same", "share"):
        grown = large if model == "same" else large * (DOCUMENTS / documents)
        # As many large keys as the larger collection has: of `share` the same ones, grown.
        count = len(large) * (keys / len(sizes) if model == "same" else 1)
        drawn_keys = rng.poisson(keys / tasks, TASKS_DRAWN)
        entries = drawn_keys * small_mean
        own = rng.poisson(count / tasks, TASKS_DRAWN)
        entries = entries + np.array([rng.choice(grown, n).sum() for n in own])
        most = max(entries.max(), entries.mean() + (grown.max() if model == "share" else 0))
        print(
            f"| {name} | {model} | {tasks:,} | {drawn_keys.max() / drawn_keys.mean():.3f} "
            f"| {drawn_keys.max() * TABLE_BYTES / 1e6:.0f} MB | {np.median(entries) / 1e6:.2f} M "
            f"| {most / 1e6:.2f} M | {most * ENTRY_BYTES / 1e9:.2f} GB |"
        )


def main() -> None:
    print(
        "| documents of | number | keys each | share of keys in buckets | largest bucket | of all | pairs a document |"
    )
    print("|---|---|---|---|---|---|---|")
    whole = {}
    for path in sys.argv[1:]:
        texts = texts_of(path)
        number = len(texts)
        name = path.rsplit("/", 1)[-1].removesuffix(".jsonl")
        for part in (number // 16, number // 4):
            drawn = np.random.default_rng(1).choice(number, part, False)
            describe(name, part, sizes_of(keys_of([texts[at] for at in drawn])))
        keys = keys_of(texts)
        sizes = sizes_of(keys)
        describe(name, number, sizes)
        whole[name] = (sizes, len(keys) / number, number)
    print()
    print(f"{DOCUMENTS:,} documents:")
    print()
    names = ("buckets as in", "model", "tasks", "keys, most to mean", "its table", "entries", "of the fullest task")
    print(f"| {' | '.join(names)} | bytes |")
    print("|---|---|---|---|---|---|---|---|")
    for name, (sizes, bands, number) in whole.items():
        simulate(name, sizes, bands, number)


main()
