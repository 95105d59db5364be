"""The page of the server: what a person does with it, in a real browser."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest
from conftest import EXAMPLES, Browser, lookalike
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

TOKEN = "write-write-write-write"
TEXTS = {one["id"]: one["text"] for one in map(json.loads, (EXAMPLES / "press.jsonl").open(encoding="utf-8"))}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("server")
    index, tokens = folder / "press.idx", folder / "tokens"
    flags = ["--measure", "containment", "-t", "0.2", "--store-texts"]
    lookalike("index", "create", index, "press.jsonl", *flags)
    tokens.write_text(f"write {TOKEN}\n", encoding="utf-8")
    command = [os.environ["LOOKALIKE"], "serve", index, "--tokens", tokens, "--listen", "127.0.0.1:0", "--log", "errors"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        yield server.stderr.readline().rsplit(" ", 1)[1].strip()
        server.terminate()


class Page:
    """The page, as a person sees it."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.browser = browser
        browser.emulate("light", 1200)
        browser.driver.get_log("browser")
        browser.driver.get_log("performance")
        browser.driver.get(address)
        self.wait(lambda: "documents" in self.at("stats").text)

    def at(self, id: str) -> WebElement:
        return self.browser.driver.find_element(By.ID, id)

    def all(self, selector: str) -> list[WebElement]:
        return self.browser.driver.find_elements(By.CSS_SELECTOR, selector)

    def wait(self, until: Callable[[], bool]) -> None:
        end = time.monotonic() + 20
        while not until():
            assert time.monotonic() < end, self.browser.text()
            time.sleep(0.05)

    def paste(self, text: str) -> None:
        """Puts a text into the field at once, as pasting does."""
        put = "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input', {bubbles: true}))"
        self.browser.driver.execute_script(put, self.at("text"), text)

    def console(self) -> list[str]:
        return [str(entry["message"]) for entry in self.browser.driver.get_log("browser") if entry["level"] == "SEVERE"]


@pytest.fixture
def page(browser: Browser, address: str) -> Page:
    return Page(browser, address)


def test_a_pasted_text_shows_its_sources(page: Page, address: str) -> None:
    own = "These words are mine alone."
    page.paste(f"{own} {TEXTS['wire-001'][:600]} <script>alert(1)</script>")
    page.wait(lambda: "covered by" in page.at("sources-state").text)
    marks = page.all("#sources-found mark a")
    assert marks
    marked = " ".join(mark.text for mark in marks)
    assert "Old Salt Bridge" in marked
    assert own not in marked
    assert "<script>alert(1)</script>" in page.at("sources-found").text
    assert "wire-001" in page.at("sources-found").text
    marks[0].click()
    target = str(page.browser.driver.execute_script("return document.querySelector(':target').textContent"))
    assert "Old Salt Bridge" in target
    page.browser.driver.execute_script("document.querySelector('#sources-found ol.passages a').click()")
    assert page.all("mark:has(:target)")
    assert page.console() == []
    asked = page.browser.requests()
    assert all(one.startswith(address) for one in asked), asked


def test_a_text_of_a_megabyte_is_answered(page: Page) -> None:
    words = " ".join(f"word{number}" for number in range(120_000))
    page.paste(f"{words[:700_000]} {TEXTS['wire-002']} {words[700_000:1_000_000]}")
    page.wait(lambda: page.at("sources-state").text not in ("", "Looking ..."))
    # Of so long a text the document is less than the share from which on the index finds one.
    assert "source" in page.at("sources-state").text
    assert page.console() == []


def test_near_documents_and_families_by_id_and_keyboard(page: Page) -> None:
    page.at("tab-sources").send_keys(Keys.ARROW_RIGHT)
    assert page.at("search").is_displayed()
    assert not page.at("sources").is_displayed()
    page.at("id").send_keys("wire-001", Keys.ENTER)
    page.wait(lambda: "near documents" in page.at("search-state").text)
    assert "agg-007" in page.at("search-found").text
    page.at("family").click()
    page.wait(lambda: "in the family" in page.at("search-state").text)
    near = next(button for button in page.all("#search-found button") if button.text == "agg-007")
    near.click()
    page.wait(lambda: page.at("id").get_attribute("value") == "agg-007")
    page.at("id").clear()
    page.at("id").send_keys("nobody", Keys.ENTER)
    page.wait(lambda: "No document has this id" in page.at("search-state").text)


def test_the_whole_index_is_drawn(page: Page) -> None:
    page.at("tab-whole").click()
    page.at("look").click()
    page.wait(lambda: "pairs of near-duplicates" in page.at("whole-state").text)
    assert page.all("#whole-found svg rect")
    assert page.all("#whole-found table button")
    assert page.console() == []
    assert page.browser.faults() == []


def test_changes_need_the_right_token(page: Page) -> None:
    page.at("tab-change").click()
    page.at("new-id").send_keys("mine")
    page.at("new-text").send_keys("five words of my own, and some more")
    add = page.all("#add-form button")[0]
    add.click()
    page.wait(lambda: "needs a token" in page.at("change-state").text)
    page.at("token").send_keys("wrong-wrong-wrong-wrong")
    add.click()
    page.wait(lambda: "token is unknown" in page.at("change-state").text)
    page.at("token").clear()
    page.at("token").send_keys(TOKEN)
    add.click()
    page.wait(lambda: page.at("change-state").text == "Added.")
    page.at("new-id").send_keys("-again")
    add.click()
    page.wait(lambda: "Not added: mine is near" in page.at("change-state").text)
    page.at("old-id").send_keys("mine", Keys.ENTER)
    page.browser.driver.switch_to.alert.dismiss()
    page.wait(lambda: page.at("change-state").text == "Not removed.")
    page.at("old-id").send_keys(Keys.ENTER)
    page.browser.driver.switch_to.alert.accept()
    page.wait(lambda: page.at("change-state").text == "Removed.")
    page.at("old-id").send_keys(Keys.ENTER)
    page.browser.driver.switch_to.alert.accept()
    page.wait(lambda: "No document" in page.at("change-state").text)
    # A browser tells each refusal in its console; nothing else may stand there.
    assert all("Failed to load resource" in line for line in page.console())


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("tab", ["sources", "search", "whole", "change"])
def test_nothing_is_in_the_way_of_anybody(page: Page, scheme: str, tab: str) -> None:
    page.paste(TEXTS["wire-001"])
    page.wait(lambda: "covered by" in page.at("sources-state").text)
    page.browser.emulate(scheme, 320)
    page.at(f"tab-{tab}").click()
    assert page.browser.faults() == []
    width = page.browser.driver.execute_script("return document.documentElement.scrollWidth")
    assert width <= 320, width


def test_no_script_and_no_style_stands_in_the_page(address: str) -> None:
    with urlopen(address) as response:
        text = response.read().decode()
    assert "<script>" not in text
    assert "style=" not in text
    assert " onclick" not in text
