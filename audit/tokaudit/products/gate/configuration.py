"""Configuration of a gate: frozen data, with every name checked before any work."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tokaudit.engine.check import Check, all_checks
from tokaudit.engine.options import Options
from tokaudit.engine.runner import choose
from tokaudit.engine.settings.check_names import names, required
from tokaudit.engine.settings.settings import ChoiceOfChecks, Failing, OfSubject
from tokaudit.foundation.errors import UsageError
from tokaudit.foundation.settings.nearest import meant
from tokaudit.foundation.settings.setting import from_toml, settings_of
from tokaudit.foundation.settings.toml_table import Table
from tokaudit.products.gate import measuring
from tokaudit.products.gate.measuring import THRESHOLD_KEYS, Threshold
from tokaudit.products.gate.subjects import AskedSubject, HeldTo, OfAllSubjects, read_subject
from tokaudit.products.gate.suppressions import SUPPRESSION_KEYS, Suppression, read_suppression
from tokaudit.report.model import Severity

KINDS = (Options, ChoiceOfChecks, OfAllSubjects, Failing)
KINDS_OF_A_SUBJECT = (HeldTo, OfSubject)
KEYS_OF_LISTS = {
    "subjects": ("path", *(each.key for kind in KINDS_OF_A_SUBJECT for each in settings_of(kind))),
    "thresholds": THRESHOLD_KEYS,
    "suppressions": SUPPRESSION_KEYS,
}
KEYS = (
    *(each.key for kind in KINDS for each in settings_of(kind)),
    "severity",
    *KEYS_OF_LISTS,
)


@dataclass(frozen=True)
class Configuration:
    """Configuration of `tokaudit gate`; `file` is its name in errors and reports."""

    file: str
    folder: Path  # that the paths in it start from
    subjects: tuple[AskedSubject, ...]
    checks: tuple[Check, ...] = ()
    require: tuple[str, ...] = ()
    options: Options = field(default_factory=Options)  # as stated, checked with each request
    fail_on: str = Failing.fail_on
    severity: Mapping[str, Severity] = field(default_factory=dict)  # by check or identity
    thresholds: tuple[Threshold, ...] = ()
    suppressions: tuple[Suppression, ...] = ()
    baseline: str | None = None
    weakened: str = ""  # which checks are not asked and what counts as what, in words

    def compared(self) -> Iterator[str]:
        """Yield every folder or file that is audited or compared, by its name for opening."""
        for each in self.subjects:
            with_it = (each.settings.base, each.settings.against)
            named = (each.path, *with_it, each.compare, each.manifest)
            yield from (str(name) for name in named if name)

    def inputs(self) -> Iterator[str]:
        """Yield every file and folder that is read, which no output may replace."""
        more = (self.file, self.baseline, self.options.conversations, *self.options.corpus)
        yield from (str(name) for name in more if name)
        yield from self.compared()


def read_configuration(table: Table, folder: Path) -> Configuration:
    """Read the configuration in a table; raise `UsageError` naming an invalid key."""
    return table.read(lambda root: _read(root, folder))


def _read(table: Table, folder: Path) -> Configuration:
    table.refuse_unknown(KEYS)
    for name, keys in KEYS_OF_LISTS.items():
        for each in table.tables(name, short="path" if name == "subjects" else ""):
            each.refuse_unknown(keys)
    known = all_checks()
    ids = [check.id for check in known]
    options = from_toml(table, Options, folder)
    stated = from_toml(table, ChoiceOfChecks, folder)
    if "select" in table and not stated.select:
        raise UsageError(
            f"{table.at('select')}: is empty; name checks or suites, or leave select out to run "
            "all checks"
        )
    select = names(table.at("select"), stated.select, ids)
    ignore = names(table.at("ignore"), stated.ignore, ids)
    asked = tuple(choose(known, select, ignore, options.tier))
    severity = _severity(table.table("severity"), known)
    of_all = from_toml(table, OfAllSubjects, folder)
    made = Configuration(
        file=table.file,
        folder=folder,
        subjects=_subjects(table, of_all.purposes, folder),
        checks=asked,
        require=required(table.at("require"), stated.require, ids),
        options=options,
        fail_on=from_toml(table, Failing, folder).fail_on,
        severity=severity,
        thresholds=tuple(
            each.read(
                lambda one: measuring.read_threshold(one, known, asked, of_all.baseline is not None)
            )
            for each in table.tables("thresholds")
        ),
        suppressions=tuple(
            each.read(lambda one: read_suppression(one, known))
            for each in table.tables("suppressions")
        ),
        baseline=of_all.baseline,
        weakened=_weakened(select, ignore, severity),
    )
    _refuse_strangers(table, made)
    _refuse_repeated(table, made)
    return made


def _subjects(table: Table, purposes: Sequence[str], folder: Path) -> tuple[AskedSubject, ...]:
    found = tuple(
        each.read(lambda one: read_subject(one, purposes, folder))
        for each in table.tables("subjects", short="path")
    )
    if not found:
        raise UsageError(
            f"{table.at('subjects')}: is empty, so there is nothing to audit; write "
            'subjects = ["path/to/it"]'
        )
    paths = [posixpath.normpath(each.path) for each in found]
    for at, path in enumerate(paths):
        if path in paths[:at]:
            first, name = found[paths.index(path)].name, found[at].name
            also = "" if first == name else f", first as {first!r}"
            raise UsageError(
                f"{table.at('subjects')}[{at}].path: {name!r} is named twice{also}; remove one "
                "of the two entries"
            )
    return found


def _severity(table: Table, known: Sequence[Check]) -> dict[str, Severity]:
    """Read the severity of findings by check, or by identity with a known check."""
    ids = [each.id for each in known]
    found = {}
    for key, value in table.items():
        check = key.partition(":")[0]
        if check not in ids:
            raise UsageError(
                f"{table.file}: severity.{key!r}: is not the id of a check{meant(check, ids)}"
            )
        found[key] = Severity(table.known(key, value, map(str, Severity)))
    return found


def _weakened(
    select: Sequence[str], ignore: Sequence[str], severity: Mapping[str, Severity]
) -> str:
    parts = [f"only {', '.join(select)}"] if select else []
    parts += [f"without {', '.join(ignore)}"] if ignore else []
    parts += [f"{key} counts as {level}" for key, level in severity.items()]
    return ", ".join(parts)


def _refuse_repeated(table: Table, made: Configuration) -> None:
    """Refuse two suppressions of one failure of one subject: one would never match."""
    seen: dict[tuple[str, str], str] = {}
    for each in made.suppressions:
        first = seen.setdefault((each.identity, each.subject), each.path)
        if first != each.path:
            raise UsageError(
                f"{table.file}: {each.path}: {each.identity} is suppressed by {first} already; "
                "remove one of the two entries"
            )


def _refuse_strangers(table: Table, made: Configuration) -> None:
    """Refuse a suppression for an unknown subject, which would never be missed."""
    there = [each.name for each in made.subjects]
    for at, each in enumerate(made.suppressions):
        if each.subject and each.subject not in there:
            near = meant(each.subject, there)
            raise UsageError(
                f"{table.file}: suppressions[{at}].subject: {each.subject!r} is not the name of an "
                f"entry of subjects{near}"
            )
