"""Result of a training: the model, its merges with counts, and readable entries."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tokaudit_reference.training.tie_breaks import Value

READABLE = "tokenizer.vocab"


@dataclass(frozen=True, slots=True)
class LearnedMerge:
    """A merge, and the frequency of the pair when it was merged."""

    left: Value
    right: Value
    count: int

    @property
    def made(self) -> Value:
        """Return the product."""
        return self.left + self.right  # type: ignore[operator]


@dataclass(frozen=True, slots=True)
class Trained:
    """The model as its object in `tokenizer.json`, its special tokens, and other files."""

    model: Mapping[str, Any]
    special: Mapping[str, int]
    size: int
    more: Mapping[str, str]
    merges: tuple[LearnedMerge, ...] = ()


def merge_lines(merges: Sequence[LearnedMerge]) -> Iterator[str]:
    """Yield a line for each merge, as minbpe prints them while training.

    >>> list(merge_lines([LearnedMerge(b"l", b"o", 7)]))
    ["merge 1/1: 'l' + 'o' -> 'lo', 7 times"]
    """
    for number, each in enumerate(merges, start=1):
        left, right, made = map(quoted, (each.left, each.right, each.made))
        yield f"merge {number}/{len(merges)}: {left} + {right} -> {made}, {each.count} times"


def quoted(part: Value) -> str:
    """Quote a part of a token.

    >>> quoted(b" a"), quoted(bytes([0xE2]))
    ("' a'", "'\\\\\\\\xe2'")
    """
    text = part.decode("utf-8", "backslashreplace") if isinstance(part, bytes) else part
    return repr(text)


def readable(
    values: Sequence[Value], merges: Sequence[LearnedMerge], special: Sequence[str]
) -> dict[str, str]:
    """Format the entries by id, with their parts, in the form of minbpe's `.vocab`.

    >>> readable([b"a", b"b", b"ab"], [LearnedMerge(b"a", b"b", 9)], ["<end>"])["tokenizer.vocab"]
    '[a] 0\\n[b] 1\\n[a][b] -> [ab] 2\\n[<end>] 3\\n'
    """
    makers: dict[Value, LearnedMerge] = {}
    for merge in merges:
        makers.setdefault(merge.made, merge)
    lines = []
    for id, value in enumerate([*values, *special]):
        maker = makers.get(value)
        parts = f"[{_shown(maker.left)}][{_shown(maker.right)}] -> " if maker else ""
        lines.append(f"{parts}[{_shown(value)}] {id}\n")
    return {READABLE: "".join(lines)}


def _shown(value: Value) -> str:
    """Format a token as text, with partial characters as U+FFFD and controls by number."""
    text = value.decode("utf-8", "replace") if isinstance(value, bytes) else value
    return "".join(
        f"\\u{ord(each):04x}" if unicodedata.category(each)[0] == "C" else each for each in text
    )
