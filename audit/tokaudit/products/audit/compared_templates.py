"""Comparison of two subjects' chat templates, rendered over the role matrix."""

from __future__ import annotations

from tokaudit.engine.options import Effort
from tokaudit.engine.settings.settings import BareFiles, CompareSettings, OwnTemplate, WithChats
from tokaudit.foundation.settings.setting import part, values
from tokaudit.products.audit.auditing import audit
from tokaudit.report.report import Report

CHECK = "chat_template/baseline"
LOOKED_AT = (Effort, OwnTemplate, BareFiles)  # of the settings of a comparison


def compared_templates(
    one: str, other: str, asked: CompareSettings, conversations: WithChats
) -> Report:
    """The report of the one check that renders both; other questions are not asked."""
    return audit(
        one,
        base=other,
        select=[CHECK],
        **values(conversations),
        **{name: each for kind in LOOKED_AT for name, each in values(part(asked, kind)).items()},
    )
