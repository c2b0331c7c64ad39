"""Ids that changed since the base model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tokaudit.engine.facet_names import IDS
from tokaudit.plugin import Base, Basis, Finding, Harm, Severity, check
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_reference.text.bytes_alphabet import to_characters
from tokaudit_suites.shared.base_facets import BaseFacets, claimed_of_ids, of_base
from tokaudit_suites.shared.exchanges import cause_of
from tokaudit_suites.shared.learned_order import LearnedOrder
from tokaudit_suites.shared.repairs import as_in_base
from tokaudit_suites.shared.vocab_entries import Value
from tokaudit_suites.shared.wording import does, ids_evidence, in_vocab, quote, some


@check(
    "baseline/vocab",
    title="The vocabulary is the base model's",
    why="The rows of the embedding matrix belong to the ids of the base model's tokenizer. A "
    "token with another id than in the base tokenizer gets another token's embedding row, and a "
    "token that is missing is split into pieces that mean something else.",
    remedy="Copy the vocabulary from {other|the base model}, and add new tokens after its last id.",
    repair=as_in_base,
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.BASELINE,
    incident="Draft and target models were matched by vocabulary size alone and accepted tokens "
    "that meant other strings (sgl-project/sglang #24051).",
)
def base(
    spec: TokenizerSpec, base: Base, order: LearnedOrder, facets: BaseFacets
) -> Iterator[Finding]:
    """Compare the model's entries with the base's, by name.

    An id that another token has is an error where a text shows it, or decoding it does.
    """
    for finding in _compared(spec, base, order):
        if finding.severity is Severity.ERROR:
            yield claimed_of_ids(finding, facets, IDS, finding.evidence[0].ids)
        else:
            yield finding


def _compared(spec: TokenizerSpec, base: Base, order: LearnedOrder) -> Iterator[Finding]:
    mine, theirs = everything(order), everything(LearnedOrder(base.spec))
    kept = {**_added(spec), **order.ids}  # an entry that became an added token is still there
    if spec.byte_level != base.spec.byte_level:
        mine, theirs, kept = _written(mine), _written(theirs), _written(order.ids)
        kept |= {token.content: token.id for token in spec.added_tokens}
        yield from _read_otherwise(spec, base, mine, theirs)
    moved = [(v, id, theirs[v]) for v, id in kept.items() if theirs.get(v, id) != id]
    if moved:
        shown = [f"{quote(value)} has id {now} instead of {before}" for value, now, before in moved]
        yield _finding(
            spec,
            base,
            f"{does(len(moved), 'token', 'has')} another id than in the base: {some(shown)}.",
            [now for _, now, _ in moved],
            cause_of(moved, "moved"),
        )
    gone = {value: id for value, id in theirs.items() if value not in kept}
    if gone:
        yield _finding(
            spec,
            base,
            f"{does(len(gone), 'token', 'is')} in the base, but missing here: {_named(gone)}.",
            list(gone.values()),
            "gone",
        )
    yield from _new(spec, base, mine, theirs)


def _written(tokens: Mapping[Value, int]) -> dict[Value, int]:
    """Return the entries as files spell them, with bytes as stand-in characters."""
    return {to_characters(v) if isinstance(v, bytes) else v: id for v, id in tokens.items()}


def _read_otherwise(
    spec: TokenizerSpec, base: Base, mine: Mapping[Value, int], theirs: Mapping[Value, int]
) -> Iterator[Finding]:
    """Report equal entries if only one side converts to bytes before the model."""
    same = sum(theirs.get(value) == id for value, id in mine.items())
    if same:
        here, there = ("bytes", "text") if spec.byte_level else ("text", "bytes")
        yield Finding(
            Severity.INFO,
            f"{does(same, 'entry', 'is')} written as in the base and at the same id, but read as "
            f"{here} here and as {there} in the base, by the steps before the model.",
            (in_vocab(spec), of_base(base, in_vocab(base.spec))),
            cause="read otherwise",
        )


def _new(
    spec: TokenizerSpec, base: Base, mine: dict[Value, int], theirs: dict[Value, int]
) -> Iterator[Finding]:
    new = {value: id for value, id in mine.items() if value not in theirs}
    taken = set(theirs.values())
    over = {value: id for value, id in new.items() if id in taken}
    appended = {value: id for value, id in new.items() if id not in taken}
    if over:
        yield _finding(
            spec,
            base,
            f"{does(len(over), 'new token', 'has')} an id that another token has in the base: "
            f"{_named(over)}.",
            list(over.values()),
            "over",
        )
    if appended:
        yield Finding(
            Severity.INFO,
            f"{does(len(appended), 'entry', 'is')} not in the base: {_named(appended)}.",
            (in_vocab(spec),),
            (ids_evidence(appended.values()),),
            cause="appended",
        )


def everything(order: LearnedOrder) -> dict[Value, int]:
    """The model's entries; baseline/added-tokens compares the added ones."""
    added = {token.id for token in order.spec.added_tokens}
    return {value: id for value, id in order.ids.items() if id not in added}


def _added(spec: TokenizerSpec) -> dict[Value, int]:
    """Return the added tokens, spelled like the model's entries."""
    found: dict[Value, int] = {}
    for token in spec.added_tokens:
        text = token.content
        found[text.encode("utf-8", "surrogatepass") if spec.byte_level else text] = token.id
    return found


def _named(tokens: dict[Value, int]) -> str:
    return some([f"{quote(value)} (id {id})" for value, id in tokens.items()])


def _finding(spec: TokenizerSpec, base: Base, message: str, ids: list[int], cause: str) -> Finding:
    places = (in_vocab(spec, ids[:20]), of_base(base, in_vocab(base.spec)))
    return Finding(Severity.ERROR, message, places, (ids_evidence(ids),), cause=cause)
