"""The page says of a conversation why roles, or which tokens are trained, are not known."""

from __future__ import annotations

from dataclasses import replace

from tokaudit.report.recorded import Transcript, TranscriptToken
from tokaudit.report.report import Report
from tokaudit_reports import html

WHY = "with message 4 (user) the template writes message 3 (assistant) differently"


def page_of(full: Report, trained: bool | None) -> str:
    token = TranscriptToken(64, "a", "", trained)
    one = Transcript("qwen", "a", (token,), unknown=WHY)
    return " ".join(html.write(replace(full, transcripts=(one,))).split())


def test_why_it_is_not_known_which_tokens_are_trained(full: Report) -> None:
    assert f"It is not known which tokens are trained: {WHY}." in page_of(full, None)


def test_why_a_role_is_not_known_where_the_mask_is(full: Report) -> None:
    assert f"Not all roles are known: {WHY}." in page_of(full, True)


def test_a_colour_is_a_role_and_what_is_trained_is_counted(full: Report) -> None:
    tokens = (TranscriptToken(64, "a", "user", False), TranscriptToken(65, "b", "assistant", True))
    page = html.write(replace(full, transcripts=(Transcript("two", "ab", tokens),)))
    assert 'class="masked"><span class="chip tint0"' in page
    assert 'class="trained"><span class="chip tint2"' in page
    assert '<p class="side">1 of 2 tokens trained</p>' in page
