"""Images in files, and signatures that are given."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import lookalike
import pyarrow as pa
import pyarrow.parquet
import pytest

PHOTOS = Path(__file__).parents[3] / "examples" / "photos"


def test_images_are_compared_by_hashes_and_by_colours() -> None:
    found = lookalike.dedup(PHOTOS, features="image-hash", keep="longest")
    assert found.report["result"]["removed_near"] == 4
    removed = found.removed.to_arrow()
    assert dict(zip(removed["id"].to_pylist(), removed["kept"].to_pylist(), strict=True))["city-grey.png"] == "city.jpg"
    assert len(lookalike.pairs(PHOTOS, features="image-vector").to_arrow()) == 9
    assert len(lookalike.pairs(PHOTOS, 0.95, features="image-vector").to_arrow()) == 11
    assert len(lookalike.pairs(PHOTOS, features="image-hash", distance=3).to_arrow()) == 6


def test_images_are_not_something_else() -> None:
    with pytest.raises(TypeError, match="features"):
        lookalike.pairs(PHOTOS, features="image-hash", shingle="word:2")
    with pytest.raises(TypeError, match="images, or something else"):
        lookalike.pairs(PHOTOS, features="image-hash", vector="v")
    with pytest.raises(ValueError, match="image-hash"):
        lookalike.pairs(PHOTOS, features="pixels")


def texts(count: int = 60) -> list[str]:
    words = [[f"w{(family * 37 + place * 11) % 997}" for place in range(40)] for family in range(count // 3)]
    changed = [[*family[: 38 - copy * 2], *(f"x{copy}{place}" for place in range(2))] for family in words for copy in range(3)]
    return [" ".join(text) for text in changed]


def test_signatures_are_estimates_and_texts_verify_them(tmp_path: Path) -> None:
    table = pa.table({"id": [f"d{row}" for row in range(60)], "text": texts()})
    with (tmp_path / "texts.jsonl").open("w") as file:
        file.writelines(f'{{"id": "{row["id"]}", "text": "{row["text"]}"}}\n' for row in table.to_pylist())
    command = [sys.executable, "-m", "lookalike", "signatures", "texts.jsonl", "--shingle", "word:1", "-o", "s.parquet"]
    subprocess.run(command, cwd=tmp_path, check=True)
    signatures = pyarrow.parquet.read_table(tmp_path / "s.parquet")
    found = lookalike.pairs(tmp_path / "s.parquet", 0.6, signature="signature").to_arrow()
    assert {"estimated_similarity", "interval_low", "interval_high"} <= set(found.column_names)
    assert len(found) > 20
    assert len(lookalike.pairs(signatures, 0.6, signature="signature").to_arrow()) == len(found)
    verified = lookalike.pairs(
        tmp_path / "s.parquet", 0.6, signature="signature", texts=[tmp_path / "texts.jsonl"], shingle="word:1"
    ).to_arrow()
    exact = lookalike.pairs(table, 0.6, shingle="word:1").to_arrow()
    pairs = [set(zip(of["a"].to_pylist(), of["b"].to_pylist(), of["similarity"].to_pylist(), strict=True)) for of in (verified, exact)]
    assert pairs[0] <= pairs[1]
    assert len(pairs[0]) >= 0.97 * len(pairs[1])
    with pytest.raises(ValueError, match="nothing is removed by an estimate"):
        lookalike.dedup(tmp_path / "s.parquet", signature="signature")
    with pytest.raises(TypeError, match="needs the keyword `signature`"):
        lookalike.pairs(table, texts=[tmp_path / "texts.jsonl"])
