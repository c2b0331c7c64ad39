"""Certificates that no prover has made, as a faulty one would write them of what is not proved.

What a checker takes of them counts as proved, and a text that refutes it shows a checker that lets
faults of provers pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace

from tokaudit.engine.facet_names import DECIDE_IDS, DECODER, MERGES, POST_PROCESSOR
from tokaudit.engine.sides.side import Side
from tokaudit.products.compare.facets.compared import certified
from tokaudit.products.compare.proofs.claim import Claim
from tokaudit.products.compare.proofs.cuts.characters import OtherCharacters
from tokaudit.products.compare.proofs.cuts.cutting import cutters
from tokaudit.products.compare.proofs.cuts.expression import Unreadable
from tokaudit.products.compare.proofs.merges.check import IN_ORDER, digest_of, firing, whole
from tokaudit.products.compare.recheck.proofs import checkers
from tokaudit.report.comparison import Certificate, Facet, Outcome, Proof

FACETS = (*DECIDE_IDS, POST_PROCESSOR, DECODER)
FORMS = ("merges-canonical-v1", IN_ORDER)


def forged(left: Side, right: Side, proved: Iterable[Facet]) -> Iterator[Facet]:
    """The facets that are not proved and whose forged certificate a checker takes."""
    known = {facet.name for facet in proved}
    for name in (each for each in FACETS if each not in known):
        for certificate in _certificates(name, left, right):
            claimed = Facet(name, Outcome.EQUIVALENT, "forged", certificate=certificate)
            found = certified(claimed, left, right)
            if _is_taken(found, left, right, known):
                known.add(name)
                yield found
                break


def _is_taken(claimed: Facet, left: Side, right: Side, known: set[str]) -> bool:
    """Whether the checker takes a certificate, and what it rests on is known."""
    certificate = claimed.certificate
    if certificate is None or (certificate.proof is Proof.NO_ENTRY_ACROSS and MERGES not in known):
        return False
    claim = Claim(claimed.name, certificate, left.spec, right.spec, (left.subject, right.subject))
    try:
        return not checkers()[certificate.proof].objection(claim)
    except Unreadable:
        return False


def _certificates(name: str, left: Side, right: Side) -> Iterator[Certificate]:
    for proof, checker in checkers().items():
        if name in checker.about:
            with suppress(Unreadable, OtherCharacters):
                yield from _of_kind(proof, left, right)


def _of_kind(proof: Proof, left: Side, right: Side) -> Iterator[Certificate]:
    """What a prover of this kind would store; digests of statements are put in later."""
    plain = Certificate(proof)
    match proof:
        case Proof.TOKENS:
            yield replace(plain, entries=len(left.values.keys() & right.values.keys()))
        case Proof.ENTRIES:
            yield replace(plain, entries=len(left.spec.pieces))
        case Proof.NO_ENTRY_ACROSS:
            both = (*left.spec.every_piece(), *right.spec.every_piece())
            yield replace(plain, entries=len({piece.value for piece in both}))
        case Proof.CUTS:
            yield replace(plain, classes=cutters(left.spec, right.spec).characters)
        case Proof.MERGES:
            kept = firing(left.spec)
            taken = sorted(whole(left.spec, kept), key=repr)
            for form in FORMS:
                digest = digest_of(kept, taken, in_order=form == IN_ORDER)
                yield replace(plain, form=form, digest=digest, merges=len(kept))
        case _:
            yield plain
