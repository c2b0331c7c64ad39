"""The same merges written down twice, differently."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from tokaudit.check import check
from tokaudit.errors import NotApplicable
from tokaudit.needs import Representation, Representations
from tokaudit.words import Basis, Finding, Severity
from tokaudit_reference.effective import effective_merges
from tokaudit_reference.spec import Family, Priority, TokenizerSpec
from tokaudit_suites.merges.base import shown_pair
from tokaudit_suites.order import late_parts, missing_merges, moved_merges
from tokaudit_suites.pieces import name_of
from tokaudit_suites.say import in_merges, quote
from tokaudit_suites.vocab.representations_agree import copies

Pair = tuple[Representation, TokenizerSpec]


@check(
    "merges/representations-agree",
    title="All copies of the merges make the same tokens in the same order",
    why="Each loader reads another copy. When one copy is edited, text is cut one way or the "
    "other depending on the library.",
    remedy="Write all files from the one that the model was trained with, or delete stale ones.",
    severity=Severity.ERROR,
    basis=Basis.CROSS_FILE,
    incident="OpenLLaMA's converted tokenizer cut 'thermal' into three tokens, its SentencePiece "
    "file into one (huggingface/transformers #24233).",
)
def representations_agree(representations: Representations) -> Iterator[Finding]:
    """Compare lists where both list merges, and what the merges can do where they do not."""
    ranked = [pair for pair in copies(representations) if pair[1].family is Family.BPE]
    if len(ranked) < 2:
        raise NotApplicable("the merges are written down only once")
    for other in ranked[1:]:
        yield from _compare(ranked[0], other)


def _compare(one: Pair, other: Pair) -> Iterator[Finding]:
    if _listed(one[1]) and _listed(other[1]):
        yield from _listed_differ(one, other)
    elif type(next(iter(one[1].pieces.values())).value) is type(
        next(iter(other[1].pieces.values())).value
    ):
        yield from _effective_differ(one, other)


def _listed(spec: TokenizerSpec) -> bool:
    return spec.merges is not None and spec.priority is Priority.PAIR


def _listed_differ(one: Pair, other: Pair) -> Iterator[Finding]:
    left, right = one[1].merges or (), other[1].merges or ()
    if left == right:
        return
    at = next(i for i, (a, b) in enumerate(zip_longest(left, right)) if a != b)
    here = shown_pair(left[at]) if at < len(left) else "the end"
    there = shown_pair(right[at]) if at < len(right) else "the end"
    first, second = in_merges(one[1], at, here), in_merges(other[1], at, there)
    mine = _broken(one[1]) > _broken(other[1])
    yield Finding(
        Severity.ERROR,
        f"The merges in {first.file} ({len(left):,}) and {second.file} ({len(right):,}) differ "
        f"from rank {at}: {here} against {there}.",
        (first, second) if mine else (second, first),
        cause=f"{first.file} {second.file}",
    )


def _broken(spec: TokenizerSpec) -> int:
    return len(late_parts(spec)) + len(moved_merges(spec)) + len(missing_merges(spec))


def _effective_differ(one: Pair, other: Pair) -> Iterator[Finding]:
    left, right = _effective(one[1]), _effective(other[1])
    if left == right:
        return
    at = next(i for i, (a, b) in enumerate(zip_longest(left, right)) if a != b)
    names = [
        _named(one[1], left[at]) if at < len(left) else "nothing more",
        _named(other[1], right[at]) if at < len(right) else "nothing more",
    ]
    files = one[0].files[0], other[0].files[0]
    yield Finding(
        Severity.ERROR,
        f"The merges of {files[0]} and {files[1]} make different tokens, first at place {at}: "
        f"{names[0]} against {names[1]}.",
        (in_merges(one[1], None, names[0]), in_merges(other[1], None, names[1])),
        cause=f"effective {files[0]} {files[1]}",
    )


def _named(spec: TokenizerSpec, merge: tuple[int, int, int]) -> str:
    left, right, made = (quote(name_of(spec, id) or "") for id in merge)
    return f"{left} + {right} = {made} ({merge[2]})"


def _effective(spec: TokenizerSpec) -> list[tuple[int, int, int]]:
    """What the merges make, but for runs of one character: their ranks tie, in no order."""
    found = effective_merges(spec).merges
    return [merge for merge in found if len(set(spec.pieces[merge[2]].value)) > 1]
