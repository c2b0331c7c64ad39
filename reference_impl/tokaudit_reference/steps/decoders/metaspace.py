"""Metaspace: the visible mark becomes a space again, and in the first token nothing.

`split` is about encoding and has no part in decoding.

Source: `Metaspace` in Hugging Face's tokenizers.
"""

from __future__ import annotations

from functools import partial

from tokaudit_reference.steps.decoders.options import character
from tokaudit_reference.steps.decoders.stage import Build, Make, Options, Setting


class Metaspace:
    """The stage; of a fused token all parts are the first token."""

    def __init__(self, mark: str, prepended: bool, fused: bool) -> None:
        self._mark, self._first, self._fused = mark, prepended, fused

    def feed(self, tokens: list[str]) -> list[str]:
        """All tokens; none is held back.

        >>> stage = Metaspace("▁", prepended=True, fused=False)
        >>> stage.feed(["▁a▁b", "▁c"]), stage.feed(["▁d"])
        (['ab', ' c'], [' d'])
        """
        if self._first and self._fused:
            return [token.replace(self._mark, "") for token in tokens]
        spaced = [token.replace(self._mark, " ") for token in tokens]
        if self._first and tokens:
            self._first = False
            spaced[0] = tokens[0].replace(self._mark, "")
        return spaced

    def finish(self) -> list[str]:
        """Nothing."""
        return []


def _build(options: Options, setting: Setting) -> Make:
    """Old files state `add_prefix_space` in place of the scheme."""
    scheme = options.get("prepend_scheme")
    prepended = options.get("add_prefix_space", True) if scheme is None else scheme != "never"
    mark = character(options, "replacement", "\u2581")
    return partial(Metaspace, mark, bool(prepended), setting.fused)


BUILDERS: dict[str, Build] = {"Metaspace": _build}
