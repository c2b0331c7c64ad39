"""Thresholds of measurements, absolute or relative to the baseline.

What has an interval is over a limit when its whole interval is, so that chance fails nobody.  No
absolute time is ever compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tokaudit.engine.check import Check
from tokaudit.engine.measured import Measured, Source
from tokaudit.foundation.errors import UsageError
from tokaudit.foundation.settings.toml_table import Table
from tokaudit.products.gate.differences.declared import declarations
from tokaudit.report.model import Measurement

LIMITS = ("at_most", "at_least", "growth")
THRESHOLD_KEYS = ("measurement", "dimensions", *LIMITS)


@dataclass(frozen=True)
class Threshold:
    """One entry of `thresholds`: limits for every figure with a key and dimensions."""

    path: str
    key: str
    check: str  # that measures it; empty for what the gate measures
    dimensions: Mapping[str, str] = field(default_factory=dict)
    at_most: float | None = None
    at_least: float | None = None
    growth: float | None = None  # against the baseline's, in the direction that is worse

    def covers(self, measured: Measurement) -> bool:
        """Return whether a figure is subject to this limit."""
        stated = measured.dimensions
        return measured.key == self.key and all(
            stated.get(name) == value for name, value in self.dimensions.items()
        )


def read_threshold(
    table: Table, known: Sequence[Check], asked: Sequence[Check], baseline: bool
) -> Threshold:
    """Read one entry; a selected check must measure its figure."""
    named = table.required("measurement", "it names a key such as fertility/parity")
    declared = declarations(known)
    key = table.known("measurement", named, declared)
    measured = declared[key]
    if measured.source is Source.MACHINE:
        raise UsageError(
            f"{table.at('measurement')}: {key} is {measured.source}, which depends on the machine, "
            f"so no gate may limit it{_ratio_instead(declared, key)}"
        )
    check = next((each.id for each in known if measured in each.measures), "")
    if check and check not in [each.id for each in asked]:
        raise UsageError(
            f"{table.at('measurement')}: {key} comes from the check {check}, which does not "
            "run; add this check to select, remove it from ignore, or name a slower tier"
        )
    limits = {name: table.number(name) for name in LIMITS}
    if not any(limit is not None for limit in limits.values()):
        raise UsageError(
            f"{table.at('at_most')}: is missing; write one of at_most, at_least and growth"
        )
    if limits["growth"] is not None and not baseline:
        raise UsageError(
            f"{table.at('growth')}: works only with a baseline; write the key 'baseline' too"
        )
    if limits["growth"] is not None and measured.worse is None:
        raise UsageError(
            f"{table.at('growth')}: does not apply to {key}, where neither a higher nor a lower "
            "value is worse; write at_most or at_least"
        )
    return Threshold(table.path, key, check, _dimensions(table, measured), **limits)


def _dimensions(table: Table, measured: Measured) -> dict[str, str]:
    below = table.table("dimensions")
    found = {}
    for name, value in below.items():
        if measured.dimensions:
            below.known(name, name, measured.dimensions)
            below.known(name, value, measured.dimensions[name])
        found[name] = str(value)
    return found


def _ratio_instead(declared: Mapping[str, Measured], key: str) -> str:
    suite = key.partition("/")[0]
    ratios = [
        one.key
        for one in declared.values()
        if one.source is Source.TIMES and one.key.startswith(f"{suite}/")
    ]
    return f"; write {' or '.join(ratios)} instead" if ratios else ""


def exceeded(threshold: Threshold, measured: Measurement) -> Iterator[str]:
    """Yield how a figure breaks the limits that need no baseline."""
    low, high = measured.interval or (measured.value, measured.value)
    if threshold.at_most is not None and low > threshold.at_most:
        yield f"{stated(measured)} is more than {threshold.at_most:g}"
    if threshold.at_least is not None and high < threshold.at_least:
        yield f"{stated(measured)} is less than {threshold.at_least:g}"


def stated(measured: Measurement) -> str:
    """Describe a figure with its interval and dimensions.

    >>> german = {"language": "deu_Latn"}
    >>> stated(Measurement("fertility/parity", "", 2.5, "x", 9, "", (2.4, 2.6), german))
    'fertility/parity of deu_Latn: 2.5 x [2.4 to 2.6]'
    """
    of = ", ".join(value for name, value in measured.dimensions.items() if name != "name")
    between = ""
    if measured.interval is not None:
        between = f" [{measured.interval[0]:.4g} to {measured.interval[1]:.4g}]"
    return (
        f"{measured.key}{f' of {of}' if of else ''}: {measured.value:.4g} {measured.unit}{between}"
    )
