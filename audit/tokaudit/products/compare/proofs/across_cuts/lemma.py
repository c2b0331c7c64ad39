"""The prover's conditions for the lemma that uncrossed splits change no token.

The lemma says that the tokens of a text are those of its two parts, one after the other, wherever
no entry of the vocabulary lies across the place between them.  It is true of a model where

* tokens are made of neighbours, by rank or by score, and of nothing else;
* neighbours stand side by side in the text: no character between them was dropped;
* what stands for a character without an entry stays at its place, is not made one with its
  neighbour, and takes part in no merge;
* sums of scores are exact, as a sum that was rounded depends on where it began.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import isfinite

from tokaudit.products.compare.patterns.syntax import parse
from tokaudit.products.compare.patterns.tree import Dialect, nullable
from tokaudit.products.compare.patterns.verdicts import Undecidable
from tokaudit.products.compare.proofs.merges.candidates import is_scored
from tokaudit.products.compare.proofs.merges.model import merge_model
from tokaudit_reference.models.symbols import byte_ids
from tokaudit_reference.models.unigram.viterbi import UNKNOWN_PENALTY
from tokaudit_reference.spec import ModelType, Priority, TokenizerSpec, TokenType
from tokaudit_reference.steps.step import Effects
from tokaudit_reference.text.bytes_alphabet import to_characters

LONGEST = 1_000_000  # characters of a piece up to which sums of scores have to be exact
MANTISSA = 2**53  # of a double
TEXT_BYTES = (*range(0xC0), *range(0xC2, 0xF5))  # those of which UTF-8 is made
ASCII = 0x80
SPACE_MARK = "▁"  # which pre-tokenizers write


def obstacle(spec: TokenizerSpec) -> str:
    """Explain why other splits may change tokens even if no entry crosses one.

    >>> from tokaudit_reference.spec import Piece
    >>> pieces = {0: Piece(TokenType.ORDINARY, "a"), 1: Piece(TokenType.UNKNOWN, "?")}
    >>> obstacle(TokenizerSpec(ModelType.BPE, pieces, merges=(), unk_id=1))
    ''
    >>> obstacle(TokenizerSpec(ModelType.BPE, pieces, merges=()))
    'a character without an entry is dropped, and its neighbours merge'
    """
    return next(_obstacles(spec), "")


def _obstacles(spec: TokenizerSpec) -> Iterator[str]:
    if spec.model_type not in (ModelType.BPE, ModelType.UNIGRAM) or spec.dropout:
        yield "the model does not build tokens from neighbours"
    if spec.sharing:
        yield "entries share an id, so a merge of one of them is one of the others"
    if spec.continuing_subword_prefix or spec.end_of_word_suffix:
        yield "tokens say where in a word they are"
    if any(step.effects.writes_bytes for step in spec.normalizer.steps):
        yield "bytes are written before the text is cut"
    spells = any(step.effects.writes_bytes for step in spec.pre_tokenizer.steps)
    if spells and any(_written_between(step.effects) for step in spec.normalizer.steps):
        yield "what is written between characters is spelled or not by where pieces begin"
    if spells and not spec.byte_level:
        yield "the entries are of bytes, the cuts of characters"
    if any(piece.token_type is TokenType.USER_DEFINED for piece in spec.every_piece()):
        yield "some entries are taken whole before the model runs"
    if spec.unlisted or any(p.token_type is TokenType.LOOKED_UP for p in spec.every_piece()):
        yield "the vocabulary is not that of the model"
    yield from _of_scores(spec) if spec.model_type is ModelType.UNIGRAM else _of_merges(spec)


def _written_between(effects: Effects) -> bool:
    """Return whether a step may insert text at empty matches."""
    pattern = effects.pattern
    if pattern is None or effects.writes == "":
        return False
    if not pattern.is_regex:
        return pattern.text == ""
    try:
        return nullable(parse(pattern.text, Dialect.ONIGURUMA))
    except Undecidable:
        return True


def _of_scores(spec: TokenizerSpec) -> Iterator[str]:
    if not (spec.byte_fallback and byte_ids(spec).keys() >= {*TEXT_BYTES}):
        yield "neighbouring unknown characters are one token"
    if not unknown_is_always_found(spec):
        yield "the entry of the unknown token is one token with unknown neighbours"
    if not spec.control_from_text or not sums_are_exact(spec.scores):
        yield "sums of scores are rounded"


def _of_merges(spec: TokenizerSpec) -> Iterator[str]:
    if not knows_every_character(spec):
        yield from _of_unknown(spec)
    if spec.ignore_merges and merge_model(spec).taken_whole:
        yield "some entries come from looking up a piece whole"


def _of_unknown(spec: TokenizerSpec) -> Iterator[str]:
    """Yield what breaks the lemma if some character has no entry."""
    bytes_of = byte_ids(spec) if spec.byte_fallback else {}
    whole = bytes_of.keys() >= _bytes_wanted(spec)
    if spec.priority is Priority.PRODUCT and not (is_scored(spec) and whole):
        yield "neighbouring unknown characters are one token"
    put_in = {spec.surface(spec.pieces[id]) for id in bytes_of.values()}
    unknown = None if spec.unk_id is None else spec.pieces.get(spec.unk_id)
    if unknown is not None:
        put_in.add(spec.surface(unknown))
    if any(part in put_in for merge in spec.merges or () for part in merge):
        yield "what stands for an unknown character is merged"
    if whole:
        return
    if bytes_of:
        yield "only some unknown characters become their bytes"
    if unknown is None:
        yield "a character without an entry is dropped, and its neighbours merge"
    if spec.fuse_unk:
        yield "neighbouring unknown characters are one token"


def unknown_is_always_found(spec: TokenizerSpec) -> bool:
    """Return whether an added token always matches the unknown token's text first.

    A Unigram model that meets this text makes one run of it and of the unknown characters next to
    it, and that run becomes bytes; alone it is the unknown token.
    """
    unknown = None if spec.unk_id is None else spec.pieces.get(spec.unk_id)
    if unknown is None or not unknown.value:
        return True
    text = spec.surface(unknown)
    untouched = not spec.normalizer.steps and SPACE_MARK not in str(text)
    taken = (token for token in spec.added_tokens if token.content == text)
    return untouched and any(not token.single_word for token in taken)


def knows_every_character(spec: TokenizerSpec) -> bool:
    """Return whether every text consists of known entries, as in a model of bytes."""
    return spec.byte_level and not _bytes_without_entry(spec)


def unknown_characters(spec: TokenizerSpec, characters: Iterable[str]) -> set[str]:
    """Return the characters without an entry, or with a byte without one."""
    if not spec.byte_level:
        return {each for each in characters if each not in spec.ids_by_surface}
    missing = _bytes_without_entry(spec)
    return {c for c in characters if not missing.isdisjoint(c.encode("utf-8", "replace"))}


def _bytes_without_entry(spec: TokenizerSpec) -> set[int]:
    return {byte for byte in TEXT_BYTES if bytes([byte]) not in spec.ids_by_surface}


def _bytes_wanted(spec: TokenizerSpec) -> set[int]:
    """Return the bytes that byte fallback needs for all characters without an entry."""
    if spec.byte_level:
        written = to_characters(bytes(_bytes_without_entry(spec)))
        return {*written.encode()}
    return {b for b in TEXT_BYTES if b >= ASCII or chr(b) not in spec.ids_by_surface}


def sums_are_exact(scores: Mapping[int, float]) -> bool:
    """Return whether all sums of scores are exact, up to `LONGEST` characters.

    So it is where all are whole multiples of one power of two that is not too small.

    >>> sums_are_exact({0: -1.5, 1: -2.25}), sums_are_exact({0: -1.1, 1: -2.2})
    (True, False)
    """
    values = [*scores.values(), min(scores.values(), default=0.0) - UNKNOWN_PENALTY]
    if not all(map(isfinite, values)):
        return False
    finest = max(value.as_integer_ratio()[1] for value in values)
    return max(map(abs, values)) * finest * LONGEST <= MANTISSA
