"""Strip: a token without some occurrences of a character at its beginning and its end.

Source: `Strip` in Hugging Face's tokenizers.  Where both ends would take the same characters, that
library panics; here the beginning takes them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from tokaudit_reference.steps.decoders.options import character, count
from tokaudit_reference.steps.decoders.stage import DecoderStep, Each, Make, Setting
from tokaudit_reference.steps.step import Options


def stripped(token: str, content: str, start: int, stop: int) -> str:
    """A token without at most `start` of a character before, and at most `stop` after.

    >>> stripped("  a ", " ", 1, 1), stripped("a", " ", 1, 1)
    (' a', 'a')
    """
    begin = _run(token, content, start)
    return token[begin : len(token) - _run(token[begin:][::-1], content, stop)]


def _run(token: str, content: str, most: int) -> int:
    return min(most, len(token) - len(token.lstrip(content)))


class FusedStrip:
    """The stage for a token in parts: what may be taken off its end is held back."""

    def __init__(self, content: str, start: int, stop: int) -> None:
        self._content, self._start, self._stop = content, start, stop
        self._held = ""

    def feed(self, tokens: list[str]) -> list[str]:
        """The token so far, without its beginning and what may be its end.

        >>> stage = FusedStrip(" ", 1, 1)
        >>> [stage.feed([part]) for part in ("", "  ", "a ", "", "b ")], stage.finish()
        ([[''], [''], [' a'], [''], [' b']], [])
        """
        text = "".join(tokens)
        begin = _run(text, self._content, self._start)
        if text:
            self._start = self._start - begin if begin == len(text) else 0
        text = self._held + text[begin:]
        end = len(text) - _run(text[::-1], self._content, self._stop)
        self._held = text[end:]
        return [text[:end]]

    def finish(self) -> list[str]:
        """Nothing: what was held back is the end that is taken off."""
        self._held = ""
        return []


@dataclass(frozen=True)
class Strip(DecoderStep):
    """The step; `start` and `stop` say how often at most."""

    type = "Strip"
    content: str = " "
    start: int = 0
    stop: int = 0

    @classmethod
    def from_json(cls, options: Options) -> Strip:
        """The character and the counts."""
        content = character(options, "content", " ")
        return cls(content, count(options, "start"), count(options, "stop"))

    def build(self, setting: Setting) -> Make:
        """The stage that sees each token, or the parts of a fused one."""
        content, start, stop = self.content, self.start, self.stop
        if setting.fused:
            return partial(FusedStrip, content, start, stop)
        return partial(Each, lambda token: stripped(token, content, start, stop))
