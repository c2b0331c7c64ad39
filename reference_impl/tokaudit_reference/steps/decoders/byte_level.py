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
    """The step; its options are for the pre-tokenizer and the post-processor of the same name."""

    type = "ByteLevel"
    fuses = True
    add_prefix_space: bool = True
    trim_offsets: bool = True
    use_regex: bool = True

    @classmethod
    def from_json(cls, options: Options) -> ByteLevel:
        """The options, whatever they are: none is read here."""
        own = {name: bool(options.get(name, True)) for name in cls.__dataclass_fields__}
        return cls(**own)

    def build(self, setting: Setting) -> Make:
        """The stage that holds an unfinished character back."""
        return whole_if_fused(partial(Joined, from_alphabet, setting.exact), setting)

    @property
    def bytes_of(self) -> Callable[[str], bytes]:
        """Those that it joins."""
        return from_alphabet

    @property
    def effects(self) -> Effects:
        """It reads bytes, and joins them."""
        return Effects(reads_bytes=True, joins_bytes=True)

    def acts_as(self, *, ids_only: bool = False) -> ByteLevel:
        """The step with the defaults, as no option changes what it does."""
        return ByteLevel()


def from_alphabet(token: str) -> bytes:
    """The bytes that a token stands for; with a character outside the alphabet, its own.

    >>> from_alphabet("Ã©"), from_alphabet("é é")
    (b'\\xc3\\xa9', b'\\xc3\\xa9 \\xc3\\xa9')
    """
    data = bytes_alphabet.to_bytes(token)
    return to_bytes(token) if data is None else data
