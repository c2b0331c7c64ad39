"""Pages of real runs in a browser: axe finds nothing in them, and none is wider than its window."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from headless import (
    BRIEF,
    COLOURS,
    LAYOUT,
    NARROW,
    UNFOLD,
    WIDE,
    chromium,
    needs_chromium,
    open_page,
    violations,
)
from real_pages import RUNS, write_page

pytestmark = [pytest.mark.process, pytest.mark.long, needs_chromium]
WIDTH = "document.documentElement.scrollWidth"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as started:
        yield started


@pytest.mark.parametrize("kind", RUNS)
def test_in_both_themes_and_widths_axe_finds_nothing_and_nothing_is_too_wide(
    kind: str, tmp_path: Path, browser: Any
) -> None:
    path = write_page(kind, tmp_path)
    for size, rules in ((WIDE, BRIEF), (NARROW, LAYOUT)):
        opened = open_page(browser, path, size, color_scheme="light")
        widths = [opened.page.evaluate(WIDTH)]
        opened.page.evaluate(UNFOLD)
        widths.append(opened.page.evaluate(WIDTH))
        found = {"light": violations(opened.page, rules)}
        opened.page.emulate_media(color_scheme="dark")
        found["dark"] = violations(opened.page, COLOURS)
        widths.append(opened.page.evaluate(WIDTH))
        assert (found, opened.complaints) == ({"light": [], "dark": []}, []), size
        assert max(widths) <= size[0], size
        opened.page.context.close()
