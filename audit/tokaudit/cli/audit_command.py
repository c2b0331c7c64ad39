"""`tokaudit audit SUBJECT`: ask every check and report."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tokaudit.cli.subject_arguments import add_subject_arguments, audit_arguments
from tokaudit.report.model import Report, Severity, Status, Verdict

ORDER = [Severity.INFO, Severity.WARNING, Severity.ERROR]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to audit, against what, which checks, and where the report goes."""
    add_subject_arguments(parser)
    parser.add_argument("--base", metavar="SUBJECT", help="hold every component against this one")
    parser.add_argument(
        "--against",
        metavar="ENCODER",
        help="compare ids with a subject, call:module:object or cmd:program (these run code)",
    )
    parser.add_argument("--select", action="append", default=[], metavar="CHECK")
    parser.add_argument("--ignore", action="append", default=[], metavar="CHECK")
    parser.add_argument("--require", action="append", default=[], metavar="SUITE")
    parser.add_argument("--corpus", action="append", default=[], type=Path, metavar="FILE")
    parser.add_argument("--out", action="append", default=[], type=Path, metavar="FILE")
    parser.add_argument(
        "--format", metavar="NAME", help="how to write the report, whatever the suffix of --out"
    )
    parser.add_argument("--manifest", type=Path, metavar="FILE", help="also write the manifest")
    parser.add_argument(
        "--fail-on", choices=[*map(str, ORDER), "never"], default=str(Severity.ERROR)
    )


def run(options: argparse.Namespace) -> int:
    """Audit, deliver, summarise; the exit code says how it ended."""
    from tokaudit.api import audit
    from tokaudit.cli.output import DEFAULT, deliver, writer_for
    from tokaudit.cli.progress import Progress

    for out in options.out or [None]:
        writer_for(options.format, out)  # a wrong name ends here, before the work
    with Progress(options.quiet) as progress:
        report = audit(
            **audit_arguments(options),
            base=options.base,
            against=options.against,
            select=options.select,
            ignore=options.ignore,
            require=options.require,
            corpus=options.corpus,
            on_result=progress,
        )
    deliver(report, options.format, options.out)
    if options.manifest:
        _write_manifest(report, options)
    if not options.quiet and (options.out or options.format not in (None, DEFAULT)):
        sys.stderr.write(writer_for(DEFAULT, None).write(report))
    return exit_code(report, options.fail_on)


def exit_code(report: Report, fail_on: str) -> int:
    """4 for a crashed check, 1 for findings at or above `fail_on`, 3 for unverifiable, else 0."""
    if any(result.status is Status.CRASHED for result in report.results):
        return 4
    if fail_on != "never":
        bad = ORDER[ORDER.index(Severity(fail_on)) :]
        if any(f.severity in bad for result in report.results for f in result.findings):
            return 1
    return 3 if report.verdict is Verdict.UNVERIFIABLE else 0


def _write_manifest(report: Report, options: argparse.Namespace) -> None:
    from tokaudit.cli.output import write_atomically
    from tokaudit.identity.statement import manifest, write
    from tokaudit.subject.opening import open_subject

    subject = open_subject(options.subject, allow_root=options.allow_root)
    statement = manifest(report, subject, hash_weights=options.hash_weights)
    write_atomically(options.manifest, write(statement))
