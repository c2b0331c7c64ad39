"""Can the letters of the word "acorn" be encoded?"""

from __future__ import annotations

from collections.abc import Iterator

from acorn.suites.needs import Alphabet
from tokaudit.plugin import Basis, Finding, Place, Severity, Upstream, check


@check(
    "acorn/known",
    title="the letters of acorn are in the vocabulary",
    why="A squirrel that cannot spell its food starves.",
    remedy="Add the letters to the vocabulary.",
    severity=Severity.ERROR,
    basis=Basis.INTRINSIC,
)
def known(alphabet: Alphabet, upstream: Upstream) -> Iterator[Finding]:
    """One finding that names the missing letters, and the ids that the word gets."""
    missing = sorted(set("acorn") - alphabet.characters)
    if missing:
        ids = list(upstream.encode(["acorn"])[0].ids)
        message = f"{', '.join(missing)} of acorn are missing: its ids are {ids}"
        yield Finding(Severity.ERROR, message, (Place("vocab"),), cause="missing")
