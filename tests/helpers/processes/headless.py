"""Debian's chromium without a screen, for tests of the page; no test needs a network."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
WIDE, NARROW = (1440, 900), (390, 844)
needs_chromium = pytest.mark.skipif(
    CHROMIUM is None, reason="no chromium here: apt-get install chromium"
)


UNFOLD = "document.querySelectorAll('details').forEach((each) => (each.open = true))"
BRIEF = {"resultTypes": ["violations"], "selectors": False, "preload": False}
OF_COLOUR = ["color-contrast", "link-in-text-block"]  # no other rule depends on the theme
COLOURS = {**BRIEF, "runOnly": {"type": "rule", "values": OF_COLOUR}}
OF_LAYOUT = [
    *OF_COLOUR,
    "empty-table-header",
    "label",
    "nested-interactive",
    "region",
    "scrollable-region-focusable",
    "select-name",
    "summary-name",
    "td-has-header",
    "th-has-data-cells",
]  # no other rule depends on the width: it moves, resizes, hides a line and shows a summary
LAYOUT = {**BRIEF, "runOnly": {"type": "rule", "values": OF_LAYOUT}}


@contextmanager
def chromium() -> Iterator[Any]:
    """The browser; without its sandbox, as tests may run as root and open our own pages alone."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


@dataclass
class Opened:
    """A page that is open, and what it asked for and complained of since."""

    page: Any
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)


def open_page(browser: Any, path: Path, size: tuple[int, int] = WIDE, **context: Any) -> Opened:
    """A report in a window of that size."""
    page = browser.new_page(viewport={"width": size[0], "height": size[1]}, **context)
    opened = Opened(page)
    page.on("request", lambda request: opened.requests.append(request.url))
    page.on("console", lambda message: opened.complaints.append(message.text))
    page.on("pageerror", lambda error: opened.complaints.append(str(error)))
    page.on("dialog", lambda dialog: opened.complaints.append(dialog.message))
    page.goto(path.as_uri())
    return opened


def violations(page: Any, options: dict[str, Any] = BRIEF) -> list[tuple[str, list[str]]]:
    """What axe finds: each rule with the first elements that break it."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page, options=options).response["violations"]
    return [(one["id"], [node["html"][:200] for node in one["nodes"][:3]]) for one in found]
