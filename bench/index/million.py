"""Documents of the size of news articles, as many as are asked for, from the real documents of a folder.

    python bench/index/million.py DATA OUT.jsonl 1000000

The records of six files of 100 to 700 words are repeated in rounds. In round r from 1 on, each word at a place p with
(7 p + r) divisible by 12 is replaced by a word of its own, so that no two rounds are near-duplicates.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

FILES = ("bible_en", "gesetze_de", "license_texts", "php_manual", "reactnative_versions", "win32_docs")


def texts(folder: Path) -> Iterator[list[str]]:
    for name in FILES:
        command = ["zstd", "-dcq", str(folder / f"{name}.jsonl.zst")]
        lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\n")
        for line in filter(None, lines):
            words = json.loads(line)["text"].split()
            if 100 <= len(words) <= 700:
                yield words


def main(data: str, out: str, count: str) -> None:
    documents = list(texts(Path(data)))
    with open(out, "w", encoding="utf-8") as file:
        for number in range(int(count)):
            turn, place = divmod(number, len(documents))
            words = documents[place]
            if turn:
                words = [f"r{turn}x{p}" if (7 * p + turn) % 12 == 0 else word for p, word in enumerate(words)]
            file.write(json.dumps({"id": f"d{number}", "text": " ".join(words)}, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
