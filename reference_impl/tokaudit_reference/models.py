"""Picks the algorithm of a spec's family: a function from one pre-token to ids."""

from __future__ import annotations

from collections.abc import Callable

import regex

from tokaudit_reference.bpe import merge
from tokaudit_reference.merge_table import ids_by_surface, merge_table
from tokaudit_reference.spec import Family, PieceKind, TokenizerSpec
from tokaudit_reference.symbols import Speller
from tokaudit_reference.unigram import Unigram
from tokaudit_reference.unsupported import Unsupported
from tokaudit_reference.wordpiece import wordpiece

Model = Callable[[str], list[int]]


def model(spec: TokenizerSpec) -> Model:
    """The model of a spec; raises `Unsupported` for a family that has none here."""
    builders: dict[Family, Callable[[TokenizerSpec], Model]] = {
        Family.BPE: bpe_model,
        Family.WORDPIECE: wordpiece_model,
        Family.UNIGRAM: unigram_model,
        Family.WORDLEVEL: wordlevel_model,
    }
    if spec.family not in builders:
        raise Unsupported(f"the family {spec.family} is not covered")
    if spec.dropout:
        raise Unsupported("dropout makes the ids random; there is nothing to compare")
    return builders[spec.family](spec)


def bpe_model(spec: TokenizerSpec) -> Model:
    """Spell, then merge; a piece that is a token whole is taken first where the spec says so."""
    ids = ids_by_surface(spec)
    table, speller = merge_table(spec, ids), Speller(spec, ids)

    def encode(text: str) -> list[int]:
        if spec.whole_piece_lookup:
            whole = ids.get(text.encode("utf-8", "replace") if spec.byte_level else text)
            if whole is not None:
                return [whole]
        return merge(speller.spell(text), table)

    return _around_user_defined(spec, encode)


def _around_user_defined(spec: TokenizerSpec, encode: Model) -> Model:
    """SentencePiece's user-defined symbols are taken whole, longest first, and never merged."""
    whole = {str(p.value): id for id, p in spec.pieces.items() if p.kind is PieceKind.USER_DEFINED}
    if not whole:
        return encode
    longest_first = sorted(whole, key=len, reverse=True)
    pattern = regex.compile("(" + "|".join(map(regex.escape, longest_first)) + ")")

    def around(text: str) -> list[int]:
        parts = pattern.split(text)
        found: list[int] = []
        for part in filter(None, parts):
            found.extend([whole[part]] if part in whole else encode(part))
        return found

    return around


def wordpiece_model(spec: TokenizerSpec) -> Model:
    """Longest match first, with one table for the beginnings of words and one for the rest."""
    initial = {
        str(p.value): id for id, p in spec.pieces.items() if p.kind is not PieceKind.CONTINUATION
    }
    rest = {str(p.value): id for id, p in spec.pieces.items() if p.kind is PieceKind.CONTINUATION}
    longest = spec.max_word_characters
    return lambda word: wordpiece(word, initial, rest, spec.unknown_id, longest)


def unigram_model(spec: TokenizerSpec) -> Model:
    """Viterbi over the scored pieces."""
    if spec.byte_fallback:
        raise Unsupported("Unigram with byte fallback is not covered")
    kinds = {piece.kind for piece in spec.pieces.values()}
    if PieceKind.USER_DEFINED in kinds:
        raise Unsupported("Unigram with user-defined pieces is not covered")
    hidden = () if spec.control_from_text else (PieceKind.CONTROL, PieceKind.UNUSED)
    names = {id: str(p.value) for id, p in spec.pieces.items() if p.kind not in hidden}
    ids = {name: id for id, name in names.items()}
    scores = {name: spec.scores[id] for name, id in ids.items() if id != spec.unknown_id}
    return Unigram(scores, ids, spec.unknown_id).encode


def wordlevel_model(spec: TokenizerSpec) -> Model:
    """A word is a token or unknown."""
    ids = {str(piece.value): id for id, piece in spec.pieces.items()}
    unknown = [] if spec.unknown_id is None else [spec.unknown_id]
    return lambda word: [ids[word]] if word in ids else unknown
