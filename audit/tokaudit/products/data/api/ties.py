"""The reason why two tokenizers that may have written ids cannot be told apart, or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from tokaudit.engine.facet_names import ADDED, DECIDE_IDS
from tokaudit.engine.settings.settings import BareFiles, CompareSettings
from tokaudit.foundation.errors import TokauditError
from tokaudit.foundation.settings.setting import part, values
from tokaudit.products.compare.api.tokenizers import compared
from tokaudit.products.compare.facets.compared import ids_are_proved
from tokaudit.products.data.api.settings import ReadingIds
from tokaudit.products.identity.identifying import identify
from tokaudit.report.comparison import Facet

MOST_SECONDS = 120.0  # of one comparison; what is not proved by then is not


class Sameness(StrEnum):
    """A proof about two tokenizers from which it follows that these ids fit both."""

    ONE_ID = "they have one short id"
    EVERY_TEXT = "every text has the same ids"
    BUT_ADDED = "every text has the same ids, unless it holds an added token in which they differ"
    NOTHING = "nothing is proved, and on this data they do the same"


@dataclass(frozen=True)
class Tie:
    """Two candidates that both are left, and what is proved of them."""

    first: str
    second: str
    sameness: Sameness

    @property
    def proved(self) -> bool:
        """Whether it follows from a proof that the ids fit both."""
        return self.sameness is not Sameness.NOTHING


def tie(first: str, second: str, asked: ReadingIds) -> Tie:
    """Return what is proved of two candidates, by their files and then by the provers."""
    if identify(first).id == identify(second).id:
        return Tie(first, second, Sameness.ONE_ID)
    names = part(asked, BareFiles)
    settings = CompareSettings(**values(names), tier="quick", timeout=MOST_SECONDS)
    try:
        comparison = compared((first, second), settings).comparison
    except TokauditError:
        return Tie(first, second, Sameness.NOTHING)
    return Tie(first, second, sameness(comparison.facets if comparison else ()))


def sameness(facets: Sequence[Facet]) -> Sameness:
    """Return what the facets that decide ids prove."""
    deciding = [facet for facet in facets if facet.name in DECIDE_IDS]
    others = [facet for facet in deciding if facet.name != ADDED]
    if len(others) < len(DECIDE_IDS) - 1 or not ids_are_proved(others):
        return Sameness.NOTHING
    return Sameness.EVERY_TEXT if ids_are_proved(deciding) else Sameness.BUT_ADDED
