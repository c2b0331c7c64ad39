"""ByteLevel: all tokens as the bytes that GPT-2's alphabet writes, and one text of all bytes.

Source: `ByteLevel` in Hugging Face's tokenizers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from tokaudit_reference.steps.decoders.joined import Joined
from tokaudit_reference.steps.decoders.stage import DecoderStep, Make, Setting, whole_if_fused
from tokaudit_reference.steps.decoders.utf8 import to_bytes
from tokaudit_reference.steps.step import Effects, Options
from tokaudit_reference.text import bytes_alphabet


@dataclass(frozen=True)
class ByteLevel(DecoderStep):
    """The ByteLevel step; its options only count in the two other steps of this name."""

    type = "ByteLevel"
    fuses = True
    add_prefix_space: bool = True
    trim_offsets: bool = True
    use_regex: bool = True

    @classmethod
    def from_json(cls, options: Options) -> ByteLevel:
        """Keep the options as they are: none is read here."""
        own = {name: bool(options.get(name, True)) for name in cls.__dataclass_fields__}
        return cls(**own)

    def build(self, setting: Setting) -> Make:
        """Return a maker of stages that hold an unfinished character back."""
        return whole_if_fused(partial(Joined, from_alphabet, setting.exact), setting)

    @property
    def bytes_of(self) -> Callable[[str], bytes]:
        """Return a function from a token to the bytes that decoding joins."""
        return from_alphabet

    @property
    def effects(self) -> Effects:
        """State that the step reads bytes and joins them."""
        return Effects(reads_bytes=True, joins_bytes=True)

    def acts_as(self, *, ids_only: bool = False) -> ByteLevel:
        """Return the step with default options, as none changes what it does."""
        return ByteLevel()


def from_alphabet(token: str) -> bytes:
    """Return the bytes of a token; its UTF-8 if a character is outside the alphabet.

    >>> from_alphabet("Ã©"), from_alphabet("é é")
    (b'\\xc3\\xa9', b'\\xc3\\xa9 \\xc3\\xa9')
    """
    data = bytes_alphabet.to_bytes(token)
    return to_bytes(token) if data is None else data
