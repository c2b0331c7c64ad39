"""Changes between two snapshots: findings by identity, figures by ratio."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from tokaudit.engine.measured import Measured, Source, Worse
from tokaudit.products.gate.differences.snapshot import (
    KnownFinding,
    KnownMeasurement,
    Snapshot,
    worse,
)
from tokaudit.report.model import CheckResult, Status
from tokaudit.report.wording import of_part

GROWTH = 1.05  # times worse that what is counted may get, where no threshold says another
GROWTH_OF_TIMES = 1.4  # between the noise of a busy machine and twice as slow
UNDECIDED = (Status.SKIPPED, Status.CRASHED)
NOTABLE = 0.005  # a change of a figure that is worth a line


@dataclass(frozen=True)
class ChangedFigure:
    """One figure in two runs; a `ratio` over 1 is worse."""

    was: KnownMeasurement
    now: KnownMeasurement
    ratio: float
    worse: bool

    def __str__(self) -> str:
        of = ", ".join(value for name, value in self.now.dimensions.items() if name != "name")
        named = of_part(f"{self.now.key}{f' of {of}' if of else ''}", self.now.part)
        said = f"{named}: {self.now.value:.4g} {self.now.unit}, was {self.was.value:.4g}"
        if not self.was.value:
            return said
        return f"{said}, {self.now.value / self.was.value:.3g} times as much"


@dataclass(frozen=True)
class Changes:
    """New, worse, gone and unchanged findings, and figures that moved.

    What was found before, and by a check that decided nothing now, is not gone but `open`.
    """

    new: tuple[KnownFinding, ...]
    worse: tuple[tuple[KnownFinding, str], ...]
    gone: tuple[KnownFinding, ...]
    open: tuple[KnownFinding, ...]
    unchanged: tuple[KnownFinding, ...]
    figures: tuple[ChangedFigure, ...]

    @property
    def got_worse(self) -> bool:
        """Return whether anything is new or worse."""
        return bool(self.new or self.worse) or any(each.worse for each in self.figures)


def changes(
    was: Snapshot,
    now: Snapshot,
    declared: Mapping[str, Measured],
    results: Iterable[CheckResult],
) -> Changes:
    """Compare two snapshots; `declared` says which direction of a figure is worse.

    `results` are those of the later run, which say what it decided.
    """
    decided = {(r.check, r.part) for r in results if r.status not in UNDECIDED}
    before = {each.key: each for each in was.findings}
    after = {each.key: each for each in now.findings}
    both = [(before[key], one) for key, one in after.items() if key in before]
    lost = [one for key, one in before.items() if key not in after]
    return Changes(
        new=tuple(one for key, one in after.items() if key not in before),
        worse=tuple((one, why) for old, one in both if (why := worse(old, one))),
        gone=tuple(one for one in lost if (one.check, one.part) in decided),
        open=tuple(one for one in lost if (one.check, one.part) not in decided),
        unchanged=tuple(one for old, one in both if not worse(old, one)),
        figures=tuple(_figures(was, now, declared)),
    )


def _figures(
    was: Snapshot, now: Snapshot, declared: Mapping[str, Measured]
) -> Iterator[ChangedFigure]:
    before = {each.of: each for each in was.measurements}
    for one in now.measurements:
        old, measured = before.get(one.of), declared.get(one.key)
        if old is None or measured is None or measured.source is Source.MACHINE:
            continue
        found = compared(old, one, measured)
        moved = abs(one.value - old.value) > NOTABLE * abs(old.value)
        if found.worse or (moved and not (measured.source is Source.TIMES and overlap(old, one))):
            yield found


def compared(
    was: KnownMeasurement, now: KnownMeasurement, measured: Measured, growth: float | None = None
) -> ChangedFigure:
    """Compare a figure with its earlier value; it is worse if it grew beyond `growth`.

    What is counted on the same sample repeats exactly, so that its ratio decides.  A ratio of times
    has noise: it is worse only where the two intervals do not overlap either.
    """
    limit = growth or (GROWTH_OF_TIMES if measured.source is Source.TIMES else GROWTH)
    ratio = _times(was.value, now.value)
    if measured.worse is Worse.LOWER:
        ratio = _times(now.value, was.value)
    apart = measured.source is not Source.TIMES or not overlap(was, now)
    return ChangedFigure(was, now, ratio, measured.worse is not None and ratio > limit and apart)


def _times(was: float, now: float) -> float:
    if was == now:
        return 1.0
    return now / was if was else math.inf


def overlap(one: KnownMeasurement, other: KnownMeasurement) -> bool:
    """Return whether two intervals overlap; a figure without one is a point."""
    first = one.interval or (one.value, one.value)
    second = other.interval or (other.value, other.value)
    return first[0] <= second[1] and second[0] <= first[1]
