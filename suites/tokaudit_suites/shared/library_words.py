"""Tokens that a library quotes in an error message."""

from __future__ import annotations

import re
from itertools import chain

MOST_READ = 4000  # characters
QUOTED = re.compile(r"(?<!\w)'((?:[^'\\]|\\.){1,80})'(?!\w)|`([^`]{1,80})`")


def tokens_in(words: str) -> tuple[str, ...]:
    """Return the texts that a library quotes, each once and in order.

    >>> tokens_in("Error: Token `<s>` out of vocabulary, it's 'a'")
    ('<s>', 'a')
    """
    found = chain.from_iterable(QUOTED.findall(words[:MOST_READ]))
    return tuple(dict.fromkeys(text for text in found if text))
