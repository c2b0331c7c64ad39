"""Added tokens whose flags changed since the base model."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import Base, Basis, Finding, Harm, Severity, Subject, check
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.base_facets import BaseFacets
from tokaudit_suites.shared.other_flags import other_flags
from tokaudit_suites.shared.repairs import as_in_base


@check(
    "baseline/added-token-flags",
    title="The added tokens' flags are the base model's",
    why="A token that strips the white space after it changes the ids of every text that holds "
    "the token, and decoding cannot bring the space back.",
    remedy="Copy the token's entry from {other|the base model's tokenizer.json}.",
    repair=as_in_base,
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.BASELINE,
    incident="Phi-3's markers swallowed the newline after them (huggingface/transformers #32136).",
)
def flags_base(
    spec: TokenizerSpec, base: Base, facets: BaseFacets, subject: Subject
) -> Iterator[Finding]:
    """Compare the flags of the tokens that both sides have."""
    yield from other_flags(spec, base, facets, subject)
