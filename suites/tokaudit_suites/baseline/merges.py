"""Merges that changed since the base model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tokaudit.engine.facet_names import MERGES
from tokaudit.plugin import Base, Basis, Finding, Harm, NotApplicable, Severity, Skip, check
from tokaudit_reference.models.bpe.effective import effective_merges
from tokaudit_reference.spec import ModelType, TokenizerSpec
from tokaudit_suites.shared.ascending import out_of_order
from tokaudit_suites.shared.base_facets import BaseFacets, claimed, of_base
from tokaudit_suites.shared.repairs import as_in_base, person_decides
from tokaudit_suites.shared.vocab_entries import Value, name_of
from tokaudit_suites.shared.wording import does, in_merges, plural, quote, some

Merge = tuple[Value, Value]
KNOWN_OR_NOT = person_decides("no file says whether the weights know the new tokens")


@check(
    "baseline/merges",
    title="The merges are the base model's",
    why="If a merge is missing, added or at another rank than in the base tokenizer, the two "
    "tokenizers split text differently. Neither a round trip nor a comparison of the vocabularies "
    "shows that the merges of two tokenizers differ.",
    remedy="Copy the merges from {other|the base model}.",
    repair=as_in_base,
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.BASELINE,
    incident="An engine that applied merges in another order cut 58 % of English words "
    "differently, "
    "and every text still round-tripped (ztxz16/fastllm PR#715).",
)
def base(spec: TokenizerSpec, base: Base, facets: BaseFacets) -> Iterator[Finding]:
    """Report the merges that differ, unless a proof shows that no text is affected."""
    if spec.model_type is not ModelType.BPE or base.spec.model_type is not ModelType.BPE:
        raise NotApplicable(f"a {spec.model_type} tokenizer has no merges to compare")
    if facets.proved(MERGES):
        return
    if spec.merges is not None and base.spec.merges is not None:
        mine, theirs = list(spec.merges), list(base.spec.merges)
    else:
        mine, theirs = _effective(spec), _effective(base.spec)
    if mine and theirs and type(mine[0][0]) is not type(theirs[0][0]):
        raise Skip("the two vocabularies are written in different alphabets")
    for finding in _differences(spec, base, mine, theirs):
        yield claimed(finding, facets, MERGES)


def _effective(spec: TokenizerSpec) -> list[Merge]:
    return [
        (name_of(spec, left) or "", name_of(spec, right) or "")
        for left, right, _ in effective_merges(spec).merges
    ]


def _differences(
    spec: TokenizerSpec, base: Base, mine: list[Merge], theirs: list[Merge]
) -> Iterator[Finding]:
    ranks = {pair: rank for rank, pair in enumerate(theirs)}
    have = set(mine)
    gone = [pair for pair in theirs if pair not in have]
    new = [(index, pair) for index, pair in enumerate(mine) if pair not in ranks]
    common = [(index, pair) for index, pair in enumerate(mine) if pair in ranks]
    moved = [common[i] for i in out_of_order([ranks[pair] for _, pair in common])]
    if gone:
        shown = [f"{shown_pair(pair)} (rank {ranks[pair]} in the base)" for pair in gone]
        at = in_merges(base.spec, _listed(base.spec, ranks[gone[0]]), shown_pair(gone[0]))
        are = "is" if len(gone) == 1 else "are"
        yield Finding(
            Severity.ERROR,
            f"{plural(len(gone), 'merge')} of the base {are} missing here: {some(shown)}.",
            (in_merges(spec), of_base(base, at)),
            cause="of the base deleted",
        )
    if new and not gone and not moved and _extends(base, new, len(common)):
        index, pair = new[0]
        added = Finding(
            Severity.WARNING,
            f"{plural(len(new), 'merge')} after the base's {len(common):,} make tokens that the "
            f"base does not have, such as {shown_pair(pair)}: texts get other ids than with the "
            "base, which is right only if the weights know these tokens.",
            (in_merges(spec, _listed(spec, index), shown_pair(pair)),),
            cause="added after the base's",
        )
        yield replace(added, repair=KNOWN_OR_NOT(added))
        return
    for what, cause, pairs in (
        ("not in the base", "that the base does not have", new),
        ("at another rank than in the base", "moved to another rank", moved),
    ):
        if pairs:
            shown = [f"{shown_pair(pair)} at {index}" for index, pair in pairs]
            index, pair = pairs[0]
            at = in_merges(spec, _listed(spec, index), shown_pair(pair))
            yield Finding(
                Severity.ERROR,
                f"{does(len(shown), 'merge', 'is')} {what}: {some(shown)}.",
                (at, of_base(base, in_merges(base.spec))),
                cause=cause,
            )


def _extends(base: Base, new: list[tuple[int, Merge]], common: int) -> bool:
    """Return whether all new merges come after the base's and make only new tokens."""
    known = base.spec.ids_by_surface
    made = (left + right for _, (left, right) in new)  # type: ignore[operator]
    return new[0][0] == common and not any(token in known for token in made)


def _listed(spec: TokenizerSpec, rank: int) -> int | None:
    """Return a merge's index in the list, or None if the file has no list."""
    return rank if spec.merges is not None else None


def shown_pair(pair: Merge) -> str:
    """Format a merge for readers."""
    return f"{quote(pair[0])} + {quote(pair[1])}"
