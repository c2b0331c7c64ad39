"""Does the library that production would use load the file?"""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import (
    Basis,
    Finding,
    Harm,
    Place,
    Representation,
    Severity,
    UpstreamLoad,
    check,
)
from tokaudit_suites.shared.library_words import tokens_in
from tokaudit_suites.shared.repairs import person_decides
from tokaudit_suites.shared.wording import about


@check(
    "agreement/library-loads",
    title="The upstream library loads the file",
    why="If the library refuses its own file, hangs or crashes, the service that loads the file "
    "goes down.",
    remedy="Load {file|the file} with the library version named, and correct what the library "
    "reports.",
    repair=person_decides("the library says what it refuses, and not what was meant there"),
    severity=Severity.ERROR,
    harm=Harm.CRASH,
    basis=Basis.INTRINSIC,
    incident="A library from before a change of the format stops with 'data did not match "
    "any variant of untagged enum ModelWrapper' (allenai/open-instruct #738).",
)
def upstream_loads(load: UpstreamLoad, representation: Representation) -> Iterator[Finding]:
    """An error with the library's own words when it refuses the file or dies of it."""
    if load.tokenizer is not None:
        return
    how = "dies of" if load.crashed else "refuses"
    place = Place("tokenizer", representation.files[0])
    message = f"{load.adapter} {how} {representation.files[0]}: {load.error}"
    of = about(*tokens_in(load.error))
    yield Finding(Severity.ERROR, message, (place,), cause=how, about=of)
