"""Compares two records of the same vocabulary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

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
from tokaudit_reference.spec import TokenizerSpec, TokenType
from tokaudit_reference.text.bytes_alphabet import to_bytes
from tokaudit_suites.agreement._class_layout import of_another_class
from tokaudit_suites.shared.copies import Pair, copies, is_its_byte, spelled_ids
from tokaudit_suites.shared.exchanges import cause_of
from tokaudit_suites.shared.learned_order import LearnedOrder
from tokaudit_suites.shared.repairs import as_one_of_two
from tokaudit_suites.shared.vocab_entries import NOT_FROM_TEXT, entries, looks_like_marker, spelled
from tokaudit_suites.shared.wording import about, does, ids_evidence, in_vocab, plural, quote, some


@check(
    "agreement/vocab",
    title="All copies of the vocabulary are equal",
    why="A folder can hold several copies of the vocabulary, and loaders read different copies. "
    "Where the copies of the vocabulary differ, the ids of a text depend on the library that "
    "loads the tokenizer.",
    remedy="Write {file|all files} and {other|the others} again from the tokenizer whose ids match "
    "the embedding rows, or delete the wrong copy.",
    repair=as_one_of_two,
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.CROSS_FILE,
    left_to_code=True,
    incident="XLM-R's SentencePiece file used directly gives every id off by one "
    "(google/sentencepiece #1042).",
)
def representations_agree(representations: Representations, subject: Subject) -> Iterator[Finding]:
    """Compare every other representation with the one that loaders prefer."""
    parsed = copies(representations)
    if len(parsed) < 2:
        raise NotApplicable("the vocabulary is written down only once")
    suspect = odd_one(parsed)
    for other in parsed[1:]:
        yield from _differences(subject, parsed[0], other, blame_first=suspect == 0)


def odd_one(parsed: list[Pair]) -> int | None:
    """Return the index of the faulty copy, if the other copies or its own order show it."""
    maps = [spelled_ids(spec) for _, spec in parsed]
    apart = [sum(_conflicts(mine, other) > 0 for other in maps) for mine in maps]
    worst, times = Counter(dict(enumerate(apart))).most_common(1)[0]
    if apart.count(times) == 1:
        return worst
    broken = [_disorder(spec) for _, spec in parsed]
    return broken.index(max(broken)) if len(set(broken)) > 1 else None


def _conflicts(one: Mapping[str, int], other: Mapping[str, int]) -> int:
    return sum(1 for value, id in one.items() if other.get(value, id) != id)


def _disorder(spec: TokenizerSpec) -> int:
    return len(LearnedOrder(spec).exceptions or ())


def _differences(subject: Subject, one: Pair, other: Pair, blame_first: bool) -> Iterator[Finding]:
    left, right = spelled_ids(one[1]), spelled_ids(other[1])
    if not left.keys() & right.keys():
        return  # written in alphabets that cannot be compared entry by entry
    order = (one[1], other[1]) if blame_first else (other[1], one[1])
    places = (in_vocab(order[0]), in_vocab(order[1]))
    names = one[0].files[0], other[0].files[0]
    moved = [(v, id, right[v]) for v, id in left.items() if right.get(v, id) != id]
    if moved and (by_class := of_another_class(subject, moved, one, other)) is not None:
        yield by_class
        return
    if moved:
        yield _moved(moved, names, places)
    for pair, its_names in ((one, names), (other, names[::-1])):
        if both := _under_added(pair[1], (other if pair is one else one)[1]):
            yield _taken(both, its_names, places)
    extra = _only_in(one[1], left, other[1], right), _only_in(other[1], right, one[1], left)
    for values, here, there in ((extra[0], *names), (extra[1], *reversed(names))):
        if values:
            yield Finding(
                Severity.ERROR,
                f"{does(len(values), 'token', 'is')} in {here} but not in {there}: "
                f"{some([quote(value) for value in values])}.",
                places,
                cause="entries",
                about=about(*values),
            )


def _moved(
    moved: list[tuple[str, int, int]], names: tuple[str, str], places: tuple[Place, Place]
) -> Finding:
    shifts = {there - here for _, here, there in moved}
    shift = f", all shifted by {shifts.pop():+d}" if len(shifts) == 1 and len(moved) > 1 else ""
    shown = [f"{quote(value)} has id {here} instead of {there}" for value, here, there in moved]
    return Finding(
        Severity.ERROR,
        f"{does(len(moved), 'token', 'has')} another id in {names[0]} than in {names[1]}{shift}: "
        f"{some(shown)}.",
        places,
        (ids_evidence([here for _, here, _ in moved]),),
        cause=cause_of(moved, "ids"),
        about=about(*(value for value, *_ in moved)),
    )


def _under_added(one: TokenizerSpec, other: TokenizerSpec) -> list[tuple[int, str, str]]:
    """Return ordinary entries whose ids the other copy gives to different added tokens.

    A placeholder is written like a marker, and is renamed by design.
    """
    added = {token.id: token.content for token in other.added_tokens}
    own = {token.id for token in one.added_tokens} | other.pieces.keys()
    return [
        (id, spelled(surface), added[id])
        for id, piece, surface in entries(one)
        if id in added and id not in own
        if piece.token_type is TokenType.ORDINARY and not looks_like_marker(surface)
        if not _names({added[id]}, spelled(surface))
    ]


def _taken(
    both: list[tuple[int, str, str]], names: tuple[str, str], places: tuple[Place, Place]
) -> Finding:
    shown = [f"id {id} is {quote(ours)} and {quote(theirs)}" for id, ours, theirs in both]
    return Finding(
        Severity.ERROR,
        f"{names[0]} has {plural(len(both), 'entry')} on ids that {names[1]} gives to added "
        f"tokens: {some(shown)}.",
        places,
        (ids_evidence([id for id, *_ in both]),),
        cause="added",
        about=about(*(token for _, *names in both for token in names)),
    )


def _only_in(
    one: TokenizerSpec, here: Mapping[str, int], other: TokenizerSpec, there: Mapping[str, int]
) -> list[str]:
    """Return ordinary entries that the other copy lacks; added tokens may lack by design."""
    known = {token.id for spec in (one, other) for token in spec.added_tokens}
    contents = {token.content for token in other.added_tokens}
    return [
        value
        for value, id in here.items()
        if value not in there
        and id not in known
        and one.pieces[id].token_type not in NOT_FROM_TEXT
        and one.pieces[id].token_type is not TokenType.USER_DEFINED
        and not _names(contents, value)
        and not (id in other.pieces and is_its_byte(value, str(other.pieces[id].value)))
    ]


def _names(contents: set[str], value: str) -> bool:
    """Return whether an entry repeats an added token, in the spelling of a byte-level file."""
    data = to_bytes(value)
    return value in contents or (data is not None and data.decode(errors="replace") in contents)
