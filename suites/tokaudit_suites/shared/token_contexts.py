"""Texts around an added token, by class of neighbour, with the expected result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tokaudit_reference.spec import AddedToken

PLAIN = {
    "a letter": "a",
    "a capital": "Z",
    "a digit": "1",
    "punctuation": ".",
    "a quote": '"',
    "a space": " ",
    "a line end": "\n",
}
ODD = {
    "two spaces": "  ",
    "a tab": "\t",
    "a no-break space": "\xa0",
    "an ideographic space": "\u3000",
    "a Chinese character": "中",
    "an accent": "\u0301",
    "a stroke that composes": "\u0338",
    "a zero-width joiner": "\u200d",
    "an emoji of several characters": "\U0001f469\u200d\U0001f4bb",
    "a character of four bytes": "\U00010348",
}
FIRST = (("", ""), ("a", "a"), (". ", " 1"))  # around every token
MOST_WHOLE = 48  # tokens that all contexts are tried with, and
LONGEST = 200  # characters of each


@dataclass(frozen=True, slots=True)
class Context:
    """A text with a token: the text before and after it, and whether that is unusual."""

    token: AddedToken
    before: str
    after: str
    odd: bool = False

    @property
    def text(self) -> str:
        """Return the whole text."""
        return self.before + self.token.content + self.after

    @property
    def times(self) -> int:
        """Count the token in the text."""
        return self.text.count(self.token.content)


def contexts(tokens: Sequence[AddedToken]) -> Iterator[Context]:
    """Yield a few texts for each token, and all neighbours for some tokens of each kind."""
    for token in tokens:
        yield from (Context(token, *around) for around in FIRST if _fair(token, *around))
    chosen = some_of_each_kind(tokens)
    for token, following in zip(chosen, [*chosen[1:], *chosen[:1]], strict=True):
        yield from _on_both_sides(token, token.content, False)
        if not _one_in_the_other(token.content, following.content):
            yield from _on_both_sides(token, following.content, False)
        for kind in (PLAIN, ODD):
            for neighbour in kind.values():
                yield from _on_both_sides(token, neighbour, kind is ODD)


def some_of_each_kind(tokens: Sequence[AddedToken]) -> list[AddedToken]:
    """Return some tokens for every set of flags, evenly spread."""
    kinds: dict[tuple[bool, ...], list[AddedToken]] = {}
    for token in tokens:
        if len(token.content) > LONGEST:
            continue
        flags = (token.special, token.lstrip, token.rstrip, token.single_word, token.normalized)
        kinds.setdefault(flags, []).append(token)
    share = max(1, MOST_WHOLE // max(1, len(kinds)))
    chosen = [each for alike in kinds.values() for each in alike[:: -(-len(alike) // share)]]
    return chosen[:MOST_WHOLE]


def _one_in_the_other(one: str, other: str) -> bool:
    return one in other or other in one


def _on_both_sides(token: AddedToken, neighbour: str, odd: bool) -> Iterator[Context]:
    for before, after in (("", neighbour), (neighbour, "")):
        if _fair(token, before, after):
            yield Context(token, before, after, odd)


def _fair(token: AddedToken, before: str, after: str) -> bool:
    """Return whether the token should be found between these neighbours.

    With single_word no part of a word may touch it, and white space next to a run of white space
    would make a longer run, which is another token.
    """
    touching = before[-1:] + after[:1]
    if token.single_word and any(_of_a_word(one) for one in touching):
        return False
    spaced = touching.isspace() or any(one.isspace() for one in touching)
    return not (spaced and token.content != token.content.strip())


def _of_a_word(character: str) -> bool:
    """Return whether some engine counts the character as part of a word."""
    return character.isalnum() or not character.isascii() or character == "_"


def other_case(token: AddedToken) -> str | None:
    """Return the token in swapped case, if that differs and the token is matched exactly."""
    swapped = token.content.swapcase()
    return swapped if swapped != token.content and not token.normalized else None
