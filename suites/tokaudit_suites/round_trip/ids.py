"""Checks that decoding and encoding again gives the same ids."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import (
    Basis,
    Finding,
    Harm,
    Measured,
    Measurement,
    Place,
    Probes,
    Severity,
    Skip,
    Upstream,
    UpstreamAnswers,
    check,
    shown,
    text_evidence,
    token_names,
)
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.round_trip._promise import promised
from tokaudit_suites.shared.repairs import COMPONENT_OF_BASE


@check(
    "round_trip/ids",
    title="Decoded text encodes to the same ids",
    why=(
        "Multi-turn chats, caches and re-tokenized training data encode decoded text again. If "
        "encoding a decoded text again gives other ids, the model reads another input than before."
    ),
    remedy="In programs where ids must not change, store the ids instead of encoding decoded text "
    "again.",
    repair=COMPONENT_OF_BASE,
    severity=Severity.WARNING,
    harm=Harm.OTHER_IDS,
    milder="published tokenizers of every kind have such texts, and no other file says that they "
    "should not.",
    basis=Basis.INTRINSIC,
    incident="Tokens that are read back and encoded again are others, which harms "
    "reinforcement learning (sgl-project/sglang PR#26555).",
    measures=(Measured("round_trip/texts_with_other_ids"),),
)
def ids(
    spec: TokenizerSpec, upstream: Upstream, probes: Probes, answers: UpstreamAnswers
) -> Iterator[Finding | Measurement]:
    """Measure how many texts change ids on the second trip; a warning above one in ten."""
    promised(spec)
    if "decode" not in upstream.capabilities:
        raise Skip(f"{upstream.info.adapter} does not decode to text")
    first = [e for e in answers.encodings if e.error is None]
    texts = [shown(output) for output in upstream.decode([e.ids for e in first])]
    second = upstream.encode(texts)
    drifted = [
        (text, a.ids, b.ids)
        for text, a, b in zip(texts, first, second, strict=True)
        if b.error is None and a.ids != b.ids
    ]
    yield Measurement(
        "round_trip/texts_with_other_ids",
        "Texts whose ids change on re-encoding",
        len(drifted),
        "texts",
        len(first),
        probes.method,
    )
    if len(drifted) * 10 > len(first):
        text, before, after = min(drifted, key=lambda item: len(item[0]))
        evidence = text_evidence(text, before, after, token_names(spec), ("first", "again"))
        message = (
            f"{len(drifted):,} of {len(first):,} texts get different ids when they are decoded "
        )
        message += "and encoded again"
        place = Place("tokenizer", spec.files[0] if spec.files else "")
        yield Finding(Severity.WARNING, message, (place,), (evidence,), cause="other ids")
