"""`tokaudit.compare`: two or more tokenizers, facet by facet."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tokaudit.engine.corpus.documents import require_readers
from tokaudit.engine.facet_names import IDS
from tokaudit.engine.opening import SubjectName, subjects_of
from tokaudit.engine.options import Options
from tokaudit.engine.outcome.lines import facets_with_lines
from tokaudit.engine.outcome.recording import changes, compared_with, environment, record
from tokaudit.engine.run_clock import RunClock
from tokaudit.engine.settings.keywords import keywords
from tokaudit.engine.settings.settings import CompareSettings
from tokaudit.engine.vocabularies.id_map import id_map
from tokaudit.engine.workers import Workers
from tokaudit.foundation.errors import UsageError
from tokaudit.foundation.json_bytes import json_bytes
from tokaudit.foundation.progress import OnAnswer, OnStep, silently, unheard
from tokaudit.foundation.settings.places import NamedPath
from tokaudit.foundation.settings.setting import checked
from tokaudit.products.compare.api.replacing import refuse_without_purpose, replacing
from tokaudit.products.compare.facets.compared import ids_are_proved
from tokaudit.products.compare.work.matrix import Matrix, groups_of
from tokaudit.products.compare.work.pairs import compare_each
from tokaudit.products.compare.work.prepared import Compared, prepared
from tokaudit.products.compare.work.subjects import with_corpus, with_figures
from tokaudit.products.compare.work.traces import with_traces
from tokaudit.report.comparison import (
    DIFFERENT,
    Comparison,
    Facet,
    Outcome,
    Purpose,
    Relation,
    Suitability,
)
from tokaudit.report.model import Verdict
from tokaudit.report.replacement import REPLACING
from tokaudit.report.report import Report
from tokaudit.report.saving import refuse_unwritable, save
from tokaudit.shards.running import Runners


@dataclass(frozen=True, kw_only=True)
class CompareCall(CompareSettings):
    """The settings of `compare`, and what only a program can give."""

    on_pair: OnStep = silently
    on_answer: OnAnswer = unheard


@keywords(CompareCall)
def compare(
    first: SubjectName, second: SubjectName, *more: SubjectName, asked: CompareCall
) -> Report:
    """Compare tokenizers facet by facet; each is compared with the first.

    Subjects are named as for an audit; `pattern` and `special` are what a bare rank file among
    them leaves open, `files` gives a role to a file of one of them.  `report.comparison` is that of
    the first two, `report.further` has the others, and with more than two `report.matrix` says what
    each is to each.  The verdict is *pass* if every facet is proved or no difference of it was
    found, *fail* if any differs, else *unverifiable*.  With a `purpose` the verdict is whether its
    invariant holds.  With "replacing" the question is which is better: `report.replacements` has
    figures on the `corpus` or else the built-in samples, for an embedding of a `width`, a `context`
    and a language that `parity` is against, and the verdict is *fail* only above `most_tokens`.

    `write_map` takes the map of ids of two tokenizers that have the same tokens at other ids.  The
    documents of the files in `corpus`, lines of text or of JSON or rows of Parquet, are compared by
    ids too.  What is not reached within `timeout` seconds (by default 240, 1800 or 14400, by tier)
    is not searched, and the facets say so; of more than two, each pair has its share.  `on_pair` is
    called with what is done now, how many pairs are done, and of how many; `on_answer` with a
    sentence for the first text that differs, and for each facet as it closes.

    >>> import tokaudit
    >>> report = tokaudit.compare(
    ...     "models/checkpoint", "models/finetuned", tier="quick", purpose="serving")
    >>> str(report.comparison.relation)
    'resegmented'
    """
    return compared((first, second, *more), asked, asked.on_pair, asked.on_answer)


def compared(
    names: Sequence[SubjectName],
    asked: CompareSettings,
    on_pair: OnStep = silently,
    on_answer: OnAnswer = unheard,
) -> Report:
    """Compare two subjects or more; raise `UsageError` before any work."""
    valid = checked(asked)
    if valid.purpose == REPLACING:
        return replacing(names, valid, on_pair)
    refuse_without_purpose(valid)
    options = Options(tier=valid.tier, seed=valid.seed, timeout=valid.timeout)
    meant = None if valid.purpose is None else Purpose(valid.purpose)
    documents, runners = tuple(map(Path, valid.corpus)), Runners(valid.jobs, valid.ray or "")
    kept = os.fspath(valid.resume or "")
    require_readers(documents)
    target = _target(valid.write_map, names[2:])
    clock = RunClock()
    subjects = subjects_of(names, valid)
    workers = Workers(options.limits())
    try:
        sides = [prepared(each, workers, str(at)) for at, each in enumerate(subjects)]
        found, relations = compare_each(sides, options, workers, meant, on_pair, on_answer)
        with_text = partial(
            with_corpus, paths=documents, runners=runners, resume=kept, on_step=on_pair
        )
        found = [
            with_figures(with_text(each, sides[0], other), sides[0], other, options)
            for each, other in zip(found, sides[1:], strict=True)
        ]
        found = with_traces([facets_with_lines(each, subjects) for each in found], sides)
        recorded = record(subjects[0], sides[0].representations), *compared_with(subjects[1:])
        if target is not None:
            _write_map(target, sides[0], sides[1], found[0])
        return clock.report(
            recorded[0],
            f"{len(subjects)} tokenizers{changes(recorded)}",
            judged(found, relations),
            environment(options.seed, workers) | {"tier": options.tier},
            workers,
            comparison=found[0],
            further=tuple(found[1:]),
            compared=tuple(subject.name for subject in subjects),
            matrix=relations,
            groups=groups_of([subject.name for subject in subjects], relations),
            others=recorded[1:],
        )
    finally:
        workers.close()


def judged(found: Sequence[Comparison], relations: Matrix = ()) -> tuple[Verdict, str]:
    """Return the verdict over all facets, or on the purpose, and its reason.

    `relations` are those of each to each, of more than two: where the first is told apart from none
    of the others, these may still differ.
    """
    suited = [each.suitability for each in found if each.suitability is not None]
    for verdict in (Verdict.FAIL, Verdict.UNVERIFIABLE, Verdict.PASS):
        whose = [each for each in suited if each.verdict is verdict]
        if whose:
            reasons = dict.fromkeys(map(_reason, whose))
            return verdict, "; ".join(reasons)
    facets = [facet for comparison in found for facet in comparison.facets]
    if differing := _named(facets, Outcome.DIFFERS):
        return Verdict.FAIL, f"these differ: {differing}"
    if any(comparison.different for comparison in found):
        return Verdict.FAIL, "ids differ, though every facet is proved for the reference"
    every = {relation for row in relations for relation in row}
    if every.intersection(DIFFERENT):
        return Verdict.FAIL, "two of those that the first was compared with differ"
    if unknown := _named(facets, Outcome.UNKNOWN):
        return Verdict.UNVERIFIABLE, f"nothing is known about {unknown}"
    if Relation.UNKNOWN in every:
        return Verdict.UNVERIFIABLE, "two of those that the first was compared with are unknown"
    return Verdict.PASS, "no facet differs"


def _reason(suited: Suitability) -> str:
    engines = f"; {suited.by_engine}" if suited.by_engine else ""
    return f"for {suited.purpose}: {suited.why}{engines}"


def _named(facets: Sequence[Facet], outcome: Outcome) -> str:
    return ", ".join(dict.fromkeys(f.name for f in facets if f.outcome is outcome))


def _target(write_map: NamedPath | None, more: Sequence[SubjectName]) -> Path | None:
    """Return the path for the map; refuse an unwritable one before the work."""
    if write_map is None:
        return None
    if more:
        raise UsageError("a map of ids needs exactly two tokenizers")
    refuse_unwritable(Path(write_map))
    return Path(write_map)


def _write_map(target: Path, left: Compared, right: Compared, found: Comparison) -> None:
    """Write the map if equal tokens have other ids; else refuse."""
    if found.relation is not Relation.REMAPPED:
        return
    proved = ids_are_proved(facet for facet in found.facets if facet.name != IDS)
    first, second = left.side, right.side
    made = id_map(first.name, second.name, first.spec, second.spec, proved, found.texts)
    save(target, json_bytes(made).decode() + "\n")
