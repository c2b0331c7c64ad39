"""Reads the options of a decoder step; a value of the wrong kind is refused when it is built.

Source: the defaults are those of the constructors in Hugging Face's tokenizers.
"""

from __future__ import annotations

from typing import Any

from tokaudit_reference.errors import Unsupported
from tokaudit_reference.steps.step import Options


def checked(options: Options, key: str, default: Any) -> Any:
    """An option, which must have the type of its default."""
    if isinstance(default, bool):
        return flag(options, key, default)
    return text(options, key, default)


def text(options: Options, key: str, default: str) -> str:
    """Read an option that is a string.

    >>> text({"prefix": "@@"}, "prefix", "##"), text({}, "prefix", "##")
    ('@@', '##')
    """
    value = options.get(key, default)
    if not isinstance(value, str):
        raise _refused(options, key, value, "a string")
    return value


def character(options: Options, key: str, default: str) -> str:
    """Read an option that is a string of one character."""
    value = text(options, key, default)
    if len(value) != 1:
        raise _refused(options, key, value, "one character")
    return value


def count(options: Options, key: str) -> int:
    """Read an option that is a number of times, 0 or more."""
    value = options.get(key, 0)
    if type(value) is not int or value < 0:
        raise _refused(options, key, value, "a count")
    return value


def flag(options: Options, key: str, default: bool = True) -> bool:
    """Read an option that is true or false."""
    value = options.get(key, default)
    if not isinstance(value, bool):
        raise _refused(options, key, value, "true or false")
    return value


def _refused(options: Options, key: str, value: object, expected: str) -> Unsupported:
    step = options.get("type")
    what = f"{step}: {key} is {str(value)[:40]!r}; expected {expected}"
    return Unsupported(what, pointer="/decoder")
