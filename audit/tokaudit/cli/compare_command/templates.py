"""`tokaudit compare --template A B`: the chat templates of two subjects over the role matrix."""

from __future__ import annotations

import argparse

from tokaudit.api.asked.settings import BareFiles, CompareSettings, WithChats
from tokaudit.foundation.errors import UsageError
from tokaudit.foundation.settings.setting import part, values
from tokaudit.report.report import Report

CHECK = "chat_template/baseline"


def compare_templates(options: argparse.Namespace) -> Report:
    """The report of the one check that renders both, A next to B; other questions are not asked."""
    if len(options.subjects) != 2:
        raise UsageError("compare --template takes two subjects")
    if options.purpose or options.write_map:
        raise UsageError("compare --template takes neither --for nor --write-map")
    from tokaudit.api.auditing import audit
    from tokaudit.cli.options.settings import given

    one, other = options.subjects
    asked = given(options, CompareSettings)
    return audit(
        one,
        base=other,
        select=[CHECK],
        tier=asked.tier,
        seed=asked.seed,
        timeout=asked.timeout,
        **values(given(options, WithChats)),
        **values(part(asked, BareFiles)),
    )
