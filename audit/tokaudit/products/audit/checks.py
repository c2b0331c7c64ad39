"""Installed checks, for listing and explaining."""

from __future__ import annotations

from tokaudit.engine.check import Check as Check
from tokaudit.engine.check import all_checks as all_checks
from tokaudit.engine.check import check_ids, checks_named
from tokaudit.engine.examples import BAD as BAD
from tokaudit.engine.examples import GOOD as GOOD
from tokaudit.engine.examples import ExampleFile as ExampleFile
from tokaudit.engine.examples import example as example
from tokaudit.engine.options import TIERS as TIERS
from tokaudit.engine.settings.check_names import names


def chosen(asked: str) -> list[Check]:
    """Return the checks of an id or a suite; raise `UsageError` if there are none."""
    return checks_named(names("ID", [asked], check_ids()))
