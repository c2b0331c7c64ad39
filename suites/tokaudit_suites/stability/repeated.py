"""Encodes the same texts twice, in another order the second time."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import Basis, Finding, Harm, Severity, Upstream, check
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.repairs import ANOTHER_LIBRARY
from tokaudit_suites.stability._steady_texts import SteadyTexts, Ways, compared

WAYS = Ways("asked again", "the first time", "when it is asked again")


@check(
    "stability/repeated",
    title="Repeated calls give the same ids",
    why="If an encoder samples, or keeps state from an earlier text, the same text gets other ids "
    "than those that were cached or tested, and no run can be repeated.",
    remedy="Turn off dropout and sampling, or clear the state that the encoder keeps.",
    repair=ANOTHER_LIBRARY,
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.INTRINSIC,
    incident="A space became another id in every other run of the same script "
    "(huggingface/transformers #2027).",
    no_example="Only a faulty library or adapter breaks this; files can do so only by dropout, "
    "which merges/dropout reports.",
)
def repeated(spec: TokenizerSpec, upstream: Upstream, steady: SteadyTexts) -> Iterator[Finding]:
    """Encode texts, then the same in the opposite order."""
    texts = steady.texts
    first = upstream.encode(texts)
    again = upstream.encode(texts[::-1])[::-1]
    yield from compared(spec, texts, (first, again), WAYS)
