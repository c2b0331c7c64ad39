"""Conditions under which a model's tokens survive a split that no entry crosses.

The folder's page has the lemma.  Each condition is one function here; the prover asks its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import inf, lcm
from typing import Any

from tokaudit.products.compare.proofs.all_entries import pieces_of
from tokaudit.products.compare.proofs.alphabet import LETTERS
from tokaudit.products.compare.proofs.cuts.expression import MatchesNothing
from tokaudit.products.compare.proofs.cuts.reader import expression
from tokaudit.products.compare.proofs.cuts.splitting import writes_bytes
from tokaudit.products.compare.proofs.steps_of_files import steps_of
from tokaudit.products.compare.proofs.surface import surface
from tokaudit_reference.spec import ModelType, Priority, TokenizerSpec, TokenType
from tokaudit_reference.steps.pattern import Pattern

OF_TEXT = frozenset((*range(0xC0), *range(0xC2, 0xF5)))  # the bytes of UTF-8
LONGEST = 1_000_000  # characters
PENALTY = 10.0  # of an unknown character, below the worst score
EXACT = 2**53


def failing(spec: TokenizerSpec) -> str:
    """Return the first condition that fails; "" if all hold."""
    return next(_failing(spec), "")


def _failing(spec: TokenizerSpec) -> Iterator[str]:
    kinds = {piece.token_type for piece in pieces_of(spec)}
    if spec.sharing:
        yield "entries share an id, and a merge of one is one of the other"
    if spec.dropout or spec.model_type not in (ModelType.BPE, ModelType.UNIGRAM):
        yield "the model does not build tokens from neighbours"
    if spec.end_of_word_suffix or spec.continuing_subword_prefix:
        yield "tokens say where in a word they are"
    if writes_bytes(spec, "normalizer"):
        yield "bytes are written before the text is cut"
    if writes_bytes(spec, "pre_tokenizer") and any(
        map(_writes_anywhere, steps_of(spec, "normalizer"))
    ):
        # Refuse what is written between characters: the library spells some of it or not, by
        # where pieces begin.
        yield "text is written where nothing was matched"
    if writes_bytes(spec, "pre_tokenizer") and not spec.byte_level:
        yield "the entries are of bytes, the cuts of characters"
    if TokenType.USER_DEFINED in kinds:
        yield "some entries are taken whole before the model runs"
    if TokenType.LOOKED_UP in kinds or spec.unlisted:
        yield "the vocabulary is not that of the model"
    # Ask for exact sums: a rounded one depends on where it began.
    if spec.model_type is ModelType.UNIGRAM:
        yield from _of_sums(spec)
    else:
        yield from _of_unknown(spec)
        if spec.ignore_merges and _never_merged(spec):
            yield "some entries come from looking up a piece whole"


def _writes_anywhere(step: Mapping[str, Any]) -> bool:
    """Return whether a step of a file inserts content at empty matches."""
    if "pattern" not in step or not step.get("content"):
        return False
    pattern = Pattern.from_json(step["pattern"])
    if not pattern.is_regex:
        return not pattern.text
    try:
        expression(pattern.text)
    except MatchesNothing:
        return True
    return False


def _bytes_of(spec: TokenizerSpec) -> dict[int, bytes | str]:
    """Return the bytes with an entry for fallback."""
    found: dict[int, bytes | str] = {}
    for piece in pieces_of(spec):
        if piece.token_type is TokenType.BYTE and spec.byte_fallback:
            value = piece.value
            byte = value[0] if isinstance(value, bytes) else int(value[3:5], 16)
            found[byte] = surface(spec, piece)
    return found


def _of_sums(spec: TokenizerSpec) -> Iterator[str]:
    if not _bytes_of(spec).keys() >= OF_TEXT:
        yield "neighbouring unknown characters are one token"
    unknown = spec.pieces.get(-1 if spec.unk_id is None else spec.unk_id)
    if unknown is not None and unknown.value and not _kept_out(spec, surface(spec, unknown)):
        yield "the entry of the unknown token is one token with unknown neighbours"
    scores = [*spec.scores.values()]
    scores.append(min(scores, default=0.0) - PENALTY)
    if any(score != score or abs(score) == inf for score in scores):
        yield "sums of scores are rounded"
        return
    step = lcm(*(Fraction(score).denominator for score in scores))
    if not spec.control_from_text or max(map(abs, scores)) * step * LONGEST > EXACT:
        yield "sums of scores are rounded"


def _kept_out(spec: TokenizerSpec, text: bytes | str) -> bool:
    """Return whether an added token matches every occurrence of a text before the model."""
    always = {token.content for token in spec.added_tokens if not token.single_word}
    return text in always and "\u2581" not in str(text) and not steps_of(spec, "normalizer")


def _of_unknown(spec: TokenizerSpec) -> Iterator[str]:
    """Yield what may go wrong next to a character without an entry."""
    surfaces = {surface(spec, piece) for piece in pieces_of(spec)}
    without = {byte for byte in OF_TEXT if bytes((byte,)) not in surfaces}
    # Stop where every byte has an entry: nothing is unknown then.
    if spec.byte_level and not without:
        return
    fallback = _bytes_of(spec)
    wanted = {byte for byte in OF_TEXT if byte >= 0x80 or chr(byte) not in surfaces}
    if spec.byte_level:
        # Look for the bytes of letters: the model sees letters in place of bytes.
        wanted = {byte for each in without for byte in LETTERS[each].encode()}
    whole = wanted <= fallback.keys()
    by_score = spec.priority is Priority.PRODUCT and not spec.byte_level
    if spec.priority is Priority.PRODUCT and not (by_score and whole):
        yield "neighbouring unknown characters are one token"
    unknown = None if spec.unk_id is None else spec.pieces.get(spec.unk_id)
    put_in = {*fallback.values(), *([surface(spec, unknown)] if unknown else [])}
    # Keep replacements out of merges: one could join its neighbour.
    if put_in & {part for merge in spec.merges or () for part in merge}:
        yield "what stands for an unknown character is merged"
    if not whole:
        if fallback:
            yield "only some unknown characters become their bytes"
        if unknown is None:
            yield "a character without an entry is dropped, and its neighbours merge"
        if spec.fuse_unk:
            yield "neighbouring unknown characters are one token"


def _never_merged(spec: TokenizerSpec) -> bool:
    """Return whether some entry of several symbols is built by no merge."""
    pairs = (pair for pair in spec.merges or () if type(pair[0]) is type(pair[1]))
    made = {left + right for left, right in pairs}  # type: ignore[operator]
    if spec.priority is Priority.PRODUCT:
        return True
    return any(len(s := surface(spec, p)) > 1 and s not in made for p in pieces_of(spec))
