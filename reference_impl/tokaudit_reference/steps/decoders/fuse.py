"""Fuse: one token of all.

Source: `Fuse` in Hugging Face's tokenizers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from tokaudit_reference.steps.decoders.stage import DecoderStep, Each, Make, Setting


@dataclass(frozen=True)
class Fuse(DecoderStep):
    """The Fuse step, which has no options."""

    type = "Fuse"
    fuses = True

    def build(self, setting: Setting) -> Make:
        """Return a maker of stages that change nothing, as the tokens are joined anyway."""
        return partial(Each, str)
