"""What `tokaudit.data` may be asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tokaudit.api.asked.settings import AuditSettings, Opening
from tokaudit.engine.data.settings import ReadingData
from tokaudit.engine.options import MOST_JOBS, TIERS
from tokaudit.foundation.settings.numbers import MOST_SECONDS, Seconds, Whole
from tokaudit.foundation.settings.places import Name, NamedPath
from tokaudit.foundation.settings.setting import part, setting, values
from tokaudit.foundation.settings.words import Names, Word


@dataclass(frozen=True, kw_only=True)
class Stamping:
    """Whether what was examined is stamped, so that others need not examine it."""

    stamp: NamedPath | None = setting(
        None,
        "also write the stamp: tokenizer, sizes and digests of files",
        Name("FILE"),
        "it is not",
    )


@dataclass(frozen=True, kw_only=True)
class DataSettings(ReadingData, Opening):
    """How ids on disk are examined."""

    select: Sequence[str] = setting(
        (),
        "ask only these checks; may be given again",
        Names("CHECK[,CHECK]"),
        "the suite data",
    )
    tier: str = setting(
        "default",
        "how many ids are decoded: 200 thousand, 2 or 50 million for quick, default, full",
        Word("TIER", TIERS),
    )
    seed: int = setting(0, "what the draw of documents starts from", Whole())
    jobs: int = setting(1, "processes that read pieces of ids", Whole(least=1, most=MOST_JOBS))
    timeout: float = setting(
        float(MOST_SECONDS), "leave what is not reached by then", Seconds(), "a week"
    )

    def for_audit(self, data: Sequence[NamedPath]) -> AuditSettings:
        """The same as settings of an audit."""
        chosen = {"select": self.select or ("data",), "data": tuple(data)}
        return AuditSettings(**{**values(part(self, DataSettings)), **chosen})
