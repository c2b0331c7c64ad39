"""Encoding before and after the library saves and reloads the tokenizer."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import Basis, EncodeOptions, Finding, Harm, Severity, Upstream, check
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.repairs import ANOTHER_LIBRARY
from tokaudit_suites.stability._steady_texts import SteadyTexts, Ways, able, compared

WAYS = Ways("saved and loaded", "as loaded", "after saving and loading")


@check(
    "stability/saved",
    title="Saving and loading changes no ids",
    why="Trainers save the tokenizer that they loaded. If the library does not save a setting, "
    "the setting is missing from the first checkpoint on.",
    remedy="Copy the tokenizer files that the trainer loaded into the checkpoint, or use another "
    "version of the library.",
    repair=ANOTHER_LIBRARY,
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.INTRINSIC,
    incident="A tokenizer that was saved and loaded again was no longer the same "
    "(huggingface/transformers #26773).",
    tier="default",  # a second copy of a large vocabulary takes as long as all the rest
    no_example="Files cannot show it: what breaks this is a fault of a library or of an adapter.",
)
def saved(spec: TokenizerSpec, upstream: Upstream, steady: SteadyTexts) -> Iterator[Finding]:
    """Compare the library with what it loads from its own saved files."""
    able(upstream, "reload", "saves nothing that it could load again")
    before = upstream.encode(steady.texts, EncodeOptions(alone=True))
    after = upstream.encode(steady.texts, EncodeOptions(alone=True, reloaded=True))
    yield from compared(spec, steady.texts, (before, after), WAYS)
