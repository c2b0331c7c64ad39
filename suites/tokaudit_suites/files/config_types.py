"""Configuration values of a type that no loader takes."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.engine.check import check
from tokaudit.foundation.errors import NotApplicable
from tokaudit.report.model import Basis, Finding, Severity
from tokaudit.subject.material import Subject
from tokaudit_suites.shared.stated_roles import place_of

FOUND = {"bool": "true or false", "str": "a text", "list": "a list", "dict": "an object"}


@check(
    "files/config-types",
    title="Every setting that decides ids is of the type that loaders take",
    why="A loader that expects a list and finds `true`, or a number and finds a text, fails far "
    "from the file that is wrong, or takes the value for another one.",
    remedy="Write {pointer|the value} in {file|the file} as the type that the message names.",
    severity=Severity.ERROR,
    basis=Basis.INTRINSIC,
    incident="Llama 3.1 states a list of ends, and an engine expected a number "
    "(turboderp-org/exllamav2 #566).",
)
def config_types(subject: Subject) -> Iterator[Finding]:
    """One finding for each value of another type."""
    if not subject.facts:
        raise NotApplicable("no file states a setting")
    for fact in subject.facts:
        if fact.expected:
            found = FOUND.get(type(fact.value).__name__, "a number")
            yield Finding(
                Severity.ERROR,
                f"{fact.name} in {fact.file} is {found} where loaders expect {fact.expected}.",
                (place_of(fact, "config"),),
                cause=fact.name,
            )
