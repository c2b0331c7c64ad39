"""Merges that stand before the merge that makes one of their parts."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.engine.check import check
from tokaudit.errors import NotApplicable, Skip
from tokaudit.report.model import Basis, Finding, Severity
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.order import (
    ENOUGH,
    few_exceptions,
    ids_by_surface,
    is_record,
    late_parts,
    learned_ids,
    moved_merges,
    product,
)
from tokaudit_suites.say import ids_evidence, in_merges, in_vocab, plural, quote, some


@check(
    "merges/order",
    title="The merges stand in an order that a trainer can have learned",
    why="A trainer can only join tokens that it has. A merge above the one that makes its part "
    "was moved after training, and text is cut otherwise than the model learned it. One or a few "
    "may have been moved before it, so that is a warning; many never work.",
    remedy="Hold it against the base model with --base, which decides; restore the order from "
    "there or from the original merges.txt.",
    severity=Severity.ERROR,
    basis=Basis.INTRINSIC,
    incident="SentencePiece merges listed in a wrong order cut 'thermal' into three tokens "
    "(huggingface/transformers #24233).",
)
def order(spec: TokenizerSpec) -> Iterator[Finding]:
    """Find merges before their parts, and ranks that contradict the order of the vocabulary."""
    if spec.merges is None:
        raise NotApplicable("the format lists no merges")
    if len(set(spec.merges)) < len(spec.merges):
        raise Skip("a pair is listed twice, so its rank is unclear; see merges/duplicates")
    late = late_parts(spec)
    if late:
        shown = [f"{_pair(spec, index)} at {index}, its part at {after}" for index, after in late]
        makers = {after for _, after in late}
        yield Finding(
            Severity.ERROR if len(makers) >= ENOUGH else Severity.WARNING,
            f"{plural(len(late), 'merge')} above the merge that makes one of their parts: "
            f"{some(shown)}; merges were moved after training.",
            tuple(in_merges(spec, at, _pair(spec, at)) for pair in late[:3] for at in pair),
            cause="moved",
        )
        return
    moved = moved_merges(spec)
    if moved:
        made = {id: index for index, id in reversed(list(enumerate(_product_ids(spec))))}
        shown = [f"{_pair(spec, made[id])} at {made[id]}" for id in moved]
        yield Finding(
            Severity.WARNING,
            f"{plural(len(moved), 'merge')} out of the order in which the vocabulary lists the "
            f"tokens that they make: {some(shown)}; merges, or else ids, were exchanged.",
            (
                *(in_merges(spec, made[id], _pair(spec, made[id])) for id in moved[:5]),
                in_vocab(spec, moved[:20]),
            ),
            (ids_evidence(moved),),
            cause="moved",
        )
    elif not is_record(spec) and few_exceptions(learned_ids(spec)) is None:
        raise NotApplicable("the list is not a trainer's record, or too short to tell")


def _product_ids(spec: TokenizerSpec) -> list[int | None]:
    ids = ids_by_surface(spec)
    return [ids.get(product(spec, left, right)) for left, right in spec.merges or ()]


def _pair(spec: TokenizerSpec, index: int) -> str:
    left, right = (spec.merges or ())[index]
    return f"{quote(left)} + {quote(right)}"
