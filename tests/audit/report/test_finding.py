"""What a finding must carry, whoever makes it."""

from __future__ import annotations

import pytest

from tokaudit.report.model import Finding, Severity


def test_a_finding_without_a_cause_cannot_be_made() -> None:
    with pytest.raises(TypeError, match="cause"):
        Finding(Severity.ERROR, "a hole")  # type: ignore[call-arg]


def test_a_finding_with_an_empty_cause_is_refused() -> None:
    with pytest.raises(ValueError, match="a finding has no cause: a hole"):
        Finding(Severity.ERROR, "a hole", cause="")
