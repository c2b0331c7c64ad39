"""Repairs for ids of roles: automatic if the files decide, else by a person."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tokaudit.plugin import Change, Fact, Finding, Repair, Severity, Subject
from tokaudit.subject.upstream.published.spellings import spelled_alone
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.exchanges import EXCHANGED
from tokaudit_suites.shared.repairs import either, repaired, set_to
from tokaudit_suites.shared.stated_roles import ROLES, ids_in, place_of, role_ids, role_tokens
from tokaudit_suites.shared.vocab_entries import id_of, is_special, looks_like_marker, name_of
from tokaudit_suites.shared.wording import quote

COMPONENT = "special_roles"


def with_id(fact: Fact, wanted: int | None, kept: Sequence[int] = ()) -> Repair | None:
    """Set the id in a fact; a list stays a list and keeps the ids in `kept`."""
    return None if wanted is None else repaired(_set(fact, wanted, kept))


def _set(fact: Fact, wanted: int, kept: Sequence[int] = ()) -> Change:
    value = [wanted, *kept] if isinstance(fact.value, list) else wanted
    return set_to(place_of(fact, COMPONENT), value)


def corrected(
    spec: TokenizerSpec, subject: Subject, role: str, fact: Fact, wanted: int
) -> Repair | None:
    """Set the id of the role's token, or offer both if nothing decides.

    An id decides for the token that cannot play the role, or that no other file agrees with.  Of a
    list in which some can, the others are wrong whichever token is meant.
    """
    ids = ids_in(fact.value)
    kept = [id for id in ids if not _cannot_play(spec, subject, role, id)]
    if len(kept) < len(ids) or _decided(spec, subject, role, fact, wanted):
        return with_id(fact, wanted, kept if isinstance(fact.value, list) else ())
    own, other = _text(name_of(spec, wanted)), _text(name_of(spec, kept[0]))
    return either(
        (f"a model that expects {quote(own)}", [_set(fact, wanted)]),
        (f"a model that expects {quote(other)}", list(_named(subject, role, other))),
        warns_of="an id that a third file states for the role may be another token's then",
    )


def _cannot_play(spec: TokenizerSpec, subject: Subject, role: str, id: int) -> bool:
    """Return whether a token is a word, or one that the files name for another role."""
    name = name_of(spec, id)
    if name is None:
        return True
    if not spec.added_at(id) and not is_special(spec, id) and not looks_like_marker(name):
        return True
    others = (
        content for each in ROLES if each != role for _, content in role_tokens(subject, each)
    )
    return _text(name) in {*others}


def _decided(spec: TokenizerSpec, subject: Subject, role: str, fact: Fact, wanted: int) -> bool:
    """Return whether other files or the spelling favour the token over the id."""
    ids = ids_in(fact.value)
    others = [each for other, each in role_ids(subject, role) if other is not fact]
    if any(wanted in each for each in others) and ids not in others:
        return True
    alone = spelled_alone().get(role, ())
    return _text(name_of(spec, wanted)) in alone and _text(name_of(spec, ids[0])) not in alone


def _named(subject: Subject, role: str, content: str) -> Iterator[Change]:
    for fact, stated in role_tokens(subject, role):
        if stated != content and isinstance(fact.value, str):
            yield set_to(place_of(fact, COMPONENT), content)


def exchanged_roles(spec: TokenizerSpec, subject: Subject) -> Iterator[tuple[Finding, list[Fact]]]:
    """Yield pairs of roles in one file that have each other's id."""
    stated = {
        role: [(fact, ids[0]) for fact, ids in role_ids(subject, role) if len(set(ids)) == 1]
        for role in ROLES
    }
    wanted = {role: _wanted(spec, subject, role) for role in ROLES}
    for at, one in enumerate(ROLES):
        for other in ROLES[at + 1 :]:
            for fact, id in stated[one]:
                for second, second_id in stated[other]:
                    crossed = (id, second_id) == (wanted[other], wanted[one]) and id != second_id
                    if fact.file == second.file and crossed:
                        yield _exchanged(spec, (one, fact, id), (other, second, second_id))


def _wanted(spec: TokenizerSpec, subject: Subject, role: str) -> int | None:
    found = {id_of(spec, content) for _, content in role_tokens(subject, role)}
    return found.pop() if len(found) == 1 else None


def _exchanged(
    spec: TokenizerSpec, one: tuple[str, Fact, int], other: tuple[str, Fact, int]
) -> tuple[Finding, list[Fact]]:
    (role, fact, id), (second, second_fact, second_id) = one, other
    tokens = _text(name_of(spec, second_id)), _text(name_of(spec, id))
    spelled = spelled_alone()
    decided = tokens[0] in spelled.get(role, ()) or tokens[1] in spelled.get(second, ())
    right = [_set(fact, second_id), _set(second_fact, id)]
    finding = Finding(
        Severity.ERROR,
        f"{fact.file} gives {role} id {id} and {second} id {second_id}, each the other's: {role} "
        f"is {quote(tokens[0])}, id {second_id}, and {second} is {quote(tokens[1])}, id {id}.",
        (place_of(fact, COMPONENT), place_of(second_fact, COMPONENT)),
        cause=EXCHANGED,
        repair=repaired(*right) if decided else None,
    )
    return finding, [fact, second_fact]


def _text(token: bytes | str | None) -> str:
    return token.decode(errors="replace") if isinstance(token, bytes) else token or ""
