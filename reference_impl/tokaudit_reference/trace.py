"""Describes how a text became tokens, stage by stage.

Added tokens are found, what lies between them is normalized and cut into pieces, and each piece is
merged to ids; every stage says what it made and which part of the text that is.  Merging is done
over again here in the slow way that has steps to tell, and the ids come from the encoder itself.
"""

from __future__ import annotations

from dataclasses import dataclass

from tokaudit_reference.models.bpe.merge_steps import MergeStep, shown
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_reference.text.alignment import AlignedText, Span
from tokaudit_reference.tokenizer import ReferenceTokenizer


@dataclass(frozen=True, slots=True)
class TracedToken:
    """An id, the vocabulary's entry for it, and the part of the text that it stands for."""

    id: int
    token: str
    offsets: Span


@dataclass(frozen=True, slots=True)
class TracedPiece:
    """A text that was one input of the model, the merges in their order, and the ids."""

    text: str
    offsets: Span
    merges: tuple[MergeStep, ...]
    tokens: tuple[TracedToken, ...]


@dataclass(frozen=True, slots=True)
class TracedSegment:
    """An added token, or the normalized text between two and its pieces."""

    text: str
    offsets: Span
    added_id: int | None
    normalized: str
    pieces: tuple[TracedPiece, ...] = ()


def trace(
    tokenizer: ReferenceTokenizer, text: str, *, parse_special: bool = True
) -> list[TracedSegment]:
    """The stages of encoding a text.

    >>> from tokaudit_reference.spec import *
    >>> pieces = {i: Piece(TokenType.ORDINARY, v) for i, v in enumerate(["a", "b", "ab"])}
    >>> none = Component(None, Standing.STATED)
    >>> spec = TokenizerSpec(
    ...     ModelType.BPE, pieces, merges=(("a", "b"),), normalizer=none, pre_tokenizer=none
    ... )
    >>> [piece] = trace(ReferenceTokenizer(spec), "abb")[0].pieces
    >>> piece.merges, [(token.id, token.offsets) for token in piece.tokens]
    ((MergeStep(rank=0, left='a', right='b'),), [(2, (0, 2)), (1, (2, 3))])
    """
    found = []
    for segment in tokenizer.segments(text, parse_special=parse_special):
        span = segment.text.interval(0, len(segment.text.text))
        pieces: tuple[TracedPiece, ...] = ()
        if segment.id is None:
            aligned = tokenizer.pipeline.aligned(segment.text)
            pieces = tuple(_piece(tokenizer, piece) for piece in aligned)
        original = text[slice(*span)]
        found.append(TracedSegment(original, span, segment.id, segment.text.text, pieces))
    return found


def _named(spec: TokenizerSpec, id: int) -> str:
    """Return the entry of an id, or all that share it: engines differ in which one they name."""
    return " or ".join(shown(piece.value) for piece in spec.pieces_at(id))


def _piece(tokenizer: ReferenceTokenizer, piece: AlignedText) -> TracedPiece:
    given = tokenizer.pipeline.model_input(piece)
    tokens = tuple(
        TracedToken(id, _named(tokenizer.spec, id), piece.interval(start, end))
        for id, start, end in tokenizer.spans(piece)
    )
    merges = tuple(tokenizer.merge_steps.of(given))
    return TracedPiece(given, piece.interval(0, len(piece.text)), merges, tokens)
