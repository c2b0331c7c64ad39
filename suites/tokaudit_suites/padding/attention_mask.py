"""An attention mask that does not separate text from padding."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import (
    Basis,
    EncodeOptions,
    Encoding,
    Evidence,
    Finding,
    Harm,
    NotApplicable,
    Place,
    Severity,
    Skip,
    Subject,
    Upstream,
    check,
    padding_of,
)
from tokaudit.subject.formats.common.settings import setting
from tokaudit_reference.batching.padding import PaddingSide, padded, unpadded
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.repairs import person_decides
from tokaudit_suites.shared.stated_roles import place_of
from tokaudit_suites.shared.wording import quote, stage

TEXTS = ("a", "two words", "a text that is longer than the others by some tokens")


@check(
    "padding/attention-mask",
    title="The attention mask marks text, not padding",
    why="If the attention mask marks padding as text, padding enters attention and pooling, and "
    "outweighs short texts. If the attention mask marks text as padding, the model does not see "
    "this text.",
    remedy="Correct the padding settings, or let the code that pads build the mask from text "
    "lengths.",
    repair=person_decides("which free token with a row to use for padding"),
    severity=Severity.ERROR,
    harm=Harm.OTHER_PROMPT,
    basis=Basis.INTRINSIC,
    incident="Fixed padding without a mask made embeddings of short texts mostly padding "
    "(spiceai/spiceai PR#13416).",
    no_example="Only a faulty library or adapter breaks this: the library pads as the files say.",
)
def attention_mask(spec: TokenizerSpec, subject: Subject, upstream: Upstream) -> Iterator[Finding]:
    """Pad a batch of texts of different lengths and compare it with the texts alone.

    The library is asked to pad as the configs say, so their side is the one to be judged.
    """
    if "pad" not in upstream.capabilities:
        raise NotApplicable(f"{upstream.info.package} does not pad")
    batched = upstream.encode(TEXTS, EncodeOptions(pad=True))
    alone = upstream.encode(TEXTS)
    if any(answer.error for answer in (*batched, *alone)):
        raise Skip(f"{upstream.info.package} does not encode plain words; see the round trip")
    block = str((spec.padding.options or {}).get("direction", "Right")).lower()
    left = (padding_of(subject, spec).side or block) == "left"
    for text, batch, single in zip(TEXTS, batched, alone, strict=True):
        if batch.attention_mask is None:
            raise Skip(f"{upstream.info.package} gives no attention mask")
        problem = _problem(batch, single.ids, left)
        if problem:
            yield Finding(
                Severity.ERROR,
                f"In a padded batch {quote(text)} {problem}.",
                tuple(_places(spec, subject)),
                (Evidence("ids", ids=batch.ids, note=f"mask {list(batch.attention_mask)}"),),
                cause="mask",
            )
            return


def _places(spec: TokenizerSpec, subject: Subject) -> Iterator[Place]:
    """Yield the side that the configs state, which loaders follow; then the tokenizer's block."""
    fact = setting(subject, "padding_side")
    if fact is not None:
        yield place_of(fact, "padding")
    yield stage(spec, "padding", spec.padding.options)


def _problem(batch: Encoding, single: tuple[int, ...], left: bool) -> str:
    mask = batch.attention_mask or ()
    if len(mask) != len(batch.ids):
        return f"has {len(batch.ids)} ids but a mask of {len(mask)}"
    seen = tuple(unpadded(batch.ids, mask))
    if seen != single[: len(seen)] or (len(seen) < len(single) and len(mask) > len(seen)):
        return "has a mask of 1 on other ids than the text's own"
    side = PaddingSide.LEFT if left else PaddingSide.RIGHT
    if list(mask) != padded([seen], 0, side=side, length=len(mask)).attention_mask[0]:
        return f"is not padded on the {'left' if left else 'right'}"
    return ""
