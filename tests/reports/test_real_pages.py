"""Pages of real runs in a browser: axe finds nothing in them, and none is wider than its window."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from headless import NARROW, WIDE, chromium, needs_chromium, open_page
from real_pages import RUNS, write_page

pytestmark = [pytest.mark.process, pytest.mark.long, needs_chromium]
UNFOLD = "document.querySelectorAll('details').forEach((each) => (each.open = true))"
WIDTH = "document.documentElement.scrollWidth"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as started:
        yield started


@pytest.mark.parametrize("kind", RUNS)
def test_in_both_themes_and_widths_axe_finds_nothing_and_nothing_is_too_wide(
    kind: str, tmp_path: Path, browser: Any
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page = write_page(kind, tmp_path)
    for size, scheme in product((WIDE, NARROW), ("light", "dark")):
        opened = open_page(browser, page, size, color_scheme=scheme)
        widths = [opened.page.evaluate(WIDTH)]
        opened.page.evaluate(UNFOLD)
        widths.append(opened.page.evaluate(WIDTH))
        found = Axe().run(opened.page).response["violations"]
        told = [(one["id"], [node["html"][:200] for node in one["nodes"][:3]]) for one in found]
        assert (max(widths) <= size[0], told, opened.complaints) == (True, [], []), (size, scheme)
        opened.page.context.close()
