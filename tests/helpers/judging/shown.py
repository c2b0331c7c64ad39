"""What a finding has to show, whichever check it is of."""

from __future__ import annotations

from tokaudit.report.model import Finding


def shows(finding: Finding) -> bool:
    """Whether a finding has a text or a place, so that nobody has to take its word."""
    return bool(finding.places) or any(each.text is not None for each in finding.evidence)
