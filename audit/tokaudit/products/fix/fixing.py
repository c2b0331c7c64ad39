"""`tokaudit.fix`: repair a copy of a subject in rounds, and audit the result."""

from __future__ import annotations

import difflib
import hashlib
import secrets
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from tokaudit.engine.opening import Opened, SubjectName, repository_of
from tokaudit.engine.output_places import refuse_inputs
from tokaudit.engine.settings.keywords import keywords
from tokaudit.engine.settings.settings import AuditSettings
from tokaudit.foundation.errors import NotWrittenError, UnreadableError, UsageError
from tokaudit.foundation.leftovers import owned, temporary
from tokaudit.foundation.settings.setting import part
from tokaudit.products.audit.auditing import audited
from tokaudit.products.fix.fixed import Fixed
from tokaudit.products.fix.planning import once, planned
from tokaudit.products.fix.settings import FixSettings
from tokaudit.products.fix.stage import Stage, all_files, copied, in_order
from tokaudit.report.repair import Change
from tokaudit.report.report import Report
from tokaudit.report.wording import located
from tokaudit.subject.material import SourceFile, Subject

Files = Mapping[str, bytes | None]
NOWHERE = b"/dev/null"
NO_END = b"\n\\ No newline at end of file\n"
MOST_ROUNDS = 6  # a repair may show what the fault hid, and few faults hide so many
LARGE = 64_000_000  # bytes; larger files are weights, which no repair changes


@keywords(FixSettings)
def fix(subject: SubjectName, asked: FixSettings) -> Fixed:
    """Carry out every repair that needs nobody's decision, in a copy, and audit the copy.

    Nothing is written without `out`, a new folder outside the subject; the subject never changes.
    Raises `UsageError` for an invalid setting and where `out` is there already.

    >>> import tokaudit
    >>> tokaudit.fix("models/checkpoint", select=["vocab/holes"], tier="quick").changes
    ()
    """
    out = None if asked.out is None else Path(asked.out)
    if out is not None:
        _refuse(out, subject)
    how = part(asked, AuditSettings)
    if how.download:
        raise UsageError(
            "fix: repairs only local folders; download the tokenizer first, and name its folder"
        )
    if how.tokenizer is not None:
        raise UsageError(
            "fix: repairs only folders; put the template file into a folder, and name the folder"
        )
    repository = repository_of(subject, how)
    main = repository.subjects[0]
    whole = replace(main, files=all_files(repository.subjects))
    with _place(out) as folder:
        copied(whole, folder, link_above=LARGE if out is None else None)
        base = {} if asked.base is None else _base_files(str(asked.base), how)
        stage = Stage(folder, {file.name: file for file in whole.files}, base)
        name = folder / main.root.name if main.root.is_file() else folder
        rooted = replace(how, allow_root=how.allow_root or _root_of(main))
        fixed = _rounds(stage, name, subject, how, rooted)
        if out is not None:
            _moved(folder, out)
            fixed = replace(fixed, written=out)
    return fixed


def _rounds(
    stage: Stage, name: Path, subject: SubjectName, how: AuditSettings, copy: AuditSettings
) -> Fixed:
    """Audit and repair until nothing is left to repair or a state recurs."""
    before = report = audited(subject, how).report
    changes, refused = list[Change](), list[str]()
    states, circles = {_state(stage)}, False
    for _ in range(MOST_ROUNDS):
        done = _round(stage, report, refused)
        if not done:
            break
        changes += done
        report = audited(str(name), copy).report
        circles = _state(stage) in states
        if circles:
            break
        states.add(_state(stage))
    patch = unified(stage.before, stage.after).decode("utf-8", "surrogateescape")
    return Fixed(patch, before, report, tuple(changes), None, tuple(refused), circles)


def _round(stage: Stage, report: Report, refused: list[str]) -> list[Change]:
    """Apply the repairs in a report; record changes that do not fit."""
    done = []
    for change in in_order(once(planned(report))):
        try:
            stage.carry_out(change)
            done.append(change)
        except UnreadableError as error:
            if str(error) not in refused:
                refused.append(str(error))
    return done


def _state(stage: Stage) -> str:
    """Return a digest of every changed file's current content."""
    whole = hashlib.sha256()
    for name, data in sorted(stage.after.items()):
        if data != stage.before[name]:
            whole.update(name.encode("utf-8", "replace") + b"\0")
            whole.update(b"-" if data is None else hashlib.sha256(data).digest())
    return whole.hexdigest()


def _base_files(name: str, how: AuditSettings) -> dict[str, SourceFile]:
    """Return the files of the base by their names in findings."""
    base = repository_of(name, replace(how, files=None)).subjects[0]
    return {located(base.name, file.name): file for file in base.files}


def _root_of(subject: Subject) -> Path:
    return subject.root.parent if subject.root.is_file() else subject.root


def _refuse(out: Path, subject: SubjectName) -> None:
    """Refuse a folder that has content, or is in the subject, before any work."""
    name = subject.subject.name if isinstance(subject, Opened) else str(subject)
    refuse_inputs([out], [name])
    if out.exists() or out.is_symlink():
        raise UsageError(f"{out}: exists already; name a new folder")
    if not out.absolute().parent.is_dir():
        raise UsageError(f"{out}: cannot be written: there is no folder {out.absolute().parent}")


@contextmanager
def _place(out: Path | None) -> Iterator[Path]:
    """Yield a place for the copy during repairs: next to its target, or private."""
    if out is None:
        with tempfile.TemporaryDirectory(prefix=owned()) as scratch:
            folder = Path(scratch) / "copy"
            folder.mkdir()
            yield folder
        return
    with temporary(out.absolute().with_name(f"{owned()}{secrets.token_hex(8)}")) as folder:
        try:
            folder.mkdir()
        except OSError as error:
            raise NotWrittenError(f"{out}: cannot be written: {error.strerror}") from error
        yield folder


def _moved(folder: Path, out: Path) -> None:
    try:
        folder.rename(out)
    except OSError as error:
        raise NotWrittenError(f"{out}: cannot be written: {error.strerror}") from error


def unified(before: Files, after: Files) -> bytes:
    """Build a patch between two states of files; None is a missing file."""
    return b"".join(
        part
        for name in sorted({*before, *after})
        if before.get(name) != after.get(name)
        for part in _of_file(name, before.get(name), after.get(name))
    )


def _of_file(name: str, before: bytes | None, after: bytes | None) -> Iterator[bytes]:
    named = _quoted(name)
    lines = difflib.diff_bytes(
        difflib.unified_diff,
        _lines(before),
        _lines(after),
        NOWHERE if before is None else b"a/" + named,
        NOWHERE if after is None else b"b/" + named,
        lineterm=b"\n",
    )
    for line in lines:
        yield line if line.endswith(b"\n") else line + NO_END


def _quoted(name: str) -> bytes:
    """Quote a name for a patch, on one line whatever the name."""
    return name.encode("utf-8", "surrogateescape").replace(b"\n", b"\\n")


def _lines(data: bytes | None) -> list[bytes]:
    """Split lines with their ends; only a line feed ends one, as for `patch`."""
    return [line + b"\n" for line in (data or b"").split(b"\n")[:-1]] + _last(data or b"")


def _last(data: bytes) -> list[bytes]:
    rest = data.rpartition(b"\n")[2]
    return [rest] if rest else []
