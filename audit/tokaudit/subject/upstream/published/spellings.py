"""How published tokenizers spell the tokens of roles, and those that end turns and texts."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from tokaudit.subject.upstream.records import SPELLINGS, hand_written


def spelled(role: str) -> tuple[str, ...]:
    """The texts that tokenizers have in a role, the most usual first.

    >>> spelled("unk"), spelled("bos")
    (('<unk>', '[UNK]'), ('<|begin_of_text|>', '<|bos|>', '<s>', '<bos>'))
    """
    return _roles().get(role, ())


@cache
def spelled_alone() -> Mapping[str, tuple[str, ...]]:
    """The texts that tell a role from every other, of those roles that have some.

    >>> spelled_alone()["unk"], "eos" in spelled_alone()
    (('[UNK]',), False)
    """
    stated = hand_written(SPELLINGS)["roles"].items()
    return {role: tuple(said["alone"]) for role, said in stated if "alone" in said}


@cache
def role_by_text() -> Mapping[str, str]:
    """What a token is for, wherever it is published.

    >>> role_by_text()["</s>"], "<|im_end|>" in role_by_text()
    ('eos', False)
    """
    return {text: role for role in spelled_roles() for text in spelled(role)}


def spelled_roles() -> tuple[str, ...]:
    """The roles whose texts are recorded."""
    return tuple(_roles())


@cache
def turn_ends() -> Mapping[str, str]:
    """The tokens that end a turn, each with a family that has it."""
    found: Mapping[str, str] = hand_written(SPELLINGS)["turn_ends"]
    return found


@cache
def _roles() -> Mapping[str, tuple[str, ...]]:
    return {role: tuple(said["texts"]) for role, said in hand_written(SPELLINGS)["roles"].items()}
