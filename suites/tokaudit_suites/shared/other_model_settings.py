"""Model settings that differ from another tokenizer's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tokaudit.engine.facet_names import MERGES
from tokaudit.plugin import Base, Finding, Place, Severity, Skip
from tokaudit_reference.models.bpe.effective import effective_merges
from tokaudit_reference.spec import ModelType, TokenizerSpec
from tokaudit_suites.shared.base_facets import BaseFacets, claimed, of_base
from tokaudit_suites.shared.wording import in_model

SETTINGS = {
    "model_type": "different algorithms split text into tokens",
    "ignore_merges": "only one of the two tokenizers can produce tokens that no merges build",
    "continuing_subword_prefix": "different tokens continue a word",
    "end_of_word_suffix": "different tokens end a word",
    "max_input_chars_per_word": "the longest word that is split differs",
    "byte_fallback": "characters without a token are replaced differently",
    "unk_id": "characters without a token get another id",
    "fuse_unk": "a run of characters without a token becomes one id or several",
}
"""Attribute of a spec, and what changes with it."""
WRITTEN = {"model_type": "type", "unk_id": "unk_token"}
"""Names that tokenizer.json gives to the attributes that have another name there."""


def other_model_settings(spec: TokenizerSpec, base: Base, facets: BaseFacets) -> Iterator[Finding]:
    """Compare the settings that affect this vocabulary's tokens."""
    if spec.format != base.spec.format:
        raise Skip(f"{base.called}'s format, {base.spec.format}, states these settings differently")
    if facets.proved(MERGES):
        return
    for name, effect in SETTINGS.items():
        written = WRITTEN.get(name, name)
        mine, theirs = getattr(spec, name), getattr(base.spec, name)
        if mine != theirs and not _idle(spec, name):
            finding = Finding(
                Severity.ERROR,
                f"{written} is {_shown(mine)} here, but {_shown(theirs)} in {base.called}: "
                f"{effect}.",
                (_place(spec, written, mine), of_base(base, _place(base.spec, written, theirs))),
                cause=written,
            )
            yield claimed(finding, facets, MERGES)


def _idle(spec: TokenizerSpec, name: str) -> bool:
    """Return whether a setting has no effect with this vocabulary."""
    if name == "ignore_merges":
        added = {token.id for token in spec.added_tokens}
        return added.issuperset(effective_merges(spec).unmergeable)
    if name == "max_input_chars_per_word":
        return spec.model_type is not ModelType.WORDPIECE
    if name == "byte_fallback":
        return spec.byte_level
    if name in ("unk_id", "fuse_unk"):  # where there are bytes, nothing is unknown
        return spec.byte_level or spec.byte_fallback
    return False


def _shown(value: Any) -> str:
    return "not set" if value in (None, "") else str(value)


def _place(spec: TokenizerSpec, written: str, value: Any) -> Place:
    return in_model(spec, written, value)
