"""Does text come back as it went in, as far as the declaration promises?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tokaudit.comparison.evidence import text_evidence, token_names
from tokaudit.comparison.texts.coming_back import ComingBack, exempt_contents
from tokaudit.engine.check import check
from tokaudit.engine.measured import Measured
from tokaudit.engine.needs import Probes, Upstream, UpstreamAnswers
from tokaudit.foundation.errors import NotApplicable
from tokaudit.report.model import Basis, Evidence, Finding, Harm, Measurement, Severity
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.round_trip._lost_texts import decoded, is_lost, lost_finding, outputs
from tokaudit_suites.round_trip._promise import promised
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
    promise = ComingBack(spec.normalizer, exempt_contents(spec))
    kept = [
        (text, encoding)
        for text, encoding in zip(answers.texts, answers.encodings, strict=True)
        if not promise.exempts(text)
    ]
    texts, encodings = [text for text, _ in kept], [encoding for _, encoding in kept]
    pairs = list(zip(texts, outputs(upstream, encodings), strict=True))
    whole = [output in (None, expected(text)) for text, output in pairs]
    lost = [text for text, output in pairs if is_lost(output, expected(text))]
    one = sharing_ids(upstream, kept)
    yield from _figures(whole, one, declared or probes.method)
    if declared:
        raise NotApplicable(declared)
    if one.pairs:
        yield _shared(spec, upstream, one)
    if lost:
        yield lost_finding(spec, upstream, expected, lost, (len(lost), len(texts)))


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


def _shared(spec: TokenizerSpec, upstream: Upstream, one: SharedIds) -> Finding:
    """That two texts are one to the model, which is how such tokenizers are made."""
    text, other, ids = min(one.pairs, key=lambda pair: len(pair[0]))
    came_back = decoded(upstream, upstream.encode([text]))[0]
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
