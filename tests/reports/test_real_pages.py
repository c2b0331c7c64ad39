"""Pages of real runs in a browser: axe finds nothing in them, and none is wider than its window."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from accessibility import OF_COLOUR, OF_LAYOUT, violations
from headless import NARROW, UNFOLD, WIDE, Window, chromium, needs_chromium
from processes import starts_processes
from real_pages import RUNS, write_page

pytestmark = [pytest.mark.long, needs_chromium]
WIDTH = "document.documentElement.scrollWidth"


@pytest.fixture(scope="module")
@starts_processes
def window() -> Iterator[Window]:
    with chromium() as browser:
        yield Window(browser)


@pytest.mark.parametrize("kind", RUNS)
def test_in_both_themes_and_widths_axe_finds_nothing_and_nothing_is_too_wide(
    kind: str, tmp_path: Path, window: Window
) -> None:
    path = write_page(kind, tmp_path)
    for size, rules in ((WIDE, ()), (NARROW, OF_LAYOUT)):
        page = window.show(path, size)
        widths = [page.evaluate(WIDTH)]
        page.evaluate(UNFOLD)
        widths.append(page.evaluate(WIDTH))
        found = {"light": violations(page, rules)}
        page.emulate_media(color_scheme="dark")
        found["dark"] = violations(page, OF_COLOUR)
        widths.append(page.evaluate(WIDTH))
        assert (found, window.complaints) == ({"light": [], "dark": []}, []), size
        assert max(widths) <= size[0], size
