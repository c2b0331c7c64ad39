"""The settings of `tokaudit.data`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tokaudit.engine.options import Effort
from tokaudit.engine.pieces import InPieces
from tokaudit.engine.settings.data import ReadingData
from tokaudit.engine.settings.settings import AuditSettings, Opening, Selected
from tokaudit.foundation.settings.numbers import MOST_SECONDS
from tokaudit.foundation.settings.places import Name, NamedPath
from tokaudit.foundation.settings.setting import inherited, part, setting, values


@dataclass(frozen=True, kw_only=True)
class Stamping:
    """Choice to stamp the examined files, so that others can skip the examination."""

    stamp: NamedPath | None = setting(
        None,
        "also write a stamp file, which names the tokenizer and the sizes and digests of the data "
        "files",
        Name("FILE"),
        "no stamp is written",
    )


@dataclass(frozen=True, kw_only=True)
class ReadingIds(ReadingData, Effort, Opening):
    """Settings for reading and sampling ids on disk."""

    tier: str = inherited(
        Effort,
        "tier",
        "how many ids to decode: 200 thousand for quick, 2 million for default, 50 million for "
        "full",
    )
    seed: int = inherited(Effort, "seed", "random seed for drawing documents")
    jobs: int = inherited(InPieces, "jobs", "number of processes that read parts of the data")
    timeout: float | None = inherited(
        Effort,
        "timeout",
        "stop after this many seconds and skip the rest of the data",
        "a week",
        default=float(MOST_SECONDS),
    )

    def for_audit(self, data: Sequence[NamedPath]) -> AuditSettings:
        """Convert to settings of an audit."""
        return AuditSettings(**{**values(part(self, ReadingIds)), "data": tuple(data)})


@dataclass(frozen=True, kw_only=True)
class DataSettings(Selected, ReadingIds):
    """Settings for examining ids on disk, and the checks to run."""

    select: Sequence[str] = inherited(
        Selected,
        "select",
        "run only these checks; may be given again",
        "all checks of the suite `data`",
    )

    def for_audit(self, data: Sequence[NamedPath]) -> AuditSettings:
        """Convert to settings of an audit."""
        return replace(super().for_audit(data), select=self.select or ("data",))
