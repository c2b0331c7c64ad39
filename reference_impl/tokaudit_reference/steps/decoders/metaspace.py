"""Metaspace: the visible mark becomes a space again, and in the first token nothing.

`split` is about encoding and has no part in decoding.

Source: `Metaspace` in Hugging Face's tokenizers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from tokaudit_reference.steps.decoders.options import character
from tokaudit_reference.steps.decoders.stage import DecoderStep, Make, Setting
from tokaudit_reference.steps.marked_spaces import SPACE, stated_scheme
from tokaudit_reference.steps.step import Effects, Options


class Unmarking:
    """Replaces marks by spaces; all parts of a fused token count as the first token."""

    def __init__(self, mark: str, prepended: bool, fused: bool) -> None:
        self._mark, self._first, self._fused = mark, prepended, fused

    def feed(self, tokens: list[str]) -> list[str]:
        """Return all tokens; none is held back.

        >>> stage = Unmarking("▁", prepended=True, fused=False)
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
        """Return no tokens: none is held back."""
        return []


@dataclass(frozen=True)
class Metaspace(DecoderStep):
    """The Metaspace step with its options."""

    type = "Metaspace"
    replacement: str = SPACE
    prepend_scheme: str = "always"
    split: bool = True

    @classmethod
    def from_json(cls, options: Options) -> Metaspace:
        """Read the options; old files state `add_prefix_space` instead of the scheme."""
        mark = character(options, "replacement", SPACE)
        return cls(mark, stated_scheme(options), bool(options.get("split", True)))

    def build(self, setting: Setting) -> Make:
        """Return a maker of stages that know which token is the first."""
        prepended = self.prepend_scheme != "never"
        return partial(Unmarking, self.replacement, prepended, setting.fused)

    @property
    def effects(self) -> Effects:
        """State that the step reads the mark."""
        return Effects(mark=self.replacement)

    def acts_as(self, *, ids_only: bool = False) -> Metaspace:
        """Return the step with defaults for options that decoding does not read."""
        return replace(self, split=True)
