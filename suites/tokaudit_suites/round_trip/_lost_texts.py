"""Texts that decoding does not restore, and the finding about them.

This is not a check: it serves those that encode texts and decode their ids.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tokaudit.engine.texts.coming_back import same_but_for_first_space
from tokaudit.engine.texts.shrink import minimise
from tokaudit.plugin import (
    Encoding,
    Evidence,
    Finding,
    Severity,
    Skip,
    Upstream,
    shown,
    text_evidence,
    token_names,
)
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.round_trip._promise import Expected
from tokaudit_suites.shared.wording import stage


def lost_finding(
    spec: TokenizerSpec,
    upstream: Upstream,
    expected: Expected,
    lost: Sequence[str],
    counts: tuple[int, int],
    what: str = "texts",
) -> Finding:
    """Report a minimal lost text, with the number of lost texts out of all."""
    small = minimise(min(lost, key=len), lambda texts: _lost(upstream, expected, texts))
    came_back = decoded(upstream, upstream.encode([small]))[0]
    count, n = counts
    message = (
        f"{count:,} of {n:,} {what} change when encoded and decoded: {small!r} becomes "
        f"{came_back!r}"
    )
    place = replace(stage(spec, "decoder"), component=_blamed(spec))
    return Finding(
        Severity.ERROR,
        message,
        (place,),
        (_evidence(spec, upstream, small, came_back),),
        cause="other text",
    )


def _evidence(
    spec: TokenizerSpec, upstream: Upstream, small: str, came_back: str | None
) -> Evidence:
    ids = upstream.encode([small])[0].ids
    note = f"comes back as {came_back!r}"
    return text_evidence(
        small, ids, ids, token_names(spec), ("encoded", "decoded"), note, minimal=True
    )


def _blamed(spec: TokenizerSpec) -> str:
    return "decoder" if spec.decoder.options is None else "tokenizer"


def decoded(upstream: Upstream, encodings: Sequence[Encoding]) -> list[str | None]:
    outputs = iter(upstream.decode([e.ids for e in encodings if e.error is None]))
    return [shown(next(outputs)) if e.error is None else None for e in encodings]


def _lost(upstream: Upstream, expected: Expected, texts: Sequence[str]) -> list[bool]:
    came_back = outputs(upstream, upstream.encode(texts))
    return [is_lost(output, expected(text)) for text, output in zip(texts, came_back, strict=True)]


def is_lost(output: str | None, expected: str) -> bool:
    """Return whether the output differs by more than a first space; unencoded is not lost."""
    return output is not None and not same_but_for_first_space(output, expected)


def outputs(upstream: Upstream, encodings: Sequence[Encoding]) -> list[str | None]:
    if "decode" not in upstream.capabilities and "decode_bytes" not in upstream.capabilities:
        raise Skip(f"{upstream.info.adapter} does not decode")
    return decoded(upstream, encodings)
