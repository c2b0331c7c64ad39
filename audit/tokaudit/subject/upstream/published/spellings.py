"""The spellings of published tokens: of roles, of turns and of what a model thinks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from tokaudit.subject.upstream.records import SPELLINGS, hand_written

NO_NAME = "(?!)"


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
    """Return the role of each token, wherever it is published.

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
def turn_starts() -> Mapping[str, str]:
    """The tokens that a turn begins with, each with a family that has it."""
    found: Mapping[str, str] = hand_written(SPELLINGS)["turn_starts"]
    return found


def chatml_start() -> str:
    """The token that begins a turn of ChatML, which engines take where there is no template.

    >>> chatml_start()
    '<|im_start|>'
    """
    return next(token for token, family in turn_starts().items() if family == "ChatML")


@cache
def reasoning() -> Mapping[str, str]:
    """The mark before what a model thinks, and the one after it.

    >>> reasoning()["<think>"]
    '</think>'
    """
    found: Mapping[str, str] = hand_written(SPELLINGS)["reasoning"]
    return found


def closes_reasoning() -> str:
    """The most usual mark after what a model thinks.

    >>> closes_reasoning()
    '</think>'
    """
    return next(iter(reasoning().values()))


def opens_reasoning(text: str) -> bool:
    """Return whether a text has the mark before what a model thinks.

    >>> opens_reasoning("<think>So"), opens_reasoning("I think so")
    (True, False)
    """
    return any(mark in text for mark in reasoning())


def ends_inside_reasoning(text: str) -> bool:
    """Return whether a text leaves open what a model thinks.

    >>> ends_inside_reasoning("<|assistant|><think>"), ends_inside_reasoning("<think></think>")
    (True, False)
    """
    return any(text.rfind(opens) > text.rfind(closes) for opens, closes in reasoning().items())


@cache
def tool_marks() -> Mapping[str, tuple[str, ...]]:
    """The marks of calls of tools, and those of their results.

    >>> tool_marks()["results"][:2]
    ('<tool_response>', '</tool_response>')
    """
    return {kind: tuple(hand_written(SPELLINGS)[kind]) for kind in ("calls", "results")}


def is_reserved(name: str) -> bool:
    """True for a token's name that stands for nothing yet: files name such ones at will.

    >>> is_reserved("<|reserved_special_token_7|>"), is_reserved("<|im_end|>")
    (True, False)
    """
    return _reserved().search(name) is not None


@cache
def _reserved() -> re.Pattern[str]:
    return re.compile(hand_written(SPELLINGS)["reserved"].get("names", NO_NAME), re.IGNORECASE)


@cache
def control_tokens_without_list() -> tuple[str, ...]:
    """The control tokens of a tekken file that lists none, in the order of their ids.

    >>> control_tokens_without_list()[:3]
    ('<unk>', '<s>', '</s>')
    """
    [tokens] = hand_written(SPELLINGS)["without_list"].values()
    return tuple(tokens)


@cache
def _roles() -> Mapping[str, tuple[str, ...]]:
    return {role: tuple(said["texts"]) for role, said in hand_written(SPELLINGS)["roles"].items()}
