"""Ids of checks and suites, refused if they match nothing: a typo would weaken a gate."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tokaudit.engine.check import Check, matches
from tokaudit.foundation.errors import UnreadableError, UsageError
from tokaudit.foundation.settings.nearest import meant
from tokaudit.foundation.settings.words import listed
from tokaudit.runtimes.worker.confinement.sandbox import lacking

SANDBOX = "sandbox"


def names(option: str, given: Iterable[str], ids: Sequence[str]) -> tuple[str, ...]:
    """Return ids of checks and suites, each of which matches at least one id."""
    found = listed(option, given)
    for name in found:
        if not isinstance(name, str) or not any(matches(id, (name,)) for id in ids):
            known = [*ids, *sorted({id.partition("/")[0] for id in ids})]
            raise UsageError(
                f"{option} {name!r}: is neither a check nor a suite"
                f"{meant(name, known) or '; to list all, run: tokaudit checks'}"
            )
    return found


def left_by(
    checks: Iterable[Check], select: Sequence[str], ignore: Sequence[str]
) -> tuple[Check, ...]:
    """Return the checks to run; raise `UsageError` if `ignore` drops all of `select`."""
    found = tuple(checks)
    if select and ignore and not found:
        both = f"select {', '.join(select)} and ignore {', '.join(ignore)}"
        raise UsageError(f"{both}: no check is left to run")
    return found


def required(option: str, given: Iterable[str], ids: Sequence[str]) -> tuple[str, ...]:
    """Validate required names, of which *sandbox* means the whole sandbox.

    Raises `UnreadableError` where this platform lacks a part of it, before anything is run.
    """
    found = listed(option, given)
    if SANDBOX in found and (missing := lacking()):
        raise UnreadableError(f"{option} {SANDBOX}: this platform lacks {missing}; nothing was run")
    return names(option, [name for name in found if name != SANDBOX], ids)
