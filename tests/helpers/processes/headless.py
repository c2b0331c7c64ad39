"""Debian's chromium without a screen, for tests of the page; no test needs a network."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
WIDE, NARROW = (1440, 900), (390, 844)
needs_chromium = pytest.mark.skipif(
    CHROMIUM is None, reason="no chromium here: apt-get install chromium"
)


UNFOLD = "document.querySelectorAll('details').forEach((each) => (each.open = true))"


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


class Window:
    """A window that shows one page after another, and what was asked for and complained of in it."""

    def __init__(self, browser: Any, **context: Any) -> None:
        self.page = browser.new_page(**context)
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("dialog", lambda dialog: self.complaints.append(dialog.message))

    def show(self, path: Path, size: tuple[int, int] = WIDE, scheme: str = "light") -> Any:
        """The page of a report, as in a window that is new."""
        self.requests.clear()
        self.complaints.clear()
        self.page.mouse.move(0, 0)
        self.page.set_viewport_size({"width": size[0], "height": size[1]})
        self.page.emulate_media(media="null", color_scheme=scheme)
        self.page.goto(path.as_uri())
        return self.page
