"""CTC: a token that is repeated counts once, padding is dropped, a delimiter becomes a space.

Nothing is held back: of a run of equal tokens the first one settles the text.

Source: `CTC` in Hugging Face's tokenizers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from tokaudit_reference.steps.decoders.stage import DecoderStep, Make, Setting, whole_if_fused
from tokaudit_reference.steps.decoders.word_piece import cleaned


@dataclass
class Collapsing:
    """Drops repeated tokens; it remembers the token before."""

    pad: str = "<pad>"
    delimiter: str = "|"
    cleanup: bool = True
    before: str | None = None

    def feed(self, tokens: list[str]) -> list[str]:
        """Return the tokens that begin a run and are not only padding.

        >>> Collapsing().feed(["a", "a", "<pad>", "a", "|", "|", "b"])
        ['a', 'a', ' ', 'b']
        """
        settled = []
        for token in tokens:
            if token != self.before:
                settled.append(self._shown(token))
            self.before = token
        return list(filter(None, settled))

    def finish(self) -> list[str]:
        """Return no tokens: none is held back."""
        return []

    def _shown(self, token: str) -> str:
        token = token.replace(self.pad, "")
        return cleaned(token).replace(self.delimiter, " ") if self.cleanup else token


@dataclass(frozen=True)
class CTC(DecoderStep):
    """The CTC step with its options."""

    type = "CTC"
    pad_token: str = "<pad>"
    word_delimiter_token: str = "|"
    cleanup: bool = True

    def build(self, setting: Setting) -> Make:
        """Return a maker of stages that remember the token before."""
        make = partial(Collapsing, self.pad_token, self.word_delimiter_token, self.cleanup)
        return whole_if_fused(make, setting)
