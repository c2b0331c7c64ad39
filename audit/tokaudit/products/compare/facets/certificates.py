"""The certificates of facets of which both sides state the same."""

from __future__ import annotations

from functools import partial

from tokaudit.engine.sides.side import Side
from tokaudit.products.compare.facets.stated import statement_of_files
from tokaudit.products.compare.proofs.equal.prove import with_digest
from tokaudit.report.comparison import Facet


def certified(facet: Facet, left: Side, right: Side) -> Facet:
    """The facet with a certificate, where both sides state the same of it."""
    return with_digest(facet, left.spec, right.spec, partial(statement_of_files, left))
