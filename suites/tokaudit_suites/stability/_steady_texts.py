"""Encode the same texts in two ways, and report differences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tokaudit.plugin import (
    EncodeOptions,
    Encoding,
    Finding,
    NotApplicable,
    Place,
    Severity,
    Skip,
    Upstream,
    UpstreamAnswers,
    need,
    text_evidence,
    token_names,
)
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.wording import does, quote

MOST = 256  # texts
LONGEST = 400  # characters of a text


@dataclass(frozen=True)
class SteadyTexts:
    """Texts whose encoding must be deterministic."""

    texts: tuple[str, ...]


@need
def steady_texts(spec: TokenizerSpec, answers: UpstreamAnswers) -> SteadyTexts:
    """Return a sample of the probes; not applicable if the file uses random dropout."""
    if spec.dropout:
        raise NotApplicable("BPE dropout is on, so ids are left to chance; see merges/dropout")
    known = [
        text
        for text, found in zip(answers.texts, answers.encodings, strict=True)
        if found.error is None and len(text) <= LONGEST
    ]
    if not known:
        raise Skip("the library encodes none of the texts; see round_trip/encodes")
    return SteadyTexts(tuple(known[:: -(-len(known) // MOST)]))


def able(upstream: Upstream, capability: str, what: str) -> None:
    """Raise `NotApplicable` if the library lacks a capability."""
    if capability not in upstream.capabilities:
        raise NotApplicable(f"{upstream.info.package} {what}")


@dataclass(frozen=True)
class Ways:
    """Two ways to encode, in the words of a finding."""

    cause: str
    one: str
    other: str


def compared(
    spec: TokenizerSpec,
    texts: Sequence[str],
    sides: tuple[Sequence[Encoding], Sequence[Encoding]],
    ways: Ways,
) -> Iterator[Finding]:
    """Report the shortest text whose ids, or whose error, depend on the way."""
    asked = list(zip(texts, *sides, strict=True))
    if any(end.killed or end.given_up for _, *both in asked for end in both):
        raise Skip("the worker did not live to answer; see round_trip/encodes")
    apart = [(text, a, b) for text, a, b in asked if (a.ids, a.error) != (b.ids, b.error)]
    if apart:
        text, a, b = min(apart, key=lambda found: len(found[0]))
        labels = (ways.one, ways.other)
        note = "; ".join(f"{end.error}" for end in (a, b) if end.error is not None)
        yield Finding(
            Severity.ERROR,
            f"{does(len({text for text, *_ in apart}), 'text', 'has')} other ids {ways.other} than "
            f"{ways.one}, the shortest {quote(text)}.",
            (Place("tokenizer", spec.files[0] if spec.files else ""),),
            (text_evidence(text, a.ids, b.ids, token_names(spec), labels, note),),
            cause=ways.cause,
        )


def both(
    upstream: Upstream, texts: Sequence[str], one: EncodeOptions, other: EncodeOptions
) -> tuple[list[Encoding], list[Encoding]]:
    """Encode the same texts with two sets of options."""
    return upstream.encode(texts, one), upstream.encode(texts, other)
