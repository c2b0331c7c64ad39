"""The tokens that llama.cpp knows by their text, whatever a GGUF file says of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from tokaudit.subject.upstream.records import TOKENS, hand_written
from tokaudit_reference.spec import TokenType


@dataclass(frozen=True, slots=True)
class Unless:
    """The type of a token where all of one of several rows of tokens are there too."""

    type: TokenType
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Gap:
    """A marker of a gap: the keys that name it, and the texts it is looked for by without them."""

    keys: tuple[str, ...]
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Spaces:
    """Which tokens take the white space on a side, where a key of the file has one of the parts."""

    key: str
    parts: tuple[str, ...]
    side: str
    only: str  # one token; empty for all
    but: tuple[str, ...]
    any_case: bool

    def holds(self, said: str) -> bool:
        """Return whether what the key says has one of the parts."""
        text = said.lower() if self.any_case else said
        return any(part in text for part in self.parts)

    def takes(self, token: str) -> bool:
        """Return whether a token takes the white space."""
        return token == self.only if self.only else token not in self.but


@cache
def types() -> Mapping[str, TokenType]:
    """The type of each token that has one by its text."""
    return {text: TokenType(type) for text, type in hand_written(TOKENS)["types"].items()}


@cache
def ends() -> frozenset[str]:
    """The tokens that end an answer by their text."""
    return frozenset(text for text, kind in types().items() if kind is TokenType.CONTROL)


@cache
def turn_ends() -> tuple[str, ...]:
    """The tokens that end a turn by their text, where no key names one."""
    return tuple(hand_written(TOKENS)["turn_ends"])


@cache
def unless() -> Mapping[str, Unless]:
    """The tokens of which others decide the type."""
    return {
        text: Unless(TokenType(said["type"]), tuple(map(tuple, said["with"])))
        for text, said in hand_written(TOKENS)["unless"].items()
    }


@cache
def gaps() -> Mapping[str, Gap]:
    """The markers of gaps, by the part that each is for.

    >>> gaps()["sep"]
    Gap(keys=('fim_sep_token_id',), texts=('<|file_sep|>',))
    """
    stated = hand_written(TOKENS)["gaps"].items()
    return {part: Gap(tuple(said["keys"]), tuple(said["texts"])) for part, said in stated}


@cache
def spaces() -> Mapping[str, Spaces]:
    """The rules of white space, of which the first that holds is taken."""
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
