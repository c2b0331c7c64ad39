"""Tries the built site in a headless chromium: `python -m site_in_browser [PAGE ...]`.

Each page is opened in both themes and at two widths: axe finds no violation, and no page is wider
than its window.  Exit code 1 where one is.  Of the pages of checks two are tried.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import product
from pathlib import Path
from threading import Thread
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

SITE = Path(__file__).resolve().parents[1] / ".venv" / "site"
SIZES, THEMES = ((1440, 900), (390, 844)), ("light", "dark")
WIDTH = "document.documentElement.scrollWidth"
SHOWN = 160  # characters of what is at fault


class _Quiet(SimpleHTTPRequestHandler):
    """Serves the site, as it finds its index and its scripts by address."""

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing of each request."""


def main(asked: Sequence[str]) -> int:
    """1 where a page has a fault."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(SITE)))
    Thread(target=server.serve_forever, daemon=True).start()
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    found = 0
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for page in asked or list(_pages()):
            faults = list(_faults(browser, f"http://127.0.0.1:{server.server_port}/{page}"))
            found += len(faults)
            print("\n".join([f"{page or 'start'}: {len(faults) or 'nothing'} to correct", *faults]))
            sys.stdout.flush()
        browser.close()
    server.shutdown()
    return int(found > 0)


def _pages() -> Iterator[str]:
    yield ""
    suites = sorted(each.parent for each in SITE.glob("checks/*/index.html"))
    checks = sorted(each.parent for each in suites[0].glob("*/index.html"))
    tops = sorted(each.parent for each in SITE.glob("*/index.html"))
    for folder in (*tops, suites[0], *checks[:1]):
        yield f"{folder.relative_to(SITE)}/"


def _faults(browser: Any, address: str) -> Iterator[str]:
    for (width, height), theme in product(SIZES, THEMES):
        page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=theme)
        page.goto(address)
        wide = page.evaluate(WIDTH)
        if wide > width:
            yield f"  {width} {theme}: {wide} pixels wide"
        for each in Axe().run(page).response["violations"]:
            first = each["nodes"][0]["html"][:SHOWN]
            yield f"  {width} {theme}: {each['id']}, {len(each['nodes'])} times, first {first}"
        page.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
