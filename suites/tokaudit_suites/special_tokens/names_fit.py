"""Settings whose name fits another token better than their own."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tokaudit.plugin import Basis, Finding, Harm, NotApplicable, Place, Severity, check
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.repairs import repaired, set_to
from tokaudit_suites.shared.stated_keys import StatedKeys
from tokaudit_suites.shared.stated_roles import ROLES
from tokaudit_suites.shared.token_settings import DEEPEST, leaves
from tokaudit_suites.shared.wording import about, quote
from tokaudit_suites.special_tokens._words import (
    Meanings,
    contradict,
    lacks_the_field,
    of_key,
    of_token,
    spelled,
)

SMALL = frozenset(ROLES) - {"bos", "eos"}  # roles that do not enter generation
ENDING = re.compile(r"(_token)?(_id|_index)?$")


@check(
    "special_tokens/names-fit",
    title="Settings name the tokens that their names mean",
    why="Processors and servers find a token by the name of a setting: the token where images "
    "begin, where a tool call ends, or where the gap of a fill-in-the-middle prompt is. If a "
    "setting such as image_token_id holds the id of another token, the model gets an image at a "
    "wrong place, or never stops, without an error.",
    remedy="Set the key to the token that its name describes.",
    severity=Severity.ERROR,
    harm=Harm.OTHER_PROMPT,
    basis=Basis.CROSS_FILE,
    left_to_code=True,
    incident="Fill-in-the-middle with prefix and suffix exchanged completes the wrong side, and "
    "every server reads the ids from settings (ggml-org/llama.cpp #9866).",
)
def names_fit(keys: StatedKeys, spec: TokenizerSpec) -> Iterator[Finding]:
    """Compare the words of each setting with its token, and with all other tokens.

    Files that name two tokens for a role outside generation are left to special_tokens/role-ids.
    """
    contents = {token.content: token.id for token in spec.added_tokens}
    tokens = {id: _Token(id, text, of_token(text, contents)) for text, id in contents.items()}
    named = list(_named(keys, tokens, contents))
    if not named:
        raise NotApplicable("no setting whose name says what its token is for")
    by_key: dict[str, set[tuple[str, int]]] = defaultdict(set)
    for each in named:
        by_key[_stem(each.key)].add((each.file, each.token.id))
    for each in named:
        asked = of_key(each.key)
        better = [t for t in tokens.values() if asked <= t.means and not contradict(asked, t.means)]
        if not contradict(asked, each.token.means):
            if not lacks_the_field(asked, each.token.means):
                continue
            better = [t for t in better if spelled(t.content) == _stem(each.key)]
        if better:
            elsewhere = {id for file, id in by_key[_stem(each.key)] if file != each.file}
            agreed = next((t for t in better if t.id in elsewhere), None)
            if agreed is not None and each.pointer == f"/{each.key}" and _stem(each.key) in SMALL:
                continue
            yield _finding(each, agreed or min(better, key=_plainest), agreed is not None)


@dataclass(frozen=True)
class _Token:
    id: int
    content: str
    means: Meanings


@dataclass(frozen=True)
class _Named:
    """A setting that names a token, by id or text."""

    file: str
    pointer: str
    key: str
    value: Any
    token: _Token


def _stem(key: str) -> str:
    """Return a key without its suffix for a token or an id.

    >>> _stem("image_token_id"), _stem("image_token"), _stem("boi_token_index")
    ('image', 'image', 'boi')
    """
    return ENDING.sub("", key)


def _plainest(token: _Token) -> tuple[int, int]:
    return len(token.means), token.id


def _named(
    keys: StatedKeys, tokens: Mapping[int, _Token], contents: Mapping[str, int]
) -> Iterator[_Named]:
    for stated in keys.all:
        pointer = stated.place().pointer
        for path, key, value in leaves(pointer, stated.key, stated.value, DEEPEST):
            id = contents.get(value) if isinstance(value, str) else value
            if type(id) is int and id in tokens and of_key(key):
                yield _Named(stated.file, path, key, value, tokens[id])


def _finding(named: _Named, better: _Token, agreed: bool) -> Finding:
    says = " Another file names this token." if agreed else ""
    wanted = quote(better.content) if isinstance(named.value, str) else better.id
    return Finding(
        Severity.ERROR if agreed else Severity.WARNING,
        f"{named.key} in {named.file} is {quote(named.token.content)} (id {named.token.id}), but "
        f"the key's name fits {quote(better.content)} (id {better.id}).{says}",
        (Place("special_roles", named.file, named.pointer, named.value),),
        remedy=f"Set {named.pointer} in {named.file} to {wanted}.",
        cause=named.key,
        about=about(*(named.token.content, better.content), ids=(named.token.id, better.id)),
        repair=repaired(
            set_to(
                Place("special_roles", named.file, named.pointer, named.value),
                better.content if isinstance(named.value, str) else better.id,
            )
        ),
    )
