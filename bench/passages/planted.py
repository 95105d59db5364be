"""Documents with passages planted from real ones, and what `lookalike sources` says of them.

    python bench/passages/planted.py LOOKALIKE DATA FOLDER

Of each kind a hundred documents are made of words that stand nowhere else, and of pieces of the PHP manual whose runs
of twelve words stand in one page of it: a whole piece; three pieces of one page in another order; a piece with every
twentieth word replaced; pieces of three pages; a piece beside a template that fifteen pages have. The tokens that must
be found follow from the making.
"""

import csv
import json
import random
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

MIN_MATCH = 12
DOCUMENTS = 100
Piece = tuple[int, list[str]]


def read(data: Path) -> list[list[str]]:
    """The words of the pages; other signs than letters are left out, so that every tokenizer agrees."""
    command = ["zstd", "-dcq", str(data / "php_manual.jsonl.zst")]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\n")
    return [re.findall("[a-z]+", json.loads(line)["text"].lower()) for line in filter(None, lines)]


def runs(words: list[str]) -> list[str]:
    return [" ".join(words[at : at + MIN_MATCH]) for at in range(len(words) - MIN_MATCH + 1)]


def own(randomness: random.Random, count: int) -> list[str]:
    """Words that stand nowhere else."""
    return ["q" + "".join(randomness.choices("bcdfghjklm", k=9)) for _ in range(count)]


class Planting:
    """Pages, and documents that are made of them."""

    def __init__(self, pages: list[list[str]]) -> None:
        self.randomness = random.Random(1)
        self.template = own(self.randomness, 50)
        self.pages = [page + self.template if number < 15 else page for number, page in enumerate(pages)]
        self.counts = Counter(run for page in self.pages for run in runs(page))

    def piece(self, length: int, page: int | None = None) -> Piece | None:
        """A piece of a page, of any if none is named, whose runs stand there alone; None if none was found."""
        for _ in range(10_000):
            number = self.randomness.randrange(len(self.pages)) if page is None else page
            words = self.pages[number]
            if len(words) >= length + 2:
                at = self.randomness.randrange(1, len(words) - length)
                if all(self.counts[run] == 1 for run in runs(words[at : at + length])):
                    return number, words[at : at + length]
        return None

    def pieces(self, kind: str) -> list[Piece]:
        while True:
            if kind == "three pages":
                taken = [self.piece(40) for _ in range(3)]
            elif kind == "another order":
                first = self.piece(40)
                taken = [first, *(self.piece(40, first and first[0]) for _ in range(2))]
            else:
                taken = [self.piece(100)]
            if found := [piece for piece in taken if piece is not None]:
                if len(found) == len(taken):
                    return found

    def document(self, kind: str) -> tuple[list[str], Counter[int]]:
        """The words of a document, and by page the number of its tokens that stand there."""
        words, truth = own(self.randomness, 30), Counter[int]()
        for page, piece in self.pieces(kind):
            is_kept = [kind != "edited" or (at + 1) % 20 > 0 for at in range(len(piece))]
            truth[page] += sum(is_kept)
            words += [word if kept else own(self.randomness, 1)[0] for word, kept in zip(piece, is_kept, strict=True)]
            words += own(self.randomness, 15)
        return words + (self.template if kind == "template" else []), truth


def write(path: Path, ids: str, texts: list[list[str]]) -> None:
    rows = [json.dumps({"id": f"{ids}{number}", "text": " ".join(words)}) for number, words in enumerate(texts)]
    path.write_text("\n".join(rows), encoding="utf-8")


def main(command: str, data: str, folder: str) -> None:
    planting, place = Planting(read(Path(data))), Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    new, references, out = place / "new.jsonl", place / "references.jsonl", place / "found.csv"
    write(references, "r", planting.pages)
    print("| kind | documents | largest error of a share, tokens | sources beside the planted ones | missed |")
    print("| --- | --- | --- | --- | --- |")
    for kind in ["whole", "another order", "edited", "three pages", "template"]:
        made = [planting.document(kind) for _ in range(DOCUMENTS)]
        write(new, "", [words for words, _ in made])
        asked = ["--min-match", str(MIN_MATCH), "-o", out, "-q"]
        subprocess.run([command, "sources", new, "--against", references, *asked], check=True)
        with open(out, newline="", encoding="utf-8") as file:
            rows = [row for row in csv.DictReader(file) if row["source"]]
            found = {(int(row["id"]), int(row["source"][1:])): float(row["share"]) for row in rows}
        planted = {(number, page): count for number, (_, truth) in enumerate(made) for page, count in truth.items()}
        errors = [abs(found.get(pair, 0) * len(made[pair[0]][0]) - count) for pair, count in planted.items()]
        others, missed = len(found.keys() - planted.keys()), len(planted.keys() - found.keys())
        print(f"| {kind} | {len(made)} | {max(errors):.2f} | {others} | {missed} |")


if __name__ == "__main__":
    main(*sys.argv[1:])
