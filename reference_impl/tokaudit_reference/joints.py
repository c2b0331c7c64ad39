"""Proves that the ids of two adjoining texts are those of both as one text.

Mostly the places around the joint say so, and what is far from it is never encoded:

* No added token reaches across the joint.  Then the tokens that are found before it are those of
  the first text alone, and those after it those of the second, as the search goes from left to
  right and takes the longest.  Next to an added token the joint is proved by that.
* Else the text between two added tokens holds the joint.  Its normal form has to be that of its two
  parts, one after the other, which is compared.
* A pattern that looks at nothing before a match finds, from the end of a match on, what it finds in
  the rest alone.  So where no match reaches across the joint, and the first part alone has the
  matches that it has here, the pieces after the joint are those of the second text.  What lies
  between two matches is cut by the next pattern, of which the same holds.
* A model encodes each piece by itself.

What does not fit is not known, and the ids have to be compared.  Not covered: llama.cpp's dialect,
steps that act on the beginning of a text, and whatever does not cut by patterns.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from tokaudit_reference.spec import AddedToken, Dialect, TokenizerSpec
from tokaudit_reference.steps.pattern import SplitAt
from tokaudit_reference.text.alignment import Span
from tokaudit_reference.text.patterns import compiled
from tokaudit_reference.text.white_space import WHITE_SPACE
from tokaudit_reference.tokenizer import ReferenceTokenizer

NEAR = 256  # characters before a joint in which an added token is first looked for
ESCAPED = re.compile(r"\\(.)", re.DOTALL)
ABOUT_BEFORE = frozenset("bBAGKmMXyY<>")  # after a backslash
CLASS = re.compile(r"\[[^\[\]]*\]")
APART = ("Isolated", "Removed")  # what becomes of a match has nothing to do with the next


class Joints:
    """Proves joints of texts for one tokenizer.

    >>> from tokaudit_reference.spec import Component, ModelType, Piece, Standing, TokenType
    >>> pieces = {i: Piece(TokenType.ORDINARY, v) for i, v in enumerate(["a", "b", "ab"])}
    >>> none, words = (
    ...     Component(each, Standing.STATED) for each in (None, {"type": "WhitespaceSplit"})
    ... )
    >>> spec = TokenizerSpec(
    ...     ModelType.BPE, pieces, merges=(("a", "b"),), normalizer=none, pre_tokenizer=words
    ... )
    >>> joints = Joints(ReferenceTokenizer(spec))
    >>> joints.hold("ab a", 2), joints.hold("ab a", 1)
    (True, False)
    """

    def __init__(self, tokenizer: ReferenceTokenizer) -> None:
        spec = tokenizer.spec
        read = spec.control_from_text
        tokens = [each for each in spec.added_tokens if each.content and (read or not each.special)]
        self._normalize = tokenizer.pipeline.normalize
        self._patterns = patterns(spec)
        self._covered = self._patterns is not None and _independent(spec, tokens)
        self._raw = _Literals([t for t in tokens if not t.normalized])
        self._normalized = _Literals([t for t in tokens if t.normalized], self._normalize)

    def hold(self, text: str, at: int) -> bool:
        """Return whether the ids of `text[:at]` and `text[at:]` are provably those of `text`."""
        if not 0 < at < len(text):
            return True
        if not self._covered:
            return False
        part = self._raw.between(text, at)
        if not isinstance(part, tuple):
            return part
        before, after = text[part[0] : at], text[at : part[1]]
        normal = self._normalize(before)
        text, at = normal + self._normalize(after), len(normal)
        if text != self._normalize(before + after):
            return False
        if not 0 < at < len(text):
            return True
        part = self._normalized.between(text, at)
        if not isinstance(part, tuple):
            return part
        return self._cut(text[part[0] : part[1]], at - part[0])

    def _cut(self, text: str, at: int) -> bool:
        """Return whether the pre-tokenizer cuts there, with the pieces that each side alone has."""
        for pattern in self._patterns or ():
            start, end = _around(pattern, text, at)
            if at in (start, end):
                return True
            if start < 0:
                return False
            text, at = text[start:end], at - start
        return False


class _Literals:
    """Finds possible added tokens around a place."""

    def __init__(self, tokens: list[AddedToken], content: Callable[[str], str] = str) -> None:
        self._contents = {content(token.content) for token in tokens} - {""}
        self._longest = max(map(len, self._contents), default=0)
        self._shortest = min(map(len, self._contents), default=0)
        self._sizes: dict[str, list[int]] = {}  # by the first characters, the longest first
        for size in sorted(set(map(len, self._contents)), reverse=True):
            for begun in {each[: self._shortest] for each in self._contents if len(each) == size}:
                self._sizes.setdefault(begun, []).append(size)
        firsts = "".join({each[0] for each in self._contents})
        self._first = re.compile(f"[{re.escape(firsts)}]") if firsts else None
        self._takes_space = any(token.lstrip or token.rstrip for token in tokens)

    def between(self, text: str, at: int) -> Span | bool:
        """Return the part around a place between added tokens, or whether a token edge is there.

        False where a token may reach across.
        """
        if self._first is None:
            return 0, len(text)
        if self._takes_space and (text[at - 1] in WHITE_SPACE or text[at] in WHITE_SPACE):
            return False
        if self._reached_into(text, at):
            return False
        if self._end_at(text, at):
            return True
        start = self._end_before(text, at)
        if start == at:
            return True
        end = next(self._found(text, at, len(text)), (len(text), 0))[0]
        if self._takes_space and (text[start] in WHITE_SPACE or text[end - 1] in WHITE_SPACE):
            return False
        return start, end

    def _end_at(self, text: str, start: int) -> int:
        """Return the end of the longest added token that begins at a place; 0 if none does."""
        for size in self._sizes.get(text[start : start + self._shortest], ()):
            if text[start : start + size] in self._contents:
                return start + size
        return 0

    def _found(self, text: str, start: int, end: int) -> Iterator[Span]:
        """The added tokens from a place on, from left to right."""
        assert self._first is not None
        while found := self._first.search(text, start, end):
            place = found.start()
            stop = self._end_at(text, place)
            if stop:
                yield place, stop
            start = stop or place + 1

    def _reached_into(self, text: str, at: int) -> bool:
        """Return whether an added token begins before the place and ends after it."""
        assert self._first is not None
        first = max(0, at - self._longest + 1)
        begin = self._first.finditer(text, first, at)
        return any(self._end_at(text, found.start()) > at for found in begin)

    def _end_before(self, text: str, at: int) -> int:
        """Return the end of the last added token before the place; 0 if there is none.

        A search that begins in the middle finds what one from the beginning finds as soon as it
        meets a token that no other reaches into.
        """
        near = NEAR
        while True:
            first = max(0, at - near)
            found = list(self._found(text, first, at))
            if first == 0 or any(not self._reached_into(text, start) for start, _ in found):
                return found[-1][1] if found else 0
            near *= 8


def _around(pattern: Any, text: str, at: int) -> Span:
    """Return the piece of the text that contains or touches the place, or else (-1, -1).

    Then a match reaches across, or the text before it alone has other matches.
    """
    before: list[Span] = []
    end = len(text)
    for match in pattern.finditer(text):
        span = match.span()
        if span[0] == span[1] or span[0] < at < span[1]:
            return -1, -1
        if span[0] >= at:
            end = span[0]
            break
        before.append(span)
    if [match.span() for match in pattern.finditer(text[:at])] != before:
        return -1, -1
    return before[-1][1] if before else 0, end


def patterns(spec: TokenizerSpec) -> tuple[Any, ...] | None:
    """Return the pre-tokenizer's patterns, each by itself; None where it does anything else."""
    found: list[Any] = []
    steps = spec.pre_tokenizer.steps
    for step in steps:
        splits = step.effects.splits
        if splits is None or (step.effects.writes_bytes and step is not steps[-1]):
            return None
        for split in splits:
            if split.behavior not in APART or not split.pattern.text or _looks_back(split):
                return None
            found.append(_compiled(split))
    return tuple(found)


def _looks_back(split: SplitAt) -> bool:
    """Return whether a match may depend on the text before it, or the pattern is unknown."""
    if not split.pattern.is_regex:
        return False
    text = split.pattern.text
    if not ABOUT_BEFORE.isdisjoint(ESCAPED.findall(text)):
        return True
    text, classes = ESCAPED.sub("", text), 1
    while classes:  # the inner ones first
        text, classes = CLASS.subn("", text)
    return "(?<" in text or "^" in text


def _compiled(split: SplitAt) -> Any:
    if not split.pattern.is_regex:
        return re.compile(re.escape(split.pattern.text))
    return compiled(split.pattern.text, rust=split.rust, python=split.python)


def _independent(spec: TokenizerSpec, tokens: list[AddedToken]) -> bool:
    """Return whether matches at one place are independent of matches at another."""
    steps = (*spec.normalizer.steps, *spec.pre_tokenizer.steps)
    return not (
        spec.dialect is Dialect.LLAMA_CPP
        or spec.dropout
        or any(token.single_word for token in tokens)
        or any(step.effects.asks_for_beginning for step in steps)
    )
