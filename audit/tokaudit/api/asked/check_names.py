"""Ids of checks and names of suites, refused where they choose nothing: a typo weakens a gate."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tokaudit.engine.check import matches
from tokaudit.foundation.errors import UsageError
from tokaudit.foundation.settings.nearest import meant
from tokaudit.foundation.settings.words import listed


def names(option: str, given: Iterable[str], ids: Sequence[str]) -> tuple[str, ...]:
    """Ids of checks and names of suites, each of which chooses at least one of the ids."""
    found = listed(option, given)
    for name in found:
        if not isinstance(name, str) or not any(matches(id, (name,)) for id in ids):
            known = [*ids, *sorted({id.partition("/")[0] for id in ids})]
            raise UsageError(
                f"{option} {name!r}: is neither a check nor a suite{meant(name, known)}"
            )
    return found
