"""Entries that the vocabulary file lists twice."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import Basis, Finding, Harm, Place, Severity, check
from tokaudit_reference.spec import ModelType, TokenizerSpec
from tokaudit_suites.shared.repairs import ENTRIES_OF_BASE
from tokaudit_suites.shared.vocab_entries import ordinary
from tokaudit_suites.shared.wording import does, ids_evidence, in_vocab, quote, some


@check(
    "vocab/duplicate-entries",
    title="No entry is written down twice",
    why="If a vocabulary lists an entry twice, one loader keeps the first id and another loader "
    "the last, so the same file gives one token two different ids.",
    remedy="Keep the entry in {file|the file} whose id has the token's embedding row, and delete"
    " the other.",
    repair=ENTRIES_OF_BASE,
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.INTRINSIC,
    incident="ERNIE's vocabulary has a character on two lines, and one id is lost "
    "(PaddlePaddle/PaddleNLP #5974).",
)
def duplicate_keys(spec: TokenizerSpec) -> Iterator[Finding]:
    """Report the duplicate entries of the parser, and of lists."""
    yield from _listed_twice(spec)
    yield from _flags_twice(spec)
    if not spec.duplicate_keys:
        return
    keys = [quote(key) for key in spec.duplicate_keys]
    yield Finding(
        Severity.ERROR,
        f"{does(len(keys), 'entry', 'is')} listed twice in the vocabulary: {some(keys)}; "
        "tokaudit counts the last entry, another loader may keep the first entry.",
        (in_vocab(spec, list(spec.duplicate_keys[:20]), spec.duplicate_keys[0]),),
        cause="given twice",
    )


def _listed_twice(spec: TokenizerSpec) -> Iterator[Finding]:
    """Report Unigram pieces that are listed twice, each with its row."""
    if spec.model_type is not ModelType.UNIGRAM:
        return
    first: dict[bytes | str, int] = {}
    twice: dict[int, bytes | str] = {}
    for id, piece in ordinary(spec):
        if first.setdefault(piece.value, id) != id:
            twice[id] = piece.value
    if twice:
        shown = [f"{quote(text)} (ids {first[text]} and {id})" for id, text in twice.items()]
        yield Finding(
            Severity.ERROR,
            f"{does(len(twice), 'piece', 'is')} listed at two ids: {some(shown)}; "
            "text becomes only one of the two ids.",
            (in_vocab(spec, list(twice)[:20]),),
            (ids_evidence(twice),),
            cause="listed",
        )


def _flags_twice(spec: TokenizerSpec) -> Iterator[Finding]:
    """Report added tokens listed twice, so that one set of flags is lost."""
    if spec.flags_twice:
        shown = [quote(content) for content in spec.flags_twice]
        yield Finding(
            Severity.WARNING,
            f"{does(len(shown), 'added token', 'is')} listed twice with different flags: "
            f"{some(shown)}; tokaudit counts the last flags, another loader may keep the first "
            "flags.",
            (Place(spec.files[0], "/added_tokens"),),
            cause="flags",
        )
