"""Group findings that share a fact with an earlier one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from tokaudit.report.causes.facts import Facts, facts_of
from tokaudit.report.causes.stage import Stage, stage_of
from tokaudit.report.model import Finding, Severity

Fact = tuple[str, Hashable]  # its kind, and what it says
MEMBERS = ("id", "token")
STATED = "/predicate/"  # of a manifest
ANY = "any component"
OF_ANY_DRIFT = ("behaviour", "model", "id")  # what follows from a change of any component
EVERY_TEXT = (Stage.MERGES, Stage.PIPELINE)  # a step that is wrong as a whole changes any text


@dataclass(slots=True)
class _Known:
    """Facts of the findings so far, each with its first root."""

    of: dict[Hashable, int] = field(default_factory=dict)

    def shared(self, part: str, about: Facts, finding: Finding) -> set[int]:
        """Return the roots that share a fact with a finding, counted in their order.

        A matrix that is too short lacks the rows of many ids, and a finding about a list speaks of
        all that it lists, so one of these alone explains neither.
        """
        most = stage_of(finding) is Stage.ROWS or about.lists_members
        kinds: dict[str, list[Hashable]] = {}
        for kind, fact in _asked(about, finding):
            kinds.setdefault(kind, []).append((part, (kind, fact)))
        found = set[int]()
        for kind, facts in kinds.items():
            roots = [self.of[each] for each in facts if each in self.of]
            if not (most and kind in MEMBERS and 2 * len(roots) <= len(facts)):
                found.update(roots)
        return found

    def add(self, facts: Iterable[Hashable], root: int) -> None:
        for each in facts:
            self.of.setdefault(each, root)

    def move(self, merged: Collection[int], root: int) -> None:
        """Let another root explain the findings of merged roots."""
        self.of = {fact: root if each in merged else each for fact, each in self.of.items()}


def grouped(ordered: Sequence[tuple[str, Finding]]) -> list[int]:
    """Return the index of each finding's root, in one pass from the earliest.

    Time grows with the number of facts and not with that of pairs of findings.
    """
    known, roots = _Known(), list[int]()
    about = [facts_of(finding) for _, finding in ordered]
    about = _without_faults_of_all_copies(about, ordered)
    for number, ((part, finding), facts) in enumerate(zip(ordered, about, strict=True)):
        shared = known.shared(part, facts, finding)
        root = min(shared, default=number)
        known.add(((part, each) for each in _told(facts, finding)), root)
        roots.append(root)
        merged = {each for each in shared if stage_of(ordered[each][1]) is Stage.BEHAVIOUR}
        if merged - {root}:  # what was seen in two runs and has one thing in common is one fault
            known.move(merged, root)
            roots = [root if each in merged else each for each in roots]
    return _one_disagreement(roots, about, [part for part, _ in ordered])


def _without_faults_of_all_copies(
    about: Sequence[Facts], ordered: Sequence[tuple[str, Finding]]
) -> list[Facts]:
    """Empty `inside` for faults found alike in two files, which no difference explains."""
    blamed = {
        (part, finding.identity, finding.places[0].file)
        for part, finding in ordered
        if finding.places
    }
    files = Counter((part, identity) for part, identity, _ in blamed)
    return [
        replace(each, inside=frozenset()) if files[part, finding.identity] > 1 else each
        for each, (part, finding) in zip(about, ordered, strict=True)
    ]


def _one_disagreement(
    roots: Sequence[int], about: Sequence[Facts], parts: Sequence[str]
) -> list[int]:
    """Merge the roots of findings on the same two values of the same two files."""
    first: dict[Hashable, int] = {}
    for root, facts, part in zip(roots, about, parts, strict=True):
        for each in facts.contradictions:
            first[part, each] = min(root, first.get((part, each), root))
    moved = {
        root: min(first[part, each] for each in facts.contradictions)
        for number, (root, facts, part) in enumerate(zip(roots, about, parts, strict=True))
        if facts.contradictions and root == number
    }
    return [moved.get(root, root) for root in roots]


def _drifted(finding: Finding) -> Iterator[tuple[str, str]]:
    """Yield the manifests that contradict a component, with that component."""
    for place in finding.places:
        if place.outside and place.pointer.startswith(STATED):
            yield place.file, place.component


def _told(about: Facts, finding: Finding) -> Iterator[Fact]:
    """Yield the facts under which a later finding can join this one."""
    for file, component in _drifted(finding):
        yield from (("drift", (file, each)) for each in (component, ANY))
    yield from (("above", each) for each in about.above)
    yield from (("copy", each) for each in about.copies)
    yield from _common(about)
    if _changes_every_text(about, finding):
        yield from (("every text", place.file) for place in finding.places if place.file)


def _asked(about: Facts, finding: Finding) -> Iterator[Fact]:
    """Yield the facts under which this finding can join an earlier one."""
    for file, component in _drifted(finding):
        yield "drift", (file, ANY if component in OF_ANY_DRIFT else component)
    yield from (("at", each) for each in about.above)
    yield from (("above", each) for each in about.spots)
    yield from (("copy", each) for each in about.inside)
    yield from _common(about)
    if stage_of(finding) is Stage.BEHAVIOUR:
        yield from (("every text", place.file) for place in finding.places if place.file)


def _common(about: Facts) -> Iterator[Fact]:
    yield from (("at", each) for each in about.spots)
    yield from (("whole", each) for each in about.whole)
    yield from (("shown", each) for each in about.shown)
    yield from (("both", each) for each in about.contradictions)
    yield from (("id", each) for each in about.ids)
    yield from (("token", each) for each in about.tokens)


def _changes_every_text(about: Facts, finding: Finding) -> bool:
    """Return whether it is an error of a whole step, which may change any text."""
    of_step = stage_of(finding) in EVERY_TEXT and finding.severity is Severity.ERROR
    return of_step and bool(about.spots) and not about.names_members
