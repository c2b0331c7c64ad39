"""Embedding rows that equal the base's rows of other tokens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tokaudit.plugin import Base, Basis, Evidence, Finding, Harm, Place, Severity, check
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.embeddings._base_rows import RowPair
from tokaudit_suites.shared.base_facets import of_base
from tokaudit_suites.shared.repairs import ROWS_AS_TRAINED
from tokaudit_suites.shared.vocab_entries import name_of
from tokaudit_suites.shared.wording import ids_evidence, plural, quote, some

Moved = tuple[int, int, int]


@check(
    "embeddings/base-rows",
    title="Rows belong to the base's tokens",
    why="A model knows a token only by the token's embedding row. If two embedding rows are in "
    "each other's place, or many rows are out of order, the model reads one token as another, and "
    "no tokenizer file shows the error.",
    remedy="Copy the embedding rows from the base model again, and look each row up by the text of "
    "the token, not by the id.",
    repair=ROWS_AS_TRAINED,
    severity=Severity.ERROR,
    harm=Harm.OTHER_PROMPT,
    harms={"as in the base": Harm.STYLE},
    basis=(Basis.WEIGHTS, Basis.BASELINE),
    left_to_code=True,
    incident="Special tokens were renumbered on conversion, and got other tokens' embeddings "
    "(huggingface/transformers PR#48446), and a merge left added tokens with rows that nothing had "
    "trained (unslothai/unsloth #3444).",
)
def base_rows(spec: TokenizerSpec, base: Base, pair: RowPair) -> Iterator[Finding]:
    """Look up each row among the base's, and name the token that has it there."""
    found = list(pair.found_at())
    moved = [(own, theirs, at) for own, theirs, at in found if at != theirs]
    back = {(own, at) for own, _, at in moved}
    exchanged = [(a, b, at) for a, b, at in moved if a == b and (at, a) in back]
    others = [each for each in moved if each not in exchanged]
    for tokens, cause in ((exchanged, "each other's"), (others, "elsewhere")):
        if tokens:
            yield _finding(spec, base, pair, tokens, cause)
    if untold := pair.as_without_token():
        yield _without_token(spec, base, pair, untold)
    same = [own for own, theirs, at in found if at == theirs and own in pair.only_ours]
    if same:
        names = [f"{quote(name_of(spec, own) or '')} (id {own})" for own in same]
        yield Finding(
            Severity.INFO,
            f"{pair.name} has the same row as the base for {plural(len(same), 'token')} that the "
            f"chat template here writes and the base's does not: {some(names)}.",
            (Place("embeddings", pair.ours.file, pair.name),),
            (ids_evidence(same),),
            cause="as in the base",
        )


def _without_token(spec: TokenizerSpec, base: Base, pair: RowPair, ids: Sequence[int]) -> Finding:
    names = [f"{quote(name_of(spec, id) or '')} (id {id})" for id in ids]
    says = "has a row" if len(ids) == 1 else "have rows"
    return Finding(
        Severity.WARNING,
        f"{plural(len(ids), 'added token')} {says} of {pair.name} that the base has at the same "
        f"{'id' if len(ids) == 1 else 'ids'} for no token: {some(names)}. The model knows nothing "
        "of these tokens.",
        (
            Place("embeddings", pair.ours.file, pair.name),
            of_base(base, Place("embeddings", pair.theirs.file, pair.base_name)),
        ),
        (ids_evidence(list(ids)),),
        cause="of no token",
    )


def _finding(
    spec: TokenizerSpec, base: Base, pair: RowPair, moved: Sequence[Moved], cause: str
) -> Finding:
    names = [
        f"row {own} ({quote(name_of(spec, own) or '')}) equals row {at} of the base "
        f"({quote(name_of(base.spec, at) or 'no token')})"
        for own, _, at in moved
    ]
    rows = {str(own): at for own, _, at in moved[:100]}
    return Finding(
        Severity.ERROR,
        f"In {pair.name}, {plural(len(moved), 'row')} of tokens "
        f"{'equals' if len(moved) == 1 else 'equal'} the base's rows of other tokens: "
        f"{some(names)}.",
        (
            Place("embeddings", pair.ours.file, pair.name),
            of_base(base, Place("embeddings", pair.theirs.file, pair.base_name)),
        ),
        (Evidence("facts", facts=rows, note="the base's row that each id has"),),
        cause=cause,
    )
