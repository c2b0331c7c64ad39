"""The model: merges of BPE, scores of Unigram, and the settings beside them."""

from __future__ import annotations

from tokaudit.comparison.facets.side import MERGES, Open, Side, State
from tokaudit.comparison.merges import Differs, MergeModel, Proved, compare_models, merge_model
from tokaudit.comparison.scores import EqualScores, compare_scores
from tokaudit.report.model import Facet, Outcome
from tokaudit_reference.spec import Family, TokenizerSpec

FIELDS = (
    "family",
    "merges",
    "priority",
    "product_ranks",
    "scores",
    "whole_piece_lookup",
    "unknown_id",
    "fuse_unknown",
    "byte_fallback",
    "byte_level",
    "continuation_prefix",
    "word_end_suffix",
    "max_word_characters",
    "dropout",
)
"""What a model is besides its vocabulary."""


def merges(left: Side, right: Side) -> State:
    """Whether both models turn every pre-token into the same pieces."""
    if left.spec.family is Family.UNIGRAM and right.spec.family is Family.UNIGRAM:
        return _scores(left, right)
    if _written_alike(left.spec, right.spec) and not left.spec.dropout:
        return Facet(MERGES, Outcome.IDENTICAL, f"the {left.spec.family} models are written alike")
    if left.spec.family is not Family.BPE or right.spec.family is not Family.BPE:
        return _open(left, right, "the models differ, and only BPE and Unigram can be proved")
    return _merges(merge_model(left.spec), merge_model(right.spec), left, right)


def _merges(first: MergeModel, second: MergeModel, left: Side, right: Side) -> State:
    found = compare_models(first, second)
    if isinstance(found, Proved):
        proof = found.certificate
        form = f"the form {proof.name} of {proof.merges:,} merges, {proof.digest[:19]}"
        if left.spec.merges is not None and _same_fields(left.spec, right.spec):
            return Facet(MERGES, Outcome.IDENTICAL, f"the merges are equal, with {form}")
        why = f"written differently, and no text tells them apart: both have {form}"
        return Facet(MERGES, Outcome.EQUIVALENT, why)
    if isinstance(found, Differs):
        return _open(left, right, found.witness.cause, found.witness.text)
    return _open(left, right, found.why)


def _scores(left: Side, right: Side) -> State:
    found = compare_scores(left.spec, right.spec)
    if not isinstance(found, EqualScores):
        return _open(left, right, found.why)
    if found.limits:
        return _open(
            left, right, f"scores are equal up to {found.factor:g}, {', '.join(found.limits)}"
        )
    same = Outcome.IDENTICAL if found.factor == 1 else Outcome.EQUIVALENT
    return Facet(MERGES, same, f"all scores are {found.factor:g} times the other side's")


def _written_alike(first: TokenizerSpec, second: TokenizerSpec) -> bool:
    return first.pieces == second.pieces and _same_fields(first, second)


def _same_fields(first: TokenizerSpec, second: TokenizerSpec) -> bool:
    return all(getattr(first, name) == getattr(second, name) for name in FIELDS)


def _open(left: Side, right: Side, why: str, *texts: str) -> Open:
    places = left.place("merges", "/model"), right.place("merges", "/model")
    return Open(MERGES, why, places, texts, FIELDS)
