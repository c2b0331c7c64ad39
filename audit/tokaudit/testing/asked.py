"""Options of `pytest --tokaudit=SUBJECT`, validated at once."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from tokaudit.engine.settings.settings import AuditSettings
from tokaudit.foundation.errors import TokauditError
from tokaudit.foundation.settings.words import commas
from tokaudit.products.audit.auditing import requested
from tokaudit.products.chat.expected import Expected, read_expected
from tokaudit.products.identity import statement
from tokaudit.subject.naming.locate import locate


@dataclass(frozen=True)
class Asked:
    """Settings of a run, and the ids of the selected checks."""

    subject: str
    manifest: str | None
    key: str | None  # the public key that must have signed it
    settings: AuditSettings
    checks: tuple[str, ...]
    expected: tuple[Expected, ...] = ()


def asked(config: pytest.Config) -> Asked:
    """Read the options; raise `pytest.UsageError` before any work if one is invalid."""
    subject = _one(config, "--tokaudit")
    if subject is None:
        raise pytest.UsageError(
            "--tokaudit=SUBJECT is missing, and the other --tokaudit options work only with it"
        )
    manifest = _one(config, "--tokaudit-manifest")
    key = _one(config, "--tokaudit-key")
    if key is not None and manifest is None:
        raise pytest.UsageError(
            "--tokaudit-key works only with --tokaudit-manifest, a manifest that this key signed"
        )
    settings = AuditSettings(
        base=_one(config, "--tokaudit-base"),
        select=_names(config, "--tokaudit-select"),
        ignore=_names(config, "--tokaudit-ignore"),
        tier=_one(config, "--tokaudit-tier") or AuditSettings.tier,
    )
    try:
        checks = requested(settings).checks
        for name in filter(None, (subject, settings.base)):
            locate(str(name))
        expect = _one(config, "--tokaudit-expect")
        expected = () if expect is None else tuple(read_expected(Path(expect)))
        if manifest is not None:
            statement.read_for_gate(Path(manifest), None if key is None else Path(key))
    except TokauditError as error:
        raise pytest.UsageError(f"tokaudit: {error}") from error
    if not checks:
        raise pytest.UsageError("tokaudit: --tokaudit-ignore leaves no check to run")
    ids = tuple(sorted(check.id for check in checks))
    return Asked(subject, manifest, key, settings, ids, expected)


def _one(config: pytest.Config, option: str) -> str | None:
    """Return the value of an option that may be given once."""
    given: list[str] = config.getoption(option)
    if len(given) > 1:
        raise pytest.UsageError(f"{option}: is given {len(given)} times; give it once")
    return given[0] if given else None


def _names(config: pytest.Config, option: str) -> tuple[str, ...]:
    given: list[str] = config.getoption(option)
    return tuple(name for text in given for name in commas(text))
