"""Settings of the model that changed since the base model."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import Base, Basis, Finding, Harm, Severity, check
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.base_facets import BaseFacets
from tokaudit_suites.shared.other_model_settings import other_model_settings
from tokaudit_suites.shared.repairs import as_in_base


@check(
    "baseline/model-settings",
    title="The model's settings are the base model's",
    why="Settings such as ignore_merges and byte_fallback decide whether a word is looked up "
    "whole or built by merges, and what happens to a character without a token. Two tokenizers "
    "with the same vocabulary and merges produce different ids if ignore_merges or byte_fallback "
    "differs.",
    remedy="Copy the model's settings, such as ignore_merges, from {other|the base model's "
    "tokenizer.json}.",
    repair=as_in_base,
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.BASELINE,
    incident="An engine that did not follow byte_fallback gave the unknown token for every rare "
    "character (ggml-org/llama.cpp #28862).",
)
def settings_base(spec: TokenizerSpec, base: Base, facets: BaseFacets) -> Iterator[Finding]:
    """Compare the model settings that change its tokens."""
    yield from other_model_settings(spec, base, facets)
