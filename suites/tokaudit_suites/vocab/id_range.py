"""Ids that cannot be embedding rows."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import Basis, Finding, Harm, Severity, check
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.repairs import ENTRIES_OF_BASE
from tokaudit_suites.shared.vocab_entries import name_of
from tokaudit_suites.shared.wording import does, ids_evidence, in_vocab, quote, some

SPARSE = 16  # more ids than this for each token, and
LARGE = 1_000_000  # an id beyond the largest published vocabularies


@check(
    "vocab/id-range",
    title="Every id fits an embedding row",
    why="In Python, a negative id silently selects an embedding row counted from the end; in "
    "other languages, a negative id crashes the program. A huge id makes loaders run out of "
    "memory if they size their tables by the highest id.",
    remedy="Give these tokens the ids of their embedding rows, from 0 up.",
    repair=ENTRIES_OF_BASE,
    severity=Severity.ERROR,
    harm=Harm.CRASH,
    basis=Basis.INTRINSIC,
    incident="Llama-1 conversions shipped a pad id of -1 (huggingface/transformers #22239).",
)
def id_range(spec: TokenizerSpec) -> Iterator[Finding]:
    """Look for negative ids and for ids far beyond the number of tokens."""
    ids = {*spec.pieces, *(token.id for token in spec.added_tokens)}
    limit = max(LARGE, SPARSE * len(ids))
    for reason, wrong in (
        ("negative", sorted(id for id in ids if id < 0)),
        (f"too high for a vocabulary of {len(ids):,} tokens", sorted(i for i in ids if i > limit)),
    ):
        if wrong:
            names = [f"{quote(name_of(spec, id) or '')} (id {id})" for id in wrong]
            yield Finding(
                Severity.ERROR,
                f"{does(len(wrong), 'id', 'is')} {reason}: {some(names)}.",
                (in_vocab(spec, wrong[:20]),),
                (ids_evidence(wrong),),
                cause=reason.split()[0],
            )
