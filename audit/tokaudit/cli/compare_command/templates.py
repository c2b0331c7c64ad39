"""`tokaudit compare --template A B`: the chat templates of two subjects over the role matrix."""

from __future__ import annotations

import argparse

from tokaudit.engine.settings.settings import CompareSettings, WithChats
from tokaudit.foundation.errors import UsageError
from tokaudit.report.report import Report


def compare_templates(options: argparse.Namespace) -> Report:
    """The report on both templates, A next to B."""
    if len(options.subjects) != 2:
        raise UsageError("compare --template takes two subjects")
    from tokaudit.cli.options.settings import given, refuse_unused
    from tokaudit.products.audit.compared_templates import LOOKED_AT, compared_templates

    refuse_unused(options, CompareSettings, LOOKED_AT, "has no meaning with --template")

    one, other = options.subjects
    asked, conversations = given(options, CompareSettings), given(options, WithChats)
    return compared_templates(one, other, asked, conversations)
