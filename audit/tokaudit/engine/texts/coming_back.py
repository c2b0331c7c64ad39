"""Whether a text comes back from its ids as far as a tokenizer's own declaration promises."""

from __future__ import annotations

from collections.abc import Iterable

from tokaudit_reference.spec import Component, TokenizerSpec

SPACE_OF_SENTENCEPIECE = "\u2581"


class ComingBack:
    """The parts of a text that a normalizer keeps, and the texts that need not come back.

    Added tokens may take the spaces next to them; U+2581 is a space where it is written for one.
    """

    def __init__(self, normalizer: Component, exempt: Iterable[str]) -> None:
        self._kept = [step.effects.keeps for step in normalizer.steps]
        # By first character, because some vocabularies add a thousand tokens, all with one.
        self._by_first: dict[str, list[str]] = {}
        for content in exempt:
            self._by_first.setdefault(content[0], []).append(content)

    def expected(self, text: str) -> str:
        """Return what is to come back for a text."""
        for keeps in self._kept:
            text = keeps(text)
        return text

    def exempts(self, text: str) -> bool:
        """Return whether a text holds what need not come back as it was."""
        found = (self._by_first.get(character, ()) for character in set(text))
        return any(content in text for contents in found for content in contents)

    def lost(self, text: str, came_back: str) -> bool:
        """Return whether more than a first space of a text is other than what is to come back."""
        if came_back == text or same_but_for_first_space(came_back, self.expected(text)):
            return False
        return not self.exempts(text)


def exempt_contents(spec: TokenizerSpec) -> tuple[str, ...]:
    """Return what a text may hold that need not come back as it was."""
    contents = tuple(token.content for token in spec.added_tokens if token.content)
    return contents if spec.byte_level else (*contents, SPACE_OF_SENTENCEPIECE)


def same_but_for_first_space(came_back: str, expected: str) -> bool:
    """Return whether the texts agree, allowing the space that a dummy prefix adds or takes.

    >>> same_but_for_first_space(" a", "a"), same_but_for_first_space("b", "a")
    (True, False)
    """
    return came_back in (expected, expected.removeprefix(" "), " " + expected)
