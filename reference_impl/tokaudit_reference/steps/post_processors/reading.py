"""Reads the options of a post-processor, with `SpecError` for what the library does not load.

Nothing is processed here.
"""

from __future__ import annotations

from typing import Any

from tokaudit_reference.errors import SpecError
from tokaudit_reference.steps.step import Options

POINTER = "/post_processor"
Named = tuple[str, int]  # a token and its id


def wrong(what: str, remedy: str, place: str = "") -> SpecError:
    """The error for an option that cannot be read."""
    return SpecError(what, pointer=POINTER + place, remedy=remedy)


def flag(options: Options, name: str, default: bool = True) -> bool:
    """Read a switch, which is on by default."""
    value = options.get(name, default)
    if not isinstance(value, bool):
        raise wrong(f"is {value!r}", "write true or false", f"/{name}")
    return value


def named(options: Options, role: str) -> Named:
    """BERT's `cls` or `sep`, written as a pair of token and id."""
    pair = options.get(role)
    if pair is None or not is_named(pair):
        raise wrong(f"is {str(pair)[:60]}", "write the token and its id as a pair", f"/{role}")
    return pair[0], pair[1]


def is_named(pair: Any) -> bool:
    """Return whether a value is a pair of token and id."""
    good = isinstance(pair, list | tuple) and len(pair) == 2 and isinstance(pair[0], str)
    return good and is_id(pair[1])


def is_id(value: Any) -> bool:
    """Return whether a value is an id: 32 bits without a sign."""
    return type(value) is int and 0 <= value < 2**32


def names_both(options: Options) -> bool:
    """Return whether BERT's two tokens are there; the library then reads no type."""
    return is_named(options.get("cls")) and is_named(options.get("sep"))


def states_trimming(options: Options) -> bool:
    """Return whether both switches of RoBERTa's post-processor are there."""
    return all(isinstance(options.get(name), bool) for name in ("trim_offsets", "add_prefix_space"))
