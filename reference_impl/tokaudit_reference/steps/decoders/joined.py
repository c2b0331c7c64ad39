"""The stage that makes bytes of all tokens, and one text of all bytes."""

from __future__ import annotations

from collections.abc import Callable

from tokaudit_reference.steps.decoders.utf8 import Utf8


class Joined:
    """Decodes the bytes of all tokens as one text; an unfinished character is held back."""

    def __init__(self, of: Callable[[str], bytes], exact: bool) -> None:
        self._of, self._utf8 = of, Utf8(exact)

    def feed(self, tokens: list[str]) -> list[str]:
        """Return the characters that are complete."""
        return [self._utf8.feed(b"".join([self._of(token) for token in tokens]))]

    def finish(self) -> list[str]:
        """Return the text of an unfinished character."""
        return [self._utf8.finish()]
