"""`tokaudit.recheck`: the proofs and texts of a stored comparison, checked again on the files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from tokaudit.engine.opening import SubjectName, subjects_of
from tokaudit.engine.options import TIERS, Options
from tokaudit.engine.outcome.recording import environment
from tokaudit.engine.rendering import ReportOrFile, stored
from tokaudit.engine.settings.keywords import keywords
from tokaudit.engine.settings.settings import BareFiles
from tokaudit.engine.sides.trial import Trial
from tokaudit.engine.workers import Workers
from tokaudit.foundation.errors import UsageError
from tokaudit.products.compare.api.tokenizers import judged
from tokaudit.products.compare.recheck.claims import Rechecked as Rechecked
from tokaudit.products.compare.recheck.proofs import rechecked
from tokaudit.products.compare.recheck.search import against_the_search, excused, other_versions
from tokaudit.products.compare.recheck.side_names import names_of_sides
from tokaudit.products.compare.recheck.texts import rerun
from tokaudit.products.compare.work.matrix import groups_of
from tokaudit.products.compare.work.pairs import compare_each
from tokaudit.products.compare.work.prepared import Compared, prepared
from tokaudit.products.compare.work.subjects import pairs, with_figures
from tokaudit.report.comparison import Comparison
from tokaudit.report.report import Report


@keywords(BareFiles)
def recheck(
    report: ReportOrFile, *subjects: SubjectName, asked: BareFiles
) -> tuple[Rechecked, ...]:
    """Check every proof and every text of a stored comparison again, and search again.

    Where the `subjects` are not named, those that the report names are opened.  A claim that was
    changed, or whose files were, has an `objection`; `unchecked` says why one was not checked.
    """
    claimed = stored(report)
    found = claimed.comparisons
    if not found or not all(each.facets for each in found):
        raise UsageError("the report was not written by tokaudit compare")
    named = subjects or (found[0].left, *(each.right for each in found))
    if len(named) != len(found) + 1:
        raise UsageError(
            f"the report compares {len(found) + 1} tokenizers, but {len(named)} were named"
        )
    opened = subjects_of(named, asked)
    options = _options(claimed)
    workers = Workers(options.limits())
    try:
        sides = [prepared(each, workers, str(at)) for at, each in enumerate(opened)]
        doubt = _doubt(claimed, sides, environment(options.seed, workers))
        purpose = found[0].suitability.purpose if found[0].suitability else None
        again, relations = compare_each(sides, options, workers, purpose)
        again = [
            with_figures(each, sides[0], other, options)
            for each, other in zip(again, sides[1:], strict=True)
        ]
        claims = [
            claim
            for other, each, anew in zip(sides[1:], found, again, strict=True)
            for claim in _claims(sides[0], other, each, anew, doubt)
        ]
        claims = [*names_of_sides(claimed, found, again), *claims]
        if claimed.matrix:
            groups = groups_of(claimed.compared, relations)
            same = (relations, groups) == (claimed.matrix, claimed.groups)
            wrong = "" if same else "other relations come out"
            claims.append(excused("each against each", wrong, doubt))
    finally:
        workers.close()
    derived = judged(found, claimed.matrix)[0]
    wrong = "" if derived is claimed.verdict else f"by its facets it would be {derived}"
    return (*claims, Rechecked(f"verdict: {claimed.verdict}", wrong))


def _claims(
    left: Compared, right: Compared, stored: Comparison, again: Comparison, doubt: str
) -> Iterator[Rechecked]:
    yield from rechecked(left.side, right.side, stored)
    yield from rerun(Trial(left.side, right.side, pairs(left, right)), stored)
    yield from against_the_search(stored, again, doubt)


def _options(stored: Report) -> Options:
    """Return the tier and seed in the report, or else the defaults of a comparison."""
    tier, seed = stored.environment.get("tier", ""), stored.environment.get("seed", "")
    known = Options(tier=tier) if tier in TIERS else Options()
    return replace(known, seed=int(seed)) if seed.isascii() and seed.isdigit() else known


def _doubt(stored: Report, sides: Sequence[Compared], now: Mapping[str, str]) -> str:
    """Explain why a repeated search may differ without any change to the report; else ""."""
    if any(each.side.spec.dropout for each in sides):
        return "dropout makes the tokens random"
    if stored.environment.get("tier") not in TIERS:
        return "the report does not state how much text was drawn"
    other = other_versions(stored.environment, now)
    return f"the report was made with {other}" if other else ""
