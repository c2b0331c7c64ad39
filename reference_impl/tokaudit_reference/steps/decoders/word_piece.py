"""WordPiece: tokens parted by spaces, continuations joined, English contractions put together.

The clean-up takes each token by itself, with the space before it.

Source: `WordPiece` in Hugging Face's tokenizers.
"""

from __future__ import annotations

from functools import partial

from tokaudit_reference.steps.decoders.options import flag, text
from tokaudit_reference.steps.decoders.stage import Build, Make, Options, Setting, whole_if_fused

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


class WordPiece:
    """The stage; only the first token differs from the others."""

    def __init__(self, prefix: str, cleanup: bool) -> None:
        self._prefix, self._cleanup, self._first = prefix, cleanup, True

    def feed(self, tokens: list[str]) -> list[str]:
        """All tokens; none is held back.

        >>> stage = WordPiece("##", cleanup=True)
        >>> stage.feed(["##a", "##b", "c"]), stage.feed(["."])
        (['##a', 'b', ' c'], ['.'])
        """
        parted = [self._parted(token) for token in tokens]
        if self._first and tokens:
            self._first, parted[0] = False, tokens[0]
        return [cleaned(token) for token in parted] if self._cleanup else parted

    def finish(self) -> list[str]:
        """Nothing."""
        return []

    def _parted(self, token: str) -> str:
        if token.startswith(self._prefix):
            return token.removeprefix(self._prefix)
        return " " + token


def _build(options: Options, setting: Setting) -> Make:
    return partial(WordPiece, text(options, "prefix", "##"), flag(options, "cleanup"))


BUILDERS: dict[str, Build] = {"WordPiece": whole_if_fused(_build)}
