"""What a package index shows of the README: there, a relative link would lead nowhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

import pytest
from hatchling.metadata.core import ProjectMetadata
from hatchling.plugin.manager import PluginManager
from locations import ROOT
from markdown_it import MarkdownIt
from markdown_it.token import Token

README = (ROOT / "README.md").read_text("utf-8")
FILE = re.compile(r"`((?:docs/)?[\w-]+\.md)`")
ELSEWHERE = ("https://", "#")


@pytest.fixture(scope="module")
def description() -> str:
    """As the metadata of a wheel and of a source archive have it."""
    return ProjectMetadata(str(ROOT), PluginManager()).core.readme


def inline(text: str) -> Iterator[Token]:
    """The links, pictures and words of paragraphs, cells and headings."""
    for token in MarkdownIt("gfm-like", {"linkify": False}).parse(text):
        yield from token.children or ()


def targets(text: str) -> list[str]:
    """Where links and pictures lead."""
    named = ((token.attrGet("href") or token.attrGet("src")) for token in inline(text))
    return [str(name) for name in named if name]


def headings(text: str) -> set[str]:
    """The anchors that an index makes of headings."""
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(text)
    titles = (after.content for token, after in pairwise(tokens) if token.type == "heading_open")
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def test_no_link_and_no_picture_of_it_is_relative(description: str) -> None:
    assert any(not each.startswith(ELSEWHERE) for each in targets(README))
    assert [each for each in targets(description) if not each.startswith(ELSEWHERE)] == []


def test_every_anchor_has_its_heading(description: str) -> None:
    anchors = {each[1:] for each in targets(description) if each.startswith("#")}
    assert anchors <= headings(description)
    assert "questions-it-answers" in headings(description)


def test_a_link_is_named_by_its_file_instead(description: str) -> None:
    linked = {each for each in targets(README) if each.endswith(".md")}
    assert linked <= set(FILE.findall(description))
    assert "The gallery (`docs/gallery.md`) has more." in description
    assert "* `SECURITY.md`: what a hostile" in description


def test_it_says_where_these_files_are(description: str) -> None:
    assert "The files that this page names are in the source archive." in description


def test_nothing_else_of_the_readme_is_changed(description: str) -> None:
    """Code and tables, which hold brackets too, are as they were."""
    kept = [line for line in README.splitlines() if "](" not in line and line.strip()]
    assert len(kept) > 50
    # A link over two lines leaves its first line without a sign of it.
    assert [line for line in kept if line not in description and "[" not in line] == []
