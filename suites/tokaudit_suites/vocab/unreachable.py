"""Entries that no sequence of merges can build."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from tokaudit.plugin import (
    Basis,
    Finding,
    Harm,
    Measured,
    Measurement,
    NotApplicable,
    Place,
    Severity,
    Worse,
    check,
)
from tokaudit_reference.models.bpe.blocking import Blocked, blocked
from tokaudit_reference.models.bpe.effective import EffectiveMerges
from tokaudit_reference.spec import Priority, TokenizerSpec, TokenType
from tokaudit_suites.shared.learned_order import LearnedOrder, LostTokens, has_run
from tokaudit_suites.shared.repairs import ENTRIES_OF_BASE
from tokaudit_suites.shared.vocab_entries import looks_like_marker, ordinary
from tokaudit_suites.shared.wording import (
    about,
    ids_evidence,
    in_merges,
    in_vocab,
    plural,
    quote,
    some,
)

MANY = 100  # tokens, and
FAMILY_WIDE = 0.05  # a share that only a habit of the whole family explains
EXPLAINED = 3  # tokens
LISTED = 20  # tokens, whose merges are followed
BLAMED = 3  # merges


@check(
    "vocab/unreachable",
    title="The merges can make every ordinary token",
    why="A token that no text ever produces wastes its embedding row, and may show that the "
    "merges belong to another vocabulary.",
    remedy="{Compare|Run tokaudit with --base to compare} the merges with the base model's; if a "
    "token is kept on purpose, declare it as an added token.",
    repair=ENTRIES_OF_BASE,
    severity=Severity.WARNING,
    harm=Harm.COST,
    basis=Basis.INTRINSIC,
    incident="Strict engines refuse vocabularies whose tokens no merge makes "
    "(zspacelabs/wordchipper #386).",
    measures=(Measured("vocab/unreachable_tokens", Worse.HIGHER),),
)
def unreachable(
    spec: TokenizerSpec, effective: EffectiveMerges, order: LearnedOrder, lost: LostTokens
) -> Iterator[Finding | Measurement]:
    """List the tokens whose own symbols do not encode to them."""
    if spec.ignore_merges:
        raise NotApplicable("a whole piece is looked up before any merge, so all can be reached")
    user_defined = TokenType.USER_DEFINED
    usable = {
        id: value
        for id, piece in ordinary(spec)
        if piece.token_type is not user_defined
        and not looks_like_marker(value := spec.surface(piece))
    }
    stuck = [id for id in effective.unmergeable if usable.get(id)]
    yield Measurement(
        "vocab/unreachable_tokens",
        "Unreachable tokens",
        len(stuck),
        "tokens",
        len(usable),
        "each token's own symbols encoded with the full merge table",
    )
    reported = {*lost.by_id, *order.cut_off}
    unreported = [id for id in stuck if id not in reported]
    if unreported:
        names = [f"{quote(usable[id])} (id {id})" for id in unreported]
        reasons = blocked(spec, unreported[:LISTED])
        family_wide = len(stuck) > max(MANY, FAMILY_WIDE * len(usable))
        harmless = family_wide or all(has_run(usable[id]) for id in unreported)
        yield Finding(
            Severity.INFO if harmless else Severity.WARNING,
            f"{plural(len(unreported), 'token')} of {len(usable):,} cannot be built by the merges: "
            f"{some(names)}. {' '.join(f'{why}.' for why in _reasons(spec, reasons))}",
            (in_merges(spec), in_vocab(spec, unreported[:LISTED]), *_blamed(spec, reasons)),
            (ids_evidence(unreported),),
            cause="not made by merges",
            about=about(*(usable[id] for id in unreported)),
        )


def _blamed(spec: TokenizerSpec, reasons: Mapping[int, Blocked]) -> Iterator[Place]:
    """Yield the merges that block these tokens, the one that blocks most first."""
    ranks = [why.taken_rank if why.late is None else why.late for why in reasons.values()]
    if spec.merges is None or spec.priority is not Priority.PAIR or None in ranks:
        return
    for rank, _ in Counter(int(rank) for rank in ranks if rank is not None).most_common(BLAMED):
        yield in_merges(spec, rank, _listed(spec, rank))


def _listed(spec: TokenizerSpec, rank: float) -> str:
    return " + ".join(map(quote, (spec.merges or ())[int(rank)]))


def _reasons(spec: TokenizerSpec, reasons: Mapping[int, Blocked]) -> Iterator[str]:
    """Explain each of the first tokens in a sentence."""
    for id, why in list(reasons.items())[:EXPLAINED]:
        yield f"{quote(spec.surface(spec.pieces[id]))}: {_of(spec, why)}"


def _of(spec: TokenizerSpec, why: Blocked) -> str:
    left = ", ".join(map(quote, why.left))
    if why.wanted is None:
        return (
            f"no merge builds this token, so its text stays split into {left}; a merge that joins "
            "these parts would help"
        )
    wanted = " + ".join(map(quote, why.wanted))
    if why.late is not None and spec.priority is Priority.PAIR:
        return (
            f"{_listed(spec, why.late)} at rank {int(why.late):,} makes a part of it and comes "
            f"after {wanted} at rank {why.rank:,}; {left} are left. It would help if it came first"
        )
    if why.taken is None:
        return f"its merge is {wanted}, but no merges build those parts: {left} remain"
    taken = " + ".join(map(quote, why.taken))
    listed = spec.priority is not Priority.PRODUCT
    at, own = (f" at rank {why.taken_rank:,}", f" at rank {why.rank:,}") if listed else ("", "")
    return (
        f"{taken}{at} comes before {wanted}{own} and uses up a part of it; {left} remain. It would "
        "help if the merges that the token needs came first"
    )
