"""A claimed proof in a report, and its checker."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tokaudit.report.comparison import Certificate, Proof
from tokaudit.subject.material import Subject
from tokaudit_reference.spec import TokenizerSpec


@dataclass(frozen=True)
class Claim:
    """A facet, its certificate, and the specs and files of both sides."""

    facet: str
    certificate: Certificate
    first: TokenizerSpec
    second: TokenizerSpec
    subjects: tuple[Subject | None, Subject | None] = (None, None)

    @property
    def specs(self) -> tuple[TokenizerSpec, TokenizerSpec]:
        """Return both specs."""
        return self.first, self.second


def never(claim: Claim) -> str:
    """Return the objection to any claim of identity by a proof of equivalence."""
    return f"a certificate of {claim.certificate.proof} proves no identity"


@dataclass(frozen=True)
class Checker:
    """A checker for proofs of one kind; "" means that a claim holds.

    `about` are the facets that such a proof can be about.  `not_identical` says why the two sides
    are not written alike, though they may act alike.
    """

    proof: Proof
    about: frozenset[str]
    objection: Callable[[Claim], str]
    not_identical: Callable[[Claim], str] = never
