"""An engine in this process, to be wrapped with faults: the reference with every ability."""

from __future__ import annotations

from collections.abc import Sequence

from tokaudit.runtimes.protocol import DecodeOptions, EncodeOptions, Encoding, TokenizerInfo
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_reference.tokenizer import ReferenceTokenizer
from tokaudit_reference.trace import TracedSegment, trace

CAPABILITIES = frozenset({"encode", "decode", "special", "adds", "batch"})


class Engine:
    """The reference as a tokenizer of the protocol, with its stages."""

    capabilities = CAPABILITIES

    def __init__(self, spec: TokenizerSpec, name: str = "engine") -> None:
        self.spec, self.reference = spec, ReferenceTokenizer(spec)
        self.info = TokenizerInfo(name, "", "1")

    def close(self) -> None:
        """Forget what was asked; a fault may keep it as `kept`."""
        self.__dict__.pop("kept", None)

    def vocab(self) -> dict[int, bytes | str]:
        """Id -> the value of the piece."""
        return {id: piece.value for id, piece in self.spec.pieces.items()}

    def encode(
        self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        """One encoding for each text."""
        return [self.one(text, options) for text in texts]

    def one(self, text: str, options: EncodeOptions) -> Encoding:
        """The encoding of one text."""
        found = self.reference.encode(
            text,
            add_special_tokens=options.add_special_tokens,
            parse_special=options.parse_special,
        )
        return Encoding(ids=tuple(found.ids))

    def decode(
        self, ids: Sequence[Sequence[int]], options: DecodeOptions = DecodeOptions()
    ) -> list[bytes | str]:
        """Text for each list of ids."""
        skip = options.skip_special_tokens
        return [self.reference.decode(one, skip_special_tokens=skip) for one in ids]

    def trace(self, text: str, *, parse_special: bool = True) -> Sequence[TracedSegment]:
        """The stages of one text."""
        return trace(self.reference, text, parse_special=parse_special)
