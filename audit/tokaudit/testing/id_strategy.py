"""Draw lists of ids that break decoders: partial characters, added tokens, the ends."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from tokaudit.engine.vocabularies.piece_texts import piece_text
from tokaudit_reference.spec import TokenizerSpec

MOST_IDS = 30


def ids_of(spec: TokenizerSpec) -> SearchStrategy[list[int]]:
    """Return lists of the tokenizer's ids; a hole in the vocabulary is never drawn."""
    known = sorted({*spec.pieces, *(token.id for token in spec.added_tokens)})
    if not known:
        return st.just([])
    kinds = [known, [known[0], known[-1]], *_fragile(spec)]
    return st.lists(st.one_of([st.sampled_from(kind) for kind in kinds if kind]), max_size=MOST_IDS)


def _fragile(spec: TokenizerSpec) -> list[list[int]]:
    """Return ids by kind: added tokens, partial text, and text with outer spaces."""
    read = {id: piece_text(piece) for id, piece in spec.pieces.items()}
    return [
        sorted({token.id for token in spec.added_tokens}),
        sorted(id for id, text in read.items() if text is None),
        sorted(id for id, text in read.items() if text and text != text.strip()),
    ]
