"""Prove two decoders equal on all rows of shared tokens, each decoded to its bytes.

A decoder that does nothing but join the bytes of its tokens (its `Effects` say so) makes of a row
the bytes of the first, then of the second, and so on.  So two such decoders that make the same of
each of finitely many tokens make the same of every row of them.
"""

from __future__ import annotations

from tokaudit.engine.canonical_steps import acting_steps
from tokaudit.engine.evidence import token_values
from tokaudit_reference.spec import SpecError, TokenizerSpec
from tokaudit_reference.steps.decoders import Decoder, UnknownId


def alike_on_tokens(first: TokenizerSpec, second: TokenizerSpec) -> int:
    """Count the shared tokens that decode alike; 0 if one differs or nothing is proved.

    >>> from tokaudit_reference.spec import Component, ModelType, Piece, Standing, TokenType
    >>> pieces = {5: Piece(TokenType.ORDINARY, b"\\xc3"), 6: Piece(TokenType.ORDINARY, b"\\xa9")}
    >>> def spec(type):
    ...     decoder = Component({"type": type}, Standing.STATED).at("decoder")
    ...     return TokenizerSpec(ModelType.BPE, pieces, byte_level=True, decoder=decoder)
    >>> [alike_on_tokens(spec(type), spec("Bytes")) for type in ("ByteLevel", "Fuse")]
    [2, 0]
    """
    if first.sharing or second.sharing:
        return 0  # a library draws one of the entries of an id
    for spec in (first, second):
        steps = acting_steps(spec, "decoder")
        if len(steps) != 1 or not steps[0].effects.joins_bytes or steps[0].effects.cleans_joined:
            return 0
    try:
        ours, theirs = _decoded(first), _decoded(second)
    except (SpecError, UnknownId):
        return 0
    shared = ours.keys() & theirs.keys()
    return len(shared) if all(ours[token] == theirs[token] for token in shared) else 0


def _decoded(spec: TokenizerSpec) -> dict[bytes, bytes]:
    """Map each token to its decoded bytes.

    Raises `SpecError` where that is not the token's own: where a normalizer rewrites one, or where
    two ids that have the same token become different bytes.
    """
    normalized = any(token.normalized for token in spec.added_tokens) or spec.flags_twice
    if spec.normalizer.options and normalized:
        raise SpecError("an added token is decoded as its normal form")
    decoder, found = Decoder(spec), dict[bytes, bytes]()
    for id, value in token_values(spec).items():
        made = decoder.decode_bytes([id])
        if found.setdefault(value, made) != made:
            raise SpecError("two ids have the same token and become different bytes")
    return found
