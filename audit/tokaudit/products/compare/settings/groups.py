"""A group of settings that differs between two sides, with the source of each value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tokaudit.engine.facet_names import TOKEN_FLAGS
from tokaudit.engine.sides.side import Side
from tokaudit.engine.sides.trial import Trial
from tokaudit.products.compare.settings.loader_tokens import (
    LoaderTokens,
    differing_tokens,
    loader_tokens,
)
from tokaudit.products.compare.settings.setting import Setting, worded
from tokaudit.products.compare.settings.texts.shown import shown_by_text
from tokaudit.report.model import Evidence, Place
from tokaudit.subject.formats.common.settings import FLAGS
from tokaudit.subject.origins import origin_of_added

MOST_NAMED = 5  # tokens of a group


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


def token_group(left: Side, right: Side) -> DifferingGroup | None:
    """Return the loaders' treatment of the differing tokens; None if one is unknown."""
    differing = differing_tokens(left, right)
    ours, theirs = loader_tokens(left), loader_tokens(right)
    if differing is None or ours is None or theirs is None:
        return None
    named = differing[:MOST_NAMED]
    pairs = {
        f"the token {text!r}": (_taken(left, ours, text), _taken(right, theirs, text))
        for text in named
    }
    return DifferingGroup(TOKEN_FLAGS, pairs, len(differing) - len(named))


def _taken(side: Side, loaded: LoaderTokens, text: str) -> Setting:
    """Return a loader's treatment of a token, and the file and place that name it."""
    token, fact = loaded.tokens.get(text), loaded.facts.get(text)
    at = loaded.loader.fact
    if token is None:
        place = Place(TOKEN_FLAGS, at.file, at.pointer, None, implied_by=loaded.loader.rule)
        return Setting("not taken", f"{loaded.loader.name}, for which no file names it", place)
    flags = (flag for flag in (*FLAGS, "special") if getattr(token, flag))
    value = ", ".join((f"id {token.id}", *flags))
    if fact is not None:
        return Setting(value, fact.file, Place(TOKEN_FLAGS, fact.file, fact.pointer, None))
    origin = origin_of_added(side.spec, text)
    return Setting(value, origin.file, Place(TOKEN_FLAGS, origin.file, origin.pointer, None))
