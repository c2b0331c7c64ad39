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
    """Strip at most `start` of a character before a token and at most `stop` after it.

    >>> stripped("  a ", " ", 1, 1), stripped("a", " ", 1, 1)
    (' a', 'a')
    """
    begin = _run(token, content, start)
    return token[begin : len(token) - _run(token[begin:][::-1], content, stop)]


def _run(token: str, content: str, most: int) -> int:
    return min(most, len(token) - len(token.lstrip(content)))


class FusedStrip:
    """Strips a token in parts; characters that may be stripped at its end are held back."""

    def __init__(self, content: str, start: int, stop: int) -> None:
        self._content, self._start, self._stop = content, start, stop
        self._held = ""

    def feed(self, tokens: list[str]) -> list[str]:
        """Return the token so far, without its beginning and a possible end.

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
        """Return no tokens: the held-back end is stripped."""
        self._held = ""
        return []


@dataclass(frozen=True)
class Strip(DecoderStep):
    """The Strip step; `start` and `stop` are the most characters to strip."""

    type = "Strip"
    content: str = " "
    start: int = 0
    stop: int = 0

    @classmethod
    def from_json(cls, options: Options) -> Strip:
        """Read the character and the counts."""
        content = character(options, "content", " ")
        return cls(content, count(options, "start"), count(options, "stop"))

    def build(self, setting: Setting) -> Make:
        """Return a maker of stages that see each token, or the parts of a fused one."""
        content, start, stop = self.content, self.start, self.stop
        if setting.fused:
            return partial(FusedStrip, content, start, stop)
        return partial(Each, lambda token: stripped(token, content, start, stop))
