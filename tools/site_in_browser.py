"""Tries the built site, or those pages of it that are named, in a headless chromium.

Each page is opened in both themes and at two widths: axe finds no violation, and no page is wider
than its window.  Of the pages of checks two are tried.  Each symptom is typed into the search, and
its section is among the first three results.  Exit code 1 where anything is at fault.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import product
from pathlib import Path
from threading import Thread
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from markdown.extensions.toc import slugify
from playwright.sync_api import TimeoutError as NothingFound
from playwright.sync_api import sync_playwright

from tokaudit_pages.symptoms import symptoms

SITE = Path(__file__).resolve().parents[1] / ".venv" / "site"
SIZES, THEMES = ((1440, 900), (390, 844)), ("light", "dark")
WIDTH = "document.documentElement.scrollWidth"
SEARCH = "[data-md-component=search-query]"
RESULT = ".md-search-result__list > .md-search-result__item a.md-search-result__link"
FIRST = 3  # results in which a symptom has to be
SETTLED = 600  # milliseconds after the first result, while others come
SHOWN = 160  # characters of what is at fault


class _Quiet(SimpleHTTPRequestHandler):
    """Serves the site, as it finds its index and its scripts by address."""

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing of each request."""


def main() -> int:
    """1 where a page has a fault."""
    asked, found = sys.argv[1:], 0
    with opened(SITE) as (browser, address):
        for page in asked or list(_pages()):
            faults = list(_faults(browser, address + page))
            found += len(faults)
            print("\n".join([f"{page or 'start'}: {len(faults) or 'nothing'} to correct", *faults]))
            sys.stdout.flush()
        lost = [] if asked else unfound(browser, address, [each.says for each in symptoms()])
        print("".join(f"search: not among the first {FIRST}: {says}\n" for says in lost), end="")
    return int(found > 0 or bool(lost))


@contextmanager
def opened(site: Path) -> Iterator[tuple[Any, str]]:
    """Serve a site, and give a browser with the address of its start."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(site)))
    Thread(target=server.serve_forever, daemon=True).start()
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    try:
        with sync_playwright() as started:
            browser = started.chromium.launch(executable_path=program, args=["--no-sandbox"])
            yield browser, f"http://127.0.0.1:{server.server_port}/"
            browser.close()
    finally:
        server.shutdown()
        server.server_close()


def unfound(browser: Any, address: str, typed: Iterable[str]) -> list[str]:
    """The titles of the page of symptoms that its search does not find by their own words."""
    page = browser.new_page()
    lost = []
    for says in typed:
        page.goto(address)
        page.focus(SEARCH)
        page.keyboard.type(says)
        try:
            page.wait_for_selector(RESULT)
        except NothingFound:
            lost.append(says)
            continue
        page.wait_for_timeout(SETTLED)
        links = [each.get_attribute("href") or "" for each in page.query_selector_all(RESULT)]
        anchor = f"#{slugify(says, '-')}"
        if not any(link.endswith(anchor) for link in links[:FIRST]):
            lost.append(says)
    page.close()
    return lost


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
