"""A report on several tokenizers says of each text, conversation and second whose it is."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from processes import starts_processes

import tokaudit
from tokaudit.report.report import Report
from tokaudit_reports import html

SHARED = "Hello, world!"  # a text of ours, of which every audit keeps the stages


def written(folder: Path, letters: str) -> None:
    """A tokenizer of single letters; what it lacks has no token."""
    model = {"type": "WordLevel", "vocab": {c: id for id, c in enumerate(letters)}}
    whole = {
        "version": "1.0",
        "added_tokens": [],
        "pre_tokenizer": {
            "type": "Split",
            "pattern": {"Regex": "."},
            "behavior": "Isolated",
            "invert": False,
        },
        "model": {**model, "unk_token": letters[0]},
    }
    folder.mkdir()
    (folder / "tokenizer.json").write_text(json.dumps(whole))


@pytest.fixture(scope="module")
@starts_processes
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """Two tokenizers, of which the second numbers the letters the other way round."""
    root = tmp_path_factory.mktemp("two")
    written(root / "tokenizer", "?Helo, wrd!")
    written(root / "tokenizer_2", "?!drw ,oleH")
    return tokaudit.audit(root, tier="quick", select=["agreement/reference", "vocab/holes"])


def test_the_stages_of_a_text_are_kept_for_each_tokenizer(report: Report) -> None:
    first = {
        each.part: each.parts[0].pieces[0].tokens[0].id
        for each in report.traces
        if each.text == SHARED
    }
    assert first == {"tokenizer": 1, "tokenizer_2": 10}


def test_the_page_names_the_tokenizer_of_each(report: Report) -> None:
    page = html.write(report)
    assert f"{SHARED} [tokenizer]".replace(" ", "") in _plain(page)
    assert f"{SHARED} [tokenizer_2]".replace(" ", "") in _plain(page)


def test_the_seconds_of_all_are_put_together(report: Report) -> None:
    timing = report.timing
    named = timing.upstream + timing.reference + timing.spec_analysis + timing.other
    assert timing.wall == report.seconds
    assert named >= report.seconds
    texts = sum(m.n for r in report.results for m in r.measurements)
    assert timing.upstream_texts >= texts > 0


def _plain(page: str) -> str:
    """What the page says, without its tags, its signs for spaces, and spaces."""
    return re.sub(r"<[^>]+>|\s|[␣·]", "", page)
