"""A report as a table of pandas or polars, whichever is installed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Literal

from tokaudit.foundation.errors import UsageError
from tokaudit.report.model import CheckResult
from tokaudit.report.wording import first_text

LIBRARIES = ("pandas", "polars")
MISSING = "to_frame() needs pandas or polars, and neither is installed; run: pip install pandas"
Of = Literal["measurements", "findings"]
Row = dict[str, Any]


def frame(results: Sequence[CheckResult], of: Of) -> Any:
    """Return a data frame with a row for each; raise `UsageError` without a library."""
    library = next((name for name in LIBRARIES if find_spec(name)), None)
    if library is None:
        raise UsageError(MISSING)
    if of not in ROWS:
        raise UsageError(f"to_frame({of!r}): expected {' or '.join(map(repr, ROWS))}")
    return import_module(library).DataFrame(list(ROWS[of](results)))


def _measurements(results: Sequence[CheckResult]) -> Iterator[Row]:
    for result in results:
        for each in result.measurements:
            low, high = each.interval or (None, None)
            about = "; ".join(f"{key}={value}" for key, value in sorted(each.dimensions.items()))
            yield {
                "check": result.check,
                "part": result.part,
                "key": each.key,
                "dimensions": about,
                "value": each.value,
                "unit": each.unit,
                "n": each.n,
                "low": low,
                "high": high,
            }


def _findings(results: Sequence[CheckResult]) -> Iterator[Row]:
    for result in results:
        for each in result.findings:
            place = each.places[0] if each.places else None
            yield {
                "severity": str(each.severity),
                "check": result.check,
                "part": result.part,
                "cause": each.cause,
                "message": each.message,
                "file": place.file if place else "",
                "pointer": place.pointer if place else "",
                "text": first_text(each),
                "remedy": each.remedy,
            }


ROWS = {"measurements": _measurements, "findings": _findings}
