"""Outputs of a report: stdout, files, or a folder, validated before the work."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from tokaudit.cli.terminal.look import look
from tokaudit.cli.terminal.streams import say, say_data, written
from tokaudit.engine.output_places import refuse_inputs
from tokaudit.engine.rendering import ReportOrFile, rendered, stored
from tokaudit.foundation.errors import NotWrittenError, UsageError
from tokaudit.foundation.paths import is_folder, is_there
from tokaudit.report.model import Verdict
from tokaudit.report.report import Report
from tokaudit.report.saving import refuse_unwritable, save
from tokaudit.report.writer import DEFAULT, ReportWriter, writer_for

IN_A_FOLDER = ("report.html", "report.json")
MANIFEST = "manifest.json"
EXIT = {Verdict.PASS: 0, Verdict.FAIL: 1, Verdict.UNVERIFIABLE: 3}


@dataclass(frozen=True)
class Plan:
    """The files to write, each with its writer; a report without a file goes to stdout."""

    to_stdout: ReportWriter | None
    reports: tuple[tuple[Path, ReportWriter], ...]
    manifests: tuple[Path, ...]
    folders: tuple[Path, ...]
    color: str = "auto"
    measurements: bool = False  # also on stdout

    def deliver(self, report: ReportOrFile, statement: Mapping[str, Any] | None = None) -> None:
        """Write all outputs, a stored report unchanged; without `statement` no manifest.

        What can be written is, whatever other output cannot; then `NotWrittenError` is raised.
        """
        failed = []
        for write_one in self._steps(report, statement):
            try:
                write_one()
            except NotWrittenError as error:
                failed.append(str(error))
        if failed:
            raise NotWrittenError("; ".join(failed))

    def ended(self, report: Report) -> int:
        """Write a command's report; return its verdict's exit code."""
        return written(EXIT[report.verdict], partial(self.deliver, report))

    def _steps(
        self, report: ReportOrFile, statement: Mapping[str, Any] | None
    ) -> Iterator[Callable[[], None]]:
        found, out = stored(report), self.to_stdout
        if out is not None:
            if out.name == DEFAULT:
                seen = look(sys.stdout, self.color, measurements=self.measurements)
                yield partial(say, rendered(found, out, seen))
            else:
                yield partial(say_data, rendered(found, out))
        for folder in self.folders:
            yield partial(_make, folder)
        for path, writer in self.reports:
            yield partial(save, path, rendered(found, writer))
        if statement is not None:
            from tokaudit.products.gate.manifests import manifest_text

            for path in self.manifests:
                yield partial(save, path, manifest_text(statement))


def plan(
    outs: Sequence[str],
    format: str | None = None,
    manifest: str | None = None,
    inputs: Sequence[str | None] = (),
    color: str = "auto",
    *,
    measurements: bool = False,
) -> Plan:
    """Plan the files to write; raise `UsageError` for an impossible one.

    An `out` that is a folder, or ends in a slash, takes the report as a page and as data, and the
    manifest.  Nothing is written over one of the `inputs`, or into it.
    """
    folders = [Path(out) for out in outs if _is_folder(out)]
    if folders and format:
        raise UsageError(
            f"--format {format}: --out names a folder, and a folder always gets two formats; name "
            "a file with --out"
        )
    files = [Path(out) for out in outs if not _is_folder(out)]
    reports = [(path, writer_for(format, path)) for path in files]
    reports += [(f / name, writer_for(None, f / name)) for f in folders for name in IN_A_FOLDER]
    manifests = [Path(manifest)] if manifest else []
    for path in files + manifests:
        refuse_unwritable(path)
    for folder in folders:
        _refuse_folder(folder)
    manifests += [folder / MANIFEST for folder in folders]
    everything = [path for path, _ in reports] + manifests
    _refuse_twice(everything)
    refuse_inputs(everything, inputs)
    to_stdout = None if outs else writer_for(format, None)
    return Plan(to_stdout, tuple(reports), tuple(manifests), tuple(folders), color, measurements)


def _is_folder(out: str) -> bool:
    return out.endswith(("/", os.sep)) or is_folder(out)


def _refuse_folder(folder: Path) -> None:
    if is_folder(folder):
        refuse_unwritable(folder / MANIFEST)
    else:
        refuse_unwritable(folder)
        if is_there(folder):
            raise UsageError(f"{folder}: is a file, not a folder")


def _make(folder: Path) -> None:
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise NotWrittenError(f"{folder}: cannot be made: {error.strerror}") from error


def _refuse_twice(paths: Sequence[Path]) -> None:
    seen: set[Path] = set()
    for path in paths:
        if path.resolve() in seen:
            raise UsageError(f"{path}: is named twice; one output would replace the other")
        seen.add(path.resolve())
