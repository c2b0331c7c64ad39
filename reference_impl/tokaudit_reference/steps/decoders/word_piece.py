"""WordPiece: tokens parted by spaces, continuations joined, English contractions put together.

The clean-up takes each token by itself, with the space before it.

Source: `WordPiece` in Hugging Face's tokenizers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from tokaudit_reference.steps.decoders.stage import DecoderStep, Make, Setting, whole_if_fused
from tokaudit_reference.steps.step import Effects

CLEANED = (
    (" .", "."),
    (" ?", "?"),
    (" !", "!"),
    (" ,", ","),
    (" ' ", "'"),
    (" n't", "n't"),
    (" 'm", "'m"),
    (" do not", " don't"),
    (" 's", "'s"),
    (" 've", "'ve"),
    (" 're", "'re"),
)


def cleaned(token: str) -> str:
    """A token without the space before punctuation and the endings of English words.

    >>> cleaned(" ."), cleaned(" 's"), cleaned(" do not")
    ('.', "'s", " don't")
    """
    for before, after in CLEANED:
        token = token.replace(before, after)
    return token


class Joining:
    """Joins tokens with spaces; only the first token differs from the others."""

    def __init__(self, prefix: str, cleanup: bool) -> None:
        self._prefix, self._cleanup, self._first = prefix, cleanup, True

    def feed(self, tokens: list[str]) -> list[str]:
        """Return all tokens; none is held back.

        >>> stage = Joining("##", cleanup=True)
        >>> stage.feed(["##a", "##b", "c"]), stage.feed(["."])
        (['##a', 'b', ' c'], ['.'])
        """
        parted = [self._parted(token) for token in tokens]
        if self._first and tokens:
            self._first, parted[0] = False, tokens[0]
        return [cleaned(token) for token in parted] if self._cleanup else parted

    def finish(self) -> list[str]:
        """Return no tokens: none is held back."""
        return []

    def _parted(self, token: str) -> str:
        if token.startswith(self._prefix):
            return token.removeprefix(self._prefix)
        return " " + token


@dataclass(frozen=True)
class WordPiece(DecoderStep):
    """The WordPiece step with its options."""

    type = "WordPiece"
    prefix: str = "##"
    cleanup: bool = True

    def build(self, setting: Setting) -> Make:
        """Return a maker of stages that know which token is the first."""
        return whole_if_fused(partial(Joining, self.prefix, self.cleanup), setting)

    @property
    def effects(self) -> Effects:
        """State that the step joins continuations to the token before."""
        return Effects(joins_continuations=True)
