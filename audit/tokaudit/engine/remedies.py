"""Remedies with placeholders for the names of a subject.

`{file|the file}` is the file that a finding blames, `{other|the base}` the file that its second
place names, `{pointer|the key}` where in the file.  What is after the bar is for pages that
speak of no subject, and for findings that lack the name.  `{compare|run tokaudit with --base to
compare}` asks for a base only where none is given.
"""

from __future__ import annotations

import re

from tokaudit.report.model import Finding

NAME = re.compile(r"\{(file|other|pointer|[Cc]ompare)\|([^{}]*)\}")


def plain(remedy: str) -> str:
    """Return a remedy without names of a subject.

    >>> plain("Take the merges from {other|the base model}.")
    'Take the merges from the base model.'
    """
    return NAME.sub(r"\2", remedy)


def named(remedy: str, finding: Finding, *, with_base: bool = False) -> str:
    """Insert the names of a finding into a remedy; `with_base` if there is a base."""
    names = _names(finding)
    if with_base:
        names |= {word: word for word in ("Compare", "compare")}
    return NAME.sub(lambda found: names.get(found[1]) or found[2], remedy)


def _names(finding: Finding) -> dict[str, str]:
    if not finding.places:
        return {}
    blamed, *others = finding.places
    other = next((each.file for each in others if each.file not in ("", blamed.file)), "")
    return {"file": blamed.file, "pointer": blamed.pointer, "other": other}
