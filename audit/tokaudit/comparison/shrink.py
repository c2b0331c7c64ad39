"""Shrinks a text on which something fails to a minimal one that fails in the same way.

Minimal means: deleting any one character, or replacing it with the plainest of its class, loses
the failure.  It is not a claim that no shorter text exists.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Sequence

Predicate = Callable[[Sequence[str]], Sequence[bool]]
PLAINEST = {"L": "a", "Lu": "A", "N": "0", "Z": " ", "P": ".", "S": "+", "M": "\u0301", "C": "\n"}
MOST_ROUNDS = 400


def minimise(text: str, fails: Predicate) -> str:
    """The text shrunk while `fails` holds; `fails` is asked about many candidates at once.

    >>> minimise("Hello, big world!", lambda texts: ["o" in t and "!" in t for t in texts])
    'o!'
    """
    text = _first_failing(iter([text, *text.splitlines(keepends=True)[:50]]), fails) or text
    for _ in range(MOST_ROUNDS):
        smaller = _first_failing(_smaller(text), fails)
        if smaller is None:
            return text
        text = smaller
    return text


def _first_failing(candidates: Iterator[str], fails: Predicate, batch: int = 64) -> str | None:
    """The shortest, then first, failing candidate of the first batch that has one."""
    while True:
        chunk = [text for text, _ in zip(candidates, range(batch), strict=False)]
        if not chunk:
            return None
        failing = [text for text, bad in zip(chunk, fails(chunk), strict=True) if bad]
        if failing:
            return min(failing, key=len)


def _smaller(text: str) -> Iterator[str]:
    size = len(text) // 2
    while size > 1:
        yield from (text[:i] + text[i + size :] for i in range(0, len(text), size))
        size //= 2
    yield from (text[:i] + text[i + 1 :] for i in range(len(text)))
    for i, character in enumerate(text):
        plain = plainest(character)
        if plain != character:
            yield text[:i] + plain + text[i + 1 :]


def plainest(character: str) -> str:
    """The plainest character of the same class.

    >>> plainest("\u00df"), plainest("\u00c9"), plainest("7"), plainest("\\t")
    ('a', 'A', '0', '\\n')
    """
    category = unicodedata.category(character)
    return PLAINEST.get(category, PLAINEST[category[0]])
