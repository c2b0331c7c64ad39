"""Quick audits one after the other as a gate makes them: what one has worked out, the next knows."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from tokaudit.engine.opening import repository_of
from tokaudit.engine.settings.settings import AuditSettings
from tokaudit.engine.shared import Shared
from tokaudit.products.audit.auditing import requested
from tokaudit.products.audit.repository import carry_out_all
from tokaudit.report.report import Report


def audit_in_a_row(subject: str | Path, **settings: Any) -> Report:
    """The report that `tokaudit.audit` gives, without asking twice what the same bytes answer."""
    asked = AuditSettings(tier="quick", **settings)
    repository = repository_of(str(subject), asked)
    return carry_out_all(repository, requested(asked), shared=_shared()).report


@cache
def _shared() -> Shared:
    return Shared()
