"""Add line numbers to the places of findings while the files are at hand.

A report is shown again without its subject, so what a code host needs to know is worked out here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from tokaudit.report.comparison import Comparison
from tokaudit.report.model import CheckResult, Finding, Place
from tokaudit.report.wording import located
from tokaudit.subject.material import SourceFile, Subject
from tokaudit.subject.places.pointers import Known, Led, followed
from tokaudit.subject.safe_json import steps


@dataclass(frozen=True)
class Lines:
    """Lines of places, in the subject's files and in those of the others."""

    files: Mapping[tuple[str, bool], SourceFile]
    found: Mapping[SourceFile, Mapping[str, Led]]

    @classmethod
    def of(
        cls,
        places: Iterable[Place],
        own: Iterable[Subject],
        others: Iterable[Subject],
        known: Known | None = None,
    ) -> Lines:
        """Find the lines of all places, reading each file once."""
        files = {(file.name, False): file for subject in own for file in subject.files}
        for other in others:
            files |= {(located(other.name, file.name), True): file for file in other.files}
        wanted: dict[SourceFile, set[str]] = defaultdict(set)
        for place in places:
            if place.pointer and (file := files.get((place.file, place.outside))) is not None:
                wanted[file].add(place.pointer)
        return cls(files, {file: followed(file, inside, known) for file, inside in wanted.items()})

    def placed(self, place: Place) -> Place:
        """Return a place with its line, if known; a pointer without target marks a lack."""
        file = self.files.get((place.file, place.outside))
        led = self.found.get(file, {}).get(place.pointer) if file is not None else None
        if led is None or led.pointer == place.pointer:
            return place if led is None else replace(place, line=led.line)
        lacks = steps(place.pointer[len(led.pointer) :])[0]
        return replace(place, pointer=led.pointer, line=led.line, value=None, lacks=lacks)

    def finding(self, finding: Finding) -> Finding:
        """Return a finding whose places have their lines."""
        return replace(finding, places=tuple(map(self.placed, finding.places)))


def with_lines(
    results: Sequence[CheckResult],
    own: Iterable[Subject],
    others: Iterable[Subject] = (),
    known: Known | None = None,
) -> tuple[CheckResult, ...]:
    """Return the results with the line of each place of their findings.

    `own` is the subject, and the part of its repository that it is a copy of; `others` are what it
    was compared with.  `known` are lines in the same bytes that were found for another subject.
    """
    places = (place for each in results for finding in each.findings for place in finding.places)
    lines = Lines.of(places, own, others, known)
    return tuple(
        replace(each, findings=tuple(map(lines.finding, each.findings))) for each in results
    )


def facets_with_lines(comparison: Comparison, subjects: Iterable[Subject]) -> Comparison:
    """Return a comparison whose facets have the line of each of their places."""
    places = (place for facet in comparison.facets for place in facet.places)
    lines = Lines.of(places, (), subjects)
    facets = (
        replace(facet, places=tuple(map(lines.placed, facet.places))) for facet in comparison.facets
    )
    return replace(comparison, facets=tuple(facets))
