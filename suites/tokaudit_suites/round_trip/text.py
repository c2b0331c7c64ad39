"""Does text come back as it went in, as far as the declaration promises?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tokaudit.comparison.evidence import shown, text_evidence, token_names
from tokaudit.comparison.texts.shrink import minimise
from tokaudit.engine.check import check
from tokaudit.engine.measured import Measured
from tokaudit.engine.needs import Probes, Upstream, UpstreamAnswers
from tokaudit.foundation.errors import NotApplicable, Skip
from tokaudit.report.model import Basis, Evidence, Finding, Harm, Measurement, Severity
from tokaudit.runtimes.protocol import Encoding
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.round_trip._promise import Expected, promised, same_but_for_first_space
from tokaudit_suites.round_trip._shared_ids import SharedIds, sharing_ids
from tokaudit_suites.shared.repairs import COMPONENT_OF_BASE
from tokaudit_suites.shared.wording import stage


@check(
    "round_trip/text",
    title="decode(encode(text)) gives the text back",
    why="What is lost between text and ids is lost to the model.",
    incident="An export left out the decoder (huggingface/transformers PR#34319).",
    remedy="State the decoder (or the normalizer) that belongs to this vocabulary.",
    repair=COMPONENT_OF_BASE,
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.INTRINSIC,
    measures=(Measured("round_trip/texts_changed"), Measured("round_trip/texts_sharing_ids")),
)
def text(
    spec: TokenizerSpec, upstream: Upstream, probes: Probes, answers: UpstreamAnswers
) -> Iterator[Finding | Measurement]:
    """An error with a minimal text that does not come back, unless the loss is declared."""
    try:
        expected, declared = promised(spec), ""
    except NotApplicable as error:
        expected, declared = str, str(error)
    exempt = _Exempt(spec)
    kept = [
        (text, encoding)
        for text, encoding in zip(answers.texts, answers.encodings, strict=True)
        if not exempt.holds(text)
    ]
    texts, encodings = [text for text, _ in kept], [encoding for _, encoding in kept]
    outputs = _outputs(upstream, encodings)
    whole = [output in (None, expected(text)) for text, output in zip(texts, outputs, strict=True)]
    lost = [
        text
        for text, output in zip(texts, outputs, strict=True)
        if _is_lost(output, expected(text))
    ]
    one = sharing_ids(upstream, kept)
    yield from _figures(whole, one, declared or probes.method)
    if declared:
        raise NotApplicable(declared)
    if one.pairs:
        yield _shared(spec, upstream, one)
    if lost:
        yield _finding(spec, upstream, expected, lost, len(texts))


def _figures(whole: Sequence[bool], one: SharedIds, method: str) -> Iterator[Measurement]:
    """How many texts do not come back as they were, a first space included."""
    yield Measurement(
        "round_trip/texts_changed",
        "Texts that do not come back",
        sum(not each for each in whole),
        "texts",
        len(whole),
        method,
    )
    yield Measurement(
        "round_trip/texts_sharing_ids",
        "Texts with the ids of another text",
        len(one.pairs),
        "texts",
        one.asked,
        method,
    )


class _Exempt:
    """Added tokens may eat spaces next to them; U+2581 is a space where it stands for one."""

    def __init__(self, spec: TokenizerSpec) -> None:
        contents = [token.content for token in spec.added_tokens if token.content]
        # By first character, because some vocabularies add a thousand tokens, all with one.
        self._by_first: dict[str, list[str]] = {}
        for content in contents if spec.byte_level else [*contents, "\u2581"]:
            self._by_first.setdefault(content[0], []).append(content)

    def holds(self, text: str) -> bool:
        """Whether a text holds what need not come back as it was."""
        found = (self._by_first.get(character, ()) for character in set(text))
        return any(content in text for contents in found for content in contents)


def _decoded(upstream: Upstream, encodings: Sequence[Encoding]) -> list[str | None]:
    outputs = iter(upstream.decode([e.ids for e in encodings if e.error is None]))
    return [shown(next(outputs)) if e.error is None else None for e in encodings]


def _lost(upstream: Upstream, expected: Expected, texts: Sequence[str]) -> list[bool]:
    outputs = _outputs(upstream, upstream.encode(texts))
    return [_is_lost(output, expected(text)) for text, output in zip(texts, outputs, strict=True)]


def _is_lost(output: str | None, expected: str) -> bool:
    """Whether more than a first space is other than expected; what was not encoded is not."""
    return output is not None and not same_but_for_first_space(output, expected)


def _outputs(upstream: Upstream, encodings: Sequence[Encoding]) -> list[str | None]:
    if "decode" not in upstream.capabilities and "decode_bytes" not in upstream.capabilities:
        raise Skip(f"{upstream.info.adapter} does not decode")
    return _decoded(upstream, encodings)


def _shared(spec: TokenizerSpec, upstream: Upstream, one: SharedIds) -> Finding:
    """That two texts are one to the model, which is how such tokenizers are made."""
    text, other, ids = min(one.pairs, key=lambda pair: len(pair[0]))
    came_back = _decoded(upstream, upstream.encode([text]))[0]
    return Finding(
        Severity.INFO,
        f"{len(one.pairs):,} of {one.asked:,} texts have the ids of the same text with a space "
        f"more or less before it: {text!r} and {other!r} are one, and come back as {came_back!r}.",
        (stage(spec, _writer(spec)),),
        (
            text_evidence(text, ids, ids, token_names(spec), (repr(text), repr(other))),
            Evidence("text", text=other, note="the text with the same ids"),
        ),
        cause="first space",
    )


def _writer(spec: TokenizerSpec) -> str:
    """The stage that writes the space, as far as its steps say so."""
    return "normalizer" if spec.normalizer.options else "pre_tokenizer"


def _finding(
    spec: TokenizerSpec, upstream: Upstream, expected: Expected, lost: list[str], n: int
) -> Finding:
    small = minimise(min(lost, key=len), lambda texts: _lost(upstream, expected, texts))
    came_back = _decoded(upstream, upstream.encode([small]))[0]
    message = f"{len(lost):,} of {n:,} texts do not come back: {small!r} becomes {came_back!r}"
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
    return text_evidence(small, ids, ids, token_names(spec), ("encoded", "decoded"), note)


def _blamed(spec: TokenizerSpec) -> str:
    return "decoder" if spec.decoder.options is None else "tokenizer"
