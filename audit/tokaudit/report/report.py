"""The report: everything an audit found, with methods for scripts, notebooks and tests."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from tokaudit.report.causes.cause import Cause, causes_of
from tokaudit.report.comparison import Comparison, Relation
from tokaudit.report.frames import Of, frame
from tokaudit.report.model import CheckResult, Finding, Measurement, Severity, Suppressed, Verdict
from tokaudit.report.recorded import (
    LACKING,
    CheckRecord,
    ComponentIdentity,
    LoaderRecord,
    PartRecord,
    SubjectRecord,
    Timing,
    TracedText,
    Transcript,
)
from tokaudit.report.replacement import Replacement
from tokaudit.report.saving import refuse_unwritable, save
from tokaudit.report.sentences.in_words import lines_of
from tokaudit.report.sentences.of_report import verdict_sentence
from tokaudit.report.visible import visible
from tokaudit.report.wording import cut, named
from tokaudit.report.writer import writer_for

SCHEMA = "tokaudit.report/1"
# pytest shows at most 240 characters of an object in a failed assertion.
REPR_WIDTH = 230


@dataclass(frozen=True, slots=True, repr=False)
class Report:
    """Everything an audit found, enough to render any report again without the subject."""

    tool: Mapping[str, str]
    command: tuple[str, ...]
    started: str
    seconds: float
    environment: Mapping[str, str]
    subject: SubjectRecord
    scope: str
    verdict: Verdict
    verdict_reason: str
    summary: Mapping[str, int]
    identity: tuple[ComponentIdentity, ...] = ()
    results: tuple[CheckResult, ...] = ()
    checks: tuple[CheckRecord, ...] = ()  # those that were asked, in their own words
    comparison: Comparison | None = None
    further: tuple[Comparison, ...] = ()  # of the same subject with a third, a fourth, ...
    compared: tuple[str, ...] = ()  # the names of all subjects of a comparison
    matrix: tuple[tuple[Relation, ...], ...] = ()  # of each to each, of more than two
    groups: tuple[tuple[str, ...], ...] = ()  # compared subjects that are proved the same
    parts: tuple[PartRecord, ...] = ()  # of a repository of several tokenizers, each by itself
    timing: Timing = field(default_factory=Timing)
    others: tuple[SubjectRecord, ...] = ()  # what the subject was compared with
    loaders: tuple[LoaderRecord, ...] = ()  # the encoders of the audit first
    transcripts: tuple[Transcript, ...] = ()  # conversations as the chat template renders them
    replacements: tuple[Replacement, ...] = ()  # which of the compared is better, in figures
    traces: tuple[TracedText, ...] = ()  # of the texts of findings, and of a few of ours
    schema: str = SCHEMA

    @property
    def comparisons(self) -> tuple[Comparison, ...]:
        """Every comparison, that of the first two subjects first."""
        return tuple(each for each in (self.comparison, *self.further) if each is not None)

    @property
    def unprotected(self) -> str:
        """The protections of workers that this platform lacks; empty where it lacks nothing."""
        return self.environment.get(LACKING, "")

    @property
    def ok(self) -> bool:
        """Return whether the verdict is *pass*; an *unverifiable* subject is not ok."""
        return self.verdict is Verdict.PASS

    @property
    def title(self) -> str:
        """The title of the report: the subject's name, or how many tokenizers where there are more.

        These are the parts of the folder here, or more than two that were compared.
        """
        here = len(self.parts) if self.subject.name == "." else 0
        runs = self.comparison is not None and self.comparison.runtime is not None
        several = here or len((self.compared[2:] and not runs and self.compared) or ())
        return f"{several} tokenizers" if several else self.subject.name

    @property
    def sentence(self) -> str:
        """The sentence that begins every written report: what to do with the subject and why."""
        return verdict_sentence(self)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Every finding, in the order of the checks; `finding.check` names who found it."""
        return tuple(finding for result in self.results for finding in result.findings)

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings that make an audit fail."""
        return tuple(each for each in self.findings if each.severity is Severity.ERROR)

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """The findings that are right today, but have caught people."""
        return tuple(each for each in self.findings if each.severity is Severity.WARNING)

    @property
    def causes(self) -> tuple[Cause, ...]:
        """Every finding once, as a fault or below the fault that explains it, the worst first."""
        return causes_of(self.results)

    @property
    def measurements(self) -> tuple[Measurement, ...]:
        """Every figure that was measured, in the order of the checks."""
        return tuple(figure for result in self.results for figure in result.measurements)

    @property
    def suppressed(self) -> tuple[Suppressed, ...]:
        """The findings that do not count, each with the reason."""
        return tuple(each for result in self.results for each in result.suppressed)

    def result(self, id: str) -> CheckResult:
        """Return the result of the check with this id; raise `KeyError` where it was not run."""
        for result in self.results:
            if result.check == id:
                return result
        raise KeyError(
            f"{id} was not run; checks that ran: {', '.join(r.check for r in self.results)}"
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the report in the format that the suffix of `path` names, whole or not at all."""
        target = Path(path)
        writer = writer_for(None, target)
        refuse_unwritable(target)
        save(target, writer.write(self.as_stored()))

    def as_stored(self) -> Report:
        """The report as its JSON holds it, of which every format is made, now and later.

        A value quoted from the subject that JSON cannot hold is a text that shows it.  Raises
        `TokauditError` for a figure that is NaN.
        """
        from tokaudit.foundation.typed_values import read_json

        return read_json(self.to_json(), Report)

    def to_json(self) -> str:
        """The report as JSON text, which `tokaudit report` renders again."""
        return writer_for("json", None).write(self)

    def to_dict(self) -> dict[str, Any]:
        """The report as plain data, with the keys of its JSON."""
        data: dict[str, Any] = json.loads(self.to_json())
        return data

    def to_frame(self, of: Of = "measurements") -> Any:
        """The measurements, or the findings, as a data frame of pandas or polars.

        Raises `UsageError` where neither is installed.
        """
        return frame(self.results, of)

    def _repr_html_(self) -> str:
        """The page in its own frame, as notebooks show a report or a comparison."""
        page = escape(writer_for("html", None).write(self.as_stored()))
        title = escape(visible(self.sentence))
        return (
            f'<iframe srcdoc="{page}" title="{title}" sandbox="allow-scripts" '
            'width="100%" height="700" style="border: 0"></iframe>'
        )

    def __str__(self) -> str:
        """The sentence, the first causes with their texts and what to do, and the scope."""
        lines = tuple(lines_of(self))
        return "\n".join(visible(line, limit=len(line)) for line in lines)

    def __repr__(self) -> str:
        """The verdict and the errors in one line, short enough for a failed `assert report.ok`."""
        head = f"<Report {self.verdict}: {cut(self.title, 60)}"
        if self.errors:
            room = REPR_WIDTH - len(head) - len("; and 99 more>")
            return visible(f"{head}; {named(self.errors, room)}>")
        reason = "" if self.ok else f"; {cut(self.verdict_reason, 120)}"
        return visible(f"{head}{reason}>")
