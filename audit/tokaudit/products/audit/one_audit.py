"""One audit: a subject, the request, and the report."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace

from tokaudit.engine.check import Check
from tokaudit.engine.collected import Answered, collected
from tokaudit.engine.needs import (
    Against,
    Base,
    Options,
    Others,
    Reference,
    ReferenceBehaviour,
    Upstream,
    UpstreamBehaviour,
)
from tokaudit.engine.outcome.lines import facets_with_lines, with_lines
from tokaudit.engine.outcome.present_values import with_present_values
from tokaudit.engine.outcome.recording import (
    changes,
    checks_in_words,
    compared_with,
    environment,
    record,
)
from tokaudit.engine.outcome.scope import scope
from tokaudit.engine.outcome.verdict import judge, summary
from tokaudit.engine.providers import audit_needs
from tokaudit.engine.resolver import Needs, needs_read_first
from tokaudit.engine.run_clock import RunClock
from tokaudit.engine.runner import from_workers, run
from tokaudit.engine.shared import Shared
from tokaudit.engine.workers import Workers
from tokaudit.foundation.deadline import Deadline
from tokaudit.foundation.errors import OutOfTime, UnreadableError
from tokaudit.foundation.exhaustion import refused_by_system
from tokaudit.foundation.progress import OnStep, silently
from tokaudit.products.identity.gated_facts import derived_facts
from tokaudit.products.identity.identities import Identities
from tokaudit.products.identity.kept import kept
from tokaudit.products.identity.whole import Whole
from tokaudit.report.comparison import Comparison
from tokaudit.report.model import CheckResult
from tokaudit.report.report import Report
from tokaudit.subject.material import Subject
from tokaudit.subject.representations import Representations
from tokaudit.subject.weights import WeightHeaders
from tokaudit_reference.spec import TokenizerSpec

OnResult = Callable[[CheckResult, int, int], None]
BEHAVIOURS = (ReferenceBehaviour, UpstreamBehaviour)


@dataclass(frozen=True)
class Request:
    """Everything that decides what an audit does, with validated settings."""

    checks: tuple[Check, ...] = ()
    others: Others = field(default_factory=Others)
    require: tuple[str, ...] = ()
    options: Options = field(default_factory=Options)
    whole_identity: bool = False  # also what no check asked for, as a manifest needs it


def carry_out(
    subject: Subject,
    request: Request,
    on_result: OnResult | None = None,
    original: Subject | None = None,
    *,
    parsed: Representations | None = None,
    required: bool = True,
    shared: Shared | None = None,
    on_step: OnStep = silently,
) -> Whole:
    """Return the report, with data for a manifest; close workers in any case.

    `original` is the subject that this one is a copy of, where the two are in one repository;
    `parsed` is what the subject's files say, where somebody has parsed them already; `shared` is
    what other subjects of the same run have in common with it; `on_step` gets how far pieces of
    files are.
    Raises `UnreadableError` where no tokenizer parses, unless none is `required`, and `OutOfMemory`
    where reading alone takes the memory.
    """
    clock = RunClock()
    answers = shared.answers if shared is not None else None
    workers = Workers(request.options.limits(), answers, on_step)
    shared = shared or Shared()
    try:
        needs = _needs(subject, request, original, workers, shared)
        needs.give(parsed or shared.parsed.of(subject))
        # Reading is bounded by itself, and there is no report without it: the clock does not count.
        reading = replace(needs, deadline=Deadline())
        with workers.limits.budget.of_parent(reading.deadline.end), reading.deadline.cuttable():
            _refuse_what_cannot_be_read(reading, request, required)
        identities = Identities(needs, subject, request.whole_identity)
        with workers.limits.watched():
            found = _stream(request, needs, on_result, identities)
        others = _compared(needs, workers, request)
        own = [each for each in (original, subject) if each]
        lined = with_lines(found, own, others, shared.lines)
        needs.give(Answered(with_present_values(lined, own, others)))
        report = _report(clock, request, needs, others, identities)
        return _whole(report, subject, needs) if request.whole_identity else Whole(report)
    finally:
        workers.close()


def _needs(
    subject: Subject, request: Request, original: Subject | None, workers: Workers, shared: Shared
) -> Needs:
    """Build the needs of the checks, and start as many workers as they use."""
    others = replace(request.others, original=original)
    needs = replace(audit_needs(subject, request.options, workers, others), kept=shared.needs)
    asked = set[type]().union(*(from_workers(check, needs) for check in request.checks))
    workers.start_ahead(len({Reference, Upstream} & asked))
    return needs


def _report(
    clock: RunClock, request: Request, needs: Needs, others: list[Subject], identities: Identities
) -> Report:
    """Build the report of the checks' results."""
    identity = identities.all()
    subject, workers = needs.get(Subject), needs.get(Workers)
    results = needs.get(Answered).results
    comparison = needs.optional(Comparison) if request.others.against is not None else None
    if comparison is not None:
        comparison = facets_with_lines(comparison, [subject, *others])
    recorded, compared = record(subject, needs.get(Representations)), compared_with(others)
    parts = collected(needs)
    return clock.report(
        recorded,
        scope(needs, request.checks, parts.pop("scope", "")) + changes((recorded, *compared)),
        judge(results, request.checks, request.require),
        environment(request.options.seed, workers),
        workers,
        identity=identity,
        summary=summary(results),
        results=results,
        checks=checks_in_words(request.checks),
        comparison=comparison,
        others=compared,
        **parts,
    )


def _whole(report: Report, subject: Subject, needs: Needs) -> Whole:
    spec = needs.optional(TokenizerSpec)
    if spec is None:
        return Whole(report)
    found = needs.without_fault(ReferenceBehaviour)
    probes = kept(spec, found.encodings if found is not None else ())
    return Whole(report, derived_facts(subject, spec), probes, _not_derived(needs))


def _not_derived(needs: Needs) -> str:
    """Explain why a lack of memory or time hid the behaviour; "" if none did."""
    try:
        needs.get(ReferenceBehaviour)
    except OutOfTime as error:
        return str(error)
    except Exception as error:
        return refused_by_system(error)
    return ""


def _compared(needs: Needs, workers: Workers, request: Request) -> list[Subject]:
    """Return the subjects that `--base` and `--against` name."""
    base = needs.optional(Base) if request.others.base is not None else None
    encoder = workers.opened.get("against")
    held = encoder.request.held if encoder else None
    return [each for each in (base.subject if base else None, held) if isinstance(each, Subject)]


def _refuse_what_cannot_be_read(needs: Needs, request: Request, required: bool) -> None:
    """Raise one clear error instead of a report in which every check was skipped."""
    for kind in (WeightHeaders, TokenizerSpec, *needs_read_first()):
        needs.optional(kind)
    others = request.others
    for name, other in ((others.base, Base), (others.against, Against)):
        if name is not None:
            with suppress(OutOfTime):
                needs.get(other)
    found = needs.get(Representations)
    if required and not found.parsed:
        raise UnreadableError(found.errors)


def _stream(
    request: Request, needs: Needs, on_result: OnResult | None, identities: Identities
) -> tuple[CheckResult, ...]:
    results = []
    jobs = request.options.jobs
    stream = run(request.checks, needs, jobs, also=BEHAVIOURS, meanwhile=identities.of_files)
    for done, result in enumerate(stream, start=1):
        results.append(result)
        if on_result:
            on_result(result, done, len(request.checks))
    return tuple(sorted(results, key=lambda result: result.check))
