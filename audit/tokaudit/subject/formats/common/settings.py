"""Settings next to a bare vocabulary: class, switches, added tokens.

`tokenizer_config.json` goes before the other files, as it does for loaders; where it has no table
of added tokens, they take the special tokens of `special_tokens_map.json` first.  No vocabulary is
read here and no pipeline decided.

Source: `from_pretrained` in Hugging Face's transformers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from tokaudit.subject.configs import ROLE_TOKENS
from tokaudit.subject.formats.common.pieces import HIGHEST_ID, plain_ids
from tokaudit.subject.material import Fact, Subject
from tokaudit.subject.upstream.loading_class import FIRST, class_of
from tokaudit.subject.upstream.over_tokenizer_json import arguments_of_classes
from tokaudit_reference.spec import AddedToken, SpecError

OF_ROLES, MODEL = "special_tokens_map.json", "config.json"
TABLE = "added_tokens_decoder"
FLAGS = ("lstrip", "rstrip", "single_word", "normalized")
LISTS = ("additional_special_tokens", "extra_special_tokens")


def setting(subject: Subject, name: str) -> Fact | None:
    """Return the statement of a setting that loaders use; null counts as unstated.

    What a class takes is read in no config of a model, whatever that states.
    """
    of_tokens = name in ROLE_TOKENS or name in LISTS
    files = files_of_tokens(subject) if of_tokens else (FIRST,)
    unread = {MODEL} if name in arguments_of_classes() else set()
    if of_tokens and OF_ROLES not in files:
        unread.add(OF_ROLES)

    def rank(fact: Fact) -> int:
        base = subject.base_of(fact)
        return files.index(base) if base in files else len(files)

    stated = (fact for fact in _stated(subject, name) if subject.base_of(fact) not in unread)
    return min(stated, key=rank, default=None)


def files_of_tokens(subject: Subject) -> tuple[str, ...]:
    """Return the files with special tokens that loaders read, in order of priority."""
    has_table = any(subject.base_of(fact) == FIRST for fact in _stated(subject, TABLE))
    return (FIRST,) if has_table else (OF_ROLES, FIRST)


def _stated(subject: Subject, name: str) -> list[Fact]:
    return [fact for fact in subject.facts_named(name) if fact.value is not None]


def tokenizer_class(subject: Subject) -> Fact | None:
    """Return the class of the tokenizer, without the suffix of the fast one.

    A class that stands for any tokenizer says nothing of this one.
    """
    named = class_of(subject)
    if named is None:
        return None
    return Fact("tokenizer_class", named.name, named.fact.file, named.fact.pointer)


def unknown_token(subject: Subject, default: str | None) -> str | None:
    """Return the stated unknown token, or the class's default."""
    fact = setting(subject, "unk_token")
    return fact.value if fact is not None and isinstance(fact.value, str) else default


def added_tokens(
    subject: Subject, vocab: Mapping[str, int], of_the_class: Iterable[str] = ()
) -> tuple[AddedToken, ...]:
    """Return the added tokens in order of ids: those listed with one, or named special.

    `of_the_class` are special without being named.  A named token that has no id is left out.  One
    that is named is special to every loader, whatever its flags say.
    """
    found: dict[str, AddedToken] = {}
    for token in (*_with_flags(subject), *_with_ids(subject)):
        found.setdefault(token.content, token)
    for content, flags in _special(subject, of_the_class):
        if content in found:
            found[content] = replace(found[content], special=True)
        elif content in vocab:
            found[content] = AddedToken(vocab[content], content, **flags)
    return tuple(sorted(found.values(), key=lambda token: token.id))


def _with_flags(subject: Subject) -> Iterator[AddedToken]:
    """Yield the tokens of `added_tokens_decoder`, which maps ids to tokens."""
    fact = setting(subject, TABLE)
    if fact is None:
        return
    for key, entry in _items(fact):
        good = isinstance(entry, dict) and isinstance(entry.get("content"), str)
        if not good or not key.isascii() or not key.isdecimal() or not _fits(key):
            place = f"{fact.pointer}/{key[:40]}"
            raise SpecError("is not an added token with its id", file=fact.file, pointer=place)
        special = bool(entry.get("special"))
        flags = {"normalized": not special, **_flags(entry)}
        yield AddedToken(int(key), entry["content"], special=special, **flags)


def _with_ids(subject: Subject) -> Iterator[AddedToken]:
    """Yield the tokens of `added_tokens.json`, which maps tokens to ids."""
    named = {content for content, _ in _special(subject, ())}
    for fact in subject.facts_named("added_tokens"):
        for content, id in plain_ids(fact.value, fact.file, fact.pointer).items():
            special = content in named
            yield AddedToken(id, content, special=special, normalized=not special)


def _special(
    subject: Subject, of_the_class: Iterable[str]
) -> Iterator[tuple[str, dict[str, bool]]]:
    """Yield special tokens by name, with flags: of roles, of lists, of the class."""
    plain = {"special": True, "normalized": False}
    for role in ROLE_TOKENS:
        fact = setting(subject, role)
        if fact is not None and isinstance(fact.value, str):
            own = [f.value for f in subject.facts_named(f"{role}_flags") if f.file == fact.file]
            yield fact.value, {**plain, **(_flags(own[0]) if own else {})}
    for name in LISTS:
        fact = setting(subject, name)
        for entry in fact.value if fact is not None and isinstance(fact.value, list) else ():
            if isinstance(entry, str):
                yield entry, plain
            elif isinstance(entry, dict) and isinstance(entry.get("content"), str):
                yield entry["content"], {**plain, **_flags(entry)}
    yield from ((content, plain) for content in of_the_class)


def _flags(entry: Mapping[str, Any]) -> dict[str, bool]:
    return {flag: bool(entry[flag]) for flag in FLAGS if flag in entry}


def _items(fact: Fact) -> Iterable[tuple[str, Any]]:
    if not isinstance(fact.value, dict):
        raise SpecError("is not an object", file=fact.file, pointer=fact.pointer)
    return fact.value.items()


def _fits(key: str) -> bool:
    return len(key) <= 10 and int(key) <= HIGHEST_ID
