"""The steps that only join: Fuse, and the space between tokens where there is no decoder.

Source: `Fuse`, and `Tokenizer.decode` without a decoder, in Hugging Face's tokenizers.
"""

from __future__ import annotations

from functools import partial

from tokaudit_reference.steps.decoders.stage import Build, Each, Make, Options, Setting

SPACED = "no decoder"


class Spaced:
    """The stage that puts a space between tokens."""

    def __init__(self) -> None:
        self._first = True

    def feed(self, tokens: list[str]) -> list[str]:
        """All tokens, each but the first with a space before it.

        >>> stage = Spaced()
        >>> stage.feed(["a", "b"]), stage.feed(["c"])
        (['a', ' b'], [' c'])
        """
        spaced = [" " + token for token in tokens]
        if self._first and tokens:
            self._first, spaced[0] = False, tokens[0]
        return spaced

    def finish(self) -> list[str]:
        """Nothing."""
        return []


def _fuse(options: Options, setting: Setting) -> Make:
    return partial(Each, str)


def _spaced(options: Options, setting: Setting) -> Make:
    return Spaced


BUILDERS: dict[str, Build] = {"Fuse": _fuse, SPACED: _spaced}
FUSING = frozenset({"Fuse"})
