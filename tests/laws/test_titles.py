"""A title of a check is short enough for a row of a table and for an item of pytest."""

from __future__ import annotations

from tokaudit.engine.check import all_checks

MOST_WORDS = 8


def test_a_title_of_a_check_has_at_most_eight_words() -> None:
    long = [c.id for c in all_checks() if len(c.title.split()) > MOST_WORDS]
    assert long == []


def test_no_two_checks_have_one_title() -> None:
    titles = [c.title for c in all_checks()]
    assert sorted(set(titles)) == sorted(titles)
