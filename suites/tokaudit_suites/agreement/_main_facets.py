"""The facets of a copy and of the main tokenizer of its repository, each run by the reference."""

from __future__ import annotations

from tokaudit.plugin import Original, Representation, Subject, Workers, need_from_worker
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.base_facets import BaseFacets, facets_of


class MainFacets(BaseFacets):
    """The facets of a copy and the main tokenizer, which is the first side."""


@need_from_worker
def main_facets(
    subject: Subject,
    representation: Representation,
    spec: TokenizerSpec,
    original: Original,
    workers: Workers,
) -> MainFacets:
    """Both, each run by the reference."""
    from tokaudit.products.compare.work.prepared import by_reference
    from tokaudit.products.compare.work.subjects import trial_of

    main = "the main tokenizer"
    before = by_reference(original.subject, original.representation, original.spec, workers, main)
    now = by_reference(subject, representation, spec, workers, "this")
    found = facets_of(spec, original, trial_of(before, now, workers))
    return MainFacets(found.by_name, found.trial)
