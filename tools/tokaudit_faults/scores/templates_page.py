"""The page `docs/template-defects.md`: every documented defect, and where it is found."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit_faults.case import of_kind
from tokaudit_faults.fault import TEMPLATES, Fault
from tokaudit_faults.scores.scorer import Score
from tokaudit_faults.scores.templates import scores
from tokaudit_templates.warnings import published, report
from tokaudit_tools.tables import table

START = """# Documented defects of chat templates

Each was reported in a public thread. Each is put into healthy templates of the packages trl and
axolotl, and counts as found in one where the check that names the cause gives a warning or an
error that it does not give for the healthy template, without a base. None is ever taken out.

{found} of {entries} are found in every template of theirs; {caught} of {tried} templates with a
defect. What is not is information: the client sees an error, and published templates do the same
(`--use serving` warns).

To compute this page: `make templates`, then
`PYTHONPATH=tools .venv/bin/python -m tokaudit_tools templates --page`.

"""
HEALTHY = """
## Findings on healthy templates

`PYTHONPATH=tools .venv/bin/python -m tokaudit_tools template-warnings` prints this.

"""
HOST = "https://github.com"


def page() -> str:
    """The whole page, in Markdown."""
    scored = [(fault, scores(fault)) for fault in of_kind(TEMPLATES)]
    every = [each for _, found in scored for each in found]
    start = START.format(
        found=sum(all(each.caught for each in found) for _, found in scored),
        entries=len(scored),
        caught=sum(each.caught for each in every),
        tried=len(every),
    )
    found = table(("defect", "check of `chat_template`", "found"), _rows(scored))
    return start + found + "".join([HEALTHY, *report(published())])


def _rows(scored: list[tuple[Fault, list[Score]]]) -> Iterator[tuple[str, ...]]:
    for fault, found in scored:
        caught = sum(each.caught for each in found)
        repository, _, number = fault.thread.partition("#")
        link = f"[{fault.name}]({HOST}/{repository}/issues/{number})"
        yield link, f"`{fault.component}`", f"{caught}/{len(found)}"
