"""Compares two subjects with everything that can run them: the reference and their libraries."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace

from tokaudit.comparison.facets.compared import Searched, compared
from tokaudit.comparison.facets.side import Side
from tokaudit.comparison.facets.trial import Pair, Trial
from tokaudit.comparison.probes import draw
from tokaudit.comparison.purposes import suitability
from tokaudit.comparison.suspects import added_token_texts, entry_texts
from tokaudit.engine.needs import Options
from tokaudit.engine.workers import Workers
from tokaudit.errors import Skip, UnreadableError, UpstreamTrouble
from tokaudit.report.model import Comparison, Purpose
from tokaudit.runtimes.subject_requests import reference_request, upstream_request
from tokaudit.runtimes.worker.client import WorkerTokenizer
from tokaudit.subject.material import Subject
from tokaudit.subject.representations import Representations, parse_all


@dataclass(frozen=True)
class Compared:
    """A subject that can be compared: its parsed file and what runs it."""

    side: Side
    representations: Representations
    reference: WorkerTokenizer | None
    library: WorkerTokenizer | None


def prepared(subject: Subject, workers: Workers, role: str) -> Compared:
    """A subject with its workers started; raises `UnreadableError` where no file parses."""
    found = parse_all(subject)
    if not found.parsed:
        why = "; ".join(r.error for r in found.all) or "no tokenizer file found"
        raise UnreadableError(f"{subject.name}: {why}")
    representation, spec = found.parsed[0]
    reference = library = None
    with suppress(Skip, UpstreamTrouble):
        request = reference_request(subject, representation)
        reference = workers.open(f"reference of {role}", request)
    with suppress(Skip, UpstreamTrouble):
        request = upstream_request(subject, representation, spec)
        library = workers.open(f"library of {role}", request)
    return Compared(Side(subject.name, spec, subject), found, reference, library)


def compare_subjects(
    left: Compared, right: Compared, options: Options, purpose: Purpose | None = None
) -> Comparison:
    """Every facet of two subjects, with the texts that the tier draws from both."""
    first, second = left.side.spec, right.side.spec
    suspects = (*added_token_texts(first, second), *entry_texts(first, second))
    sample = dict.fromkeys(draw(first, options.tier, options.seed))
    if first.pieces != second.pieces:
        sample |= dict.fromkeys(draw(second, options.tier, options.seed))
    trial = Trial(left.side, right.side, pairs(left, right))
    found = compared(trial, Searched(suspects, tuple(sample)))
    return replace(found, suitability=suitability(purpose, trial, found)) if purpose else found


def pairs(left: Compared, right: Compared) -> list[Pair]:
    """The reference on both sides, and the upstream library of each side, where there are such."""
    found = []
    if left.reference is not None and right.reference is not None:
        found.append(Pair("the reference", left.reference, right.reference))
    if left.library is not None and right.library is not None:
        who = dict.fromkeys(
            f"{w.info.package} {w.info.version}" for w in (left.library, right.library)
        )
        found.append(Pair(" against ".join(who), left.library, right.library))
    return found
