"""Names of the two sides in a report, which must be consistent.

A user may name other folders than the report does, which then are where the subjects lie now.  So
what counts is the last part of a name, and that no place of the report calls a side otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from tokaudit.products.compare.recheck.claims import Rechecked
from tokaudit.report.comparison import Comparison
from tokaudit.report.report import Report


@dataclass(frozen=True, slots=True)
class SideNames:
    """The names of the sides of a comparison."""

    left: str
    right: str

    @classmethod
    def of(cls, comparison: Comparison) -> SideNames:
        """Return the names in a comparison."""
        return cls(comparison.left, comparison.right)

    def side(self, label: str) -> str:
        """Return the side that a label names, or the label.

        >>> SideNames("a/x", "b").side("b"), SideNames("a/x", "b").side("c")
        ('the second', 'c')
        """
        return {self.right: "the second", self.left: "the first"}.get(label, label)

    def within(self, file: str) -> str:
        """Remove the side's name from a file name."""
        for name in sorted((self.left, self.right), key=len, reverse=True):
            if file.startswith(name):
                return f"{self.side(name)}{file.removeprefix(name)}"
        return file


def names_of_sides(
    claimed: Report, stored: Sequence[Comparison], again: Sequence[Comparison]
) -> Iterator[Rechecked]:
    """Check that a report names the opened subjects, consistently."""
    names = (stored[0].left, *(each.right for each in stored))
    opened = (again[0].left, *(each.right for each in again))
    for name, own in zip(names, opened, strict=True):
        moved = PurePath(name).name == PurePath(own).name
        yield Rechecked(f"a side: {name}", "" if moved else f"{own} was opened")
    wrong = [each for each in claimed.compared if each not in names]
    wrong += [each.left for each in stored if each.left != names[0]]
    files = [each for one, other in zip(stored, again, strict=True) for each in _files(one, other)]
    why = f"no side is {wrong[0]}" if wrong else next(iter(files), "")
    yield Rechecked("names and files of the sides", why)


def _files(stored: Comparison, again: Comparison) -> Iterator[str]:
    for stated, own in (
        (stored.left_file, again.left_file),
        (stored.right_file, again.right_file),
    ):
        if stated != own:
            yield f"the vocabulary is in {own}, not in {stated}"
