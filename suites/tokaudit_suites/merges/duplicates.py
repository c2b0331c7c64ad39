"""A pair that is listed twice."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.engine.check import check
from tokaudit.foundation.errors import NotApplicable
from tokaudit.report.model import Basis, Finding, Harm, Severity
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.repairs import removed, repaired
from tokaudit_suites.shared.wording import does, in_merges, quote, some


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
        (index, first[pair], f"{quote(pair[0])} + {quote(pair[1])}")
        for index, pair in enumerate(spec.merges)
        if first.setdefault(pair, index) != index
    ]
    if again:
        shown = [f"{pair} at {before} and {index}" for index, before, pair in again]
        yield Finding(
            Severity.ERROR,
            f"{does(len(again), 'pair', 'is')} listed twice: {some(shown)}; engines disagree on "
            "which rank counts.",
            tuple(in_merges(spec, index, pair) for index, _, pair in again[:5]),
            cause="listed twice",
            repair=repaired(*(removed(in_merges(spec, index)) for index, _, _ in again)),
        )
