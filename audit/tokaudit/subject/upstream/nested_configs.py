"""Where the config of a model of several parts has the configs of its parts."""

from __future__ import annotations

from functools import cache

from tokaudit.subject.upstream.records import NESTED, hand_written


@cache
def nested_parts() -> tuple[str, ...]:
    """The keys of the parts whose settings are read, in order."""
    return tuple(hand_written(NESTED)["parts"])


@cache
def parts_that_read_text() -> tuple[str, ...]:
    """The keys of the part that reads text.

    >>> "text_config" in parts_that_read_text(), "decoder" in parts_that_read_text()
    (True, False)
    """
    stated = hand_written(NESTED)["parts"].items()
    return tuple(key for key, said in stated if said["reads_text"])
