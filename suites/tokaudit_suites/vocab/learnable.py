"""Tokens that cannot be built from tokens of a better rank."""

from __future__ import annotations

from collections.abc import Iterator, Set

from tokaudit.plugin import Basis, Finding, Harm, NotApplicable, Severity, check
from tokaudit_reference.models.bpe.effective import EffectiveMerges
from tokaudit_reference.spec import Priority, TokenizerSpec, TokenType
from tokaudit_suites.shared.ascending import ENOUGH, FEW
from tokaudit_suites.shared.repairs import ENTRIES_OF_BASE
from tokaudit_suites.shared.vocab_entries import looks_like_marker, ordinary
from tokaudit_suites.shared.wording import does, ids_evidence, in_vocab, quote, some
from tokaudit_suites.vocab._by_hand import has_gap, scored_by_hand, written_over

FEW_OF_THEM = "all others are"
MANY_OF_THEM = "as many as where one vocabulary was joined to another"
BY_HAND = "no number is missing, and no other token lacks a part of them"
CAUSES = {FEW_OF_THEM: "few", MANY_OF_THEM: "many", BY_HAND: "by hand"}
MOST_MOVED = 20  # Llama 3's published ranks have 669 such tokens, those of Qwen 3.6 228


@check(
    "vocab/learnable",
    title="Every token is made of better-ranked tokens",
    why="A trainer joins only tokens that already exist. If a token is ranked before its own "
    "parts, or cannot be built from two parts, it may have another token's rank. Published rank "
    "files also contain a few tokens that cannot be built from two parts, so only a comparison "
    "with the base tokenizer or with the published checksum decides.",
    remedy="Compare the file with its published checksum, or "
    "{compare|run tokaudit with --base to compare} the file with the base model's.",
    repair=ENTRIES_OF_BASE,
    severity=Severity.WARNING,
    harm=Harm.OTHER_IDS,
    milder="ranks alone prove nothing: published files have such tokens.",
    basis=Basis.INTRINSIC,
    incident="Ranks shifted by the number of special tokens gave every token another id "
    "(NVIDIA/Megatron-LM PR#7543).",
    no_example="A short example cannot show it: an order is visible only after dozens of ranks.",
)
def learnable(spec: TokenizerSpec, effective: EffectiveMerges) -> Iterator[Finding]:
    """Look for tokens built from later ones, and for tokens that no merge builds."""
    if spec.priority is not Priority.PRODUCT or len(effective.merges) < ENOUGH:
        raise NotApplicable("the format lists merges, which merges/order looks at")
    by_hand = scored_by_hand(spec)
    judged = {
        id
        for id, piece in ordinary(spec)
        if piece.token_type is TokenType.ORDINARY
        and id not in by_hand
        and len(set(piece.value)) > 1
        and not looks_like_marker(piece.value)
    }
    first = min(made for *_, made in effective.merges)  # those before it were put there by hand
    stuck = {id for id in effective.unmergeable if id in judged and id > first}
    late = dict(_later_parts(spec, effective, judged))
    wrong = sorted(set(_of_no_better(spec, stuck | late.keys())))
    if len(wrong) > FEW * len(judged):
        raise NotApplicable("the ranks are not a trainer's record")
    if wrong:
        added = written_over(spec, stuck) if not late else frozenset[int]()
        why = _why(wrong, added, few=has_gap(spec) or len(stuck.union(late.values())) <= MOST_MOVED)
        yield _finding(spec, wrong, why)


def _later_parts(
    spec: TokenizerSpec, effective: EffectiveMerges, judged: Set[int]
) -> Iterator[tuple[int, int]]:
    """Yield tokens with a part that is ranked after them."""
    ranks = spec.product_ranks
    for left, right, made in effective.merges:
        for part in (left, right):
            if made in judged and part in judged and ranks.get(part, 0) > ranks[made]:
                yield made, part


def _of_no_better(spec: TokenizerSpec, ids: Set[int]) -> Iterator[int]:
    """Yield tokens that no merge of two better-ranked tokens builds."""
    ranks, own = spec.product_ranks, spec.ids_by_surface
    for id in ids:
        text, rank = spec.surface(spec.pieces[id]), ranks.get(id, 0)
        parts = ((own.get(text[:at]), own.get(text[at:])) for at in range(1, len(text)))
        known = ((a, b) for a, b in parts if a is not None and b is not None)
        if not any(max(ranks.get(a, 0), ranks.get(b, 0)) < rank for a, b in known):
            yield id


def _why(wrong: list[int], by_hand: Set[int], *, few: bool) -> str:
    """Explain what sets these tokens apart, by their number."""
    if by_hand >= set(wrong):
        return BY_HAND
    return FEW_OF_THEM if few else MANY_OF_THEM


def _finding(spec: TokenizerSpec, wrong: list[int], why: str) -> Finding:
    """Report a few tokens that explain all others, if nothing else is built on them."""
    names = [f"{quote(spec.pieces[id].value)} (id {id})" for id in wrong]
    return Finding(
        Severity.WARNING if why is FEW_OF_THEM else Severity.INFO,
        f"{does(len(wrong), 'token', 'is')} not made of tokens with a lower rank: {some(names)}; "
        f"{why}.",
        (in_vocab(spec, wrong[:20]),),
        (ids_evidence(wrong),),
        cause=CAUSES[why],
    )
