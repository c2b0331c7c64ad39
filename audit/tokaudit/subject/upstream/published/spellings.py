"""Spellings of published tokens: of roles, of turns and of reasoning."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from tokaudit.subject.upstream.records import SPELLINGS, hand_written

NO_NAME = "(?!)"


def spelled(role: str) -> tuple[str, ...]:
    """Return the texts that tokenizers use in a role, the most usual first.

    >>> spelled("unk"), spelled("bos")
    (('<unk>', '[UNK]'), ('<|begin_of_text|>', '<|bos|>', '<s>', '<bos>'))
    """
    return _roles().get(role, ())


@cache
def spelled_alone() -> Mapping[str, tuple[str, ...]]:
    """Return the texts that identify a role, for roles that have some.

    >>> spelled_alone()["unk"], "eos" in spelled_alone()
    (('[UNK]',), False)
    """
    stated = hand_written(SPELLINGS)["roles"].items()
    return {role: tuple(said["alone"]) for role, said in stated if "alone" in said}


@cache
def role_by_text() -> Mapping[str, str]:
    """Map published tokens to their roles.

    >>> role_by_text()["</s>"], "<|im_end|>" in role_by_text()
    ('eos', False)
    """
    return {text: role for role in spelled_roles() for text in spelled(role)}


def spelled_roles() -> tuple[str, ...]:
    """Return the roles with recorded texts."""
    return tuple(_roles())


@cache
def turn_ends() -> Mapping[str, str]:
    """Map tokens that end a turn to a family that uses them."""
    found: Mapping[str, str] = hand_written(SPELLINGS)["turn_ends"]
    return found


@cache
def turn_starts() -> Mapping[str, str]:
    """Map tokens that start a turn to a family that uses them."""
    found: Mapping[str, str] = hand_written(SPELLINGS)["turn_starts"]
    return found


@cache
def read_after_decoding() -> Mapping[str, str]:
    """Map marks to the parsers that look for them in text without special tokens."""
    found: Mapping[str, str] = hand_written(SPELLINGS)["read_after_decoding"]
    return found


@cache
def begun_with() -> Mapping[str, str]:
    """Map starts of turns to the BOS that all chats of their families begin with."""
    found: Mapping[str, str] = hand_written(SPELLINGS)["begun_with"]
    return found


def chatml_start() -> str:
    """Return the start of a ChatML turn, which engines use without a template.

    >>> chatml_start()
    '<|im_start|>'
    """
    return next(token for token, family in turn_starts().items() if family == "ChatML")


@cache
def reasoning() -> Mapping[str, str]:
    """Map marks that open reasoning to marks that close it.

    >>> reasoning()["<think>"]
    '</think>'
    """
    found: Mapping[str, str] = hand_written(SPELLINGS)["reasoning"]
    return found


def closes_reasoning() -> str:
    """Return the most usual mark that closes reasoning.

    >>> closes_reasoning()
    '</think>'
    """
    return next(iter(reasoning().values()))


def opens_reasoning(text: str) -> bool:
    """Return whether a text has a mark that opens reasoning.

    >>> opens_reasoning("<think>So"), opens_reasoning("I think so")
    (True, False)
    """
    return any(mark in text for mark in reasoning())


def ends_inside_reasoning(text: str) -> bool:
    """Return whether a text ends inside reasoning.

    >>> ends_inside_reasoning("<|assistant|><think>"), ends_inside_reasoning("<think></think>")
    (True, False)
    """
    return any(text.rfind(opens) > text.rfind(closes) for opens, closes in reasoning().items())


@cache
def tool_marks() -> Mapping[str, tuple[str, ...]]:
    """Return the marks of tool calls, and those of results.

    >>> tool_marks()["results"][:2]
    ('<tool_response>', '</tool_response>')
    """
    return {kind: tuple(hand_written(SPELLINGS)[kind]) for kind in ("calls", "results")}


def is_reserved(name: str) -> bool:
    """Return whether a token's name is a placeholder.

    >>> is_reserved("<|reserved_special_token_7|>"), is_reserved("<|im_end|>")
    (True, False)
    """
    return _reserved().search(name) is not None


@cache
def _reserved() -> re.Pattern[str]:
    return re.compile(hand_written(SPELLINGS)["reserved"].get("names", NO_NAME), re.IGNORECASE)


@cache
def control_tokens_without_list() -> tuple[str, ...]:
    """Return the control tokens of a tekken file without a list, in the order of ids.

    >>> control_tokens_without_list()[:3]
    ('<unk>', '<s>', '</s>')
    """
    [tokens] = hand_written(SPELLINGS)["without_list"].values()
    return tuple(tokens)


@cache
def _roles() -> Mapping[str, tuple[str, ...]]:
    return {role: tuple(said["texts"]) for role, said in hand_written(SPELLINGS)["roles"].items()}
