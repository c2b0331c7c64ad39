"""Each way to break a checkpoint is reported by the check that names its cause."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

from tokaudit.errors import NotApplicable, Skip
from tokaudit.words import Finding, Severity

Ask = Callable[..., list[object]]


def findings(ask: Ask, id: str, folder: Path) -> dict[str, Finding]:
    try:
        output = ask(id, folder)
    except (NotApplicable, Skip):
        return {}
    found = [item for item in output if isinstance(item, Finding)]
    return {f.message: f for f in found if f.severity is not Severity.INFO}


def test_the_check_that_names_the_cause_reports_it(
    operator: str, folder: Path, sick: ModuleType, ask: Ask
) -> None:
    id, break_it = sick.OPERATORS[operator]
    before = findings(ask, id, folder)
    break_it(folder)
    assert before == {}
    assert findings(ask, id, folder)
