"""The recall of signatures by similarity, beside exact Jaccard similarities.

    python bench/signatures/recall.py LOOKALIKE FILE.jsonl...

LOOKALIKE is the command. All documents of a file are asked about: in an index of signatures at 0.8 and by
`pairs --signature` at 0.8. What is printed for each band of similarity: true pairs, and the share that is found.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

THRESHOLD = 0.8
BANDS = [0.8, 0.81, 0.82, 0.84, 0.86, 0.9, 1.0]


def rows(command: list[str]) -> list[dict]:
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def band(similarity: float) -> int:
    return max(number for number, low in enumerate(BANDS) if similarity >= low)


def measure(command: str, text: str, folder: Path) -> None:
    at = ["-t", str(THRESHOLD)]
    exact = {frozenset((row["a"], row["b"])): row["similarity"] for row in rows([command, "pairs", text, *at])}
    index, signatures = str(folder / "small.idx"), str(folder / "s.parquet")
    subprocess.run([command, "-q", "index", "create", index, text, "--signatures", *at], check=True)
    subprocess.run([command, "-q", "signatures", text, "-o", signatures], check=True)
    told = rows([command, "search", text, "--in", index, *at, "--format", "jsonl"])
    by_index = {frozenset((row["query"], row["id"])): row for row in told if row["query"] != row["id"]}
    told = rows([command, "pairs", signatures, "--signature", "signature", *at])
    by_pairs = {frozenset((row["a"], row["b"])): row for row in told}
    true = Counter(band(similarity) for similarity in exact.values())
    print(f"{Path(text).name}: {len(exact)} true pairs")
    for name, found in [("index", by_index), ("pairs", by_pairs)]:
        hits = Counter(band(similarity) for pair, similarity in exact.items() if pair in found)
        bands = sorted(true.items())
        shares = [f"{BANDS[number]}: {hits[number]}/{count} {hits[number] / count:.3f}" for number, count in bands]
        uncertain = sum(row["reason"] == "uncertain" for row in found.values())
        right = sum(pair in exact for pair, row in found.items() if row["reason"] == "uncertain")
        total = sum(hits.values()) / max(len(exact), 1)
        print(f"  {name}: recall {total:.4f}; {len(found)} told, {uncertain} uncertain ({right} of them true)")
        print("   ", ", ".join(shares))


def main() -> None:
    command, *texts = sys.argv[1:]
    for text in texts:
        with tempfile.TemporaryDirectory() as folder:
            measure(command, text, Path(folder))


if __name__ == "__main__":
    main()
