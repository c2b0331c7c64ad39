"""Check that two models look up the same entries, entry by entry.

Every field of a spec counts, but for those that are known to say nothing about looking a word up:
a field that is added to a spec one day counts until somebody shows that it does not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from tokaudit.engine.facet_names import MERGES
from tokaudit.products.compare.proofs.all_entries import pieces_of
from tokaudit.products.compare.proofs.claim import Checker, Claim
from tokaudit.products.compare.proofs.surface import surface
from tokaudit.report.comparison import Proof
from tokaudit_reference.spec import ModelType, TokenizerSpec

OTHER_FACETS = {"pieces", "unk_id", "added_tokens", "normalizer", "pre_tokenizer", "decoder"}
OTHER_FACETS |= {"post_processor", "truncation", "padding", "scores", "product_ranks"}
OF_THE_FILE = {"format", "files", "duplicate_keys", "piece_ids", "ids_rule", "unk_lacks_entry"}
OF_THE_FILE |= {"flags_twice"}


def objection(claim: Claim) -> str:
    """Explain why a word may be looked up differently; "" if none is."""
    return next(_objections(claim), "")


def _objections(claim: Claim) -> Iterator[str]:
    first, second = claim.specs
    if first.model_type not in (ModelType.WORDPIECE, ModelType.WORDLEVEL):
        yield "the models do not look words up"
    for each in fields(TokenizerSpec):
        counts = each.compare and each.name not in OTHER_FACETS | OF_THE_FILE
        if counts and getattr(first, each.name) != getattr(second, each.name):
            yield f"the models do not look up the same entries by the same rules: {each.name}"
    ours, theirs = ([(p.token_type, p.value) for p in pieces_of(s)] for s in claim.specs)
    if any(map(_has_one_twice, claim.specs)):
        yield "an entry is there twice, and which one counts depends on the order"
    if {*ours} != {*theirs}:
        yield "the models do not look up the same entries by the same rules: entries"
    unknown = [None if s.unk_id is None else s.pieces.get(s.unk_id) for s in claim.specs]
    if unknown[0] != unknown[1]:
        yield "the unknown token is another one"
    if len(ours) != claim.certificate.entries:
        yield f"both have {len(ours):,} entries, not {claim.certificate.entries:,}"


def _has_one_twice(spec: TokenizerSpec) -> bool:
    """Return whether two entries have the same spelling, of whatever types."""
    written = {surface(spec, piece) for piece in pieces_of(spec)}
    return len(written) < len(spec.pieces) or bool(spec.sharing)


CHECKER = Checker(Proof.ENTRIES, frozenset({MERGES}), objection)
