"""SentencePiece's own normalizer: characters map, extra white space, dummy prefix, escape.

Its alignment is SentencePiece's too: every character reaches from where it begins in the original
to where the next one begins, so the pieces of a text tile it, and what is inserted is empty.

Source: `normalizer.cc` in sentencepiece.
"""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit_reference.alignment import Edit
from tokaudit_reference.normalizers.precompiled import Charsmap, charsmap
from tokaudit_reference.normalizers.step import Options, Step

SPACE = "\u2581"
LONGEST_KEY = 64  # bytes


def build(options: Options) -> Step:
    """The normalizer that a model's own settings describe."""
    table = charsmap(options.get("precompiled_charsmap"))
    extra = bool(options.get("remove_extra_whitespaces", True))
    prefix = bool(options.get("add_dummy_prefix", True))
    escape = bool(options.get("escape_whitespaces", True))
    suffix = bool(options.get("treat_whitespace_as_suffix", False))

    def apply(text: str) -> str:
        text = longest_matches(text, table) if table else text
        if extra:
            text = " ".join([part for part in text.split(" ") if part])
        if prefix and text:
            text = text + " " if suffix else " " + text
        return text.replace(" ", SPACE) if escape else text

    def edits(text: str) -> list[Edit]:
        found, end = _begins(text, table), len(text)
        if extra:
            found, end = _without_extra_spaces(found, end)
        if prefix and found:
            found = [*found, (" ", end)] if suffix else [(" ", found[0][1]), *found]
        new = "".join([character for character, _ in found])
        stops = [begin for _, begin in found[1:]] + [end]
        places = tuple((begin, stop) for (_, begin), stop in zip(found, stops, strict=False))
        return [Edit(0, len(text), new.replace(" ", SPACE) if escape else new, places)]

    return Step(apply, edits)


def longest_matches(text: str, table: Charsmap) -> str:
    """The text with the longest key at each place replaced, and nothing looked at twice."""
    return "".join([new for _, new in _matches(text, table)])


def _matches(text: str, table: Charsmap) -> Iterator[tuple[int, str]]:
    """What the text becomes, part by part: how many characters of it, and the new ones."""
    data, at = text.encode("utf-8", "replace"), 0
    while at < len(data):
        found = table.prefixes(data[at : at + LONGEST_KEY])
        length = found[-1][0] if found else _width(data[at])
        old = data[at : at + length].decode("utf-8", "replace")
        yield len(old), table.string(found[-1][1]) if found else old
        at += length


def _begins(text: str, table: Charsmap | None) -> list[tuple[str, int]]:
    """Each character of the mapped text, and where in the original its part begins."""
    if table is None:
        return [(character, at) for at, character in enumerate(text)]
    found, at = [], 0
    for length, new in _matches(text, table):
        found += [(character, at) for character in new]
        at += length
    return found


def _without_extra_spaces(
    found: list[tuple[str, int]], end: int
) -> tuple[list[tuple[str, int]], int]:
    """Without leading, repeated and trailing spaces; and where the text then ends."""
    kept: list[tuple[str, int]] = []
    for character, begin in found:
        if character != " " or (kept and kept[-1][0] != " "):
            kept.append((character, begin))
    if kept and kept[-1][0] == " ":
        end = kept.pop()[1]
    return kept, end


def _width(first: int) -> int:
    """The bytes of a UTF-8 character, from its first."""
    return 1 if first < 0x80 else 2 if first < 0xE0 else 3 if first < 0xF0 else 4
