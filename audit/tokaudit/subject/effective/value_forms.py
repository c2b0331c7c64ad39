"""Classify JSON values by form, as loaders do: null, a text, a list of texts.

What a loader does with a key depends on the form of its value far more often than on the value, so
the records of refusals are by form, and one drawn value stands for all of its form.
"""

from __future__ import annotations

from typing import Any

NULL, TRUE, FALSE, ZERO, WHOLE, FRACTION = "null", "true", "false", "zero", "whole", "fraction"
EMPTY_TEXT, TEXT, TOKEN, ENTRY = "empty text", "text", "token", "entry"
MARK, ADDED, CONTENT = "__type", "AddedToken", "content"


def forms_of(value: Any) -> frozenset[str]:
    """Return the forms of a value: one, or one for each kind of member.

    A token is an object that says it is one; an entry is such an object without that mark, as
    `added_tokens_decoder` has them.

    >>> sorted(forms_of(["<a>", None])), sorted(forms_of({"5": {"content": "<a>"}}))
    (['[null]', '[text]'], ['{id: entry}'])
    """
    if isinstance(value, list):
        return frozenset(f"[{_inner(each)}]" for each in value) or frozenset(("[]",))
    if isinstance(value, dict) and not _is_token(value):
        members = frozenset(
            f"{{{'id: ' if key.isdecimal() else ''}{_inner(each)}}}" for key, each in value.items()
        )
        return members or frozenset(("{}",))
    return frozenset((_of_one(value),))


def _inner(value: Any) -> str:
    """Return the form of a member, without distinguishing plain and nested values."""
    if isinstance(value, list):
        return "list"
    if isinstance(value, dict):
        return _of_one(value) if _is_token(value) else "object"
    form = _of_one(value)
    return {ZERO: "number", WHOLE: "number", FRACTION: "number", EMPTY_TEXT: TEXT}.get(form, form)


def _is_token(value: dict[str, Any]) -> bool:
    return value.get(MARK) == ADDED or isinstance(value.get(CONTENT), str)


def _of_one(value: Any) -> str:
    match value:
        case None:
            return NULL
        case bool():
            return TRUE if value else FALSE
        case int() | float():
            if not value:
                return ZERO
            return WHOLE if isinstance(value, int) else FRACTION
        case str():
            return TEXT if value else EMPTY_TEXT
        case _:
            return TOKEN if value.get(MARK) == ADDED else ENTRY
