"""A group of settings that differs between two sides, with the source of each value."""

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
    """The differing settings of one group: keys with each side's value."""

    name: str
    pairs: Mapping[str, tuple[Setting, Setting]]
    more: int = 0  # which differ and are not named

    @property
    def why(self) -> str:
        """Describe the value and source of each side."""
        named = "; ".join(
            f"{key} is {worded(one.value)} by {one.who}, {worded(other.value)} by {other.who}"
            for key, (one, other) in self.pairs.items()
        )
        return f"{named}; and {self.more:,} more" if self.more else named

    def places(self, left: Side, right: Side) -> tuple[Place, ...]:
        """Return the places of each side's setting, or of the class's name."""
        return tuple(
            side.stated(self.name, at.file, at.pointer, at.value, at.implied_by)
            for pair in self.pairs.values()
            for side, at in zip((left, right), (one.place for one in pair), strict=True)
        )

    def evidence(self, trial: Trial) -> tuple[Evidence, ...]:
        """Return a text that shows the difference, if one does."""
        values = {key: (one.value, other.value) for key, (one, other) in self.pairs.items()}
        return tuple(shown_by_text(self.name, values, trial))
