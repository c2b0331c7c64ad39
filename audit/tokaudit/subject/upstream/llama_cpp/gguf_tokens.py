"""Tokens that llama.cpp recognises by text, whatever a GGUF file says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from tokaudit.subject.upstream.records import TOKENS, hand_written
from tokaudit_reference.spec import TokenType


@dataclass(frozen=True, slots=True)
class Unless:
    """A token's type if all tokens of one of several rows exist too."""

    type: TokenType
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Gap:
    """A gap marker: the keys that name it, and its texts without a key."""

    keys: tuple[str, ...]
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Spaces:
    """A rule for tokens that strip white space on one side, by the value of a file's key."""

    key: str
    parts: tuple[str, ...]
    side: str
    only: str  # one token; empty for all
    but: tuple[str, ...]
    any_case: bool

    def holds(self, said: str) -> bool:
        """Return whether the key's value contains one of the parts."""
        text = said.lower() if self.any_case else said
        return any(part in text for part in self.parts)

    def takes(self, token: str) -> bool:
        """Return whether a token strips the white space."""
        return token == self.only if self.only else token not in self.but


@cache
def types() -> Mapping[str, TokenType]:
    """Return the types of tokens with a type by text."""
    return {text: TokenType(type) for text, type in hand_written(TOKENS)["types"].items()}


@cache
def ends() -> frozenset[str]:
    """Return the tokens that end an answer by their text."""
    return frozenset(text for text, kind in types().items() if kind is TokenType.CONTROL)


@cache
def turn_ends() -> tuple[str, ...]:
    """Return the tokens that end a turn by their text, if no key names one."""
    return tuple(hand_written(TOKENS)["turn_ends"])


@cache
def unless() -> Mapping[str, Unless]:
    """Return the tokens whose type depends on others."""
    return {
        text: Unless(TokenType(said["type"]), tuple(map(tuple, said["with"])))
        for text, said in hand_written(TOKENS)["unless"].items()
    }


@cache
def gaps() -> Mapping[str, Gap]:
    """Return the gap markers, by part.

    >>> gaps()["sep"]
    Gap(keys=('fim_sep_token_id',), texts=('<|file_sep|>',))
    """
    stated = hand_written(TOKENS)["gaps"].items()
    return {part: Gap(tuple(said["keys"]), tuple(said["texts"])) for part, said in stated}


@cache
def spaces() -> Mapping[str, Spaces]:
    """Return the white space rules, of which the first match applies."""
    return {
        name: Spaces(
            said["key"],
            tuple(said["parts"]),
            said["side"],
            said.get("only", ""),
            tuple(said.get("but", ())),
            said.get("any_case", False),
        )
        for name, said in hand_written(TOKENS)["spaces"].items()
    }
