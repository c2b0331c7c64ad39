"""`tokaudit.who_wrote`: find which of several tokenizers produced ids on disk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tokaudit.engine.facet_names import ADDED, DECIDE_IDS
from tokaudit.engine.opening import subject_of
from tokaudit.engine.options import Options
from tokaudit.engine.providers import audit_needs
from tokaudit.engine.settings.keywords import keywords
from tokaudit.engine.settings.settings import BareFiles, CompareSettings
from tokaudit.engine.workers import Workers
from tokaudit.foundation.errors import (
    NotApplicable,
    Skip,
    TokauditError,
    UnreadableError,
    UsageError,
)
from tokaudit.foundation.settings.places import NamedPath
from tokaudit.foundation.settings.setting import part, values
from tokaudit.foundation.settings.words import listed
from tokaudit.products.compare.api.tokenizers import compared
from tokaudit.products.compare.facets.compared import ids_are_proved
from tokaudit.products.data.api.examining import DataNames, names_of
from tokaudit.products.data.api.settings import ReadingIds
from tokaudit.products.data.ids.counts.tally import Sign, Spot, Tally
from tokaudit.products.data.work.scan import DataScan
from tokaudit.products.identity.identifying import identify
from tokaudit.report.comparison import Facet

MOST_SECONDS = 120.0  # of one comparison; what is not proved by then is not


class Sameness(StrEnum):
    """A proof about two tokenizers that makes these ids fit both."""

    ONE_ID = "they have one short id"
    EVERY_TEXT = "every text has the same ids"
    BUT_ADDED = "every text has the same ids, unless it holds an added token in which they differ"
    NOTHING = "nothing is proved, and on this data they do the same"


@dataclass(frozen=True)
class Tie:
    """Two remaining candidates, and what is proved about them."""

    first: str
    second: str
    sameness: Sameness

    @property
    def proved(self) -> bool:
        """Return whether a proof shows that the ids fit both."""
        return self.sameness is not Sameness.NOTHING


EXCLUDING = (Sign.OUTSIDE, Sign.HOLE, Sign.OTHER, Sign.NOT_UTF8, Sign.NORMALIZED, Sign.TWO_WAYS)
MINOR = (Sign.SPECIAL_AS_TEXT, Sign.CUT, Sign.JOINED, Sign.SAMPLED)  # its own writer's too


@dataclass(frozen=True)
class Candidate:
    """One tokenizer: its count of matching documents, and the reason for exclusion."""

    name: str
    own: int
    drawn: int
    excluded: bool
    place: Spot | None = None
    reason: str = ""


@dataclass(frozen=True)
class Writers:
    """Every candidate, the likeliest first, and remaining ties.

    `left` are the candidates that nothing excludes, and `ties` say of each after the first why it
    cannot be told from that one; `same` says that all of these are proofs.
    """

    candidates: tuple[Candidate, ...]
    left: tuple[str, ...]
    ties: tuple[Tie, ...] = ()

    @property
    def same(self) -> bool:
        """Return whether several candidates remain that are proved equal on these ids."""
        return bool(self.ties) and all(tie.proved for tie in self.ties)


@keywords(ReadingIds)
def who_wrote(data: DataNames, candidates: Sequence[NamedPath], asked: ReadingIds) -> Writers:
    """Find which of several tokenizers produced ids on disk.

    Each candidate decodes and encodes the documents that are drawn; one is excluded by ids that it
    has not, and by documents that are not its own encoding.
    """
    given = listed("among", candidates)
    if len(given) < 2:
        raise UsageError("among: name at least two tokenizers")
    names = names_of(data)
    options = part(asked.for_audit(names), Options)
    found = [_candidate(str(name), options, asked) for name in given]
    found.sort(key=lambda each: (each.excluded, -each.own / max(1, each.drawn), each.name))
    left = [each.name for each in found if not each.excluded]
    best = [each for each in found if not each.excluded and each.own == found[0].own]
    tied = tuple(each.name for each in best) or tuple(left)
    return Writers(tuple(found), tied, tuple(tie(tied[0], other, asked) for other in tied[1:]))


def _candidate(name: str, options: Options, asked: ReadingIds) -> Candidate:
    workers = Workers(options.limits())
    try:
        needs = audit_needs(subject_of(name, asked), options, workers)
        scan = needs.get(DataScan)
    except (Skip, NotApplicable) as error:
        raise UnreadableError(f"{name}: {error}") from error
    finally:
        workers.close()
    total = scan.total
    own = sum(map(total.count, (Sign.OWN, *MINOR)))
    reasons = list(_reasons(total))
    for spot, reason in reasons[:1]:
        return Candidate(name, total.count(Sign.OWN), total.drawn, True, spot, reason)
    return Candidate(name, own, total.drawn, not total.drawn)


def _reasons(total: Tally) -> Iterator[tuple[Spot | None, str]]:
    """Yield the reasons to exclude a candidate, each with its first place."""
    for sign in EXCLUDING:
        if total.count(sign):
            yield next(iter(total.spots(sign)), None), str(sign)


def tie(first: str, second: str, asked: ReadingIds) -> Tie:
    """Return what is proved about two candidates, by their files and then the provers."""
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
