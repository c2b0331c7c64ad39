"""What `tokaudit.fix` may be asked."""

from __future__ import annotations

from dataclasses import dataclass

from tokaudit.api.asked.settings import AuditSettings
from tokaudit.foundation.settings.places import Name, NamedPath
from tokaudit.foundation.settings.setting import setting


@dataclass(frozen=True, kw_only=True)
class FixSettings(AuditSettings):
    """How a subject is audited, and where the repaired copy goes."""

    out: NamedPath | None = setting(
        None,
        "write a repaired copy of the subject into this new folder",
        Name("DIR"),
        "nothing is written",
    )
