"""Checks that decoding restores the text, as far as declared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tokaudit.engine.texts.coming_back import ComingBack, exempt_contents
from tokaudit.plugin import (
    Basis,
    Decider,
    EncoderOutOfTime,
    Encoding,
    Evidence,
    Finding,
    Harm,
    Measured,
    Measurement,
    NotApplicable,
    Probes,
    Reference,
    Severity,
    Upstream,
    UpstreamAnswers,
    check,
    decision,
    text_evidence,
    token_names,
)
from tokaudit_reference.spec import ModelType, TokenizerSpec
from tokaudit_suites.round_trip._lost_texts import decoded, is_lost, lost_finding, outputs
from tokaudit_suites.round_trip._promise import Returned, promised, unexplained
from tokaudit_suites.shared.repairs import COMPONENT_OF_BASE, word_decoder
from tokaudit_suites.shared.wording import stage

MOST = 200  # texts of which the other is asked
Pair = tuple[str, str, Sequence[int]]


@dataclass(frozen=True, slots=True)
class SharedIds:
    """Pairs of texts with the same ids, and the number of texts tried."""

    pairs: tuple[Pair, ...]
    asked: int


@check(
    "round_trip/text",
    title="decode(encode(text)) gives the text back",
    why="If the tokenizer drops a part of a text, the model never sees this part.",
    incident="An export left out the decoder (huggingface/transformers PR#34319).",
    remedy="In {file|the tokenizer file}, add the decoder or the normalizer that belongs to this "
    "vocabulary.",
    repair=COMPONENT_OF_BASE,
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.INTRINSIC,
    measures=(Measured("round_trip/texts_changed"), Measured("round_trip/texts_sharing_ids")),
)
def text(
    spec: TokenizerSpec,
    upstream: Upstream,
    probes: Probes,
    answers: UpstreamAnswers,
    reference: Reference | None,
) -> Iterator[Finding | Measurement]:
    """Report a text that decoding changes, unless a declared step explains it."""
    try:
        expected, declared = promised(spec), ""
    except NotApplicable as error:
        expected, declared = str, str(error)
    promise = ComingBack(spec.normalizer, exempt_contents(spec))
    kept = [
        (text, encoding)
        for text, encoding in zip(answers.texts, answers.encodings, strict=True)
        if not promise.exempts(text)
    ]
    came_back = outputs(upstream, [encoding for _, encoding in kept])
    pairs = list(zip(kept, came_back, strict=True))
    whole = [output in (None, expected(text)) for (text, _), output in pairs]
    one = sharing_ids(upstream, kept)
    yield from _figures(whole, one, declared, probes.method)
    lost = [
        Returned(text, encoding, output)
        for (text, encoding), output in pairs
        if output is not None and is_lost(output, expected(text))
    ]
    if declared:
        if reference is None or not lost:
            raise NotApplicable(declared)
        yield from _unexplained(spec, declared, *unexplained(spec, reference, lost))
        return
    if one.pairs:
        yield _shared(spec, upstream, one)
    tidied = [each for each in lost if not is_lost(each.output, _tidied(spec, expected(each.text)))]
    if tidied:
        yield _by_engine(spec, tidied, len(kept))
    if texts := [each.text for each in lost if each not in tidied]:
        yield lost_finding(spec, upstream, expected, texts, (len(texts), len(kept)))


def _unexplained(
    spec: TokenizerSpec, declared: str, left: Sequence[Returned], run: int
) -> Iterator[Finding]:
    """Report a short text whose loss no declared step explains."""
    if not run:
        raise NotApplicable(declared)
    if left:
        first = min(left, key=lambda each: len(each.text))
        ids = first.encoding.ids
        note = f"comes back as {first.output!r}"
        names = token_names(spec)
        is_bare = spec.model_type is ModelType.WORDPIECE and spec.decoder.options is None
        yield Finding(
            Severity.ERROR,
            f"{len(left):,} of {run:,} texts change when encoded and decoded, and no declared loss "
            f"explains this ({declared}): {first.text!r} becomes {first.output!r}",
            (stage(spec, "decoder"),),
            (text_evidence(first.text, ids, ids, names, ("encoded", "decoded"), note),),
            cause="other text",
            repair=word_decoder(spec) if is_bare else None,
        )


def _tidied(spec: TokenizerSpec, text: str) -> str:
    """Apply the decoder's declared clean-up to a text."""
    for step in spec.decoder.steps:
        text = step.effects.keeps(text)
    return text


