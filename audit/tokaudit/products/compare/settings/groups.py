"""A group of settings of which one differs between two sides, and who says what each takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tokaudit.engine.sides.side import Side
from tokaudit.engine.sides.trial import Trial
from tokaudit.products.compare.settings.setting import Setting, worded
from tokaudit.products.compare.settings.texts.shown import shown_by_text
from tokaudit.report.model import Evidence, Place


@dataclass(frozen=True)
class DifferingGroup:
    """The settings of one group that differ: key -> what each side takes."""

    name: str
    pairs: Mapping[str, tuple[Setting, Setting]]
    more: int = 0  # which differ and are not named

    @property
    def why(self) -> str:
        """The value of each side, and who states it."""
        named = "; ".join(
            f"{key} is {worded(one.value)} by {one.who}, {worded(other.value)} by {other.who}"
            for key, (one, other) in self.pairs.items()
        )
        return f"{named}; and {self.more:,} more" if self.more else named

    def places(self, left: Side, right: Side) -> tuple[Place, ...]:
        """Find where each side's setting is stated, or the class is named that takes it."""
        return tuple(
            side.stated(self.name, at.file, at.pointer, at.value, at.implied_by)
            for pair in self.pairs.values()
            for side, at in zip((left, right), (one.place for one in pair), strict=True)
        )

    def evidence(self, trial: Trial) -> tuple[Evidence, ...]:
        """A text that shows the difference, where one does."""
        values = {key: (one.value, other.value) for key, (one, other) in self.pairs.items()}
        return tuple(shown_by_text(self.name, values, trial))
