"""Runs a spec: added tokens, normalizer, pre-tokenizer, model, in the order of the pipeline.

It adds no special tokens around a text, keeps no offsets and does not decode yet.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from tokaudit_reference.added_tokens import Scanner, Segment
from tokaudit_reference.models import model
from tokaudit_reference.normalizers import normalizer
from tokaudit_reference.pre_tokenizers import pre_tokenizer
from tokaudit_reference.spec import Family, PieceKind, TokenizerSpec, components_of
from tokaudit_reference.unsupported import Unsupported

CACHED = 100_000  # pre-tokens; ids depend on the pre-token alone


@dataclass(frozen=True, slots=True)
class Encoded:
    """The ids of one text."""

    ids: list[int]


class ReferenceTokenizer:
    """The reference encoder of one spec; raises `Unsupported` for what it does not cover.

    >>> from tokaudit_reference.spec import Component, Piece, Standing
    >>> pieces = {i: Piece(PieceKind.ORDINARY, v) for i, v in enumerate(["a", "b", "ab"])}
    >>> none = Component(None, Standing.STATED)
    >>> spec = TokenizerSpec(
    ...     Family.BPE, pieces, merges=(("a", "b"),), normalizer=none, pre_tokenizer=none
    ... )
    >>> ReferenceTokenizer(spec).encode("abba").ids
    [2, 1, 0]
    """

    def __init__(self, spec: TokenizerSpec) -> None:
        _refuse_unstated(spec)
        self.spec = spec
        self._normalize = normalizer(spec.normalizer)
        self._split = pre_tokenizer(spec.pre_tokenizer)
        self._model = lru_cache(CACHED)(model(spec))
        self._scanners = {True: self._passes(True), False: self._passes(False)}

    def encode(self, text: str, *, parse_special: bool = True) -> Encoded:
        """The ids of a text; `parse_special=False` reads special tokens in it as plain text."""
        ids: list[int] = []
        for segment in self._segments(text, parse_special):
            if segment.id is not None:
                ids.append(segment.id)
                continue
            for piece in self._split(segment.text, segment.start == 0):
                ids.extend(self._model(piece))
        return Encoded(ids)

    def _passes(self, parse_special: bool) -> tuple[Scanner, Scanner]:
        """The scanner of the raw text, and the one of the normalized remainder."""
        allowed = parse_special and self.spec.control_from_text
        tokens = [t for t in self.spec.added_tokens if allowed or not t.special]
        raw = Scanner([t for t in tokens if not t.normalized], str)
        return raw, Scanner([t for t in tokens if t.normalized], self._normalize)

    def _segments(self, text: str, parse_special: bool) -> Iterator[Segment]:
        raw, normalized = self._scanners[parse_special]
        for outer in raw.split(text):
            if outer.id is not None:
                yield outer
                continue
            for inner in normalized.split(self._normalize(outer.text)):
                begins = outer.start == 0 and inner.start == 0
                yield Segment(inner.text, 0 if begins else outer.start + inner.start + 1, inner.id)


def _refuse_unstated(spec: TokenizerSpec) -> None:
    """What nobody states cannot be run: guessing it would prove nothing."""
    if spec.pre_tokenizer.standing == "unstated":
        raise Unsupported("the split pattern is not stated; give it with --pattern")
    steps = components_of(spec.normalizer, "normalizers")
    if any(step.get("type") == "ByteLevel" for step in steps):
        raise Unsupported("a ByteLevel normalizer is not covered", pointer="/normalizer")
    if spec.family is Family.BPE and any(p.kind is PieceKind.UNUSED for p in spec.pieces.values()):
        raise Unsupported("BPE with unused pieces is not covered")
