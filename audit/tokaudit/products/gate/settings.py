"""Settings of `tokaudit.gate`; those of a run are in the configuration."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

from tokaudit.foundation.settings.numbers import Flag
from tokaudit.foundation.settings.places import Name, NamedPath
from tokaudit.foundation.settings.setting import setting
from tokaudit.foundation.settings.words import Text
from tokaudit.products.audit.one_audit import OnResult

if TYPE_CHECKING:
    from tokaudit.products.gate.configuration import Configuration


@dataclass(frozen=True)
class GateSettings:
    """The configuration, and what to record; the first may be given without its name."""

    config: NamedPath | None = setting(
        None,
        "the configuration file of the gate",
        Name("FILE"),
        "tokaudit.toml in the working folder, else [tool.tokaudit] in pyproject.toml",
    )
    _: KW_ONLY
    update_baseline: bool = setting(
        False,
        "record the present findings and figures as the baseline, so that later runs fail only on "
        "new findings and worse figures",
        Flag(),
        "compare with the recorded baseline",
    )
    accept: str | None = setting(
        None,
        "accept an intended change of a tokenizer for this reason: rewrite the baseline and every "
        "manifest that does not match",
        Text("REASON", "a reason"),
        "an unexpected change fails",
    )


@dataclass(frozen=True, kw_only=True)
class GateCall(GateSettings):
    """Settings of `gate`, and those available only to programs."""

    folder: NamedPath = "."
    on_read: Callable[[Configuration], None] | None = None
    on_result: OnResult | None = None
    today: dt.date | None = None

    @property
    def day(self) -> dt.date:
        """Return the day by which suppressions end, in universal time."""
        return self.today or dt.datetime.now(dt.UTC).date()
