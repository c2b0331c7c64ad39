"""Copies of the tokenizer whose special tokens are missing, moved, renamed or retyped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tokaudit.plugin import (
    Basis,
    Finding,
    Harm,
    Measured,
    Measurement,
    NotApplicable,
    Place,
    Representations,
    Severity,
    Subject,
    check,
)
from tokaudit.subject.upstream.published.spellings import is_reserved
from tokaudit_suites.agreement._marks import Mark, MarkedCopy
from tokaudit_suites.shared.copies import copies
from tokaudit_suites.shared.exchanges import cause_of
from tokaudit_suites.shared.repairs import person_decides
from tokaudit_suites.shared.stated_roles import stated_added
from tokaudit_suites.shared.vocab_entries import taken_whole
from tokaudit_suites.shared.wording import (
    does,
    ids_evidence,
    in_added,
    in_vocab,
    plural,
    quote,
    some,
)

UNSTATED = "agreement/unstated_special_tokens"


@check(
    "agreement/special-tokens",
    title="All copies have the same special tokens",
    why="Inference engines read different files of the same model folder. If one file gives a "
    "special token another id than the other files do, engines that read this file look up a "
    "wrong embedding row. If one file lacks a special token, or lists it as an ordinary entry, "
    "engines that read this file split the token into pieces: the model sees no turn markers, and "
    "answers do not end.",
    remedy="Write {file|the file named} again from {other|the file that the embedding rows belong "
    "to}, including the special tokens and their types.",
    repair=person_decides(
        "a model file is rewritten by its converter, from the file that the weights belong to"
    ),
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.CROSS_FILE,
    incident="An export of Gemma 3 gave its turn markers the type of words, so that engines cut "
    "them into pieces (unslothai/unsloth PR#5080).",
    measures=(Measured(UNSTATED),),
)
def special_tokens(
    representations: Representations, subject: Subject
) -> Iterator[Finding | Measurement]:
    """Compare each representation with the one that loaders prefer, in both directions."""
    first, *others = map(MarkedCopy, copies(representations))
    if not others:
        raise NotApplicable("the tokenizer is written down only once")
    added = {content for _, content, _, _ in stated_added(subject)}
    for other in others:
        yield from _elsewhere(first, other)
        yield from _renamed(first, other)
        yield from _lacking(first, first, other)
        yield from _lacking(first, other, first)
        if first.format.types_tokens and other.format.types_tokens:
            yield from _as_words(first, other, added)
            yield from _shown(first, other)
        yield _unstated(first, other)


def _elsewhere(one: MarkedCopy, other: MarkedCopy) -> Iterator[Finding]:
    """Report tokens with two ids; `agreement/vocab` compares those that both models list."""
    marks = {**other.marks, **one.marks}.values()
    listed = one.entries.keys() & other.entries.keys()
    both = [(mark, one.id_of(mark.text), other.id_of(mark.text)) for mark in marks]
    moved = [(m, a, b) for m, a, b in both if None not in (a, b) and a != b]
    if apart := [row for row in moved if row[0].text not in listed]:
        shown = some([f"{quote(mark.text)} has id {a} instead of {b}" for mark, a, b in apart])
        yield Finding(
            Severity.ERROR,
            f"{does(len(apart), 'special token', 'has')} another id in {one.file} than in "
            f"{other.file}: {shown}; {_preferred(one)}.",
            _places(other, one, apart[0][0]),
            (ids_evidence([b for *_, b in apart if b is not None]),),
            cause=cause_of(
                [(m.text, a, b) for m, a, b in apart if a is not None and b is not None], "ids"
            ),
        )


def _renamed(one: MarkedCopy, other: MarkedCopy) -> Iterator[Finding]:
    """Report ids with two names, each unknown to the other file.

    Classes name the placeholders of a file that does not list every token, so that only a name of
    one's own counts there.
    """
    alone = one.format.lists_every_token and other.format.lists_every_token
    found = [row for row in _two_names(one, other) if alone or _own_names(one, other, row)]
    if found:
        free = not alone or all(is_reserved(a) or is_reserved(b) for _, a, b in found)
        shown = some([f"id {id} is {quote(a)} instead of {quote(b)}" for id, a, b in found])
        yield Finding(
            Severity.WARNING if free else Severity.ERROR,
            f"{does(len(found), 'special token', 'has')} another name in {one.file} than in "
            f"{other.file}: {shown}; {_preferred(one)}.",
            (in_vocab(other.spec, found[0][2]), in_vocab(one.spec, found[0][1])),
            (ids_evidence([id for id, *_ in found]),),
            cause="names",
        )


def _own_names(one: MarkedCopy, other: MarkedCopy, row: tuple[int, str, str]) -> bool:
    """Return whether both tokens are special in their files, and neither is reserved."""
    _, here, there = row
    both = here in one.marks and there in other.marks
    return both and not (is_reserved(here) or is_reserved(there))


def _two_names(one: MarkedCopy, other: MarkedCopy) -> Iterator[tuple[int, str, str]]:
    for id in sorted({mark.id for side in (one, other) for mark in side.marks.values()}):
        here, there = one.name_of(id), other.name_of(id)
        if here is None or there is None or here == there:
            continue
        if other.id_of(here) is None and one.id_of(there) is None:
            yield id, here, there


def _lacking(first: MarkedCopy, has: MarkedCopy, lacks: MarkedCopy) -> Iterator[Finding]:
    """Report tokens missing from a file whose format lists every token."""
    if not lacks.format.lists_every_token:
        return
    absent = [
        mark
        for mark in has.marks.values()
        if not mark.free and lacks.id_of(mark.text) is None and lacks.name_of(mark.id) is None
    ]
    if absent:
        yield Finding(
            Severity.ERROR,
            f"{lacks.file} lacks {plural(len(absent), 'special token')} of {has.file}: "
            f"{_named(absent)}. Engines that read {lacks.file} split the text of these tokens into "
            f"pieces; {_preferred(first)}.",
            _places(lacks, has, absent[0]),
            (ids_evidence([mark.id for mark in absent]),),
            cause="lacking",
        )


def _as_words(one: MarkedCopy, other: MarkedCopy, added: set[str]) -> Iterator[Finding]:
    """Report special tokens of one file that the other types as words.

    Settings that add the token make it whole again for the classes that read them, though not for
    a library that is given the file alone.
    """
    for has, lacks in ((one, other), (other, one)):
        words = has.words_of(lacks)
        alone = has.format.lists_every_token and lacks.format.lists_every_token
        again = not lacks.format.lists_every_token and all(mark.text in added for mark in words)
        whole = all(taken_whole(lacks.spec, mark.id) for mark in words)
        harm = (
            "still writes such a token when it decodes with skip_special_tokens"
            if whole
            else "splits the text of such a token into pieces"
        )
        if words:
            yield Finding(
                Severity.ERROR if alone else Severity.INFO if again else Severity.WARNING,
                f"{does(len(words), 'token', 'is')} special in {has.file} and ordinary text in "
                f"{lacks.file}: {_named(words)}. An engine that reads only {lacks.file} {harm}; "
                f"{_preferred(one)}.",
                _places(lacks, has, words[0]),
                (ids_evidence([mark.id for mark in words]),),
                cause="types",
            )


def _shown(one: MarkedCopy, other: MarkedCopy) -> Iterator[Finding]:
    """Report tokens that both match whole in text, but only one marks as special."""
    both = [(m, other.marks.get(text)) for text, m in one.marks.items()]
    if odd := [m for m, its in both if its is not None and m.special != its.special]:
        yield Finding(
            Severity.INFO,
            f"{does(len(odd), 'token', 'is')} special in only one of {one.file} and {other.file}: "
            f"{_named(odd)}. With the file that does not mark such a token as special, decoding "
            "with skip_special_tokens still writes the token.",
            _places(other, one, odd[0]),
            (ids_evidence([mark.id for mark in odd]),),
            cause="special",
        )


def _unstated(one: MarkedCopy, other: MarkedCopy) -> Measurement:
    """Count the special tokens that the other file's format leaves to settings and classes."""
    missing = [m for m in one.marks.values() if other.id_of(m.text) is None]
    count = 0 if other.format.lists_every_token else len(missing)
    return Measurement(
        UNSTATED,
        "Special tokens that the format of a copy does not state",
        count,
        "tokens",
        len(one.marks),
        f"the special tokens of {one.file}, looked up in {other.file}",
        dimensions={"representation": other.file},
    )


def _preferred(first: MarkedCopy) -> str:
    return f"loaders that find both files read {first.file}"


def _named(marks: Sequence[Mark]) -> str:
    return some([f"{quote(mark.text)} (id {mark.id})" for mark in marks])


def _places(blamed: MarkedCopy, other: MarkedCopy, mark: Mark) -> tuple[Place, ...]:
    """Return the entry to blame, and the entry that contradicts it."""
    held = any(token.content == mark.text for token in other.spec.added_tokens)
    there = in_added(other.spec, mark.text) if held else in_vocab(other.spec, mark.text)
    return (in_vocab(blamed.spec, mark.text), there)
