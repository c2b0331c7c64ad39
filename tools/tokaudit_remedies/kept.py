"""The outcomes of earlier runs, a case in each line of a file, so that a run can go on later."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from tokaudit_remedies.case import Case
from tokaudit_remedies.trying import Outcome, TriedRepair


@dataclass
class KeptCases:
    """What was tried, by case; without a file it is kept in memory alone."""

    file: Path | None
    by_case: dict[tuple[str, str], list[TriedRepair]] = field(default_factory=dict)

    @classmethod
    def read(cls, file: Path | None) -> KeptCases:
        """What a file holds; a run that was killed may have cut its last line."""
        kept = cls(file)
        if file is None or not file.exists():
            return kept
        lines = [line for line in file.read_text("utf-8").splitlines(True) if line.endswith("\n")]
        file.write_text("".join(lines), encoding="utf-8")
        for each in map(json.loads, lines):
            tried = [TriedRepair(**{**t, "outcome": Outcome(t["outcome"])}) for t in each["tried"]]
            kept.by_case[each["source"], each["case"]] = tried
        return kept

    def __contains__(self, case: Case) -> bool:
        return (case.source, case.name) in self.by_case

    def add(self, case: Case, tried: Sequence[TriedRepair]) -> None:
        """Keep a case, also one of which nothing was found."""
        self.by_case[case.source, case.name] = list(tried)
        if self.file is not None:
            line = {
                "source": case.source, "case": case.name, "tried": [asdict(each) for each in tried]
            }  # fmt: skip
            with self.file.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line, ensure_ascii=False) + "\n")

    def of(self, cases: Iterable[Case]) -> list[TriedRepair]:
        """The outcomes of these cases, in their order."""
        return [each for case in cases for each in self.by_case.get((case.source, case.name), ())]
