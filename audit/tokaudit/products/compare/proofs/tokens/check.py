"""Check that two decoders produce the same bytes for every shared token.

What a decoder makes of a token is spelled here anew, from GPT-2's alphabet or from the token
itself; the reference's decoder, which the prover asks, is not asked.
"""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.engine.facet_names import DECODER
from tokaudit.products.compare.proofs.acts_alike.options import plain_steps
from tokaudit.products.compare.proofs.all_entries import entries_of
from tokaudit.products.compare.proofs.alphabet import bytes_of
from tokaudit.products.compare.proofs.claim import Checker, Claim
from tokaudit.report.comparison import Proof
from tokaudit_reference.spec import Piece, TokenizerSpec

READS_ALPHABET = [{"type": "ByteLevel"}]
JOINING = (READS_ALPHABET, [{"type": "Bytes"}])
"""The decoders that make bytes of each token and join them, as the library's source shows."""
DIFFERS = "not every token that both have is the same bytes"
Token = tuple[str, bytes]  # its kind, where a piece has one, and its bytes


def objection(claim: Claim) -> str:
    """Explain why some row of tokens may decode differently; "" if none does."""
    if any(plain_steps(spec, "decoder") not in JOINING for spec in claim.specs):
        return DIFFERS
    if any(spec.sharing for spec in claim.specs):
        return "entries share an id, and each load may decode it as a different one of them"
    if any(map(_normalizes_tokens, claim.specs)):
        return "an added token is decoded as its normal form, which is not looked at"
    ours, theirs = ({*_decoded(spec)} for spec in claim.specs)
    first, second = dict(ours), dict(theirs)
    shared = first.keys() & second.keys()
    ambiguous = len(first) < len(ours) or len(second) < len(theirs)
    if ambiguous or not shared or any(first[token] != second[token] for token in shared):
        return DIFFERS
    stated = claim.certificate.entries
    return "" if len(shared) == stated else f"both have {len(shared):,} tokens, not {stated:,}"


def _normalizes_tokens(spec: TokenizerSpec) -> bool:
    """Return whether an added token is stored in normalized form."""
    some = spec.flags_twice or any(token.normalized for token in spec.added_tokens)
    return bool(spec.normalizer.options and some)


def _decoded(spec: TokenizerSpec) -> Iterator[tuple[Token, bytes]]:
    """Yield each token with its bytes, wherever it is in a row."""
    alphabet = plain_steps(spec, "decoder") == READS_ALPHABET
    added = {token.id: token.content for token in spec.added_tokens if token.content}
    for piece in (piece for id, piece in entries_of(spec) if id not in added):
        yield _token(piece), _bytes(_written(piece, spec), alphabet)
    for content in added.values():
        yield ("", _utf8(content)), _bytes(content, alphabet)


def _token(piece: Piece) -> Token:
    """Return a token's identity, which includes its position in a word."""
    kind = str(piece.token_type)
    return (kind if kind in ("continuation", "word_end") else ""), _utf8(piece.value)


def _written(piece: Piece, spec: TokenizerSpec) -> bytes | str:
    """Return a piece in the library's spelling."""
    if isinstance(piece.value, bytes):
        return piece.value
    before, after = spec.continuing_subword_prefix, spec.end_of_word_suffix
    kind, text = str(piece.token_type), piece.value
    return {"continuation": before + text, "word_end": text + after}.get(kind, text)


def _bytes(token: bytes | str, alphabet: bool) -> bytes:
    """Return the bytes that the decoder joins, from its alphabet or as they are."""
    if isinstance(token, bytes):
        return token
    read = bytes_of(token) if alphabet else None
    if read is not None:
        return read
    return token.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()


def _utf8(value: bytes | str) -> bytes:
    return value if isinstance(value, bytes) else value.encode("utf-8", "surrogatepass")


CHECKER = Checker(Proof.TOKENS, frozenset({DECODER}), objection)
