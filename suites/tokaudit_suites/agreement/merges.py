"""Compares two records of the same merges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from tokaudit.plugin import (
    Basis,
    Finding,
    Harm,
    NotApplicable,
    Place,
    Representation,
    Representations,
    Severity,
    check,
)
from tokaudit_reference.models.bpe.effective import EffectiveMerges, effective_merges
from tokaudit_reference.spec import ModelType, Priority, TokenizerSpec
from tokaudit_suites.shared.copies import copies, spelled_ids
from tokaudit_suites.shared.learned_order import LearnedOrder
from tokaudit_suites.shared.repairs import as_one_of_two
from tokaudit_suites.shared.vocab_entries import entries, spelled
from tokaudit_suites.shared.wording import in_merges

Pair = tuple[Representation, TokenizerSpec]


@check(
    "agreement/merges",
    title="All copies of the merges make equal tokens",
    why="A folder can hold several copies of the BPE merges, and loaders read different copies. "
    "Where the copies of the merges differ, the ids of a text depend on the library that loads "
    "the tokenizer.",
    remedy="Write {file|all files} again from the file that fits the model, or delete the other "
    "copy of the merges.",
    repair=as_one_of_two,
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.CROSS_FILE,
    incident="OpenLLaMA's converted tokenizer cut 'thermal' into three tokens, its SentencePiece "
    "file into one (huggingface/transformers #24233).",
)
def representations_agree(
    representations: Representations, spec: TokenizerSpec, effective: EffectiveMerges | None
) -> Iterator[Finding]:
    """Compare lists if both files have one, else the tokens that the merges can build."""
    ranked = [pair for pair in copies(representations) if pair[1].model_type is ModelType.BPE]
    if len(ranked) < 2:
        raise NotApplicable("the merges are written down only once")
    known = effective if ranked[0][1] is spec else None
    for other in ranked[1:]:
        yield from _compare(ranked[0], other, known)


def _compare(one: Pair, other: Pair, known: EffectiveMerges | None) -> Iterator[Finding]:
    """Compare two copies; `known` holds the merges that the first can use, if computed."""
    if _listed(one[1]) and _listed(other[1]):
        yield from _listed_differ(one, other)
    elif spelled_ids(one[1]).keys() & spelled_ids(other[1]).keys():
        yield from _effective_differ(one, other, known or effective_merges(one[1]))


def _listed(spec: TokenizerSpec) -> bool:
    return spec.merges is not None and spec.priority is Priority.PAIR


def _listed_differ(one: Pair, other: Pair) -> Iterator[Finding]:
    left, right = _spelled_merges(one[1]), _spelled_merges(other[1])
    if left == right:
        return
    if _proved_alike(one[1], other[1]):
        alike = "differ, but build the same tokens of every text, which is proved"
        yield _reordered(Severity.WARNING, alike, in_merges(one[1]), in_merges(other[1]))
        return
    at = _first_difference(left, right)
    here, there = (side[at] if at < len(side) else "the end" for side in (left, right))
    first = in_merges(one[1], at if at < len(left) else None, here)
    second = in_merges(other[1], at if at < len(right) else None, there)
    mine = _broken(one[1]) > _broken(other[1])
    yield Finding(
        Severity.ERROR,
        f"The {len(left):,} merges in {first.file} and the {len(right):,} merges in {second.file} "
        f"first differ at rank {at}: {here} in {first.file}, {there} in {second.file}.",
        (first, second) if mine else (second, first),
        cause="listed",
    )


def _proved_alike(one: TokenizerSpec, other: TokenizerSpec) -> bool:
    """Return whether both provably encode every text alike, because some merges never compete."""
    from tokaudit.products.compare.proofs.merges.model import merge_model
    from tokaudit.products.compare.proofs.merges.prove import reason_against

    return not reason_against(merge_model(one), merge_model(other))


def _reordered(severity: Severity, alike: str, first: Place, second: Place) -> Finding:
    """Report two merge lists that should be equal; tied ranks or scores may explain it."""
    message = f"The merges in {first.file} and {second.file} {alike}."
    return Finding(severity, message, (first, second), cause="order")


def _spelled_merges(spec: TokenizerSpec) -> list[str]:
    return [f"{spelled(left)} + {spelled(right)}" for left, right in spec.merges or ()]


def _first_difference(left: list[str], right: list[str]) -> int:
    return next(i for i, (a, b) in enumerate(zip_longest(left, right)) if a != b)


def _broken(spec: TokenizerSpec) -> int:
    order = LearnedOrder(spec)
    return len(order.late_parts) + len(order.moved_merges) + len(order.missing_merges)


def _effective_differ(one: Pair, other: Pair, known: EffectiveMerges) -> Iterator[Finding]:
    left = list(_made(one[1], known))
    right = list(_made(other[1], effective_merges(other[1])))
    if left == right:
        return
    ordered = _parts_come_first(left) and _parts_come_first(right)
    if ordered and _decided_by_order(left) == _decided_by_order(right):
        alike = "have the same merges, in orders that differ only where merges do not compete"
        yield _reordered(Severity.INFO, alike, in_merges(one[1]), in_merges(other[1]))
        return
    pairs = enumerate(zip_longest(map(" + ".join, left), map(" + ".join, right)))
    at, found = next(pair for pair in pairs if pair[1][0] != pair[1][1])
    here, there = (each or "nothing more" for each in found)
    first, second = in_merges(one[1], None, here), in_merges(other[1], None, there)
    yield Finding(
        Severity.ERROR,
        f"The merges of {first.file} and {second.file} build different tokens, first at position "
        f"{at}: {here} in {first.file}, {there} in {second.file}.",
        (first, second) if one[1].merges is not None else (second, first),
        cause="effective",
    )


def _parts_come_first(made: Sequence[tuple[str, str]]) -> bool:
    """Return whether each part is built before its product, as blocks of merges require."""
    products, so_far = {left + right for left, right in made}, set[str]()
    for left, right in made:
        if not {left, right} & products <= so_far:
            return False
        so_far.add(left + right)
    return True


def _decided_by_order(made: Sequence[tuple[str, str]]) -> frozenset[tuple[object, ...]]:
    """Return the merges with their block numbers, the only thing that their order decides."""
    from tokaudit.products.compare.proofs.merges.candidates import Merge
    from tokaudit.products.compare.proofs.merges.normal_form import blocks

    return frozenset(blocks(Merge(rank, *pair, "") for rank, pair in enumerate(made)))


def _made(spec: TokenizerSpec, effective: EffectiveMerges) -> Iterator[tuple[str, str]]:
    """Yield the pairs that merges join, except runs of one character: their ranks tie."""
    names = {id: spelled(value) for id, _, value in entries(spec)}
    for left, right, made in effective.merges:
        if len(set(names[made])) > 1:
            yield names[left], names[right]
