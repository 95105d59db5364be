"""Vectors: arrays of numpy, columns of lists, files, and an index of them."""

from __future__ import annotations

from pathlib import Path

import lookalike
import numpy as np
import pyarrow as pa
import pytest


def clusters(seed: int = 3, count: int = 200, dimensions: int = 24) -> np.ndarray:
    """Rows of which each has a near copy or several."""
    random = np.random.default_rng(seed)
    centres = random.standard_normal((count // 4, dimensions))
    rows = np.repeat(centres, 4, axis=0) + 0.25 * random.standard_normal((count, dimensions))
    return rows * random.uniform(0.5, 2, (count, 1))


def cosines(rows: np.ndarray) -> np.ndarray:
    exact = rows.astype(np.float32).astype(np.float64)
    unit = exact / np.linalg.norm(exact, axis=1, keepdims=True)
    return unit @ unit.T


def expected_pairs(near: np.ndarray) -> list[tuple[int, int]]:
    return [(a, b) for a, b in zip(*np.nonzero(near), strict=True) if a < b]


@pytest.mark.parametrize("kind", ["f2", "f4", "f8", ">f8"])
def test_rows_of_an_array_are_vectors(kind: str) -> None:
    rows = clusters().astype(kind)
    found = lookalike.pairs(rows, 0.9).to_arrow()
    expected = expected_pairs(cosines(rows.astype("f8")) >= 0.9)
    assert list(zip(found["a_row"].to_pylist(), found["b_row"].to_pylist(), strict=True)) == expected
    assert len(expected) > 50


def test_distances_are_those_of_numpy() -> None:
    rows = clusters().astype("f4").astype("f8")
    distances = np.linalg.norm(rows[:, None] - rows[None], axis=2)
    found = lookalike.pairs(rows, measure="euclidean", distance=2.0).to_arrow()
    expected = expected_pairs(distances <= 2.0)
    assert list(zip(found["a_row"].to_pylist(), found["b_row"].to_pylist(), strict=True)) == expected
    told = [distances[a, b] for a, b in expected]
    np.testing.assert_allclose(found["euclidean_distance"].to_numpy(), told, rtol=1e-12)


def test_columns_of_lists_and_frames_are_vectors() -> None:
    rows = clusters(count=80)
    ids = [f"v{row}" for row in range(len(rows))]
    kept = lookalike.dedup(rows, 0.9).mask.tolist()
    table = pa.table({"id": ids, "emb": pa.array(rows.tolist(), pa.list_(pa.float64()))})
    assert lookalike.dedup(table, 0.9, vector="emb").mask.tolist() == kept
    frame = table.to_pandas()
    assert lookalike.dedup(frame, 0.9, vector="emb").mask.tolist() == kept
    polars = pytest.importorskip("polars")
    assert lookalike.dedup(polars.from_arrow(table), 0.9, vector="emb").mask.tolist() == kept
    assert 10 < sum(kept) < 80


def test_references_and_nearest_vectors() -> None:
    rows = clusters()
    nearest = lookalike.search(rows[:5] * 3, rows, k=3).to_arrow()
    near = cosines(rows)
    for query in range(5):
        expected = sorted(range(len(rows)), key=lambda row: (-near[query][row], row))[:3]
        assert [row for asked, row in zip(nearest["query_row"].to_pylist(), nearest["row"].to_pylist(), strict=True)
                if asked == query] == expected
    against = lookalike.dedup(rows[:5] * 3, against=rows, threshold=0.99)
    assert not against.mask.any()


def test_an_index_of_vectors_is_asked(tmp_path: Path) -> None:
    rows = clusters()
    table = pa.table({"id": [f"v{row}" for row in range(len(rows))], "emb": pa.array(rows.tolist())})
    with lookalike.Index.create(tmp_path / "vectors", vector="emb", threshold=0.5) as index:
        index.add(table, vector="emb")
        answers = index.search(table.slice(0, 4), vector="emb", k=2)
        assert [row["id"] for row in answers.to_arrow().to_pylist() if row["rank"] == 1] == ["v0", "v1", "v2", "v3"]
        with pytest.raises(ValueError, match="has 2 components, the others have 24"):
            index.add(pa.table({"id": ["x"], "emb": [[1.0, 2.0]]}), vector="emb")


def test_what_is_no_vector_is_told() -> None:
    rows = clusters(count=8)
    wrong = rows.copy()
    wrong[3, 2] = np.nan
    with pytest.raises(ValueError, match="component 3 of the vector is NaN"):
        lookalike.dedup(wrong)
    wrong[3] = 0
    with pytest.raises(ValueError, match="no direction"):
        lookalike.dedup(wrong)
    assert lookalike.dedup(wrong, measure="euclidean", distance=0.1).mask.all()
    with pytest.raises(ValueError, match="without numbers"):
        lookalike.dedup(np.zeros((3, 0)))
    uneven = pa.table({"emb": [[1.0, 2.0], [1.0]]})
    with pytest.raises(ValueError, match="has 1 component, the others have 2"):
        lookalike.dedup(uneven, vector="emb")
    assert lookalike.dedup(uneven, vector="emb", on_error="skip").mask.tolist() == [True, False]
    with pytest.raises(TypeError, match="distance"):
        lookalike.dedup(rows, measure="euclidean")
    with pytest.raises(TypeError, match="give one of the keywords"):
        lookalike.dedup(rows, bits="text")
