"""Why a token that the vocabulary lists never comes out, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tokaudit_reference.models.bpe.blocking import Blocked, blocked
from tokaudit_reference.spec import Priority, TokenizerSpec
from tokaudit_suites.shared.wording import quote

EXPLAINED = 3  # tokens


def reasons(spec: TokenizerSpec, tokens: Iterable[int]) -> Iterator[str]:
    """A sentence for each of the first tokens."""
    for id, why in blocked(spec, list(tokens)[:EXPLAINED]).items():
        yield f"{quote(spec.surface(spec.pieces[id]))}: {_of(spec, why)}"


def _of(spec: TokenizerSpec, why: Blocked) -> str:
    left = ", ".join(map(quote, why.left))
    if why.wanted is None:
        return f"no merge makes it, and {left} are left; a merge that joins them would help"
    wanted = " + ".join(map(quote, why.wanted))
    if why.taken is None:
        return f"its merge is {wanted}, and the parts are not made: {left} are left"
    taken = " + ".join(map(quote, why.taken))
    listed = spec.priority is not Priority.PRODUCT
    at, own = (f" at rank {why.taken_rank:,}", f" at rank {why.rank:,}") if listed else ("", "")
    return (
        f"{taken}{at} comes before {wanted}{own} and takes a part of it; {left} are left. It would "
        "help if the merges that the token needs came first"
    )
