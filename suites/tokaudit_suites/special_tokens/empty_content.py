"""An added token without any text."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import Basis, Finding, Harm, Severity, check
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.repairs import person_decides
from tokaudit_suites.shared.wording import does, ids_evidence, in_added


@check(
    "special_tokens/empty-content",
    title="No added token is empty",
    why="A token with an empty text matches everywhere or nowhere: engines loop, refuse the file, "
    "or drop the token and shift the ids of all later tokens.",
    remedy="Give the token its text in {file|the file}, or delete the token.",
    repair=person_decides("no file says which text the token stands for"),
    severity=Severity.ERROR,
    harm=Harm.CRASH,
    basis=Basis.INTRINSIC,
    incident="An added token without content made an engine loop for ever "
    "(ohdearquant/lattice PR#338).",
)
def empty_content(spec: TokenizerSpec) -> Iterator[Finding]:
    """Look for added tokens with empty content."""
    empty = [token.id for token in spec.added_tokens if not token.content]
    if empty:
        yield Finding(
            Severity.ERROR,
            f"{does(len(empty), 'added token', 'has')} an empty text: id "
            f"{', '.join(map(str, empty[:5]))}.",
            (in_added(spec, "", empty[:20]),),
            (ids_evidence(empty),),
            cause="no text",
        )
