"""Checks that two decoders make the same bytes of every token that both have, one by one."""

from __future__ import annotations

from itertools import pairwise

from tokaudit.comparison.facet_names import DECODER
from tokaudit.comparison.proofs.acts_alike.options import plain_steps
from tokaudit.comparison.proofs.claim import Checker, Claim
from tokaudit.report.comparison import Proof
from tokaudit_reference.errors import SpecError
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_reference.steps.decoders import Decoder

JOINING = ([{"type": "ByteLevel"}], [{"type": "Bytes"}])
"""The decoders that make bytes of each token and join them, as the library's source shows."""
Token = tuple[str, bytes]  # its kind, where a piece has one, and its bytes


def objection(claim: Claim) -> str:
    """Why some row of tokens may become another text; "" if none does."""
    if any(plain_steps(spec, "decoder") not in JOINING for spec in claim.specs):
        return "not every token that both have is the same bytes"
    try:
        ours, theirs = map(_decoded, claim.specs)
    except SpecError as error:
        return str(error)
    shared = ours.keys() & theirs.keys()
    if not shared or any(ours[token] != theirs[token] for token in shared):
        return "not every token that both have is the same bytes"
    stated = claim.certificate.entries
    return "" if len(shared) == stated else f"both have {len(shared):,} tokens, not {stated:,}"


def _decoded(spec: TokenizerSpec) -> dict[Token, bytes]:
    """Each token with what it becomes; a row of all of them has to become these in a row."""
    decode = Decoder(spec).decode_bytes
    tokens = {id: _token(str(p.token_type), p.value) for id, p in spec.pieces.items()}
    tokens |= {each.id: _token("", each.content) for each in spec.added_tokens}
    alone = {id: decode([id]) for id in tokens}
    for one, other in pairwise(tokens):
        if decode([one, other]) != alone[one] + alone[other]:
            raise SpecError(f"the ids {one} and {other} become other bytes together")
    return {token: alone[id] for id, token in tokens.items()}


def _token(kind: str, value: bytes | str) -> Token:
    """What tells a token from others: what is inside a word, or ends one, is another one."""
    kept = kind if kind in ("continuation", "word_end") else ""
    return kept, value if isinstance(value, bytes) else value.encode("utf-8", "surrogatepass")


CHECKER = Checker(Proof.TOKENS, frozenset({DECODER}), objection)
