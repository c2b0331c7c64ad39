"""Check that two Unigram models give each entry the same score."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.engine.facet_names import MERGES
from tokaudit.products.compare.proofs.all_entries import entries_of
from tokaudit.products.compare.proofs.claim import Checker, Claim
from tokaudit.report.comparison import Proof
from tokaudit_reference.spec import ModelType

RULES = ("model_type", "dialect", "control_from_text", "byte_fallback", "fuse_unk", "unlisted")


def objection(claim: Claim) -> str:
    """Explain why some sum of scores may differ; "" if all are equal."""
    return next(_objections(claim), "")


def _objections(claim: Claim) -> Iterator[str]:
    first, second = claim.specs
    if first.model_type is not ModelType.UNIGRAM or second.model_type is not ModelType.UNIGRAM:
        yield "not both models are Unigram"
    if first.sharing or second.sharing:
        yield "entries share an id, and with it a score"
    if claim.certificate.factor != 1:
        yield "the factor is not that of the scores"
    for rule in RULES:
        if getattr(first, rule) != getattr(second, rule):
            yield f"the models do not treat text by the same rules: {rule}"
    unknown = [None if s.unk_id is None else s.pieces.get(s.unk_id) for s in claim.specs]
    if unknown[0] != unknown[1]:
        yield "the unknown token is another one"
    rows = [
        sorted((repr(p.value), str(p.token_type), s.scores.get(id)) for id, p in entries_of(s))
        for s in claim.specs
    ]
    if any(len({value for value, _, _ in row}) < len(row) for row in rows):
        yield "an entry is there twice, and which one counts depends on the order"
    if rows[0] != rows[1]:
        yield "the scores differ"


CHECKER = Checker(Proof.SCORES, frozenset({MERGES}), objection, lambda claim: "")
