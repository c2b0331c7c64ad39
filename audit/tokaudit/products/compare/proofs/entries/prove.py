"""Prove that lookup models have equal entries and settings, at any ids.

WordPiece takes the longest entry that fits, WordLevel the one that is the word.  Neither asks for
an id, so two such models with the same entries and settings turn every word into the same entries.
An entry that two ids share, or that is there twice, is not covered: which one counts is a matter of
the order in a file.
"""

from __future__ import annotations

from tokaudit_reference.spec import ModelType, Piece, TokenizerSpec

LOOKED_UP = (ModelType.WORDPIECE, ModelType.WORDLEVEL)
BY_ID = ("scores", "product_ranks")
SETTINGS = (
    *("model_type", "merges", "priority", "unlisted", "ignore_merges", "fuse_unk"),
    *("byte_fallback", "byte_level", "continuing_subword_prefix", "end_of_word_suffix"),
    *("max_input_chars_per_word", "dropout", "control_from_text", "begin_id"),
    "dialect",
)


def same_entries(first: TokenizerSpec, second: TokenizerSpec) -> int:
    """Count the equal entries of two lookup models; 0 if any differ.

    >>> from tokaudit_reference.spec import TokenType
    >>> def spec(*tokens):
    ...     pieces = {id: Piece(TokenType.ORDINARY, token) for id, token in enumerate(tokens)}
    ...     return TokenizerSpec(ModelType.WORDLEVEL, pieces)
    >>> same_entries(spec("a", "b"), spec("b", "a")), same_entries(spec("a"), spec("b"))
    (2, 0)
    """
    ours, theirs = ({*spec.every_piece()} for spec in (first, second))
    if first.model_type not in LOOKED_UP or ours != theirs:
        return 0
    if any(len(s.ids_by_surface) < len(s.pieces) or s.sharing for s in (first, second)):
        return 0
    return len(ours) if same_but_entries(first, second) else 0


def same_but_entries(first: TokenizerSpec, second: TokenizerSpec) -> bool:
    """Return whether two models differ only in missing entries or in ids."""
    if any(getattr(first, name) != getattr(second, name) for name in SETTINGS):
        return False
    if _unknown(first) != _unknown(second):
        return False
    for name in BY_ID:
        ours, theirs = _by_piece(first, name), _by_piece(second, name)
        if any(ours[piece] != theirs[piece] for piece in ours.keys() & theirs.keys()):
            return False
    return True


def _unknown(spec: TokenizerSpec) -> Piece | None:
    return None if spec.unk_id is None else spec.pieces.get(spec.unk_id)


def _by_piece(spec: TokenizerSpec, name: str) -> dict[Piece, float]:
    """Return the scores or ranks of a model, by entry."""
    numbers = getattr(spec, name).items()
    return {spec.pieces[id]: number for id, number in numbers if id in spec.pieces}
