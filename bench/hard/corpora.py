"""Generated corpora on which a join of sets can do far too much work.

Words are made of a number, so that no two are equal by chance; each corpus is a function of its size alone.
"""

import json
import random


def common_and_own(documents, common, own):
    """Documents of `common` words that all have, and `own` words in their middle that no other has."""
    shared = [f"common{number}" for number in range(common)]
    before, after = " ".join(shared[: common // 2]), " ".join(shared[common // 2 :])
    for number in range(documents):
        words = " ".join(f"own{number}x{place}" for place in range(own))
        yield f"{before} {words} {after}"


def nested(documents):
    """Document i has the first i words of one text."""
    words = [f"word{number}" for number in range(documents)]
    for number in range(1, documents + 1):
        yield " ".join(words[:number])


def chain(documents, words=81, step=9):
    """Each document has all but `step` words of the one before, and as many new ones: with single words 72 of 90 are
    common, a Jaccard similarity of exactly 0.8 to the next and of 0.636 to the one after it."""
    for number in range(documents):
        first = number * step
        yield " ".join(f"w{word}" for word in range(first, first + words))


def code(documents):
    """Functions of source code as sets of words see them: keywords that all have, names that many have, few own."""
    draw = random.Random(7)
    names = [f"name{number}" for number in range(3000)]
    weights = [1 / (rank + 3) for rank in range(len(names))]
    statements = ["let {} = {}.{}({});", "if {} == {} {{ return {}; }}", "for {} in {} {{ {} += {}; }}", "{}.{} = {};"]
    for _ in range(documents):
        lines = ["fn {}({}: usize) -> usize {{"]
        lines += [draw.choice(statements) for _ in range(draw.randrange(3, 40))] + ["}}"]
        places = sum(line.count("{}") for line in lines)
        yield "\n".join(lines).format(*draw.choices(names, weights, k=places))


CORPORA = {
    # name: (texts, the commands to run on them, with their flags)
    "common 300, own 5 (1,000,000)": (lambda: common_and_own(1_000_000, 300, 5), [["dedup"]]),
    "common 300, own 5 (5,000)": (lambda: common_and_own(5_000, 300, 5), [["dedup"], ["pairs"]]),
    "common 300, own 40 (8,000)": (lambda: common_and_own(8_000, 300, 40), [["dedup"], ["pairs"]]),
    "common 300, own 40 (25,000)": (lambda: common_and_own(25_000, 300, 40), [["dedup"], ["pairs"]]),
    "nested (5,000)": (lambda: nested(5_000), [["dedup"], ["pairs"]]),
    "chain (200,000)": (lambda: chain(200_000), [["dedup", "--shingle", "word:1"], ["pairs", "--shingle", "word:1"]]),
    "code (20,000)": (lambda: code(20_000), [["dedup", "--shingle", "word:1"], ["pairs", "--shingle", "word:1"]]),
}


def write(texts, path):
    """Writes texts as JSON Lines with ids that count up."""
    with open(path, "w", encoding="utf-8") as file:
        for number, text in enumerate(texts):
            file.write(json.dumps({"id": str(number), "text": text}) + "\n")
