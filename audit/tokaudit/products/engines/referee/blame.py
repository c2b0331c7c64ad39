"""Find the cause of a differing text, by the reference's stages and the runtime's answers.

What holds of all text decides: the pieces that the reference cuts are given to the runtime alone,
and so are other texts with the same kinds of characters.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import accumulate

from tokaudit.engine.vocabularies.piece_texts import own_texts
from tokaudit.products.engines.covering.characters import LETTERS_OF_VERSIONS, OLD_LETTER
from tokaudit.products.engines.referee.causes import Cause
from tokaudit.products.engines.referee.match import Match
from tokaudit.runtimes.protocol import DecodeOptions
from tokaudit_reference.spec import TokenType
from tokaudit_reference.trace import TracedSegment

NEW_LETTERS = frozenset(LETTERS_OF_VERSIONS.values())
ALIKE = 12  # entries that are asked to tell a rule from one merge
LEAST_ALIKE = 3
SPACE = "▁"  # of a vocabulary, for a space of a text
SPACES = f" {SPACE}".encode()
CONTROL = (TokenType.CONTROL, TokenType.UNUSED)


class Blame:
    """Assigns causes to differing texts, one at a time."""

    def __init__(self, match: Match) -> None:
        self._match, spec = match, match.spec
        self._added = {token.id: token.content for token in spec.added_tokens}
        self._marks = {
            *(token.id for token in spec.added_tokens if token.special),
            *(id for id, piece in spec.each_entry() if piece.token_type in CONTROL),
        } - {spec.unk_id}
        pad = (spec.padding.options or {}).get("pad_id")
        self._padding = frozenset([pad] if isinstance(pad, int) else [])
        self._fallback = {
            *(id for id, piece in spec.each_entry() if piece.token_type is TokenType.BYTE),
            *([] if spec.unk_id is None else [spec.unk_id]),
        }

    def of(self, text: str) -> Cause:
        """Return the cause that a text shows."""
        match = self._match
        if self._is_of_new_letters(text):
            return Cause.UNICODE
        expected, got = match.expected(text), match.got(text)
        segments = match.reference.trace(text, parse_special=match.parses)
        if self._only_marks_added(text, expected, got):
            padded = _trimmed(got, self._padding) == _trimmed(expected, self._padding)
            return Cause.PADDING if padded else Cause.POST_PROCESSOR
        if self._is_of_added(text, segments, expected, got):
            return Cause.ADDED
        plain = [each for each in segments if each.added_id is None]
        differing = [each for each in plain if match.differ([each.text])[0]]
        segment = differing[0] if differing else None
        if segment is None:  # only together do the parts differ
            return Cause.ADDED if self._added_in(segments) else self._of_plain(text, plain)
        return self._of_plain(segment.text, [segment] if segment.text == text else None)

    def _is_of_new_letters(self, text: str) -> bool:
        """Return whether a letter new in Unicode causes the difference, and an old one does not."""
        new = [each for each in text if each in NEW_LETTERS]
        if not new:
            return False
        old = "".join(OLD_LETTER if each in NEW_LETTERS else each for each in text)
        return self._match.agree([old])

    def _only_marks_added(self, text: str, one: Sequence[int], other: Sequence[int]) -> bool:
        """Return whether one side only adds marks at either end that the text lacks."""
        present = [id for id in self._marks if self._added.get(id) and self._added[id] in text]
        marks = self._marks.difference(present)
        return one != other and _trimmed(one, marks) == _trimmed(other, marks)

    def _added_in(self, segments: Sequence[TracedSegment]) -> bool:
        return any(each.added_id is not None for each in segments)

    def _is_of_added(
        self,
        text: str,
        segments: Sequence[TracedSegment],
        one: Sequence[int],
        other: Sequence[int],
    ) -> bool:
        """Return whether added tokens are matched elsewhere, or trimmed differently."""
        count = [sum(id in self._added for id in row) for row in (one, other)]
        folded = text.casefold()
        named = any(content.casefold() in folded for content in self._added.values() if content)
        if not named:
            return False
        parts = [each.text for each in segments if each.added_id is None]
        if parts == [text]:
            return count[0] != count[1]
        return count[0] != count[1] or self._match.agree(parts)

    def _of_plain(self, text: str, segments: Sequence[TracedSegment] | None) -> Cause:
        """Return the cause in a text without added tokens."""
        match = self._match
        if segments is None:
            segments = match.reference.trace(text, parse_special=match.parses)
        expected, got = match.expected(text), match.got(text)
        normalized = "".join(each.normalized for each in segments)
        if normalized != text and match.agree([normalized]):
            return Cause.NORMALIZER
        pieces = [piece for each in segments for piece in each.pieces]
        parts = [text[slice(*piece.offsets)] for piece in pieces]
        if len(parts) > 1 and match.agree(part for part in parts if part):
            return Cause.SPLIT
        if self._keeps_what_is_in_no_piece(normalized, "".join(parts)):
            return Cause.SPLIT
        same = match.joined(expected) == match.joined(got)
        if same:
            ends = [len(match.joined(t.id for t in piece.tokens)) for piece in pieces]
            return self._cut_or_merged(text, expected, got, set(accumulate(ends)))
        return self._other_bytes(normalized == text, expected, got)

    def _keeps_what_is_in_no_piece(self, normalized: str, inside: str) -> bool:
        """Return whether the file drops a part in splitting, and only the runtime keeps it."""
        return len(inside) < len(normalized) and self._match.agree([inside])

    def _other_bytes(self, as_it_was: bool, expected: Sequence[int], got: Sequence[int]) -> Cause:
        """Return the cause if spelled bytes differ, by whether the steps keep the text."""
        ours, theirs = ([id for id in row if id in self._fallback] for row in (expected, got))
        if ours != theirs and ((ours and theirs) or not self._changes_text()):
            return Cause.BYTE_FALLBACK
        if self._is_lost(expected, got):
            return Cause.SPLIT  # a part of the text is in no piece
        if as_it_was and not self._is_of_another_text(got):
            return Cause.MERGES
        return Cause.NORMALIZER

    def _is_of_another_text(self, got: Sequence[int]) -> bool:
        """Return whether the runtime's tokens encode another text, which it has changed."""
        [found] = self._match.reference.decode([got], DecodeOptions())
        text = found if isinstance(found, str) else found.decode("utf-8", "replace")
        return self._match.expected(text) == tuple(got)

    def _is_lost(self, expected: Sequence[int], got: Sequence[int]) -> bool:
        """Return whether the end of the text is in no token, though no step drops text."""
        whole, found = self._match.joined(expected), self._match.joined(got)
        steps = self._match.spec.normalizer.steps
        rest = whole.removeprefix(found).strip(SPACES)
        lost = found and whole.startswith(found) and rest
        return bool(lost) and not any(step.effects.loses for step in steps)

    def _changes_text(self) -> bool:
        return bool(self._match.spec.normalizer.steps)

    def _cut_or_merged(
        self, text: str, expected: Sequence[int], got: Sequence[int], cuts: set[int]
    ) -> Cause:
        """Return the cause of equal bytes in other tokens: other splits, or other merges."""
        match = self._match
        ours, theirs = (_ends([match.values.get(id, b"") for id in row]) for row in (expected, got))
        if cuts - theirs:
            return Cause.SPLIT
        data = match.joined(expected)
        for end in sorted(theirs - ours):
            around = _around(data, end)
            if around and self._is_a_rule(*around):
                return Cause.SPLIT
        return Cause.MERGES

    def _is_a_rule(self, before: str, after: str) -> bool:
        """Return whether the runtime splits most entries of two such characters, as a rule."""
        kinds = unicodedata.category(before), unicodedata.category(after)
        alike = self._entries_by_kinds.get(kinds, [])
        if len(alike) < LEAST_ALIKE:
            return kinds[0][0] != kinds[1][0]
        return sum(self._match.differ(alike)) * 2 >= len(alike)

    @cached_property
    def _entries_by_kinds(self) -> Mapping[tuple[str, str], list[str]]:
        """Return entries of two characters by the categories of both, some of each."""
        found: dict[tuple[str, str], list[str]] = defaultdict(list)
        for text in own_texts(self._match.spec):
            if len(text) == 2:
                alike = found[unicodedata.category(text[0]), unicodedata.category(text[1])]
                alike += [text] * (len(alike) < ALIKE)
        return found


def _trimmed(ids: Sequence[int], marks: set[int] | frozenset[int]) -> tuple[int, ...]:
    """Remove marks at either end of ids.

    >>> _trimmed([1, 5, 1, 6, 2], {1, 2})
    (5, 1, 6)
    """
    start, end = 0, len(ids)
    while start < end and ids[start] in marks:
        start += 1
    while start < end and ids[end - 1] in marks:
        end -= 1
    return tuple(ids[start:end])


def _ends(values: Sequence[bytes]) -> set[int]:
    return set(accumulate(map(len, values)))


def _around(data: bytes, end: int) -> tuple[str, str] | None:
    """Return the characters around a byte offset; None if it is inside of one.

    >>> _around("▁a".encode(), 3)
    (' ', 'a')
    """
    try:
        before, after = data[:end].decode(), data[end:].decode()
    except UnicodeDecodeError:
        return None
    as_in_texts = (each.replace(SPACE, " ") for each in (before[-1:], after[:1]))
    one, other = as_in_texts
    return (one, other) if one and other else None
