"""Weights that are only pointers."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import Basis, Finding, Harm, NotApplicable, Place, Severity, Subject, check
from tokaudit.subject.weights import not_fetched, weight_files
from tokaudit_suites.shared.repairs import person_decides
from tokaudit_suites.shared.wording import does, some


@check(
    "files/weights",
    title="The weights are here and not only pointers",
    why="Git LFS leaves a small text file in place of a large file that was not downloaded. "
    "Without the weights, the audit cannot tell whether the tokenizer fits the model.",
    remedy="Download the weights (git lfs pull), and audit again.",
    repair=person_decides("the content of the file is where it was published"),
    severity=Severity.WARNING,
    harm=Harm.CRASH,
    milder="a clone without weights is common, and its tokenizer is whole.",
    basis=Basis.WEIGHTS,
    incident="Weights cloned without git lfs were pointers of 130 bytes, on which safetensors "
    "stops with HeaderTooLarge (microsoft/OmniParser #34).",
    no_example="The example would be a pointer, after which the check decides nothing.",
)
def weights(subject: Subject) -> Iterator[Finding]:
    """Report all pointers in one finding; whether the weights fit stays unknown."""
    if not weight_files(subject):
        raise NotApplicable("no weights are here")
    if pointers := not_fetched(subject):
        names = [file.name for file in pointers]
        yield Finding(
            Severity.WARNING,
            f"{does(len(names), 'weight file', 'is')} only a git-lfs pointer, so the weights were "
            f"not examined: {some(names)}.",
            tuple(Place("file", file.name, "", file.impostor) for file in pointers[:20]),
            cause="pointers",
        )
