"""Ranks in an order in which the tokens cannot have been learned."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.check import check
from tokaudit.errors import NotApplicable
from tokaudit.words import Basis, Finding, Severity
from tokaudit_reference.effective import EffectiveMerges
from tokaudit_reference.spec import PieceKind, Priority, TokenizerSpec
from tokaudit_suites.order import ENOUGH, FEW
from tokaudit_suites.pieces import looks_like_marker, ordinary
from tokaudit_suites.say import ids_evidence, in_vocab, plural, quote, some


@check(
    "vocab/learnable",
    title="Every token can have been learned from tokens of a better rank",
    why="A file of ranks has no merges to contradict it, yet a trainer only joins tokens that it "
    "has. A token ranked before its own parts, or beyond their reach, was moved or its part was.",
    remedy="Restore the file; its published checksum tells whether it is the original.",
    severity=Severity.ERROR,
    basis=Basis.INTRINSIC,
    incident="Ranks shifted by the number of special tokens gave every token another id "
    "(NVIDIA/Megatron-LM PR#7543).",
)
def learnable(spec: TokenizerSpec, effective: EffectiveMerges) -> Iterator[Finding]:
    """Look for tokens that join later ones, and for tokens that nothing makes."""
    if spec.priority is not Priority.PRODUCT or len(effective.merges) < ENOUGH:
        raise NotApplicable("the format lists merges, which merges/order looks at")
    judged = {
        id
        for id, piece in ordinary(spec)
        if piece.kind is PieceKind.ORDINARY
        and len(set(piece.value)) > 1
        and not looks_like_marker(piece.value)
    }
    ranks = spec.product_ranks
    wrong = {id for id in effective.unmergeable if id in judged}
    for left, right, made in effective.merges:
        if made in judged and any(
            part in judged and ranks.get(part, 0) > ranks[made] for part in (left, right)
        ):
            wrong.add(made)
    if len(wrong) > FEW * len(judged):
        raise NotApplicable("the ranks are no trainer's record")
    if wrong:
        names = [f"{quote(spec.pieces[id].value)} ({id})" for id in sorted(wrong)]
        yield Finding(
            Severity.ERROR,
            f"{plural(len(wrong), 'token')} ranked where no trainer can have put "
            f"{'it' if len(wrong) == 1 else 'them'}: {some(names)}; tokens were exchanged or "
            "deleted after training.",
            (in_vocab(spec, sorted(wrong)[:20]),),
            (ids_evidence(sorted(wrong)),),
        )
