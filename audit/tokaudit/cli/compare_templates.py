"""`tokaudit compare --template A B`: the chat templates of two subjects over the role matrix."""

from __future__ import annotations

import argparse

from tokaudit.foundation.errors import UsageError
from tokaudit.report.report import Report

CHECK = "chat_template/baseline"


def compare_templates(options: argparse.Namespace) -> Report:
    """The report of the one check that renders both, A beside B; other questions are not asked."""
    if len(options.subjects) != 2:
        raise UsageError("compare --template takes two subjects")
    if options.purpose or options.write_map:
        raise UsageError("compare --template takes neither --for nor --write-map")
    from tokaudit.api.auditing import audit
    from tokaudit.cli.subject_arguments import files, specials

    one, other = options.subjects
    return audit(
        one,
        base=other,
        select=[CHECK],
        tier=options.tier,
        seed=options.seed,
        timeout=options.timeout,
        conversations=options.conversations,
        pattern=options.pattern,
        special=specials(options.special),
        files=files(options.file),
    )
