"""Settings of `tokaudit.fix`."""

from __future__ import annotations

from dataclasses import dataclass

from tokaudit.engine.settings.settings import AuditSettings, NewFolder
from tokaudit.foundation.settings.places import NamedPath
from tokaudit.foundation.settings.setting import inherited


@dataclass(frozen=True, kw_only=True)
class FixSettings(NewFolder, AuditSettings):
    """Settings to audit a subject with, and the place of the repaired copy."""

    out: NamedPath | None = inherited(
        NewFolder, "out", "write a repaired copy of the tokenizer into this new folder"
    )
