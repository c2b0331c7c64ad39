"""Encoding by one thread and by four at once."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import Basis, EncodeOptions, Finding, Harm, Severity, Upstream, check
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.repairs import ANOTHER_LIBRARY
from tokaudit_suites.stability._steady_texts import SteadyTexts, Ways, able, compared

THREADS, ONE = 4, EncodeOptions(alone=True)
WAYS = Ways("in threads", "in one thread", f"in {THREADS} threads")


@check(
    "stability/threads",
    title="Threads sharing a tokenizer get equal ids",
    why="Servers share one tokenizer among their threads. If the encoder keeps working state, the "
    "encoder can mix the texts of two requests, but only under load.",
    remedy="Give each thread its own tokenizer, or guard the tokenizer with a lock.",
    repair=ANOTHER_LIBRARY,
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.INTRINSIC,
    incident="A tokenizer shared by the threads of a server failed with `Already borrowed` "
    "(huggingface/transformers #47085).",
    no_example="Files cannot show it: what breaks this is a fault of a library or of an adapter.",
)
def threads(spec: TokenizerSpec, upstream: Upstream, steady: SteadyTexts) -> Iterator[Finding]:
    """Let each of four threads encode every text at the same time."""
    able(upstream, "threads", "cannot be used by several threads")
    repeated = [text for text in steady.texts for _ in range(THREADS)]
    alone = [found for found in upstream.encode(steady.texts, ONE) for _ in range(THREADS)]
    shared = upstream.encode(repeated, EncodeOptions(threads=THREADS))
    yield from compared(spec, repeated, (alone, shared), WAYS)
