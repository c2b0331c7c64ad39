"""Normalizer, pre-tokenizer, post-processor or decoder changed since the base model."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import Base, Basis, Finding, Harm, Measured, Measurement, Severity, check
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.base_facets import BaseFacets
from tokaudit_suites.shared.other_stages import other_stages
from tokaudit_suites.shared.repairs import as_in_base


@check(
    "baseline/components",
    title="The pipeline stages are those of the base",
    why="A tokenizer can have exactly the vocabulary and merges of its base model and still "
    "produce other ids, because its normalizer or split pattern differs.",
    remedy="Copy the step that is different, such as the normalizer, from {other|the base model's "
    "tokenizer.json}.",
    repair=as_in_base,
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.BASELINE,
    incident="Mistral-Small-3.1 was converted with the split pattern of another family "
    "(huggingface/transformers PR#42131).",
    measures=(Measured("baseline/proved_the_same"),),
)
def components_base(
    spec: TokenizerSpec, base: Base, facets: BaseFacets
) -> Iterator[Finding | Measurement]:
    """Compare each stage that both sides state; a stage that neither states is unknown."""
    yield from other_stages(spec, base, facets)
