"""Check the proofs of a stored comparison on the files, without a new search.

A report may have been written by anybody.  Each facet that it calls proved needs a certificate, and
the certificate is put to the checker of its kind, which shares no code with what found the proof.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from tokaudit.engine.facet_names import MERGES, STAGES
from tokaudit.engine.sides.side import Side
from tokaudit.products.compare import proofs
from tokaudit.products.compare.patterns.reading import read_steps
from tokaudit.products.compare.patterns.verdicts import Proved
from tokaudit.products.compare.proofs.claim import Checker, Claim
from tokaudit.products.compare.proofs.cuts.expression import Unreadable
from tokaudit.products.compare.proofs.cuts.states import objection_to
from tokaudit.products.compare.recheck.as_stated import AsStated
from tokaudit.products.compare.recheck.claims import Rechecked
from tokaudit.report.comparison import PROVED, Comparison, Facet, Outcome, Proof
from tokaudit_reference.spec import Standing


@cache
def checkers() -> Mapping[Proof, Checker]:
    """Return the checker of each kind of proof, from the folders of `proofs`."""
    kinds = (each.name for each in iter_modules(proofs.__path__) if each.ispkg)
    found = (import_module(f"{proofs.__name__}.{kind}.check").CHECKER for kind in kinds)
    return {checker.proof: checker for checker in found}


def rechecked(left: Side, right: Side, stored: Comparison) -> Iterator[Rechecked]:
    """Yield the result for every facet that is claimed to be proved."""
    both = AsStated(left), AsStated(right)
    for facet in stored.facets:
        if facet.outcome in PROVED or facet.certificate is not None:
            claim = f"{facet.name}: {facet.outcome}"
            misread = next(filter(None, (side.misread(facet.name) for side in both)), "")
            try:
                yield Rechecked(claim, misread or objection(left, right, facet, stored))
            except Unreadable as unknown:
                yield Rechecked(claim, unchecked=f"the checker does not follow {unknown}")


def objection(left: Side, right: Side, facet: Facet, stored: Comparison) -> str:
    """Explain why a certificate does not prove its facet; "" if it does."""
    certificate = facet.certificate
    if certificate is None:
        return "it is called proved and has no certificate"
    checker = checkers()[certificate.proof]
    if facet.name not in checker.about:
        return f"a certificate of {certificate.proof} says nothing about it"
    claim = Claim(facet.name, certificate, left.spec, right.spec, (left.subject, right.subject))
    if _stated_once(claim):
        return "only one side states it"
    if facet.outcome is Outcome.IDENTICAL and (why := checker.not_identical(claim)):
        return why
    return checker.objection(claim) or _of_states(claim) or _rests_on(facet, stored)


def _stated_once(claim: Claim) -> bool:
    """Return whether only one file states its steps, so that the other's are unknown."""
    if claim.facet not in STAGES:
        return False
    stages = (getattr(spec, STAGES[claim.facet]) for spec in claim.specs)
    return len({stage.standing is Standing.UNSTATED for stage in stages}) > 1


def _of_states(claim: Claim) -> str:
    """Explain why confirmed states are not the prover machines'; "" if they are."""
    stated = claim.certificate
    if stated.proof is not Proof.CUTS:
        return ""
    one, other = (read_steps(spec.pre_tokenizer.steps) for spec in claim.specs)
    return objection_to(one, other, Proved(stated.classes, stated.states)) or ""


def _rests_on(facet: Facet, stored: Comparison) -> str:
    """Require proved equal models for a proof about entries across splits."""
    if facet.certificate is None or facet.certificate.proof is not Proof.NO_ENTRY_ACROSS:
        return ""
    proved = any(each.name == MERGES and each.outcome in PROVED for each in stored.facets)
    return "" if proved else "it needs models that are proved to be equal"
