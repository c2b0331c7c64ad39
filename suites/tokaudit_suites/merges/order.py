"""Merges listed before the merge that builds one of their parts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from tokaudit.plugin import Basis, Finding, Harm, NotApplicable, Severity, Skip, check
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.ascending import ENOUGH, FEW, out_of_order
from tokaudit_suites.shared.learned_order import LearnedOrder
from tokaudit_suites.shared.repairs import MERGES_OF_BASE
from tokaudit_suites.shared.wording import does, ids_evidence, in_merges, in_vocab, quote, some

SCATTERED = 3  # merges of such a list that may lie next to each other, on average


@check(
    "merges/order",
    title="Merges come after the merges of their parts",
    why="If the same merges are in another order, BPE splits text differently. A BPE trainer "
    "joins only tokens that already exist, so each merge comes after the merges that build the "
    "two parts that it joins. Merges in an unusual order alone prove no error, because a "
    "publisher may have written the file this way; a comparison with the base tokenizer or with a "
    "second file decides.",
    remedy="{Compare|Run tokaudit with --base to compare} the merges with those of the base model.",
    repair=MERGES_OF_BASE,
    severity=Severity.WARNING,
    harm=Harm.OTHER_IDS,
    milder="an order alone proves nothing: a publisher may have written it so.",
    basis=Basis.INTRINSIC,
    incident="SentencePiece merges listed in a wrong order cut 'thermal' into three tokens "
    "(huggingface/transformers #24233).",
)
def merges_in_order(spec: TokenizerSpec, order: LearnedOrder) -> Iterator[Finding]:
    """Find merges before their parts, and ranks that contradict the vocabulary's order."""
    if spec.merges is None:
        raise NotApplicable("the format lists no merges")
    if len(set(spec.merges)) < len(spec.merges):
        raise Skip("a pair is listed twice, so its rank is unclear; see merges/duplicates")
    late = order.late_parts
    if late:
        shown = [
            f"{_pair(spec, index)} at rank {index}, but its part {_pair(spec, after)} at rank "
            f"{after}"
            for index, after in late
        ]
        yield Finding(
            Severity.WARNING,
            f"{does(len(late), 'merge', 'is')} listed before the merge that builds one of "
            f"{'its' if len(late) == 1 else 'their'} parts: {some(shown)}.",
            tuple(in_merges(spec, at, _pair(spec, at)) for pair in late[:3] for at in pair),
            cause="moved",
        )
        return
    moved = order.moved_merges
    if moved:
        made: dict[int | None, int] = {}
        for value, index in order.first_makers.items():
            made.setdefault(order.ids.get(value), index)
        shown = [f"{_pair(spec, made[id])} at rank {made[id]}" for id in moved]
        laid = not order.is_record and _laid_among(moved, made)
        yield Finding(
            Severity.INFO if laid else Severity.WARNING,
            f"{does(len(moved), 'merge', 'is')} out of order, compared with the ids of the tokens "
            f"that the merges build: {some(shown)}"
            f"{'; among themselves they are in order' if laid else ''}.",
            (
                *(in_merges(spec, made[id], _pair(spec, made[id])) for id in moved[:5]),
                in_vocab(spec, moved[:20]),
            ),
            (ids_evidence(moved),),
            cause="moved",
        )
    elif order.is_shuffled:
        yield Finding(
            Severity.WARNING,
            f"The {len(spec.merges):,} merges are in no order: neither in the order of the ids "
            "that they build, nor with each part before the merges that use the part.",
            (in_merges(spec),),
            cause="shuffled",
        )
    elif not order.is_record and order.exceptions is None:
        raise NotApplicable("the list is not a trainer's record, or too short to tell")


def _laid_among(moved: Sequence[int], made: Mapping[int | None, int]) -> bool:
    """Return whether misplaced merges are ordered among themselves, as a second list is.

    So a second list looks that is added by rank; merges exchanged at random keep no such order.
    """
    ids = sorted(moved, key=lambda id: made[id])
    ranks = [made[id] for id in ids]
    runs = 1 + sum(after - before > 1 for before, after in pairwise(ranks))
    in_order = len(out_of_order(ids)) <= FEW * len(ids)
    return len(ids) >= ENOUGH and in_order and SCATTERED * runs >= len(ids)


def _pair(spec: TokenizerSpec, index: int) -> str:
    left, right = (spec.merges or ())[index]
    return f"{quote(left)} + {quote(right)}"
