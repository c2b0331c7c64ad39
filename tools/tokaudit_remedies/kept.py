"""The outcomes of earlier runs by case, so that a run can go on later."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tokaudit_remedies.case import Case
from tokaudit_remedies.trying import TriedRepair
from tokaudit_tools.kept import keep, kept


@dataclass(frozen=True)
class KeptCase:
    """One case and what was tried of it."""

    source: str
    case: str
    tried: tuple[TriedRepair, ...]


@dataclass
class KeptCases:
    """What was tried, by case; without a file it is kept in memory alone."""

    file: Path | None
    by_case: dict[tuple[str, str], Sequence[TriedRepair]] = field(default_factory=dict)

    @classmethod
    def read(cls, file: Path | None) -> KeptCases:
        """What a file holds."""
        return cls(file, {(each.source, each.case): each.tried for each in kept(file, KeptCase)})

    def __contains__(self, case: Case) -> bool:
        return (case.source, case.name) in self.by_case

    def add(self, case: Case, tried: Sequence[TriedRepair]) -> None:
        """Keep a case, also one of which nothing was found."""
        self.by_case[case.source, case.name] = tried
        keep(self.file, KeptCase(case.source, case.name, tuple(tried)))

    def of(self, cases: Iterable[Case]) -> list[TriedRepair]:
        """The outcomes of these cases, in their order."""
        return [each for case in cases for each in self.by_case.get((case.source, case.name), ())]
