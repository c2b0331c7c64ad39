"""Offsets outside of the text, or going backwards."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from tokaudit.plugin import (
    Basis,
    EncodeOptions,
    Encoding,
    Finding,
    Harm,
    Measured,
    Measurement,
    NotApplicable,
    Place,
    Probes,
    Severity,
    Upstream,
    check,
    text_evidence,
    token_names,
)
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.repairs import COMPONENT_OF_BASE


@check(
    "round_trip/offsets",
    title="Every token has its place in text",
    why="Labels, highlights and masks use the offsets of tokens in the text. If offsets lie "
    "outside the text or are out of order, labels mark the wrong words, without an error.",
    remedy="Compare the normalizer and the pre-tokenizer with the base's. An encoder written in "
    "Python must count offsets in code points.",
    repair=COMPONENT_OF_BASE,
    severity=Severity.WARNING,
    harm=Harm.OTHER_IDS,
    milder="the ids are right; only programs that cut text by offsets get the wrong part.",
    basis=Basis.INTRINSIC,
    incident="Spans of entities were wrong where the normalizer changes lengths "
    "(huggingface/tokenizers #663).",
    measures=(Measured("round_trip/texts_with_wrong_offsets"),),
    no_example="Files cannot show it: the library keeps its offsets in order whatever the file "
    "says. What breaks this is a fault of a library or of an adapter.",
)
def offsets(
    spec: TokenizerSpec, upstream: Upstream, probes: Probes
) -> Iterator[Finding | Measurement]:
    """Expect one interval for each id, inside the text and in order."""
    if "offsets" not in upstream.capabilities:
        raise NotApplicable(f"{upstream.info.adapter} gives no offsets")
    answers = upstream.encode(probes.texts, EncodeOptions(offsets=True))
    pairs = list(zip(probes.texts, answers, strict=True))
    wrong = [(text, answer) for text, answer in pairs if not in_order(text, answer)]
    yield Measurement(
        "round_trip/texts_with_wrong_offsets",
        "Texts with offsets out of order",
        len(wrong),
        "texts",
        len(pairs),
        probes.method,
    )
    if wrong:
        text, answer = min(wrong, key=lambda pair: len(pair[0]))
        evidence = text_evidence(text, answer.ids, (), token_names(spec), ("ids", ""))
        yield Finding(
            Severity.WARNING,
            f"{len(wrong):,} of {len(pairs):,} texts get offsets out of the text or out of order: "
            f"{text!r} gets {list(answer.offsets or ())}",
            (Place("tokenizer", spec.files[0] if spec.files else ""),),
            (evidence,),
            cause="out of order",
        )


def in_order(text: str, encoding: Encoding) -> bool:
    """Return whether each id has an interval inside the text, in order of starts.

    An empty one takes nothing out of text, wherever byte-level pipelines put that of a first space.

    >>> in_order("a\\n", Encoding((1, 2, 3), ((0, 1), (2, 2), (1, 2))))
    True
    >>> in_order("ab", Encoding((1, 2), ((0, 1), (1, 2))))
    True
    >>> in_order("ab", Encoding((1,), ((0, 3),)))
    False
    """
    if encoding.error is not None:
        return True  # round_trip/encodes reports it
    spans = encoding.offsets
    if spans is None or len(spans) != len(encoding.ids):
        return False
    inside = all(0 <= start <= end <= len(text) for start, end in spans)
    taken = [span for span in spans if span[0] < span[1]]
    return inside and all(a[0] <= b[0] for a, b in pairwise(taken))
