"""The settings of `tokaudit.fix`."""

from __future__ import annotations

from dataclasses import dataclass

from tokaudit.engine.settings.settings import AuditSettings, NewFolder
from tokaudit.foundation.settings.places import NamedPath
from tokaudit.foundation.settings.setting import inherited


@dataclass(frozen=True, kw_only=True)
class FixSettings(NewFolder, AuditSettings):
    """The settings with which a subject is audited, and where the repaired copy goes."""

    out: NamedPath | None = inherited(
        NewFolder, "out", "write a repaired copy of the tokenizer into this new folder"
    )
