"""Group the findings of a report by root cause.

A finding is explained by an earlier one with which it shares a fact.  Earlier is what the tokenizer
is made from first, then the worse, then what one file states before what a chat or two files show.
Sharing only a file or a component explains nothing, so that independent faults stay apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from tokaudit.report.causes.facts import facts_of
from tokaudit.report.causes.grouping import grouped
from tokaudit.report.causes.stage import stage_of
from tokaudit.report.model import CheckResult, Finding, Severity
from tokaudit.report.wording import of_part


@dataclass(frozen=True, slots=True)
class Cause:
    """A finding and those that it explains; `part` names the tokenizer if there are several.

    `number` and `numbers` are the places of these findings in `report.findings`.
    """

    finding: Finding
    explains: tuple[Finding, ...] = ()
    part: str = ""
    number: int = 0
    numbers: tuple[int, ...] = ()

    @property
    def severity(self) -> Severity:
        """Return the worst severity of the finding and those that it explains."""
        found = (self.finding, *self.explains)
        return min((each.severity for each in found), key=lambda severity: severity.rank)

    @property
    def identity(self) -> str:
        """Return the identity that a suppression names, with the part if there are several."""
        return of_part(self.finding.identity, self.part)

    def __repr__(self) -> str:
        """Return the identity of the finding, and the number that it explains."""
        return f"<Cause {self.severity}: {self.finding.identity}, explains {len(self.explains)}>"


@dataclass(frozen=True, slots=True)
class _Numbered:
    number: int
    part: str
    finding: Finding

    @property
    def order(self) -> tuple[int, bool, int, bool, bool, int, int]:
        places = self.finding.places
        alone = not any(each.outside for each in places)  # a base says most of what is wrong here
        several = alone and len({place.file for place in places if place.file}) > 1
        worst = self.finding.severity.rank
        rendered = any(each.kind == "conversation" for each in self.finding.evidence)
        about = facts_of(self.finding)
        bare = not about.names_members  # a size says less than the tokens it is of
        one = not about.copies  # of two copies that differ, one is what is wrong in that file
        unlike = alone + several
        stage = stage_of(self.finding)
        return stage, one, worst, rendered, bare and alone, unlike, self.number


def causes_of(results: Iterable[CheckResult]) -> tuple[Cause, ...]:
    """Return every finding once, as a cause or below its cause, the worst causes first.

    A note is only worth knowing, so it is no cause of anything and nothing is its cause.
    """
    every = [
        _Numbered(number, part, finding)
        for number, (part, finding) in enumerate(_findings(results))
    ]
    judged = [each for each in every if each.finding.severity is not Severity.INFO]
    roots = _roots(sorted(judged, key=lambda each: (each.part, each.order)))
    members: dict[int, list[_Numbered]] = {}
    for each in every:
        members.setdefault(roots.get(each.number, each.number), []).append(each)
    by_number = {each.number: each for each in every}
    causes = [_cause(by_number[root], below) for root, below in members.items()]
    return tuple(sorted(causes, key=lambda c: (c.severity.rank, *_order(c))))


def _order(cause: Cause) -> tuple[str, int, bool, int, bool, bool, int, int]:
    return cause.part, *_Numbered(cause.number, cause.part, cause.finding).order


def _findings(results: Iterable[CheckResult]) -> Iterator[tuple[str, Finding]]:
    for result in results:
        for finding in result.findings:
            yield result.part, replace(finding, check=result.check)


def _cause(root: _Numbered, members: Sequence[_Numbered]) -> Cause:
    below = sorted((each for each in members if each is not root), key=lambda each: each.order)
    return Cause(
        root.finding,
        tuple(each.finding for each in below),
        root.part,
        root.number,
        tuple(each.number for each in below),
    )


def _roots(ordered: Sequence[_Numbered]) -> dict[int, int]:
    """Map the index of each finding to its root's."""
    groups = grouped([(each.part, each.finding) for each in ordered])
    return {each.number: ordered[root].number for each, root in zip(ordered, groups, strict=True)}
