"""Role tokens that are spelled like another role's token."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import Fact, Finding, Severity, Subject
from tokaudit.subject.upstream.published.mistral_common import MISTRAL_COMMON, role_texts
from tokaudit.subject.upstream.published.spellings import spelled_alone
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.repairs import repaired, set_to
from tokaudit_suites.shared.stated_roles import place_of, role_tokens
from tokaudit_suites.shared.vocab_entries import id_of, is_special, looks_like_marker, name_of
from tokaudit_suites.shared.wording import quote


def by_spelling(
    spec: TokenizerSpec, role: str, named: list[tuple[Fact, list[int]]]
) -> Iterator[Finding]:
    """Report a token spelled like another role's, if one is spelled like this role's."""
    own, others = _spelled(spec, role), _of_others(role)
    for fact, ids in named:
        token = _text(name_of(spec, ids[0]))
        if own is not None and own not in ids and token in others:
            yield Finding(
                Severity.ERROR,
                f"{fact.file} gives {role} id {ids[0]}, which is {quote(token)}, but "
                f"{quote(_text(name_of(spec, own)))} is id {own}.",
                (place_of(fact, "special_roles"),),
                cause=f"{role} spelling",
                repair=repaired(set_to(place_of(fact, "special_roles"), own)),
            )


def by_library(
    spec: TokenizerSpec, role: str, named: list[tuple[Fact, list[int]]]
) -> Iterator[Finding]:
    """Report an id that differs from the token mistral-common looks up for the role."""
    text = role_texts()[role]
    own = id_of(spec, text)
    for fact, ids in named:
        if own is not None and own not in ids:
            yield Finding(
                Severity.ERROR,
                f"{fact.file} gives {role} id {ids[0]}, which is "
                f"{quote(_text(name_of(spec, ids[0])))}, but mistral-common {MISTRAL_COMMON} takes "
                f"{quote(text)}, id {own}.",
                (place_of(fact, "special_roles"),),
                cause=f"{role} spelling",
                repair=repaired(set_to(place_of(fact, "special_roles"), own)),
            )


def _spelled(spec: TokenizerSpec, role: str) -> int | None:
    """Return the id of the token that is spelled like a role."""
    found = (id_of(spec, text) for text in spelled_alone().get(role, ()))
    return next((id for id in found if id is not None), None)


def _of_others(role: str) -> set[str]:
    return {text for other, texts in spelled_alone().items() if other != role for text in texts}


def misnamed(spec: TokenizerSpec, subject: Subject, role: str) -> Iterator[Finding]:
    """Report a role's token that is a word or spelled otherwise, if a better one exists."""
    own = _spelled(spec, role)
    for fact, content in role_tokens(subject, role):
        if own is not None and (content in _of_others(role) or _is_word(spec, content)):
            yield Finding(
                Severity.ERROR,
                f"{fact.file} names {quote(content)} as the {role} token, but the tokenizer has "
                f"{quote(_text(name_of(spec, own)))}, id {own}.",
                (place_of(fact, "special_roles"),),
                cause=f"{role} spelling",
                repair=repaired(set_to(place_of(fact, "special_roles"), _text(name_of(spec, own)))),
            )


def _is_word(spec: TokenizerSpec, content: str) -> bool:
    """Return whether a token is an ordinary entry used in words."""
    id = id_of(spec, content)
    if id is None or spec.added_at(id) or is_special(spec, id) or looks_like_marker(content):
        return False
    return content.isalpha()


def _text(token: bytes | str | None) -> str:
    return token.decode(errors="replace") if isinstance(token, bytes) else token or ""
