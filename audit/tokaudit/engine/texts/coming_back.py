"""Round trip of a text, as far as the tokenizer's own declaration promises it."""

from __future__ import annotations

from collections.abc import Iterable

from tokaudit_reference.spec import Component, TokenizerSpec

SPACE_OF_SENTENCEPIECE = "\u2581"


class ComingBack:
    """Parts of a text that a normalizer keeps, and texts that need not survive.

    Added tokens may take the spaces next to them; U+2581 is a space where it is written for one.
    """

    def __init__(self, normalizer: Component, exempt: Iterable[str]) -> None:
        self._kept = [step.effects.keeps for step in normalizer.steps]
        # By first character, because some vocabularies add a thousand tokens, all with one.
        self._by_first: dict[str, list[str]] = {}
        for content in exempt:
            self._by_first.setdefault(content[0], []).append(content)

    def expected(self, text: str) -> str:
        """Return the expected output for a text."""
        for keeps in self._kept:
            text = keeps(text)
        return text

    def exempts(self, text: str) -> bool:
        """Return whether a text contains a part that need not survive unchanged."""
        found = (self._by_first.get(character, ()) for character in set(text))
        return any(content in text for contents in found for content in contents)

    def lost(self, text: str, came_back: str) -> bool:
        """Return whether the output differs from the expected one by more than a first space."""
        if came_back == text or same_but_for_first_space(came_back, self.expected(text)):
            return False
        return not self.exempts(text)


def exempt_contents(spec: TokenizerSpec) -> tuple[str, ...]:
    """Return the contents that need not survive unchanged in a text."""
    contents = tuple(token.content for token in spec.added_tokens if token.content)
    return contents if spec.byte_level else (*contents, SPACE_OF_SENTENCEPIECE)


def same_but_for_first_space(came_back: str, expected: str) -> bool:
    """Return whether texts agree, apart from the space that a dummy prefix adds or removes.

    >>> same_but_for_first_space(" a", "a"), same_but_for_first_space("b", "a")
    (True, False)
    """
    return came_back in (expected, expected.removeprefix(" "), " " + expected)
