"""A pair that is listed twice."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import (
    Basis,
    Finding,
    Harm,
    NotApplicable,
    Severity,
    check,
)
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.repairs import removed, repaired_each
from tokaudit_suites.shared.wording import EXAMPLES, about, does, first_of, in_merges, quote


@check(
    "merges/duplicates",
    title="No pair is listed twice",
    why="One engine gives the pair its first rank, another its last, and they cut the same text "
    "differently.",
    remedy="Delete the later of the two entries in {file|the merges}.",
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
            f"{quote(pair[0])} + {quote(pair[1])} at {first[pair]} and {index}"
            for index, pair in places
        ]
        yield Finding(
            Severity.ERROR,
            f"{does(len(again), 'pair', 'is')} listed twice: {first_of(shown, len(again))}; "
            "engines disagree on which rank counts.",
            tuple(
                in_merges(spec, index, f"{quote(pair[0])} + {quote(pair[1])}")
                for index, pair in places
            ),
            cause="listed twice",
            about=about(*(token for _, pair in places for token in pair)),
            repair=repaired_each(removed(in_merges(spec, index)) for index in again),
        )
