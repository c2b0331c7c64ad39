"""A text encoded alone and in a batch."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import Basis, EncodeOptions, Finding, Harm, Severity, Upstream, check
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.repairs import ANOTHER_LIBRARY
from tokaudit_suites.stability._steady_texts import SteadyTexts, Ways, able, both, compared

WAYS = Ways("in a batch", "alone", "in a batch")
ONE, BATCH = EncodeOptions(alone=True), EncodeOptions()


@check(
    "stability/batches",
    title="A text encodes alike alone and batched",
    why="Trainers encode texts in batches, servers one by one, with two functions of the library. "
    "If the library's functions for batches and for single texts produce different ids, the model "
    "gets ids that it has never seen.",
    remedy="Use one of the two calls everywhere, or another version of the library.",
    repair=ANOTHER_LIBRARY,
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.INTRINSIC,
    incident="Some predictions were others when the texts came in one batch "
    "(huggingface/transformers #6912).",
    no_example="Files cannot show it: what breaks this is a fault of a library or of an adapter.",
)
def batches(spec: TokenizerSpec, upstream: Upstream, steady: SteadyTexts) -> Iterator[Finding]:
    """Compare the library's call for one text with its call for many."""
    able(upstream, "batch", "encodes one text at a time")
    sides = both(upstream, steady.texts, ONE, BATCH)
    yield from compared(spec, steady.texts, sides, WAYS)
