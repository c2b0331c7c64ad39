"""BPE dropout left on."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import Basis, Finding, Harm, Severity, check
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.repairs import blamed_set_to
from tokaudit_suites.shared.wording import in_model


@check(
    "merges/dropout",
    title="BPE dropout is off",
    why="If BPE dropout is left on, the same text gets different ids on every call, so caches "
    "miss and results cannot be repeated.",
    remedy='Set "dropout" to null in the model of {file|tokenizer.json}.',
    repair=blamed_set_to(None),
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.INTRINSIC,
    incident="With a dropout of 0.1 the same text has several segmentations "
    "(huggingface/tokenizers #644).",
)
def dropout(spec: TokenizerSpec) -> Iterator[Finding]:
    """Check the model's dropout."""
    if not spec.dropout:
        return
    if 0 < spec.dropout <= 1:
        cause, harm = (
            "random ids",
            "the encoder skips each merge with this probability, so the ids of a text are random",
        )
    else:
        cause, harm = (
            "not a chance",
            "this is not a probability from 0 to 1, and loaders refuse the file",
        )
    yield Finding(
        Severity.ERROR,
        f"BPE dropout is {spec.dropout:g}: {harm}.",
        (in_model(spec, "dropout", spec.dropout),),
        cause=cause,
    )
