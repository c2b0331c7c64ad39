"""Labels that lose real tokens when padding is masked by id."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import (
    Basis,
    EncodeOptions,
    Evidence,
    Finding,
    Harm,
    Measured,
    Measurement,
    NotApplicable,
    Severity,
    Skip,
    Subject,
    Upstream,
    check,
)
from tokaudit.subject.upstream.model_class import generates
from tokaudit_reference.batching.padding import IGNORED, labels_by_id, labels_by_mask
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.repairs import person_decides
from tokaudit_suites.shared.stated_roles import place_of, role_tokens
from tokaudit_suites.shared.vocab_entries import id_of

TEXTS = ("Hello, world!", "A second text, longer than the first one.", "1 + 1 = 2")


@check(
    "padding/label-masking",
    title="Masking padding by id loses no label",
    why="Data collators set the label to -100, which means no loss, wherever the input has the "
    "pad id. If the pad id is also the id of a token in ordinary text, the model learns nothing "
    "from this token.",
    remedy="Choose a pad token that neither text nor the post-processor ever produces.",
    repair=person_decides("which free token with a row to use for padding"),
    severity=Severity.ERROR,
    harm=Harm.OTHER_PROMPT,
    basis=Basis.CROSS_FILE,
    incident="Masks built by id == pad also masked the real end of text (huggingface/trl PR#6357).",
    measures=(Measured("padding/labels_lost"),),
)
def label_masking(
    spec: TokenizerSpec, subject: Subject, upstream: Upstream
) -> Iterator[Finding | Measurement]:
    """Encode with special tokens, mask by id, and count lost text, unless pad is eos."""
    pads = role_tokens(subject, "pad")
    pad = id_of(spec, pads[0][1]) if pads else None
    if pad is None:
        raise NotApplicable("no pad token is named")
    if generates(subject) is False:
        raise NotApplicable("the model has no head over the vocabulary, so there are no labels")
    ends = role_tokens(subject, "eos")
    if ends and id_of(spec, ends[0][1]) == pad:
        raise NotApplicable("pad is the end-of-text token, which padding/pad-token reports")
    answers = upstream.encode(TEXTS, EncodeOptions(add_special_tokens=True))
    if any(answer.error for answer in answers):
        raise Skip(f"{upstream.info.package} does not encode plain text; see the round trip")
    lost = 0
    for answer in answers:
        mask = answer.attention_mask or (1,) * len(answer.ids)
        pairs = zip(labels_by_id(answer.ids, pad), labels_by_mask(answer.ids, mask), strict=True)
        lost += sum(found == IGNORED != wanted for found, wanted in pairs)
    yield Measurement(
        "padding/labels_lost",
        "Text labels that masking the pad id drops",
        lost,
        "labels",
        sum(len(a.ids) for a in answers),
        f"labels {IGNORED} wherever the id is {pad}, in {len(TEXTS)} plain texts",
    )
    if lost:
        yield Finding(
            Severity.ERROR,
            f"Plain text contains the pad id {pad}, so masking labels by id drops "
            f"{lost:,} of the labels of text.",
            (place_of(pads[0][0], "special_roles"),),
            (Evidence("ids", ids=answers[0].ids),),
            cause="pad in text",
        )
