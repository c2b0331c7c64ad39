"""Bytes: what tiktoken, tekken and RWKV do, where a token is its bytes, a special one its content.

Source: `decode_bytes` in tiktoken.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from tokaudit_reference.steps.decoders.joined import Joined
from tokaudit_reference.steps.decoders.stage import DecoderStep, Make, Setting
from tokaudit_reference.steps.decoders.utf8 import to_bytes
from tokaudit_reference.steps.step import Effects


@dataclass(frozen=True)
class Bytes(DecoderStep):
    """The step that joins bytes; it has no options."""

    type = "Bytes"
    fuses = True
    refuses_unknown_ids = True
    reads_alphabet = False

    def build(self, setting: Setting) -> Make:
        """Return a maker of stages that hold an unfinished character back."""
        return partial(Joined, to_bytes, setting.exact)

    @property
    def bytes_of(self) -> Callable[[str], bytes]:
        """Return a function from a token to the bytes that decoding joins."""
        return to_bytes

    @property
    def effects(self) -> Effects:
        """State that the step joins bytes."""
        return Effects(joins_bytes=True)
