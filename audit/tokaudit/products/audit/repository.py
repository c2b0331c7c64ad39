"""Audit of a repository: each tokenizer by itself, and one report with all verdicts."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tokaudit.engine.check import Check
from tokaudit.engine.needs import Options, Others
from tokaudit.engine.outcome.recording import timing_of_all
from tokaudit.engine.providers import audit_needs
from tokaudit.engine.shared import Shared
from tokaudit.engine.workers import Workers
from tokaudit.foundation.errors import UnreadableError
from tokaudit.foundation.progress import OnStep, silently
from tokaudit.products.audit.folding import Member, folded, in_part, part_record
from tokaudit.products.audit.one_audit import OnResult, Request, carry_out
from tokaudit.products.identity.whole import Whole
from tokaudit.report.recorded import FileRecord, SubjectRecord
from tokaudit.report.report import Report
from tokaudit.subject.formats import all_formats
from tokaudit.subject.material import LARGEST_READ, SourceFile, Subject
from tokaudit.subject.opening import Repository
from tokaudit.subject.representations import Representations

COMPANIONS = ("tokenizer_config.json", "special_tokens_map.json", "added_tokens.json", "merges.txt")
MOST_NAMED = 6
FILES = "files"  # the suite that can still be asked where no tokenizer parses


@dataclass(frozen=True)
class CarriedOut:
    """The report on all tokenizers, the main one's report, and the data for its manifest."""

    report: Report
    main: Subject
    whole: Whole


def carry_out_all(
    repository: Repository,
    request: Request,
    on_result: OnResult | None = None,
    shared: Shared | None = None,
    on_step: OnStep = silently,
) -> CarriedOut:
    """Audit every tokenizer of a repository, which may be a single one."""
    if len(repository.subjects) == 1:
        subject = repository.subjects[0]
        whole = carry_out(subject, request, on_result, shared=shared, on_step=on_step)
        return CarriedOut(whole.report, subject, whole)
    return _Parts(repository, request, on_result, shared or Shared(), on_step).carried_out()


@dataclass
class _Parts:
    repository: Repository
    request: Request
    on_result: OnResult | None
    shared: Shared
    on_step: OnStep

    def carried_out(self) -> CarriedOut:
        """Audit each part and merge the reports."""
        started, wholes, unread = time.perf_counter(), dict[str, Whole](), list[SourceFile]()
        for number, subject in enumerate(self.repository.subjects):
            parsed = self.shared.parsed.of(subject, self.repository.subjects[number + 1 :])
            if _holds_nothing(subject, parsed):
                unread += [replace(f, role=NOTHING) for f in subject.files]
                continue
            wholes[subject.part] = self._part(subject, parsed, number, started)
        found = {part: whole.report for part, whole in wholes.items()}
        if not found:
            names = ", ".join(subject.part for subject in self.repository.subjects)
            raise UnreadableError(
                f"{self.repository.name}: tokaudit can read none of the tokenizers {names}"
            )
        report = _together(self.repository, found, (*self.repository.others, *unread), started)
        first = next(iter(wholes))
        main = next(each for each in self.repository.subjects if each.part == first)
        return CarriedOut(report, main, wholes[first])

    def _part(
        self, subject: Subject, parsed: Representations, number: int, started: float
    ) -> Whole:
        """Audit one part, without running checks again on files that were run before."""
        request, before = self._left(started), self.repository.subjects[:number]
        if any(_same_files(subject, other) for other in before):
            request = replace(request, checks=tuple(_without_workers(request.checks, subject)))
        if not parsed.parsed:
            only = tuple(check for check in request.checks if check.suite == FILES)
            request = replace(request, checks=only)
        original = next((o for o in before if o.part == subject.original), None)
        on_result = self._reported(number)
        return carry_out(
            subject,
            request,
            on_result,
            original,
            parsed=parsed,
            required=False,
            shared=self.shared,
            on_step=self.on_step,
        )

    def _left(self, started: float) -> Request:
        """Return the request with the time left for all parts."""
        options = self.request.options
        left = max(1.0, options.seconds() - (time.perf_counter() - started))
        return replace(self.request, options=replace(options, timeout=left))

    def _reported(self, number: int) -> OnResult | None:
        """Return a callback that counts the results of all parts together."""
        on_result, parts = self.on_result, len(self.repository.subjects)
        if on_result is None:
            return None
        return lambda result, done, of: on_result(result, number * of + done, parts * of)


NOTHING = "of no tokenizer that is read"


def _holds_nothing(subject: Subject, parsed: Representations) -> bool:
    """Return whether a part's files are sound but contain no known tokenizer."""
    broken = any(file.impostor for file in subject.files)
    return not broken and all(each.spec is None and each.sound for each in parsed.all)


def _same_files(one: Subject, other: Subject) -> bool:
    """Return whether two parts have the same tokenizer byte for byte."""
    return _tokenizer_files(one) == _tokenizer_files(other)


def _tokenizer_files(subject: Subject) -> dict[str, str]:
    roles = {format.name for format in all_formats()}
    mine = (f for f in subject.files if f.role in roles or f.known.endswith(COMPANIONS))
    small = (f for f in mine if f.size <= LARGEST_READ)
    return {f.base: f.content.digest_of_all() for f in small}


def _without_workers(checks: Sequence[Check], subject: Subject) -> Iterator[Check]:
    """Yield the checks that only read files."""
    needs = audit_needs(subject, Options(), Workers(), Others())
    return (check for check in checks if not needs.from_workers(check.function))


def _together(
    repository: Repository, found: dict[str, Report], others: Sequence[SourceFile], started: float
) -> Report:
    """Merge the reports on all tokenizers; unexamined ones rule out a *pass*."""
    main = next(iter(found.values()))
    originals = {subject.part: subject.original for subject in repository.subjects}
    members = [
        Member(name, in_part(report, name), (part_record(name, report, originals[name]),))
        for name, report in found.items()
    ]
    seconds = time.perf_counter() - started
    return folded(
        members,
        _subject(repository, list(found.values()), others),
        main.verdict_reason,
        _not_examined(repository.beyond),
        seconds=seconds,
        timing=timing_of_all([report.timing for report in found.values()], seconds),
    )


def _not_examined(names: Sequence[str]) -> str:
    """Count the unexamined tokenizers, and name the first of them; "" without any."""
    if not names:
        return ""
    many = len(names)
    listed = ", ".join(names[:MOST_NAMED]) + (" ..." if many > MOST_NAMED else "")
    tokenizers = f"{many} tokenizer{'s were' if many > 1 else ' was'}"
    return f"{tokenizers} not examined, name a folder to audit it: {listed}"


def _subject(
    repository: Repository, reports: Sequence[Report], others: Sequence[SourceFile]
) -> SubjectRecord:
    """Record every file once, and the files that no part reads with the reason."""
    read = {file.name: file for report in reports for file in report.subject.files}
    left = {file.name: file for report in reports for file in report.subject.unread}
    left |= {file.name: FileRecord(file.name, file.size, file.role) for file in others}
    return SubjectRecord(
        name=repository.name,
        files=tuple(read[name] for name in sorted(read)),
        unread=tuple(left[name] for name in sorted(left.keys() - read.keys())),
        facts=tuple(fact for report in reports for fact in report.subject.facts),
        formats=tuple(dict.fromkeys(f for report in reports for f in report.subject.formats)),
        commit=next((report.subject.commit for report in reports), ""),
        traffic=max((report.subject.traffic for report in reports), key=len, default=""),
    )
