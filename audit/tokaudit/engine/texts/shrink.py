"""Shrink a failing text to a minimal one that fails in the same way.

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
    """Return the text shrunk while `fails` holds, which gets many candidates at once.

    Greedy, after delta debugging (Zeller and Hildebrandt 2002): of the candidates that are a
    little smaller the first that still fails is taken, and then all begins again from it.  It
    ends when no candidate fails, which is what minimal means here, or after MOST_ROUNDS.

    >>> minimise("Hello, big world!", lambda texts: ["o" in t and "!" in t for t in texts])
    'o!'
    """
    # Many failures need one line only, and a line is found in one question.
    text = _first_failing(iter([text, *text.splitlines(keepends=True)[:50]]), fails) or text
    for _ in range(MOST_ROUNDS):
        smaller = _first_failing(_smaller(text), fails)
        if smaller is None:
            return text
        text = smaller
    return text


def _first_failing(candidates: Iterator[str], fails: Predicate, batch: int = 64) -> str | None:
    """Return the shortest, then first, failing candidate of the first batch with one.

    Asking costs a journey to another process, so candidates go in batches; the later, finer ones
    are not even made while an earlier batch has one that fails.
    """
    while True:
        chunk = [text for text, _ in zip(candidates, range(batch), strict=False)]
        if not chunk:
            return None
        failing = [text for text, bad in zip(chunk, fails(chunk), strict=True) if bad]
        if failing:
            return min(failing, key=len)


def _smaller(text: str) -> Iterator[str]:
    """Yield candidates from the coarsest to the finest, so that long texts shrink fast."""
    # Without a half, a quarter, an eighth ... of the text, wherever that part lies.
    size = len(text) // 2
    while size > 1:
        yield from (text[:i] + text[i + size :] for i in range(0, len(text), size))
        size //= 2
    # Without any one character.
    yield from (text[:i] + text[i + 1 :] for i in range(len(text)))
    # As long, but plainer: this ends too, because no character is replaced by a less plain one.
    for i, character in enumerate(text):
        plain = plainest(character)
        if plain != character:
            yield text[:i] + plain + text[i + 1 :]


def plainest(character: str) -> str:
    """Return the plainest character of the same class.

    >>> plainest("\u00df"), plainest("\u00c9"), plainest("7"), plainest("\\t")
    ('a', 'A', '0', '\\n')
    """
    category = unicodedata.category(character)
    return PLAINEST.get(category, PLAINEST[category[0]])
