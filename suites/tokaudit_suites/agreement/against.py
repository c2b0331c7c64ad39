"""Does the encoder that the user named give the same ids?"""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import (
    Basis,
    Comparison,
    Evidence,
    Finding,
    Harm,
    Place,
    Severity,
    Skip,
    check,
    located,
)
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.repairs import person_decides
from tokaudit_suites.shared.wording import quote, some

SHOWN = 3  # of the texts that one side refuses


@check(
    "agreement/against",
    title="The encoder of --against gives the same ids",
    why="If a server or trainer uses a second implementation of the tokenizer, both "
    "implementations must produce the same ids; otherwise the model reads wrong tokens.",
    incident="An engine that applied merges by their place in the text split 58 % of "
    "English words differently (ztxz16/fastllm PR#715).",
    remedy="Encode text with the encoder that serves the model, or correct the other encoder.",
    repair=person_decides("neither says which of the two serves the model"),
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.BASELINE,
)
def same_as_against(spec: TokenizerSpec, comparison: Comparison) -> Iterator[Finding]:
    """Report a minimal text on which the two encoders differ."""
    if comparison.relation == "unknown":
        raise Skip("no probe text could be encoded by both")
    yield from _refused(spec, comparison)
    if comparison.minimal is None:
        return
    message = (
        f"{quote(comparison.right)} and {quote(comparison.left)} give different ids for "
        f"{comparison.different:,} of {comparison.texts:,} texts."
    )
    evidence = (comparison.minimal,)
    yield Finding(Severity.ERROR, message, _places(spec, comparison), evidence, cause="ids differ")


def _refused(spec: TokenizerSpec, comparison: Comparison) -> Iterator[Finding]:
    """Report texts that only the other encoder refuses: users get an error for them."""
    if comparison.refused:
        yield Finding(
            Severity.ERROR,
            f"{comparison.right} gives no ids for texts that {comparison.left} encodes, such as "
            f"{some(list(map(quote, comparison.refused)), SHOWN)}.",
            _places(spec, comparison),
            (Evidence("text", text=comparison.refused[0], note="refused by one side alone"),),
            cause="refused",
        )


def _places(spec: TokenizerSpec, comparison: Comparison) -> tuple[Place, Place]:
    own = spec.files[0] if spec.files else ""
    return Place("encoder", _file(comparison), outside=True), Place("tokenizer", own)


def _file(comparison: Comparison) -> str:
    """Return the other side's file with its folder, or its name if it has no file."""
    return located(comparison.right, comparison.right_file)
