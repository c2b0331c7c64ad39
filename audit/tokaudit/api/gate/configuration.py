"""What a configuration asks: frozen data, read with every name checked before any work."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tokaudit.api import settings
from tokaudit.api.gate import measuring
from tokaudit.api.gate.measuring import Threshold
from tokaudit.api.gate.subjects import AskedSubject, read_subject
from tokaudit.api.gate.suppressions import Suppression, read_suppression
from tokaudit.api.gate.toml_table import Table
from tokaudit.engine.check import TIERS, Check, all_checks
from tokaudit.engine.runner import choose
from tokaudit.engine.verdict import NEVER
from tokaudit.foundation.errors import UsageError
from tokaudit.report.comparison import Purpose
from tokaudit.report.model import Severity


@dataclass(frozen=True)
class Configuration:
    """What `tokaudit gate` is asked; `file` is what errors and reports call it."""

    file: str
    folder: Path  # that the paths in it start from
    subjects: tuple[AskedSubject, ...]
    checks: tuple[Check, ...] = ()
    require: tuple[str, ...] = ()
    tier: str = "default"
    fail_on: str = str(Severity.ERROR)
    timeout: float | None = None
    corpus: tuple[str, ...] = ()
    conversations: str | None = None
    read_embeddings: bool = False
    severity: Mapping[str, Severity] = field(default_factory=dict)  # by check or identity
    thresholds: tuple[Threshold, ...] = ()
    suppressions: tuple[Suppression, ...] = ()
    baseline: str | None = None
    weakened: str = ""  # which checks are not asked and what counts as what, in words

    def compared(self) -> Iterator[str]:
        """Every folder or file that is audited or compared with, by the names that open it."""
        for each in self.subjects:
            named = (each.path, each.base, each.against, each.compare, each.manifest)
            yield from (name for name in named if name)


def read_configuration(table: Table, folder: Path) -> Configuration:
    """The configuration in a table; raises `UsageError` that names the key for what cannot be."""
    return table.read(lambda root: _read(root, folder))


def _read(table: Table, folder: Path) -> Configuration:
    known = all_checks()
    tier = table.choice("tier", TIERS, "default")
    if table.texts("select", ("all",)) == ():
        raise UsageError(
            f"{table.at('select')}: is empty; name checks or suites, or leave it out to ask all"
        )
    select = settings.names(table.at("select"), table.texts("select"), known)
    ignore = settings.names(table.at("ignore"), table.texts("ignore"), known)
    asked = tuple(choose(known, select, ignore, tier))
    severity = _severity(table.table("severity"), known)
    purposes = tuple(
        table.known("purposes", each, map(str, Purpose)) for each in table.texts("purposes")
    )
    baseline = table.text("baseline")
    made = Configuration(
        file=table.file,
        folder=folder,
        subjects=_subjects(table, purposes, folder),
        checks=asked,
        require=settings.names(table.at("require"), table.texts("require"), known),
        tier=tier,
        fail_on=table.choice("fail_on", [*map(str, Severity), NEVER], str(Severity.ERROR)),
        timeout=table.number("timeout"),
        corpus=tuple(str(folder / path) for path in table.texts("corpus")),
        conversations=_beside(folder, table.text("conversations")),
        read_embeddings=table.flag("read_embeddings"),
        severity=severity,
        thresholds=tuple(
            each.read(lambda one: measuring.read_threshold(one, known, asked, baseline is not None))
            for each in table.tables("thresholds")
        ),
        suppressions=tuple(
            each.read(lambda one: read_suppression(one, known))
            for each in table.tables("suppressions")
        ),
        baseline=_beside(folder, baseline),
        weakened=_weakened(select, ignore, severity),
    )
    _refuse_strangers(table, made)
    _refuse_repeated(table, made)
    return made


def _subjects(table: Table, purposes: tuple[str, ...], folder: Path) -> tuple[AskedSubject, ...]:
    found = tuple(
        each.read(lambda one: read_subject(one, purposes, folder))
        for each in table.tables("subjects", short="path")
    )
    if not found:
        raise UsageError(
            f"{table.at('subjects')}: names none, so that there is nothing to audit; write "
            'subjects = ["path/to/it"]'
        )
    paths = [posixpath.normpath(each.path) for each in found]
    for at, path in enumerate(paths):
        if path in paths[:at]:
            first, name = found[paths.index(path)].name, found[at].name
            also = "" if first == name else f", first as {first!r}"
            raise UsageError(
                f"{table.at('subjects')}[{at}].path: {name!r} is named twice{also}; remove one"
            )
    return found


def _severity(table: Table, known: Sequence[Check]) -> dict[str, Severity]:
    """The severity of findings by check, or by identity, whose check is known."""
    ids = [each.id for each in known]
    found = {}
    for key, value in table.items():
        check = key.partition(":")[0]
        if check not in ids:
            raise UsageError(
                f"{table.file}: severity.{key!r}: is not a check{settings.meant(check, ids)}"
            )
        found[key] = Severity(table.known(key, value, map(str, Severity)))
    return found


def _beside(folder: Path, path: str | None) -> str | None:
    return None if path is None else str(folder / path)


def _weakened(
    select: Sequence[str], ignore: Sequence[str], severity: Mapping[str, Severity]
) -> str:
    parts = [f"only {', '.join(select)}"] if select else []
    parts += [f"without {', '.join(ignore)}"] if ignore else []
    parts += [f"{key} counts as {level}" for key, level in severity.items()]
    return ", ".join(parts)


def _refuse_repeated(table: Table, made: Configuration) -> None:
    """Two suppressions of one failure of one subject would leave one of them without a match."""
    seen: dict[tuple[str, str], str] = {}
    for each in made.suppressions:
        first = seen.setdefault((each.identity, each.subject), each.path)
        if first != each.path:
            raise UsageError(
                f"{table.file}: {each.path}: {each.identity} is suppressed by {first} already; "
                "remove one"
            )


def _refuse_strangers(table: Table, made: Configuration) -> None:
    """A suppression for a subject that is not asked about would never be missed."""
    names = [each.name for each in made.subjects]
    for at, each in enumerate(made.suppressions):
        if each.subject and each.subject not in names:
            near = settings.meant(each.subject, names)
            raise UsageError(
                f"{table.file}: suppressions[{at}].subject: {each.subject!r} is not among the "
                f"subjects{near}"
            )
