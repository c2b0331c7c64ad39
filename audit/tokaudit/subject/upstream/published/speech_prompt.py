"""The tokens of Whisper's prompt, by what each is for: the start, a language, a task, no times."""

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
    """Each token of the prompt whose text is always the same, with what it is for."""
    found: Mapping[str, str] = hand_written(SPEECH)["tokens"]
    return found


@cache
def tokens_of(kind: str) -> tuple[str, ...]:
    """The tokens that are for one thing.

    >>> tokens_of(TASK), tokens_of(NO_TIMES)
    (('<|translate|>', '<|transcribe|>'), ('<|notimestamps|>',))
    """
    return tuple(token for token, is_for in recorded_tokens().items() if is_for == kind)


def translation() -> str:
    """The task that writes English whatever is said.

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
    """Every timestamp that the class counts, in the order of its ids.

    >>> times()[1], times()[-1]
    ('<|0.02|>', '<|30.00|>')
    """
    stated = hand_written(SPEECH)["times"]
    return tuple(f"<|{at * stated['step']:.2f}|>" for at in range(stated["count"]))


@cache
def _form(name: str) -> re.Pattern[str]:
    return re.compile(hand_written(SPEECH)["written"][name])
