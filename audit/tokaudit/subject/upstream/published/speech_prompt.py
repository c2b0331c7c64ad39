"""Tokens of Whisper's prompt, by purpose: start, language, task, no timestamps."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from tokaudit.subject.upstream.records import SPEECH, hand_written

START, BEFORE, SILENCE = "start", "earlier text", "silence"
LANGUAGE, TASK, NO_TIMES = ORDER = ("language", "task", "no timestamps")
"""The kinds of tokens that follow the start of a transcript, in their order."""


@cache
def recorded_tokens() -> Mapping[str, str]:
    """Map each prompt token with a fixed text to its purpose."""
    found: Mapping[str, str] = hand_written(SPEECH)["tokens"]
    return found


@cache
def tokens_of(kind: str) -> tuple[str, ...]:
    """Return the tokens for one purpose.

    >>> tokens_of(TASK), tokens_of(NO_TIMES)
    (('<|translate|>', '<|transcribe|>'), ('<|notimestamps|>',))
    """
    return tuple(token for token, is_for in recorded_tokens().items() if is_for == kind)


def translation() -> str:
    """Return the task that writes English for any speech.

    >>> translation()
    '<|translate|>'
    """
    return tokens_of(TASK)[0]


def kind_of(token: str) -> str:
    """Return the kind of a token that follows the start; empty for any other.

    >>> kind_of("<|en|>"), kind_of("<|translate|>"), kind_of("<|notimestamps|>"), kind_of("the")
    ('language', 'task', 'no timestamps', '')
    """
    kind = recorded_tokens().get(token, "")
    if kind in ORDER:
        return kind
    return LANGUAGE if _form(LANGUAGE).fullmatch(token) else ""


def is_time(token: str) -> bool:
    """Return whether a token is written like a timestamp.

    >>> is_time("<|7.20|>"), is_time("<|en|>")
    (True, False)
    """
    return _form("time").fullmatch(token) is not None


@cache
def times() -> tuple[str, ...]:
    """Return every timestamp of the class, in the order of ids.

    >>> times()[1], times()[-1]
    ('<|0.02|>', '<|30.00|>')
    """
    stated = hand_written(SPEECH)["times"]
    return tuple(f"<|{at * stated['step']:.2f}|>" for at in range(stated["count"]))


@cache
def _form(name: str) -> re.Pattern[str]:
    return re.compile(hand_written(SPEECH)["written"][name])
