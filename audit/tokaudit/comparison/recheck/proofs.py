"""Checks the proofs of a stored comparison again, on the files, without searching for them.

A report may have been written by anybody.  Each facet that it calls proved needs a certificate, and
the certificate is put to the checker of its kind.  Where that shares its code with what found the
proof it can refute a claim, and confirms none: the claim is then not checked independently.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tokaudit.comparison.canonical_steps import acting_steps, acting_tokens, steps_for_ids
from tokaudit.comparison.facets.compared import PROVED
from tokaudit.comparison.facets.model import same_fields
from tokaudit.comparison.facets.side import (
    ADDED,
    BATCH,
    CHAT_TEMPLATE,
    DECIDE_IDS,
    DECODER,
    MERGES,
    NORMALIZER,
    PADDING,
    POST_PROCESSOR,
    PRE_TOKENIZER,
    ROLES,
    ROWS,
    STOPS,
    Side,
)
from tokaudit.comparison.facets.splits import bytes_on_one_side, entries_of
from tokaudit.comparison.patterns.reading import read_steps
from tokaudit.comparison.patterns.splits import PreTokenizer
from tokaudit.comparison.patterns.verdicts import Proved, Undecidable
from tokaudit.comparison.proofs.across_cuts.check import objection_to_same_tokens
from tokaudit.comparison.proofs.across_cuts.lemma import obstacle
from tokaudit.comparison.proofs.cuts.check import objection as objection_to_cuts
from tokaudit.comparison.proofs.entries.prove import same_entries
from tokaudit.comparison.proofs.equal.prove import STAGES, digest_of
from tokaudit.comparison.proofs.merges import Certificate as MergesCertificate
from tokaudit.comparison.proofs.merges import recheck as recheck_merges
from tokaudit.comparison.proofs.merges.model import merge_model
from tokaudit.comparison.proofs.merges.normal_form import IN_ORDER
from tokaudit.comparison.proofs.scalars.prove import alike_by_charsmaps, alike_on_characters
from tokaudit.comparison.proofs.scores.prove import EqualScores, compare_scores
from tokaudit.comparison.proofs.tokens.prove import alike_on_tokens
from tokaudit.comparison.vocabularies.written import AS_WRITTEN, both_written
from tokaudit.report.comparison import Certificate, Comparison, Facet, Outcome, Proof

ABOUT = {
    Proof.EQUAL: {
        *(*DECIDE_IDS, POST_PROCESSOR, DECODER),
        *(BATCH, ROLES, PADDING, STOPS, CHAT_TEMPLATE, ROWS),
    },
    Proof.ACTS_ALIKE: {ADDED, NORMALIZER, PRE_TOKENIZER, POST_PROCESSOR, DECODER},
    Proof.SAME_IDS: {POST_PROCESSOR},
    Proof.SCALARS: {NORMALIZER},
    Proof.CHARSMAPS: {NORMALIZER},
    Proof.TOKENS: {DECODER},
    Proof.MERGES: {MERGES},
    Proof.ENTRIES: {MERGES},
    Proof.SCORES: {MERGES},
    Proof.CUTS: {PRE_TOKENIZER},
    Proof.NO_ENTRY_ACROSS: {PRE_TOKENIZER},
}
"""The facets that a proof can be about."""


INDEPENDENT = (Proof.EQUAL, Proof.MERGES, Proof.CUTS, Proof.NO_ENTRY_ACROSS)
"""The proofs that have a checker of their own, which shares no code with what found them."""
BY_THE_PROVER = "not checked independently, as only what found such a proof can check it"


@dataclass(frozen=True, slots=True)
class Rechecked:
    """One claim of a report: it holds, or has an `objection`, or was not checked, and why."""

    claim: str
    objection: str = ""
    unchecked: str = ""


def rechecked(left: Side, right: Side, stored: Comparison) -> Iterator[Rechecked]:
    """Every facet that is claimed to be proved."""
    for facet in stored.facets:
        if facet.outcome in PROVED or facet.certificate is not None:
            claim = f"{facet.name}: {facet.outcome}"
            if wrong := objection(left, right, facet, stored):
                yield Rechecked(claim, wrong)
            elif facet.certificate is None or facet.certificate.proof in INDEPENDENT:
                yield Rechecked(claim)
            else:
                yield Rechecked(claim, unchecked=BY_THE_PROVER)


def objection(left: Side, right: Side, facet: Facet, stored: Comparison) -> str:
    """Why a facet is not proved by its certificate; "" if it is."""
    certificate = facet.certificate
    if certificate is None:
        return "it is called proved and has no certificate"
    if facet.name not in ABOUT[certificate.proof]:
        return f"a certificate of {certificate.proof} says nothing about it"
    if (facet.outcome is Outcome.IDENTICAL) > (certificate.proof in OF_IDENTITY):
        return f"a certificate of {certificate.proof} proves no identity"
    if facet.outcome is Outcome.IDENTICAL and _written_apart(left, right, certificate):
        return "the two are not written alike"
    return CHECKERS[certificate.proof](left, right, facet.name, certificate) or _rests_on(
        facet, stored
    )


OF_IDENTITY = (Proof.EQUAL, Proof.MERGES, Proof.SCORES)


def _written_apart(left: Side, right: Side, certificate: Certificate) -> bool:
    if certificate.proof is Proof.SCORES:
        return certificate.factor != 1
    return certificate.proof is Proof.MERGES and not same_fields(left.spec, right.spec)


def _rests_on(facet: Facet, stored: Comparison) -> str:
    """The proof about entries across cuts needs models that are proved to be equal."""
    if facet.certificate is None or facet.certificate.proof is not Proof.NO_ENTRY_ACROSS:
        return ""
    proved = any(each.name == MERGES and each.outcome in PROVED for each in stored.facets)
    return "" if proved else "it needs models that are proved to be equal"


def _equal(left: Side, right: Side, name: str, stated: Certificate) -> str:
    if stated.form == AS_WRITTEN and not both_written(left.spec, right.spec):
        return "not both files are of a format in which settings decide what an entry is"
    ours, theirs = (digest_of(side, name, stated.form) for side in (left, right))
    if ours != theirs:
        return "the two sides do not state the same"
    return "" if ours == stated.digest else "the digest is not that of what the sides state"


def _acts(left: Side, right: Side, name: str, stated: Certificate) -> str:
    if name == ADDED:
        taken = [side.spec.control_from_text for side in (left, right)]
        alike = acting_tokens(left.spec) == acting_tokens(right.spec) and len({*taken}) == 1
        return "" if alike else "the added tokens do not act alike"
    stage = STAGES[name]
    same = acting_steps(left.spec, stage) == acting_steps(right.spec, stage)
    return "" if same else "the steps do not act alike"


def _same_ids(left: Side, right: Side, name: str, stated: Certificate) -> str:
    same = steps_for_ids(left.spec) == steps_for_ids(right.spec)
    return "" if same else "the steps do not give the same ids"


def _scalars(left: Side, right: Side, name: str, stated: Certificate) -> str:
    alike = alike_on_characters(left.spec, right.spec)
    return "" if alike else "not every character by itself is normalized alike"


def _charsmaps(left: Side, right: Side, name: str, stated: Certificate) -> str:
    alike = alike_by_charsmaps(left.spec, right.spec)
    return "" if alike else "the maps of characters do not hold the same entries"


def _tokens(left: Side, right: Side, name: str, stated: Certificate) -> str:
    shared = alike_on_tokens(left.spec, right.spec)
    if not shared:
        return "not every token that both have is the same bytes"
    return (
        "" if shared == stated.entries else f"both have {shared:,} tokens, not {stated.entries:,}"
    )


def _merges(left: Side, right: Side, name: str, stated: Certificate) -> str:
    first = merge_model(left.spec).form
    if (first.name, first.digest, first.merges) != (stated.form, stated.digest, stated.merges):
        return "the form is not that of the first side"
    in_order = first.not_canonical if stated.form == IN_ORDER else ""
    proof = MergesCertificate(stated.form, stated.digest, stated.merges, in_order)
    return recheck_merges(proof, left.spec, right.spec)


def _entries(left: Side, right: Side, name: str, stated: Certificate) -> str:
    found = same_entries(left.spec, right.spec)
    if not found:
        return "the models do not look up the same entries by the same rules"
    return "" if found == stated.entries else f"both have {found:,} entries, not {stated.entries:,}"


def _scores(left: Side, right: Side, name: str, stated: Certificate) -> str:
    found = compare_scores(left.spec, right.spec)
    if not isinstance(found, EqualScores):
        return found.why
    return "" if found == EqualScores(stated.factor) else "the factor is not that of the scores"


def _cuts(left: Side, right: Side, name: str, stated: Certificate) -> str:
    try:
        one, other = _both(left, right)
    except Undecidable as unknown:
        return str(unknown)
    return objection_to_cuts(one, other, Proved(stated.classes, stated.states)) or ""


def _no_entry_across(left: Side, right: Side, name: str, stated: Certificate) -> str:
    for side in (left, right):
        if reason := obstacle(side.spec):
            return reason
    entries = entries_of(left, right)
    if len(entries) != stated.entries:
        return f"the vocabularies have {len(entries):,} entries, not {stated.entries:,}"
    try:
        return objection_to_same_tokens(*_both(left, right), entries) or ""
    except Undecidable as unknown:
        return str(unknown)


def _both(left: Side, right: Side) -> tuple[PreTokenizer, PreTokenizer]:
    if why := bytes_on_one_side(left.spec, right.spec):
        raise Undecidable(why)
    one, other = left.spec.pre_tokenizer, right.spec.pre_tokenizer
    return read_steps(one.steps), read_steps(other.steps)


CHECKERS: dict[Proof, Callable[[Side, Side, str, Certificate], str]] = {
    Proof.EQUAL: _equal,
    Proof.ACTS_ALIKE: _acts,
    Proof.SAME_IDS: _same_ids,
    Proof.SCALARS: _scalars,
    Proof.CHARSMAPS: _charsmaps,
    Proof.TOKENS: _tokens,
    Proof.MERGES: _merges,
    Proof.ENTRIES: _entries,
    Proof.SCORES: _scores,
    Proof.CUTS: _cuts,
    Proof.NO_ENTRY_ACROSS: _no_entry_across,
}
