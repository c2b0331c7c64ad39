"""SentencePiece's own decoding, for a `.model` file.

Control pieces are nothing, the unknown piece is its surface, bytes become text character by
character with a U+FFFD for each byte that is not UTF-8, and the mark becomes a space; at the very
beginning it is the dummy prefix and goes.  A model may state a denormalizer, which then rewrites
the whole text.

Source: `SentencePieceProcessor::Decode` in sentencepiece.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from tokaudit_reference.spec import Piece, TokenizerSpec, TokenType
from tokaudit_reference.steps.decoders.byte_fallback import byte_of
from tokaudit_reference.steps.decoders.stage import (
    Chain,
    DecoderStep,
    Each,
    Make,
    Setting,
    Whole,
    whole_if_fused,
)
from tokaudit_reference.steps.decoders.utf8 import Utf8, replaced_one_by_one
from tokaudit_reference.steps.marked_spaces import SPACE as MARK
from tokaudit_reference.steps.normalizers.sentencepiece import SentencePiece as Denormalizer
from tokaudit_reference.steps.step import Effects, Options

UNKNOWN = " \u2047 "
ESCAPED = re.compile("([\udc80-\udcff]+)")


@dataclass(frozen=True, slots=True)
class Rules:
    """The model's rules about its pieces and about white space."""

    fixed: dict[str, str]  # pieces that are always the same text
    bytes: dict[str, int]
    prefix: bool  # a mark at the beginning goes
    extra: bool  # and so do those of the next pieces, while there is no text


class Pieces:
    """Decodes pieces to text; an unfinished character of bytes is held back."""

    def __init__(self, rules: Rules, exact: bool) -> None:
        self._rules, self._exact = rules, exact
        self._utf8 = Utf8(exact=True)
        self._beginning = rules.prefix

    def feed(self, tokens: list[str]) -> list[str]:
        """Return the text of all tokens but an unfinished character."""
        return [self._text(token) for token in tokens]

    def finish(self) -> list[str]:
        """Return the text of an unfinished character."""
        return [self._flushed()]

    def _text(self, token: str) -> str:
        byte = self._rules.bytes.get(token)
        if byte is not None:
            return self._bytes(self._utf8.feed(bytes([byte])))
        flushed = self._flushed()
        return flushed + self._piece(token)

    def _piece(self, token: str) -> str:
        fixed = self._rules.fixed.get(token)
        shown = token.replace(MARK, " ") if fixed is None else fixed
        if self._beginning and fixed is None:
            bare = token.removeprefix(MARK)
            self._beginning = self._rules.extra or bare == token
            shown = bare.replace(MARK, " ")
        self._beginning = self._beginning and not shown
        return shown

    def _flushed(self) -> str:
        return self._bytes(self._utf8.finish())

    def _bytes(self, found: str) -> str:
        self._beginning = self._beginning and not found
        return found if self._exact else replaced_one_by_one(found)


@dataclass(frozen=True)
class SentencePiece(DecoderStep):
    """The step, with the settings of the model that decoding depends on."""

    type = "SentencePiece"
    refuses_unknown_ids = True
    unk_surface: str = UNKNOWN
    add_dummy_prefix: bool = True
    remove_extra_whitespaces: bool = True
    denormalizer: Denormalizer | None = None

    @classmethod
    def from_json(cls, options: Options) -> SentencePiece:
        """Read the settings; the denormalizer has those of a normalizer."""
        stated = options.get("denormalizer")
        inner = None if stated is None else Denormalizer.from_json(stated)
        own = ("unk_surface", "add_dummy_prefix", "remove_extra_whitespaces")
        read = {name: cls.option(options, name, getattr(cls, name)) for name in own}
        return cls(**read, denormalizer=inner)

    def to_json(self) -> dict[str, Any]:
        """Write the settings, including those of the denormalizer."""
        inner = self.denormalizer
        return {**super().to_json(), "denormalizer": None if inner is None else inner.to_json()}

    def build(self, setting: Setting) -> Make:
        """Return a maker of stages that know where the text begins, then the denormalizer's."""
        rules, exact = self._rules(setting.spec), setting.exact
        if self.denormalizer is None:
            return whole_if_fused(partial(Pieces, rules, exact), setting)
        apply = keeping_bytes(self.denormalizer.build().apply)
        return whole_if_fused(lambda: Chain([Pieces(rules, exact), Whole(Each(apply))]), setting)

    def _rules(self, spec: TokenizerSpec) -> Rules:
        pieces = spec.every_piece()
        fixed = {_text(p): self.unk_surface for p in pieces if p.token_type is TokenType.UNKNOWN}
        fixed |= {_text(p): "" for p in pieces if p.token_type is TokenType.CONTROL}
        named = {_text(p): byte_of(_text(p)) for p in pieces if p.token_type is TokenType.BYTE}
        bytes = {piece: byte for piece, byte in named.items() if byte is not None}
        extra = self.remove_extra_whitespaces
        return Rules(fixed, bytes, self.add_dummy_prefix or extra, extra)

    @property
    def effects(self) -> Effects:
        """State that the step reads the mark and byte pieces."""
        return Effects(mark=MARK, reads_byte_pieces=True)


def keeping_bytes(apply: Callable[[str], str]) -> Callable[[str], str]:
    """Return a function that applies another to a text, except bytes that are not UTF-8.

    >>> keeping_bytes(str.upper)("a\\udce6b")
    'A\\udce6B'
    """

    def applied(text: str) -> str:
        parts = ESCAPED.split(text)
        return "".join([part if ESCAPED.match(part) else apply(part) for part in parts])

    return applied


def _text(piece: Piece) -> str:
    value = piece.value
    return value if isinstance(value, str) else value.decode("utf-8", "surrogateescape")
