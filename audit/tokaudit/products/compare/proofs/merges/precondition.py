"""Precondition of the merge proof, and why a BPE spec may not meet it.

The proof is about sequences of symbols, so it needs that symbols arise in two ways only: a text is
spelled in them, or a merge makes them of its two parts.  Each rule below that could break that is
either shown not to be at work or named.  Byte fallback and unknown tokens do not matter: what
they put into the text takes part in no merge, so it only separates what is left and right of it;
what they do is compared in `spelling`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tokaudit.products.compare.proofs.merges.candidates import Merge, is_scored
from tokaudit_reference.models.bpe.merge_table import Surface
from tokaudit_reference.spec import Dialect, ModelType, Priority, TokenizerSpec, TokenType


def obstacle(spec: TokenizerSpec, rows: Sequence[Merge]) -> str:
    """Explain why nothing can be proved about this model; "" if something can.

    >>> obstacle(TokenizerSpec(ModelType.BPE, {}, dropout=0.1), [])
    'dropout makes the tokens random'
    """
    return next(_obstacles(spec, rows), "")


def _obstacles(spec: TokenizerSpec, rows: Sequence[Merge]) -> Iterator[str]:
    if spec.model_type is not ModelType.BPE:
        yield f"the model is {spec.model_type}, which has no merges"
    if spec.sharing:
        yield "entries share an id, so a merge of one of them is one of the others"
    if spec.dropout:
        yield "dropout makes the tokens random"
    if spec.continuing_subword_prefix:
        yield f"parts after the first are marked with {spec.continuing_subword_prefix!r}"
    # Refuse NaN, which has no place in an order.
    if any(row.rank != row.rank for row in rows):
        yield "a rank is not a number"
    # Trust the mark of a word's end only where spelling alone puts it there.
    if spec.end_of_word_suffix and spec.priority is Priority.PRODUCT:
        yield "tokens are ranked, and words have a mark at their end"
    if spec.end_of_word_suffix and spec.ignore_merges:
        yield "pieces are looked up whole, and words have a mark at their end"
    if spec.end_of_word_suffix and not _mark_comes_from_spelling(spec.end_of_word_suffix, rows):
        yield f"a merge writes the mark {spec.end_of_word_suffix!r} elsewhere than at a word's end"
    if is_scored(spec) and any(p.token_type is TokenType.UNUSED for p in spec.every_piece()):
        yield "unused pieces are taken apart again after merging"
    if is_scored(spec) and spec.dialect is Dialect.LLAMA_CPP:
        yield "llama.cpp merges whatever spells an entry, a control token too"
    if spec.unlisted or any(p.token_type is TokenType.LOOKED_UP for p in spec.every_piece()):
        yield "the vocabulary is not that of the model"
    unknown = spec.pieces.get(spec.unk_id) if spec.unk_id is not None else None
    # Tell text from its replacement: a text may hold this character itself.
    if is_scored(spec) and unknown is not None and len(unknown.value) == 1:
        yield "the unknown token is a character that text may hold"
    if strange := _merged_though_not_spelled(spec, rows):
        yield f"{strange!r} is put in for what is not in the vocabulary, and merges name it"


def _mark_comes_from_spelling(suffix: str, rows: Sequence[Merge]) -> bool:
    """Return whether only a word's last symbol carries the mark, and merges keep it last.

    Else a text that holds the mark in plain letters could be merged into a piece that has it.
    """
    mark = suffix.encode()

    def marks(value: Surface) -> int:
        return value.count(mark) if isinstance(value, bytes) else value.count(suffix)

    for _, left, right, product in rows:
        end = mark if isinstance(right, bytes) else suffix
        at_end = right.endswith(end) and len(right) > len(end)  # type: ignore[arg-type]
        if marks(left) or marks(right) != at_end or marks(product) != at_end:
            return False
    return True


def _merged_though_not_spelled(spec: TokenizerSpec, rows: Sequence[Merge]) -> Surface | None:
    """Return a piece for unknown text or a byte that is a part of some merge."""
    if is_scored(spec):
        return None  # SentencePiece merges text, and puts them in after merging
    put_in = {
        spec.surface(piece)
        for id, piece in spec.each_entry()
        if id == spec.unk_id or (piece.token_type is TokenType.BYTE and spec.byte_fallback)
    }
    parts = (part for row in rows for part in (row.left, row.right))
    return next((part for part in parts if part in put_in), None)
