"""Decodes as tokenizers does without a decoder: a space between tokens.

Source: `Tokenizer.decode` in Hugging Face's tokenizers.
"""

from __future__ import annotations

from dataclasses import dataclass

from tokaudit_reference.steps.decoders.stage import DecoderStep, Make, Setting


class Spacing:
    """Puts a space between tokens."""

    def __init__(self) -> None:
        self._first = True

    def feed(self, tokens: list[str]) -> list[str]:
        """Return all tokens, each but the first with a space before it.

        >>> stage = Spacing()
        >>> stage.feed(["a", "b"]), stage.feed(["c"])
        (['a', ' b'], [' c'])
        """
        spaced = [" " + token for token in tokens]
        if self._first and tokens:
            self._first, spaced[0] = False, tokens[0]
        return spaced

    def finish(self) -> list[str]:
        """Return no tokens: none is held back."""
        return []


@dataclass(frozen=True)
class Spaced(DecoderStep):
    """The step that puts spaces between tokens, which no file states."""

    type = "no decoder"

    def build(self, setting: Setting) -> Make:
        """Return a maker of stages that know which token is the first."""
        return Spacing
