"""What changed files are given to; each returns whether they were taken, and lets nothing escape.

Refusing them in words is not an escape: `UnreadableError` and `UsageError` say the file and why.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import tokaudit
from tokaudit.engine.check import Check, all_checks
from tokaudit.engine.resolver import Needs, all_needs
from tokaudit.foundation.errors import NotApplicable, UnreadableError, UsageError
from tokaudit.products.identity import hashes, statement
from tokaudit.products.identity.drift import differences
from tokaudit.report.model import Status
from tokaudit.report.reading import decode_report
from tokaudit.report.report import Report
from tokaudit.report.writer import all_writers
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit.subject.weights import read_headers
from tokaudit_fuzz import command_lines, frames
from tokaudit_fuzz.sample import Files, written
from tokaudit_fuzz.samples import SAMPLES, built, checkpoint

PARSING, COMPUTING, WHOLE = 5.0, 20.0, 60.0  # seconds of the processor for one input
Run = Callable[[Path], bool]


class Escape(Exception):
    """What came out of an input and may not: a check that crashed, a report nobody can write."""


@dataclass(frozen=True)
class Target:
    """What takes a folder of changed files; `seconds` of the processor are too many for one."""

    name: str
    samples: tuple[Callable[[], Files], ...]
    run: Run
    seconds: float = PARSING
    share: int = field(default=1, compare=False)  # of the time there is


def refused(run: Callable[[Path], None], folder: Path) -> bool:
    """Run, and say whether the folder was taken."""
    try:
        run(folder)
    except (UnreadableError, UsageError) as error:
        if "\n" in str(error):
            raise Escape(f"a refusal in more than one line: {error!r}") from error
        return False
    return True


def parse(folder: Path) -> None:
    """Open a subject, parse every representation and work out its hashes."""
    subject = open_subject(folder)
    for _, spec in parse_all(subject).parsed:
        for part in hashes.identities(spec, subject, None):
            hashes.worked_out(part)
    with suppress(NotApplicable):
        read_headers(subject)


def compute(folder: Path) -> None:
    """Ask every check that needs no worker, and write the report in every format."""
    rendered(tokaudit.audit(folder, tier="quick", checks=computing()))


def whole(folder: Path) -> None:
    """Ask every check of the quick tier."""
    rendered(tokaudit.audit(folder, tier="quick"))


def read_report(folder: Path) -> None:
    """Read a report, and write it in every format."""
    rendered(decode_report((folder / "report.json").read_bytes()), own=False)


def read_manifest(folder: Path) -> None:
    """Read a manifest, and explain how it differs from the one that it was."""
    found = statement.read(folder / "manifest.json")
    for drift in differences(found, sample_manifest()):
        if "\n" in str(drift):
            raise Escape(f"a difference in more than one line: {drift!r}")


def rendered(report: Report, *, own: bool = True) -> None:
    """Write a report in every format; in one of our own no check crashed, and it is read again."""
    if own:
        refuse_crashes(report)
        decode_report(report.to_json())
    for writer in all_writers().values():
        writer.write(report)


def refuse_crashes(report: Report) -> None:
    """Raise `Escape` for the first check that crashed."""
    for result in report.results:
        if result.status is Status.CRASHED:
            raise Escape(f"{result.check}: {result.reason}")


@cache
def computing() -> tuple[Check, ...]:
    """The checks that ask nothing of a worker."""
    needs = Needs.of(all_needs())
    return tuple(check for check in all_checks() if not needs.from_workers(check.function))


@cache
def sample_manifest() -> dict[str, Any]:
    """The manifest of the checkpoint."""
    found: dict[str, Any] = _of_checkpoint(tokaudit.manifest)
    return found


def sample_report() -> Files:
    """The report on the checkpoint."""
    ask = partial(tokaudit.audit, tier="quick", checks=computing())
    report: Report = _of_checkpoint(ask)
    anywhere = replace(report, command=("tokaudit", "audit"), environment={}, started="")
    return {"report.json": anywhere.to_json().encode()}


def _of_checkpoint(ask: Callable[[Path], Any]) -> Any:
    with TemporaryDirectory() as folder:
        for name, data in built(checkpoint).items():
            (Path(folder) / name).write_bytes(data)
        return ask(Path(folder))


def _manifest_file() -> Files:
    return {"manifest.json": written(sample_manifest())}


def _frames() -> tuple[Callable[[], Files], ...]:
    return tuple(partial(dict, files) for files in frames.samples())


EVERY = tuple(build for builds in SAMPLES.values() for build in builds)
TARGETS: Mapping[str, Target] = {
    target.name: target
    for target in (
        *(
            Target(f"parse {name}", builds, partial(refused, parse))
            for name, builds in SAMPLES.items()
        ),
        Target("parse checkpoint", (checkpoint,), partial(refused, parse)),
        Target("checks", (checkpoint, *EVERY), partial(refused, compute), COMPUTING, 5),
        Target("reports", (sample_report,), partial(refused, read_report), PARSING, 2),
        Target("manifests", (_manifest_file,), partial(refused, read_manifest), PARSING, 2),
        Target("frames", _frames(), frames.run),
        Target("command lines", (command_lines.sample,), command_lines.run, WHOLE, 3),
        Target("audits", (checkpoint, *EVERY), partial(refused, whole), WHOLE, 11),
    )
}
