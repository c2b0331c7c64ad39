"""Counts the white space that a token's string begins and ends with.

The string of a token of the model is as its vocabulary writes it, in GPT-2's alphabet if so; of an
added token that was found in the text, as it was found there, with the white space that it took
along.  Which of the two a token is, its content shows: it is in that part of the text or not.
Not known here is what stages wrote into the text: the alphabet of ByteLevel in an unknown of a
Unigram that lacks a byte, and a space that `Prepend` put before a normalized added token.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tokaudit_reference.spec import ModelType, TokenizerSpec
from tokaudit_reference.steps.decoders.tokens import Tokens
from tokaudit_reference.steps.normalizers import normalizer
from tokaudit_reference.text.white_space import WHITE_SPACE

SPACES = WHITE_SPACE + "Ġ"  # the last one is a space in GPT-2's alphabet
GUARD = "0"  # no white space, and normalizers leave it alone


def ends(string: str) -> tuple[int, int]:
    """The white space at both ends of a string.

    >>> ends("ĠĠa\\n"), ends("Ġ"), ends("\\x1ca")
    ((2, 1), (1, 1), (0, 0))
    """
    return len(string) - len(string.lstrip(SPACES)), len(string) - len(string.rstrip(SPACES))


class Ends:
    """The white space at the ends of a spec's tokens."""

    def __init__(self, spec: TokenizerSpec) -> None:
        self._model = Tokens(replace(spec, added_tokens=()), alphabet=True, refuses=False)
        self._unknown = spec.unk_id if spec.model_type is ModelType.UNIGRAM else None
        self._normalize: Callable[[str], str] = str
        self._added: dict[int, list[tuple[str, bool]]] = {}
        self._known: dict[int, tuple[int, int]] = {}
        if any(token.normalized for token in spec.added_tokens):
            self._normalize = normalizer(spec.normalizer)
        for token in spec.added_tokens:
            content = self._normalize(token.content) if token.normalized else token.content
            self._added.setdefault(token.id, []).append((content, token.normalized))

    def of(self, id: int, surface: str) -> tuple[int, int]:
        """Count the white space of a token for a part of the text, which is empty if unknown."""
        if id in self._added:
            return ends(self._found(id, surface))
        if id == self._unknown and surface:
            return ends(surface)
        if id not in self._known:
            self._known[id] = ends("".join(self._model.of([id], False)))
        return self._known[id]

    def _found(self, id: int, surface: str) -> str:
        for content, normalized in self._added[id]:
            readings = [surface]
            if normalized:
                readings = [within(self._normalize, surface), self._normalize(surface)]
            for core in (content, content.strip(WHITE_SPACE)):  # another may have its spaces
                seen = next((reading for reading in readings if core in reading), "")
                if seen:
                    return seen
        own = self._model.of([id], False)
        return own[0] if own else self._added[id][0][0]


def within(normalize: Callable[[str], str], part: str) -> str:
    """Normalize a part of a text as from its inside, where nothing is stripped or prepended.

    >>> within(str.strip, " A ")
    ' A '
    """
    whole = normalize(GUARD + part + GUARD)
    start, end = whole.find(GUARD), whole.rfind(GUARD)
    return whole[start + 1 : end] if start < end else normalize(part)
