"""SentencePiece's own decoding, for a `.model` file.

Control pieces are nothing, the unknown piece is its surface, bytes become text character by
character with a U+FFFD for each byte that is no UTF-8, and the mark becomes a space; at the very
beginning it is the dummy prefix and goes.  A model may state a denormalizer, which then rewrites
the whole text.

Source: `SentencePieceProcessor::Decode` in sentencepiece.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from tokaudit_reference.spec import Piece, PieceKind
from tokaudit_reference.steps.decoders.byte_fallback import byte_of
from tokaudit_reference.steps.decoders.options import flag, text
from tokaudit_reference.steps.decoders.stage import (
    Build,
    Chain,
    Each,
    Make,
    Options,
    Setting,
    Whole,
    whole_if_fused,
)
from tokaudit_reference.steps.decoders.utf8 import Utf8, replaced_one_by_one
from tokaudit_reference.steps.normalizers.sentencepiece import build as denormalizing

MARK = "\u2581"
UNKNOWN = " \u2047 "
ESCAPED = re.compile("([\udc80-\udcff]+)")


@dataclass(frozen=True, slots=True)
class Rules:
    """What the model says of its pieces and of white space."""

    fixed: dict[str, str]  # pieces that are always the same text
    bytes: dict[str, int]
    prefix: bool  # a mark at the beginning goes
    extra: bool  # and so do those of the next pieces, while there is no text


class SentencePiece:
    """The stage; an unfinished character of bytes is held back."""

    def __init__(self, rules: Rules, exact: bool) -> None:
        self._rules, self._exact = rules, exact
        self._utf8 = Utf8(exact=True)
        self._beginning = rules.prefix

    def feed(self, tokens: list[str]) -> list[str]:
        """The text of all tokens but an unfinished character."""
        return [self._text(token) for token in tokens]

    def finish(self) -> list[str]:
        """What an unfinished character comes to."""
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


def _build(options: Options, setting: Setting) -> Make:
    pieces = setting.spec.pieces.values()
    unknown = text(options, "unk_surface", UNKNOWN)
    fixed = {_text(p): unknown for p in pieces if p.kind is PieceKind.UNKNOWN}
    fixed |= {_text(p): "" for p in pieces if p.kind is PieceKind.CONTROL}
    named = {_text(p): byte_of(_text(p)) for p in pieces if p.kind is PieceKind.BYTE}
    extra = flag(options, "remove_extra_whitespaces")
    prefix = flag(options, "add_dummy_prefix") or extra
    bytes = {piece: byte for piece, byte in named.items() if byte is not None}
    rules = Rules(fixed, bytes, prefix, extra)
    denormalizer = options.get("denormalizer")
    if denormalizer is None:
        return partial(SentencePiece, rules, setting.exact)
    apply = keeping_bytes(denormalizing(denormalizer).apply)
    return lambda: Chain([SentencePiece(rules, setting.exact), Whole(Each(apply))])


def keeping_bytes(apply: Callable[[str], str]) -> Callable[[str], str]:
    """The function on all of a text but its bytes that are no UTF-8.

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


BUILDERS: dict[str, Build] = {"SentencePiece": whole_if_fused(_build)}
