"""Checks that each of the user's runtimes agrees with the file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tokaudit.plugin import (
    Basis,
    ComparedRuntimes,
    Comparison,
    Finding,
    Harm,
    Outcome,
    Place,
    Severity,
    Skip,
    check,
)
from tokaudit_suites.shared.repairs import ANOTHER_LIBRARY


@check(
    "runtimes/agree",
    title="Named runtimes agree with the file",
    why="Trainers and servers often run one tokenizer with different libraries. If a library "
    "produces other ids than the tokenizer file states, the model reads wrong tokens, without an "
    "error.",
    incident="A loader of SGLang built another tokenizer than the one in the folder "
    "(sgl-project/sglang#34533).",
    remedy="Serve the model with a runtime that agrees with the file, or report the text to the "
    "developers of the other runtime. `tokaudit runtimes` shows everything that was tried.",
    repair=ANOTHER_LIBRARY,
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.BASELINE,
    no_example="Files cannot show it: what differs is a runtime that the user names.",
)
def agree(compared: ComparedRuntimes) -> Iterator[Finding]:
    """Report each cause of a difference, with a minimal text."""
    asked = [each for each in compared.all if each.texts]
    if not asked:
        raise Skip("no runtime that was named gave ids; see runtimes/loads")
    for each in asked:
        yield from _of_runtime(each)


def _of_runtime(comparison: Comparison) -> Iterator[Finding]:
    file = comparison.runtime.file if comparison.runtime else ""
    for facet in comparison.facets:
        if facet.outcome is Outcome.DIFFERS:
            yield Finding(
                Severity.ERROR,
                f"{comparison.right} differs from the file in {facet.name}: {facet.why}.",
                tuple(_own(comparison, place) for place in facet.places)
                or (Place("tokenizer", file),),
                facet.evidence,
                cause=f"{facet.name} in {_name(comparison)}",
            )


def _own(comparison: Comparison, place: Place) -> Place:
    """Return a place of the comparison as a place of the subject."""
    whole = place.file == comparison.left and comparison.runtime is not None
    file = comparison.runtime.file if whole and comparison.runtime else place.file
    return replace(place, file=file.removeprefix(f"{comparison.left}/"), outside=False)


def _name(comparison: Comparison) -> str:
    """Return the runtime's name as the user wrote it, without its interpreter."""
    name = comparison.runtime.name if comparison.runtime else comparison.right
    return name[:1] + name[1:].partition("@")[0]
