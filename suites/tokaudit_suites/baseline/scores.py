"""Scores of a Unigram model that changed since the base model."""

from __future__ import annotations

from collections.abc import Iterator
from math import isclose

from tokaudit.engine.facet_names import MERGES
from tokaudit.plugin import Base, Basis, Finding, Harm, NotApplicable, Severity, check
from tokaudit_reference.spec import ModelType, TokenizerSpec, TokenType
from tokaudit_suites.shared.base_facets import BaseFacets, claimed, of_base
from tokaudit_suites.shared.repairs import as_in_base
from tokaudit_suites.shared.vocab_entries import Value, ordinary
from tokaudit_suites.shared.wording import does, ids_evidence, in_vocab, quote, some

AS_SINGLE = 1e-6  # one file keeps 32 bits of a score, another writes it in decimals


@check(
    "baseline/scores",
    title="The scores are the base model's",
    why="A Unigram tokenizer chooses the segmentation with the highest sum of scores. If one "
    "score differs from the base tokenizer's, every text in which its token competes may be split "
    "differently, although both vocabularies list the same entries.",
    remedy="Copy the scores from {other|the base model}.",
    repair=as_in_base,
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.BASELINE,
    incident="A converter wrote the scores of some pieces only, until a review saw it "
    "(ggml-org/llama.cpp PR#252).",
)
def scores_base(spec: TokenizerSpec, base: Base, facets: BaseFacets) -> Iterator[Finding]:
    """Compare the scores of the tokens that both sides have."""
    if spec.model_type is not ModelType.UNIGRAM or base.spec.model_type is not ModelType.UNIGRAM:
        raise NotApplicable(f"a {spec.model_type} tokenizer is not cut by scores")
    if facets.proved(MERGES):
        return
    theirs = {value: base.spec.scores[id] for value, id in _scored(base.spec).items()}
    changed = {
        id: f"{quote(value)} has {spec.scores[id]:.6g} instead of {theirs[value]:.6g}"
        for value, id in _scored(spec).items()
        if value in theirs
        and not isclose(spec.scores[id], theirs[value], rel_tol=AS_SINGLE, abs_tol=AS_SINGLE)
    }
    if changed:
        finding = Finding(
            Severity.ERROR,
            f"{does(len(changed), 'token', 'has')} another score than in {base.called}: "
            f"{some(list(changed.values()))}.",
            (in_vocab(spec, list(changed)[:20]), of_base(base, in_vocab(base.spec))),
            (ids_evidence(changed),),
            cause="changed",
        )
        yield claimed(finding, facets, MERGES)


def _scored(spec: TokenizerSpec) -> dict[Value, int]:
    """Return the entries that compete by score; user-defined entries always win."""
    return {
        piece.value: id
        for id, piece in ordinary(spec)
        if piece.token_type is TokenType.ORDINARY and id in spec.scores
    }