def _by_engine(spec: TokenizerSpec, tidied: Sequence[Returned], run: int) -> Finding:
    """Report texts that the engine's clean-up changes, as in every such file."""
    first = min(tidied, key=lambda each: (len(each.text), each.text))
    ids, note = first.encoding.ids, f"comes back as {first.output!r}"
    names = token_names(spec)
    return Finding(
        Severity.INFO,
        f"{len(tidied):,} of {run:,} texts are decoded without a space before punctuation, by a "
        f"rule that the engine has for every file of this kind: {first.text!r} becomes "
        f"{first.output!r}; the ids hold the space.",
        (stage(spec, "decoder"),),
        (text_evidence(first.text, ids, ids, names, ("encoded", "decoded"), note),),
        cause="engine's clean-up",
        remedy="No key of the file switches this rule off; decode token by token where the space "
        "matters.",
        repair=decision(Decider.PERSON, "no key of the file switches the rule off"),
    )


def _figures(
    whole: Sequence[bool], one: SharedIds, declared: str, method: str
) -> Iterator[Measurement]:
    """Measure how many texts change, first spaces included."""
    why = f", as {declared}" if declared else ""
    yield Measurement(
        "round_trip/texts_changed",
        f"Texts that change in a round trip{why}",
        sum(not each for each in whole),
        "texts",
        len(whole),
        method,
    )
    yield Measurement(
        "round_trip/texts_sharing_ids",
        "Texts that share their ids with another",
        len(one.pairs),
        "texts",
        one.asked,
        method,
    )


def _shared(spec: TokenizerSpec, upstream: Upstream, one: SharedIds) -> Finding:
    """Report two texts with the same ids, which is by design in such tokenizers."""
    text, other, ids = min(one.pairs, key=lambda pair: len(pair[0]))
    came_back = decoded(upstream, upstream.encode([text]))[0]
    return Finding(
        Severity.INFO,
        f"{len(one.pairs):,} of {one.asked:,} texts keep their ids with one space more or less "
        f"before them: {text!r} and {other!r} have the same ids, which decode to {came_back!r}.",
        (stage(spec, _writer(spec)),),
        (
            text_evidence(text, ids, ids, token_names(spec), (repr(text), repr(other))),
            Evidence("text", text=other, note="the text with the same ids"),
        ),
        cause="first space",
    )


def _writer(spec: TokenizerSpec) -> str:
    """Return the stage that writes the space, as far as its steps say so."""
    return "normalizer" if spec.normalizer.options else "pre_tokenizer"


def sharing_ids(upstream: Upstream, answers: Sequence[tuple[str, Encoding]]) -> SharedIds:
    """Return texts from an even sample that share their ids with another text."""
    encoded = [(text, each) for text, each in answers if text and each.error is None]
    part = encoded[:: len(encoded) // MOST + 1]
    others = [with_other_start(text) for text, _ in part]
    try:
        found = upstream.encode(others)
    except EncoderOutOfTime:
        return SharedIds((), 0)
    pairs = (
        (text, other, mine.ids)
        for (text, mine), other, its in zip(part, others, found, strict=True)
        if its.error is None and other and tuple(mine.ids) == tuple(its.ids)
    )
    return SharedIds(tuple(pairs), len(part))


def with_other_start(text: str) -> str:
    """Remove the text's first space, or add one.

    >>> with_other_start("a"), with_other_start(" a")
    (' a', 'a')
    """
    return text[1:] if text.startswith(" ") else " " + text
