"""Writes 20,000 generated documents, a third of them near-duplicates, to `documents.parquet` in a folder."""

import random
import sys
from pathlib import Path

import pyarrow
import pyarrow.parquet

folder = Path(sys.argv[1])
rng = random.Random(1)
pages: list[list[str]] = []
ids, texts = [], []
for number in range(20_000):
    if pages and number % 3 == 0:
        words = list(rng.choice(pages))
        for _ in range(rng.randrange(4)):
            words[rng.randrange(len(words))] = f"x{number}"
    else:
        words = [f"w{rng.randrange(30_000)}" for _ in range(rng.randrange(30, 200))]
        pages.append(words)
    ids.append(f"page-{rng.randrange(10**9)}-{number}")
    texts.append(" ".join(words))
(folder / "documents.parquet").mkdir()
table = pyarrow.table({"id": ids, "text": texts})
for part in range(4):
    pyarrow.parquet.write_table(table.slice(part * 5000, 5000), folder / "documents.parquet" / f"{part}.parquet")
