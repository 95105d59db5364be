"""The pages that `--report` writes, in a real browser."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import Browser, lookalike
from selenium.webdriver.common.by import By

#: For each page the command that makes it, and what stands on it.
PAGES = {
    "dedup": (
        ["dedup", "press.jsonl", "-t", "0.6"],
        ["24 of 64 documents removed", "By source", "The Old Salt Bridge"],
    ),
    "minhash": (["dedup", "press.jsonl", "--method", "minhash"], ["recall", "S-curve of"]),
    "pairs": (["pairs", "press.jsonl", "-t", "0.3", "-o", "-"], ["50 pairs among 64 documents", "below the threshold"]),
    "clusters": (["clusters", "press.jsonl", "-t", "0.6", "-o", "-"], ["11 clusters of 35 documents", "Sizes"]),
    "sources": (["sources", "essays", "-o", "-"], ["2 of 3 documents with sources", "65 tokens: lines 6 to 8"]),
    "compare": (["compare", "essays/ann.txt", "essays/ben.txt"], ["Near-duplicates at 0.8: no", "cordgrass"]),
    "items": (
        ["dedup", "sales.csv", "--group-by", "customer", "--items-field", "product", "-t", "0.5"],
        ["removed", "kept"],
    ),
    "bits": (
        ["pairs", "photos.csv", "--bits", "phash", "--measure", "hamming", "--distance", "8", "-o", "-"],
        ["pair"],
    ),
    "images": (
        ["dedup", "photos", "--features", "image-hash"],
        ["7 of 16 documents removed", "perceptual hashes of 64 bits", "mountains-small.jpg"],
    ),
    "terms": (["compare", "press.jsonl:wire-001", "press.jsonl:daily-002", "--measure", "cosine"], ["Common terms"]),
}


@pytest.mark.parametrize("name", PAGES)
def test_pages_are_whole_quiet_and_for_everybody(name: str, browser: Browser, tmp_path: Path) -> None:
    command, texts = PAGES[name]
    page = tmp_path / "page.html"
    lookalike(*command, "--report", page)
    for scheme, width in [("light", 1280), ("dark", 1280), ("light", 320), ("dark", 320)]:
        browser.emulate(scheme, width)
        browser.open(page)
        shown = browser.text()
        assert [text for text in texts if text.lower() not in shown.lower()] == []
        assert browser.driver.get_log("browser") == []
        assert browser.requests() == [page.as_uri()]
        assert browser.faults() == []
        overflow = "return document.scrollingElement.scrollWidth - window.innerWidth"
        assert browser.driver.execute_script(overflow) <= 0, f"{scheme} {width}"


def test_images_stand_side_by_side(browser: Browser, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    lookalike("pairs", "photos", "--features", "image-vector", "-t", "0.95", "-o", "-", "--report", page)
    browser.open(page)
    images = browser.driver.find_elements(By.TAG_NAME, "img")
    sizes = [browser.driver.execute_script("return arguments[0].naturalWidth", image) for image in images]
    assert len(sizes) == 20
    assert set(sizes) == {160, 240}, "all of them were decoded"


def test_a_passage_leads_to_its_source_and_back(browser: Browser, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    lookalike("sources", "essays/ben.txt", "--against", "essays/ann.txt", "-o", "-", "--report", page)
    browser.emulate("light", 1280)
    browser.open(page)
    assert browser.driver.find_element(By.TAG_NAME, "h1").text == "ben.txt: 1 source, 57 % covered"
    browser.driver.find_element(By.CSS_SELECTOR, "mark a").click()
    there = browser.driver.find_element(By.CSS_SELECTOR, ":target")
    assert "there may be built lower" in there.text
    there.find_element(By.TAG_NAME, "a").click()
    assert "When a wave runs" in browser.driver.find_element(By.CSS_SELECTOR, "mark:has(:target)").text


def test_texts_are_no_markup(browser: Browser, tmp_path: Path) -> None:
    hostile = "<script>document.title = 'taken'</script><img src=x onerror=alert(1)> \" ' & </textarea></style></title>"
    bidi = "\u202eturned\u202c \u2066open"
    words = " ".join(f"word{number}" for number in range(60))
    # A line of ten megabytes.
    long = f"{words} {'long ' * 2_000_000}"
    texts = {
        "a": f"{hostile} {bidi} {words} one",
        "b": f"{hostile} {bidi} {words} two",
        "</script><i>id": f"{words} \x1b[31m\x07 three four",
        "long": f"{long} one",
        "long2": f"{long} two",
        "\u202eid": f"{words} \x1b[31m\x07 three five",
    }
    records = [json.dumps({"id": name, "text": text}) for name, text in texts.items()]
    (tmp_path / "in.jsonl").write_text("\n".join(records) + "\n", encoding="utf-8")
    (tmp_path / "new.txt").write_text(texts["a"], encoding="utf-8")
    page = tmp_path / "page.html"
    for command, shows_hostile in [
        (["dedup", "in.jsonl", "-t", "0.3"], True),
        (["pairs", "in.jsonl", "-t", "0.3", "-o", "-"], True),
        (["clusters", "in.jsonl", "-t", "0.3", "-o", "-"], True),
        (["sources", "new.txt", "--against", "in.jsonl", "-o", "-"], True),
        (["compare", "in.jsonl:a", "in.jsonl:b"], True),
        (["compare", "in.jsonl:long", "in.jsonl:long2"], False),
    ]:
        lookalike(*command, "--report", page, folder=tmp_path)
        assert page.stat().st_size < 10_000_000, command
        browser.emulate("light", 320)
        browser.open(page)
        assert browser.driver.get_log("browser") == [], command
        assert browser.requests() == [page.as_uri()]
        assert "taken" not in browser.driver.title
        assert browser.driver.find_elements(By.CSS_SELECTOR, "script, main img, textarea, main i") == []
        assert "\u202e" not in browser.driver.page_source
        overflow = "return document.scrollingElement.scrollWidth - window.innerWidth"
        assert browser.driver.execute_script(overflow) <= 0, command
        assert ("<script>" in browser.text()) == shows_hostile, command
        links = """return [...document.querySelectorAll('a')]
            .filter(a => !document.getElementById(a.hash.slice(1))).length"""
        assert browser.driver.execute_script(links) == 0, command


def test_pages_print_without_scrolling_parts(browser: Browser, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    lookalike("sources", "essays", "-o", "-", "--report", page)
    browser.open(page)
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    hidden = """return [...document.querySelectorAll('.beside, .wide')].filter(part =>
        getComputedStyle(part).overflowX != 'visible' || getComputedStyle(part).position != 'static').length"""
    assert browser.driver.execute_script(hidden) == 0
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
