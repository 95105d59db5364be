"""Signatures in families of four, and photos of twelve megapixels, to be timed.

    python bench/signatures/generate.py signatures 400000 OUT.npy
    python bench/signatures/generate.py images 60 FOLDER
    python bench/signatures/generate.py imagehash FOLDER      times imagehash.phash in two processes, with Pillow
"""

from __future__ import annotations

import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

COMPONENTS = 128


def signatures(count: int, path: str) -> None:
    """Each component of a row is that of its family with the share of the row, and random else."""
    random = np.random.default_rng(5)
    families = random.integers(0, 2**32, (count // 4, COMPONENTS), dtype=np.uint64).astype(np.uint32)
    rows = np.repeat(families, 4, axis=0)
    is_own = random.random(rows.shape) > random.uniform(0.3, 1, (len(rows), 1))
    rows[is_own] = random.integers(0, 2**32, is_own.sum(), dtype=np.uint64).astype(np.uint32)
    np.save(path, rows)


def images(count: int, folder: str) -> None:
    from PIL import Image

    Path(folder).mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(1)
    for number in range(count):
        small = Image.fromarray(random.integers(0, 256, (12, 16, 3), dtype=np.uint8))
        small.resize((4000, 3000), Image.Resampling.BICUBIC).save(f"{folder}/{number}.jpg", quality=88)


def phash(path: Path) -> str:
    import imagehash
    from PIL import Image

    return str(imagehash.phash(Image.open(path)))


def time_imagehash(folder: str) -> None:
    paths = sorted(Path(folder).glob("*.jpg"))
    begin = time.perf_counter()
    with ProcessPoolExecutor(2) as pool:
        list(pool.map(phash, paths))
    print(f"imagehash.phash of {len(paths)} images: {time.perf_counter() - begin:.2f} s")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["signatures", count, path]:
            signatures(int(count), path)
        case ["images", count, folder]:
            images(int(count), folder)
        case ["imagehash", folder]:
            time_imagehash(folder)
        case _:
            sys.exit(__doc__)
