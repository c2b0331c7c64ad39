"""Pairs that are listed twice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tokaudit.plugin import Basis, Finding, Harm, NotApplicable, Repair, Severity, check
from tokaudit_reference.spec import Dialect, TokenizerSpec
from tokaudit_suites.shared.repairs import either_each, removed, repaired_each
from tokaudit_suites.shared.wording import EXAMPLES, about, does, first_of, in_merges, quote


@check(
    "merges/duplicates",
    title="No pair is listed twice",
    why="If a merge is listed twice, one engine uses its first rank and another engine its last "
    "rank, so the two engines split the same text differently.",
    remedy="In {file|the merges}, delete the earlier entry to keep the ids of the tokenizers "
    "library, or the later entry to keep those of llama.cpp.",
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.INTRINSIC,
    incident="An engine's last-wins table gave a repeated pair a worse rank "
    "(ohdearquant/lattice #259).",
)
def duplicates(spec: TokenizerSpec) -> Iterator[Finding]:
    """Look for a pair at two ranks."""
    if spec.merges is None:
        raise NotApplicable("the format lists no merges")
    first: dict[tuple[bytes | str, bytes | str], int] = {}
    again = [
        index for index, pair in enumerate(spec.merges) if first.setdefault(pair, index) != index
    ]
    if again:
        places = [(index, spec.merges[index]) for index in again[:EXAMPLES]]
        shown = [
            f"{quote(pair[0])} + {quote(pair[1])} at ranks {first[pair]} and {index}"
            for index, pair in places
        ]
        yield Finding(
            Severity.ERROR,
            f"{does(len(again), 'pair', 'is')} listed twice: {first_of(shown, len(again))}; the "
            "tokenizers library uses the last rank of a pair, llama.cpp the first.",
            tuple(
                in_merges(spec, index, f"{quote(pair[0])} + {quote(pair[1])}")
                for index, pair in places
            ),
            cause="listed twice",
            about=about(*(token for _, pair in places for token in pair)),
            repair=_one_of_the_ranks(spec, again),
        )


def _one_of_the_ranks(spec: TokenizerSpec, again: Sequence[int]) -> Repair | None:
    """Keep the rank that llama.cpp uses in its file; for other files, offer a choice.

    A model may have been trained on the last ranks, or before a pair was repeated.
    """
    later = [removed(in_merges(spec, index)) for index in again]
    if spec.dialect is Dialect.LLAMA_CPP:
        return repaired_each(later)
    last = {pair: index for index, pair in enumerate(spec.merges or ())}
    earlier = [
        removed(in_merges(spec, index))
        for index, pair in enumerate(spec.merges or ())
        if last[pair] != index
    ]
    return either_each(
        ("a model that expects the ids of tokenizers", earlier),
        ("a model that expects the first rank of each pair", later),
    )
