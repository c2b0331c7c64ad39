"""A copy of a tokenizer elsewhere in the repository, with other ids."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import Basis, Finding, Harm, Original, Severity, check
from tokaudit.subject.origins import BY_THE_USER, origin_of_added
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.copies import spelled_ids
from tokaudit_suites.shared.repairs import as_one_of_two
from tokaudit_suites.shared.vocab_entries import added_by_content, ordinary
from tokaudit_suites.shared.wording import (
    does,
    ids_evidence,
    in_added,
    in_merges,
    in_vocab,
    quote,
    some,
)


@check(
    "agreement/copies",
    title="Copies in the repository are the same tokenizer",
    why="A repository can hold a second copy of its tokenizer, in a checkpoint, an export or "
    "another release. If the second copy of the tokenizer differs, its users get other ids than "
    "users of the repository's main tokenizer.",
    remedy="Find out which of the two tokenizers the weights belong to, and copy its files over "
    "those of the other.",
    repair=as_one_of_two,
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.CROSS_FILE,
    incident="Exports carried a tokenizer of their own making that cut text differently "
    "(huggingface/transformers PR#42131).",
)
def copies(spec: TokenizerSpec, original: Original) -> Iterator[Finding]:
    """Compare vocabulary, merges and added tokens of a copy with those of its original."""
    name = _name(original)
    here, there = spelled_ids(spec), spelled_ids(original.spec)
    moved = [(text, id, there[text]) for text, id in here.items() if there.get(text, id) != id]
    if moved:
        shown = [f"{quote(text)} has id {mine} instead of {its}" for text, mine, its in moved]
        yield Finding(
            Severity.ERROR,
            f"{does(len(moved), 'token', 'has')} another id in {spec.files[0]} than in {name}: "
            f"{some(shown)}.",
            (in_vocab(spec), in_vocab(original.spec)),
            (ids_evidence([mine for _, mine, _ in moved]),),
            cause="ids",
        )
    yield from _renamed(spec, original)
    yield from _added(spec, original)
    yield from _merges(spec, original)


def _name(original: Original) -> str:
    """Name the original tokenizer in words."""
    return "the main tokenizer" if original.subject.part == "." else original.subject.part


def _renamed(spec: TokenizerSpec, original: Original) -> Iterator[Finding]:
    """Report entries missing from the other side, if both formats spell entries alike."""
    if spec.format != original.spec.format:
        return
    mine, its = dict(ordinary(spec)), dict(ordinary(original.spec))
    here, there = ({piece.value for piece in found.values()} for found in (mine, its))
    shared = [id for id in mine.keys() & its.keys() if mine[id].value != its[id].value]
    apart = [id for id in shared if mine[id].value not in there or its[id].value not in here]
    if apart:
        names = [(id, quote(mine[id].value), quote(its[id].value)) for id in sorted(apart)]
        shown = [f"id {id} is {one} instead of {other}" for id, one, other in names]
        part = _name(original)
        yield Finding(
            Severity.ERROR,
            f"{does(len(apart), 'id', 'has')} another token in {spec.files[0]} than in {part}: "
            f"{some(shown)}.",
            (in_vocab(spec, sorted(apart)[:20]), in_vocab(original.spec)),
            (ids_evidence(apart),),
            cause="entries",
        )


def _added(spec: TokenizerSpec, original: Original) -> Iterator[Finding]:
    """Report added tokens that one side lacks: text with them is tokenized differently.

    Where a rule of ours says all of them, as of published ranks, the file states none to compare.
    """
    mine, its = added_by_content(spec), added_by_content(original.spec)
    if not (_states_any(spec) and _states_any(original.spec)):
        return
    known = {t for s in (spec, original.spec) for t in spelled_ids(s)}
    apart = [text for text in mine.keys() ^ its.keys() if text not in known]
    apart += [text for text in mine.keys() & its.keys() if mine[text].id != its[text].id]
    if apart:
        names = [quote(text) for text in sorted(apart)]
        yield Finding(
            Severity.WARNING,
            f"{does(len(apart), 'added token', 'is')} not the same in {spec.files[0]} as in "
            f"{_name(original)}: {some(names)}.",
            (in_added(spec), in_added(original.spec)),
            cause="added tokens",
        )


def _states_any(spec: TokenizerSpec) -> bool:
    """Return whether a file or the user states any of the added tokens."""
    said = (origin_of_added(spec, token.content).implied_by for token in spec.added_tokens)
    return any(by in ("", BY_THE_USER) for by in said)


def _merges(spec: TokenizerSpec, original: Original) -> Iterator[Finding]:
    """Report lists of merges of one kind that differ."""
    mine, its = spec.merges, original.spec.merges
    if mine is None or its is None or mine == its or spec.format != original.spec.format:
        return
    at = next((n for n, (a, b) in enumerate(zip(mine, its, strict=False)) if a != b), None)
    rank = min(len(mine), len(its)) if at is None else at
    yield Finding(
        Severity.ERROR,
        f"The merges in {spec.files[0]} first differ from those of {_name(original)} at rank "
        f"{rank}.",
        (in_merges(spec, rank), in_merges(original.spec, rank)),
        cause="merges",
    )
