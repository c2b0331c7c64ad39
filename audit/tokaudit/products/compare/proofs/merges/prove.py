"""Compare two BPE models: a proof if their forms are equal, else a text, else what was tried."""

from __future__ import annotations

from tokaudit.products.compare.proofs.merges.model import MergeModel, merge_model
from tokaudit.products.compare.proofs.merges.running import Runner
from tokaudit.products.compare.proofs.merges.verdict import (
    Certificate,
    Differs,
    NotProved,
    Proved,
    Verdict,
)
from tokaudit.products.compare.proofs.merges.witness import search
from tokaudit.runtimes.protocol import Cut
from tokaudit_reference.spec import TokenizerSpec, Unsupported


def compare_merges(first: TokenizerSpec, second: TokenizerSpec, cut: Cut | None = None) -> Verdict:
    """Decide if two BPE specs split every pre-token into the same pieces.

    Pieces are compared, not ids; which id a piece has is the vocabulary's business.  Merges that
    can never fire count for nothing.  `cut` gives the pre-tokens of texts, by the steps around a
    model; without it each text is one.

    >>> from tokaudit_reference.spec import ModelType, Piece, TokenType
    >>> pieces = {i: Piece(TokenType.ORDINARY, v) for i, v in enumerate(["a", "b", "ab", "ba"])}
    >>> def spec(*merges): return TokenizerSpec(ModelType.BPE, pieces, merges=merges)
    >>> one, other = spec(("a", "b"), ("b", "a")), spec(("b", "a"), ("a", "b"))
    >>> verdict = compare_merges(one, other)
    >>> verdict.witness.text, verdict.witness.first, verdict.witness.second
    ('aba', ('ab', 'a'), ('a', 'ba'))
    >>> compare_merges(one, one).certificate.name
    'merges-canonical-v1'
    """
    return compare_models(merge_model(first), merge_model(second), cut)


def compare_models(first: MergeModel, second: MergeModel, cut: Cut | None = None) -> Verdict:
    """Decide the same for models that were built already."""
    why = reason_against(first, second)
    if not why:
        form = first.form
        return Proved(Certificate(form.name, form.digest, form.merges, form.not_canonical))
    try:
        runner = Runner(first, second, cut)
    except Unsupported as error:
        return NotProved(f"{why}; not run: {error}")
    witness = search(first, second, runner)
    if witness is not None:
        return Differs(witness, runner.texts)
    return NotProved(why, runner.texts)


def reason_against(first: MergeModel, second: MergeModel) -> str:
    """Explain why the models are not proved equal; "" if they are."""
    for model in (first, second):
        if model.obstacle:
            return model.obstacle
    if first.spelling != second.spelling:
        return "the two spell text in different symbols, or treat unknown text differently"
    if (first.form.name, first.form.digest) == (second.form.name, second.form.digest):
        return ""
    reasons = dict.fromkeys(m.form.not_canonical for m in (first, second) if m.form.not_canonical)
    order = f" (not canonical: {'; '.join(reasons)})" if reasons else ""
    return f"the merges that can fire differ, or their order where it can matter{order}"
