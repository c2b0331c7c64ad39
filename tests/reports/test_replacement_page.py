"""The page of `compare --for replacing`: its tables fit a wide window and a phone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from headless import NARROW, UNFOLD, WIDE, Window, chromium, needs_chromium
from processes import starts_processes

import tokaudit
from tokaudit.report.writer import all_writers
from tokaudit_folders.folder import Folder

pytestmark = needs_chromium
TOO_WIDE = """() => [...document.querySelectorAll('#replacement .scroll')]
    .filter(each => each.scrollWidth > each.clientWidth + 1)
    .map(each => each.getAttribute('aria-label'))"""


@pytest.fixture(scope="module")
@starts_processes
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three tokenizers, of which two have long names, over forty documents."""
    folder = tmp_path_factory.mktemp("page")
    names = ["short", "9b5ad71b2ce5302211f9c61530b329a4922fc6a4", "a_name_without_a_break" * 3]
    made = [
        str(Folder.bpe("abcde ", pairs).write(folder / name))
        for name, pairs in zip(names, (["a b"], ["a b", "c d"], []), strict=True)
    ]
    (folder / "held_out_documents_of_the_project.txt").write_text("ab cd e\n" * 20 + "abcde\n" * 20)
    corpus = [folder / "held_out_documents_of_the_project.txt"]
    report = tokaudit.compare(*made, purpose="replacing", corpus=corpus)
    (folder / "page.html").write_text(all_writers()["html"].write(report))
    return folder / "page.html"


@pytest.fixture(scope="module")
@starts_processes
def window() -> Iterator[Window]:
    with chromium() as browser:
        yield Window(browser)


@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_every_table_fits_the_window_with_all_its_values_shown(
    window: Window, page: Path, size: tuple[int, int]
) -> None:
    shown = window.show(page, size)
    shown.evaluate(UNFOLD)
    assert shown.evaluate(TOO_WIDE) == []
    width = shown.evaluate("document.documentElement.scrollWidth")
    assert width <= size[0] and window.complaints == []


def test_on_a_phone_each_figure_has_the_name_of_its_tokenizer_next_to_it(
    window: Window, page: Path
) -> None:
    label = "getComputedStyle(document.querySelector('#replacement td.num'), '::before').content"
    assert window.show(page, NARROW).evaluate(label) == '"Tokens"'
