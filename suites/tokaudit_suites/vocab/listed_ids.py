"""A shifted or incomplete list of ids for the pieces of a model."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import (
    Basis,
    Finding,
    Harm,
    NotApplicable,
    Place,
    Representations,
    Severity,
    Subject,
    check,
)
from tokaudit.subject.safe_json import pointer
from tokaudit.subject.upstream.loading_class import class_of
from tokaudit.subject.upstream.tokenizer_class import Ids
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.ascending import few_exceptions
from tokaudit_suites.shared.repairs import ENTRIES_OF_BASE
from tokaudit_suites.shared.vocab_entries import IdsByText, name_of, ordinary
from tokaudit_suites.shared.wording import ids_evidence, plural, quote, some

FEW_MOVED = 8  # ids that an exchange by hand moves
SOME, MANY = 0.05, 0.2  # of the pieces; a list is made from texts, which do not use each piece


@check(
    "vocab/listed-ids",
    title="Listed ids are those of the pieces",
    why="Some tokenizer classes look up the id of each piece in a vocab.json. If the vocab.json "
    "belongs to another tokenizer, every piece gets a wrong id, and pieces that vocab.json lacks "
    "become the unknown token.",
    remedy="Copy vocab.json and the SentencePiece files from the same checkpoint.",
    repair=ENTRIES_OF_BASE,
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.CROSS_FILE,
    left_to_code=True,
    incident="Marian's ids come from vocab.json and not from source.spm (transformers 4.57.6, "
    "marian/tokenization_marian.py _convert_token_to_id).",
    no_example="A SentencePiece model, its list of ids and its class are more than a few lines.",
)
def listed_ids(subject: Subject, representations: Representations) -> Iterator[Finding]:
    """Compare the list's first tokens with the class's, and count missing pieces."""
    named = class_of(subject)
    if named is None or named.known is None or named.known.ids is not Ids.VOCAB_FILE:
        raise NotApplicable("the class does not look ids up in a list next to the pieces")
    head = named.known.vocabulary.list_begins
    for _, spec in representations.parsed:
        if spec.piece_ids and len(spec.files) > 1:
            yield from _moved(spec, head)
            yield from _exchanged(spec)
            yield from _lacks(spec)


def _moved(spec: TokenizerSpec, head: tuple[str, ...]) -> Iterator[Finding]:
    """Report the class's first tokens if they are shifted or in another order."""
    ids = IdsByText(spec)
    found = {token: ids.of(token) for token in head}
    here = [id for id in found.values() if id is not None]
    if here != sorted(here) and set(here) == set(range(len(head))):
        shown = some([f"{quote(token)} is {id}" for token, id in found.items()])
        yield Finding(
            Severity.ERROR,
            f"{spec.files[1]} begins with the tokens of this class in another order: {shown}; "
            f"the class expects {', '.join(map(quote, head))}.",
            (Place("vocab", spec.files[1], pointer(head[0]), found[head[0]]),),
            cause="head",
        )
    steps = {id - at for at, id in enumerate(found.values()) if id is not None}
    if len(steps) == 1 and (by := steps.pop()):
        shown = some([f"{quote(token)} is {id}" for token, id in found.items() if id is not None])
        yield Finding(
            Severity.ERROR,
            f"{spec.files[1]} has other ids by {by:+,}: {shown}, where the list of this class "
            "begins "
            f"with {' and '.join(map(quote, head[:2]))} at 0 and 1.",
            (Place("vocab", spec.files[1], pointer(head[0]), found[head[0]]),),
            cause="moved",
        )


def _exchanged(spec: TokenizerSpec) -> Iterator[Finding]:
    """Report pieces out of the model's order, in a list that otherwise keeps it.

    A list in the order of counts, as most are, keeps no order that anybody could know without the
    texts that were counted: two ids exchanged in it are seen with --base alone.
    """
    ids = [id for id in spec.piece_ids if id != spec.unk_id]
    order = list(dict.fromkeys(ids))
    if (places := few_exceptions(order)) and len(places) <= FEW_MOVED:
        moved = sorted(order[place] for place in places)
        shown = some([f"{quote(name_of(spec, id) or '')} (id {id})" for id in moved])
        yield Finding(
            Severity.ERROR,
            f"{spec.files[1]} numbers the pieces in the order of {spec.files[0]}, except for "
            f"{shown}.",
            (Place("vocab", spec.files[1]), Place("vocab", spec.files[0])),
            (ids_evidence(moved),),
            cause="exchanged",
        )


def _lacks(spec: TokenizerSpec) -> Iterator[Finding]:
    """Report pieces that the model produces and the list has no id for."""
    lost, kept = sorted(spec.unlisted), sum(1 for _ in ordinary(spec))
    share = len(lost) / max(1, len(lost) + kept)
    if share > SOME:
        yield Finding(
            Severity.ERROR if share > MANY else Severity.WARNING,
            f"{spec.files[1]} has no id for {plural(len(lost), 'piece')} of {spec.files[0]} "
            f"({share:.0%}): {some([quote(piece) for piece in lost])} become the unknown token.",
            (Place("vocab", spec.files[1]), Place("vocab", spec.files[0])),
            cause="lacks",
        )
