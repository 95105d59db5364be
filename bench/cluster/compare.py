"""Compares the removals of an answer of Spark with those of one machine."""

import sys
from pathlib import Path

import lookalike
import pyarrow.parquet

folder, answer = Path(sys.argv[1]), sys.argv[2]
documents = pyarrow.parquet.read_table(folder / "documents.parquet")
by_id = sorted(
    zip(documents["id"].to_pylist(), documents["text"].to_pylist(), strict=True), key=lambda one: one[0].encode()
)
names = ["id", "kept", "similarity", "reason"]
expected = lookalike.dedup(dict(by_id), method="minhash").to_arrow().select(names).to_pylist()
found = pyarrow.parquet.read_table(folder / answer / "removed").select(names).to_pylist()
order = lambda row: row["id"]  # noqa: E731
assert sorted(found, key=order) == sorted(expected, key=order), (
    f"{answer}: {len(found)} and {len(expected)} removals differ"
)
print(f"{answer}: {len(found):,} removals, as on one machine")
