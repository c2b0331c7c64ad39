"""What receives the progress of long work."""

from __future__ import annotations

from collections.abc import Callable

OnStep = Callable[[str, int, int | None], None]  # what, how much is done, of how much


def silently(what: str, done: int, total: int | None) -> None:
    """Ignore the progress."""
