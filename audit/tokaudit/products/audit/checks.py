"""The checks that are installed, for whoever lists or explains them."""

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
    """Those that an id or a suite's name chooses; raises `UsageError` where it chooses none."""
    return checks_named(names("ID", [asked], check_ids()))
