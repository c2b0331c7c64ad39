"""Write the requested report even on a refusal, so that CI has a file to keep."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from tokaudit.cli.terminal.output import Plan
from tokaudit.cli.terminal.streams import written
from tokaudit.foundation.errors import UnreadableError
from tokaudit.foundation.exhaustion import refused_by_system
from tokaudit.report.writer import DEFAULT
from tokaudit_reference.errors import SpecError


@contextmanager
def reported(planned: Plan, name: str, check: str) -> Iterator[None]:
    """Deliver a refusal in the block as an undecided report, and raise it again.

    On a terminal the one line of the refusal is enough.
    """
    try:
        yield
    except Exception as error:
        asked = planned.to_stdout is None or planned.to_stdout.name != DEFAULT
        if asked and (reason := _reason(error)):
            from tokaudit.products.audit.unread import unread_report

            report = unread_report(name, reason, check)
            written(UnreadableError.exit_code, partial(planned.deliver, report))
        raise


def _reason(error: Exception) -> str:
    """Return the reason why nothing could be read; empty for other errors."""
    if isinstance(error, SpecError):
        return error.advice
    return str(error) if isinstance(error, UnreadableError) else refused_by_system(error)
