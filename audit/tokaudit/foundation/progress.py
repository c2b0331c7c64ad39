"""Receivers of progress reports of long work."""

from __future__ import annotations

from collections.abc import Callable

OnStep = Callable[[str, int, int | None], None]  # what, how much is done, of how much
OnAnswer = Callable[[str], None]  # a sentence that is known before the work ends


def silently(what: str, done: int, total: int | None) -> None:
    """Ignore the progress."""


def unheard(answer: str) -> None:
    """Ignore an early answer."""
