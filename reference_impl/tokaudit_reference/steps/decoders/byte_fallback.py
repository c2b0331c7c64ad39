"""ByteFallback: a run of tokens like `<0xE6>` becomes the text of its bytes.

A run that is not UTF-8 as a whole becomes one U+FFFD for each of its bytes, the good ones too.  So
a run is held back until another token ends it.

Source: `ByteFallback` in Hugging Face's tokenizers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial

from tokaudit_reference.steps.decoders.stage import DecoderStep, Make, Setting, whole_if_fused
from tokaudit_reference.steps.decoders.utf8 import REPLACEMENT
from tokaudit_reference.steps.step import Effects

BYTE = re.compile(r"<0x([0-9A-Fa-f]{2}|\+[0-9A-Fa-f])>")  # Rust reads a sign as part of a number


def byte_of(token: str) -> int | None:
    """Return the byte that a token such as `<0xE6>` names.

    >>> byte_of("<0x0a>"), byte_of("<0x+a>"), byte_of("<0xa>"), byte_of("<0x0a>\\n")
    (10, 10, None, None)
    """
    found = BYTE.fullmatch(token)
    return int(found[1], 16) if found else None


class Runs:
    """Joins runs of byte tokens; `exact` keeps the bytes of a run that is not UTF-8."""

    def __init__(self, exact: bool = False) -> None:
        self._run, self._exact = bytearray(), exact

    def feed(self, tokens: list[str]) -> list[str]:
        """Return all tokens but a run of bytes at the end.

        >>> stage = Runs()
        >>> stage.feed(["a", "<0xE6>", "<0xBC>"]), stage.feed(["<0xA2>", "b", "<0xE6>", "<0x61>"])
        (['a'], ['漢', 'b'])
        >>> stage.finish()
        ['�', '�']
        """
        settled: list[str] = []
        for token in tokens:
            byte = byte_of(token)
            if byte is None:
                settled += [*self.finish(), token] if self._run else [token]
            else:
                self._run.append(byte)
        return settled

    def finish(self) -> list[str]:
        """Return the text of the finished run."""
        run, self._run = bytes(self._run), bytearray()
        try:
            return [run.decode()] if run else []
        except UnicodeDecodeError:
            return list(run.decode("utf-8", "surrogateescape") if self._exact else _marks(run))


def _marks(run: bytes) -> str:
    return REPLACEMENT * len(run)


@dataclass(frozen=True)
class ByteFallback(DecoderStep):
    """The ByteFallback step, which has no options."""

    type = "ByteFallback"

    def build(self, setting: Setting) -> Make:
        """Return a maker of stages that hold a run of bytes back."""
        return whole_if_fused(partial(Runs, setting.exact), setting)

    @property
    def effects(self) -> Effects:
        """State that the step reads byte pieces."""
        return Effects(reads_byte_pieces=True)
