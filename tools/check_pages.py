"""The page of all checks, written from the checks themselves: `python -m check_pages`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from tokaudit.engine.check import Check, all_checks

HEAD = (
    "# The checks\n\nWritten from the checks by `make docs`; `tokaudit checks ID` prints the same."
)


def page(checks: Sequence[Check]) -> str:
    """Markdown: a heading for each suite, a section for each check."""
    parts = [HEAD]
    for suite, members in groupby(checks, key=lambda check: check.suite):
        parts.append(f"## {suite}")
        parts.extend(_section(check) for check in members)
    return "\n\n".join(parts) + "\n"


def _section(check: Check) -> str:
    lines = [
        f"### {check.id}",
        f"Asks: {check.title}. Severity {check.severity}; "
        f"evidence: {', '.join(check.basis)}; tier {check.tier}.",
        check.why + (f" Seen in: {check.incident}." if check.incident else ""),
        f"**Remedy.** {check.remedy}",
    ]
    return "\n\n".join(lines)


if __name__ == "__main__":
    print(page(all_checks()), end="")
