"""What the tests in a real browser share: Chromium without a window, the command, and pages that it makes."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_core_python.base import AXE_FILE_PATH
from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service

EXAMPLES = Path(__file__).parent.parent / "examples"


class Browser:
    """A browser that tells what it logged and asked for."""

    def __init__(self, driver: Chrome) -> None:
        self.driver = driver

    def open(self, page: Path) -> None:
        """Opens a file, of which nothing may be wrong."""
        self.driver.get_log("browser")
        self.driver.get_log("performance")
        self.driver.get(page.as_uri())

    def emulate(self, scheme: str, width: int) -> None:
        """Prefers `light` or `dark`, in a window that is so many pixels wide."""
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)

    def requests(self) -> list[str]:
        """The addresses that were asked for since a page was opened; what the page itself holds is none."""
        messages = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        sent = [message for message in messages if message["method"] == "Network.requestWillBeSent"]
        addresses = [message["params"]["request"]["url"] for message in sent]
        return [address for address in addresses if not address.startswith("data:")]

    def faults(self) -> list[str]:
        """What axe finds wrong with the page for people with disabilities."""
        self.driver.execute_script(Path(AXE_FILE_PATH).read_text(encoding="utf-8"))
        run = "const done = arguments[0]; axe.run().then(found => done(found.violations))"
        found = self.driver.execute_async_script(run)
        return [f"{fault['id']}: {fault['nodes'][0]['html'][:200]}" for fault in found]

    def text(self) -> str:
        """The visible text of the page."""
        return str(self.driver.execute_script("return document.body.innerText"))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    options = ChromeOptions()
    options.binary_location = os.environ["CHROMIUM"]
    for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = Chrome(options=options, service=Service(os.environ["CHROMEDRIVER"]))
    driver.set_script_timeout(60)
    yield Browser(driver)
    driver.quit()


def lookalike(*arguments: str | Path, folder: Path = EXAMPLES) -> str:
    """Runs the command in a folder and returns its standard output."""
    command = [os.environ["LOOKALIKE"], *map(str, arguments)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
