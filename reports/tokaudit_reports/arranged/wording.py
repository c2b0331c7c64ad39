"""Words a finding, and the verdict, in one line of a report for other programs."""

from __future__ import annotations

import posixpath
import re
from pathlib import PurePosixPath

from tokaudit.plugin import (
    Cause,
    Finding,
    Report,
    Severity,
    Suppressed,
    cut,
    first_text,
    text_words,
    visible,
)
from tokaudit.report.wording import of_part
from tokaudit_reports.arranged.order import explains_text

RUN_OF_SPACES = re.compile(" {2,}")


def shown_spaces(text: str) -> str:
    """A sentence that is safe to print, with each run of spaces drawn: wrapping would hide it.

    >>> shown_spaces("a token of four spaces: '    '")
    "a token of four spaces: '␠␠␠␠'"
    """
    return visible(RUN_OF_SPACES.sub(lambda run: "␠" * len(run.group()), text))


DRIFT = "gate/manifest"  # one change moves several hashes, which are accepted together


def accepting(finding: Finding) -> str:
    """Return the entry of tokaudit.toml that accepts a finding; for drift the command."""
    if finding.check == DRIFT:
        return 'tokaudit gate --accept "REASON" records the change, or write the manifest again'
    return f"[[suppressions]] in tokaudit.toml with {visible(finding.suppression)}"


def suppressed_by(held: Suppressed) -> str:
    """Name the source of a suppression, the reason, and the last day."""
    until = f", until {held.until}" if held.until else ""
    return f"suppressed by the {held.by}{until}: {held.reason}"


def line_of_suppressed(held: Suppressed) -> str:
    """Return the reason that a finding does not count, and the finding."""
    return visible(
        f"{suppressed_by(held).rstrip('.')}. {held.finding.severity}: {held.finding.message}"
    )


def line(finding: Finding) -> str:
    """Return the message, the text and the remedy in one printable line.

    >>> from tokaudit.report.model import Severity
    >>> line(Finding(Severity.ERROR, "two rows are missing", cause="short", remedy="Resize it."))
    'two rows are missing. What to do: Resize it.'
    """
    parts = [visible(finding.message).rstrip(".") + "."]
    text = first_text(finding)
    if text is not None:
        parts.append(f"{text_words(finding).capitalize()}: {visible(text, spaces=True)!r}.")
    if finding.remedy:
        parts.append(f"What to do: {visible(finding.remedy)}")
    return " ".join(parts)


def line_of_cause(cause: Cause, *, accept: bool) -> str:
    """Return the line of a cause, the count of its effects, and the entry that accepts it."""
    parts = [line(cause.finding)]
    if cause.explains:
        names = ((of_part(e.identity, cause.part), e.message) for e in cause.explains)
        each = (f"{name}: {cut(visible(message), 100)}" for name, message in names)
        parts.append(f"It {explains_text(cause)}: {'; '.join(each)}")
    if accept and cause.finding.severity is not Severity.INFO:
        parts.append(f"To accept this {cause.finding.severity}: {accepting(cause.finding)}")
    return " ".join(parts)


def root_of(report: Report) -> str:
    """Return the folder of the files that findings name; a comparison's name their subjects."""
    return "." if report.compared else report.subject.name


def path_of(subject: str, file: str) -> str:
    """Return a file's path from the folder of the run, as code hosts expect it.

    Where a report is on all subjects of a configuration, its own name is the folder `.`.

    >>> path_of("models/a", "tokenizer.json"), path_of("models/a/tokenizer.json", "tokenizer.json")
    ('models/a/tokenizer.json', 'models/a/tokenizer.json')
    >>> path_of(".", "models/a/tokenizer.json"), path_of("ci/../models/a", "")
    ('models/a/tokenizer.json', 'models/a')
    """
    whole, part = PurePosixPath(subject), PurePosixPath(file)
    is_the_subject = whole.parts[-len(part.parts) or None :] == part.parts
    return posixpath.normpath(whole if is_the_subject else whole / part)
