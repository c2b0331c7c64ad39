"""BPEDecoder: the mark of a word's end becomes a space, and in the last token nothing.

Source: `BPEDecoder` in Hugging Face's tokenizers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from tokaudit_reference.steps.decoders.stage import DecoderStep, Make, Setting, whole_if_fused


class WordEnds:
    """Replaces marks of word ends; one token is held back, as it may be the last."""

    def __init__(self, suffix: str) -> None:
        self._suffix = suffix
        self._last: list[str] = []

    def feed(self, tokens: list[str]) -> list[str]:
        """Return all tokens but the last.

        >>> stage = WordEnds("</w>")
        >>> stage.feed(["a</w>", "b"]), stage.feed(["c</w>"]), stage.finish()
        (['a '], ['b'], ['c'])
        """
        waiting = [*self._last, *tokens]
        self._last = waiting[-1:]
        return [token.replace(self._suffix, " ") for token in waiting[:-1]]

    def finish(self) -> list[str]:
        """Return the last token."""
        last, self._last = self._last, []
        return [token.replace(self._suffix, "") for token in last]


@dataclass(frozen=True)
class BPEDecoder(DecoderStep):
    """The BPEDecoder step with its options."""

    type = "BPEDecoder"
    suffix: str = "</w>"

    def build(self, setting: Setting) -> Make:
        """Return a maker of stages that hold the last token back."""
        return whole_if_fused(partial(WordEnds, self.suffix), setting)
