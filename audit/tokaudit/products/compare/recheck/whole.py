"""Derive the conclusions of a stored comparison again from its facets and texts.

Texts that were searched in vain are not searched again, so a claim may be worse than what its own
texts show, but never better.
"""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.engine.facet_names import (
    BATCH,
    CHAT_TEMPLATE,
    DECIDE_IDS,
    DECODER,
    OF_LOADERS,
    PADDING,
    POST_PROCESSOR,
    ROLES,
    ROWS,
    STOPS,
)
from tokaudit.engine.sides.trial import Trial
from tokaudit.products.compare.facets.compared import relation
from tokaudit.products.compare.facets.stated import stated_facets
from tokaudit.products.compare.judging.purposes import suitability
from tokaudit.products.compare.recheck.claims import Rechecked
from tokaudit.report.comparison import Comparison, Facet, Outcome, Relation
from tokaudit.report.model import Verdict

STATED = (ROLES, PADDING, STOPS, CHAT_TEMPLATE, ROWS)
MAY_LACK_A_TEXT = (*STATED, *OF_LOADERS)
EVERY = (*DECIDE_IDS, POST_PROCESSOR, DECODER, BATCH, *STATED)
WORSE = (
    *(Relation.SAME, Relation.UNDIFFERING, Relation.REMAPPED, Relation.SUPERSET),
    *(Relation.RESEGMENTED, Relation.DIFFERENT),
)
VERDICTS = (Verdict.PASS, Verdict.UNVERIFIABLE, Verdict.FAIL)


def rederived(trial: Trial, stored: Comparison) -> Iterator[Rechecked]:
    """Yield checks of the set of facets, the relation and the purpose."""
    missing = [name for name in EVERY if name not in {facet.name for facet in stored.facets}]
    if missing:
        yield Rechecked("facets", f"there is none for {', '.join(missing)}")
    for facet in stored.facets:
        without = facet.outcome is Outcome.DIFFERS and not facet.evidence
        if without and facet.name not in MAY_LACK_A_TEXT:
            yield Rechecked(f"{facet.name}: {facet.outcome}", "it has no text that shows it")
    yield from _of_files(trial, stored)
    yield Rechecked(f"relation: {stored.relation}", _better(trial, stored))
    if stored.different < len(trial.seen):
        why = f"the stored texts show {len(trial.seen)}"
        yield Rechecked(f"{stored.different:,} of {stored.texts:,} texts differ", why)
    if stored.suitability is not None:
        found = suitability(stored.suitability.purpose, trial, stored)
        claimed, own = (VERDICTS.index(e.verdict) for e in (stored.suitability, found))
        wrong = "" if claimed >= own else f"by its facets it would be {found.verdict}"
        claim = f"for {stored.suitability.purpose}: {stored.suitability.verdict}"
        yield Rechecked(claim, wrong)


def _of_files(trial: Trial, stored: Comparison) -> Iterator[Rechecked]:
    """Yield the facets decided by files next to a tokenizer, read again."""
    now: dict[str, Facet] = {f.name: f for f in stated_facets(trial.left, trial.right)}
    for facet in stored.facets:
        if facet.name in now and facet.certificate is None:
            found = now[facet.name].outcome
            if facet.name == CHAT_TEMPLATE and found is Outcome.UNKNOWN:
                continue  # the search renders it
            wrong = "" if found is facet.outcome else f"by the files it would be {found}"
            yield Rechecked(f"{facet.name}: {facet.outcome}", wrong)


def _better(trial: Trial, stored: Comparison) -> str:
    """Explain why the relation is better than facets and texts allow; "" if it is not."""
    if trial.left.spec.dropout or trial.right.spec.dropout:
        return ""  # tokens are random, and no text shows it every time
    found = relation(trial, stored.facets)
    if Relation.UNKNOWN in (found, stored.relation):
        return ""
    if WORSE.index(stored.relation) < WORSE.index(found):
        return f"by its facets and texts it would be {found}"
    needs_text = WORSE.index(Relation.UNDIFFERING) < WORSE.index(stored.relation)
    shown = any(facet.outcome is Outcome.DIFFERS for facet in stored.facets)
    return "no facet differs" if needs_text and not shown and not stored.different else ""
