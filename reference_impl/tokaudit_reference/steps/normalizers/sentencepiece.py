"""SentencePiece's own normalizer: characters map, extra white space, dummy prefix, escape.

Its alignment is SentencePiece's too: every character reaches from where it begins in the original
to where the next one begins, so the pieces of a text tile it, and what is inserted is empty.

Source: `normalizer.cc` in sentencepiece.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tokaudit_reference.steps.normalizers.precompiled import Charsmap, charsmap
from tokaudit_reference.steps.normalizers.step import Rewriting
from tokaudit_reference.steps.normalizers.with_symbols import WithSymbols
from tokaudit_reference.steps.step import Effects
from tokaudit_reference.text.alignment import Edit

SPACE = "\u2581"
LONGEST_KEY = 64  # bytes

Part = tuple[str, int]  # new characters, and where in the text their old ones begin
Begun = tuple[str, int]  # the same for one character


@dataclass(frozen=True, slots=True)
class Settings:
    """The model's settings of normalizing; `whole` finds symbols that are not changed."""

    table: Charsmap | None
    extra: bool  # extra white space is removed
    prefix: bool
    space: str
    suffix: bool  # the dummy prefix comes last
    whole: re.Pattern[str] | None


@dataclass(frozen=True)
class SentencePiece(WithSymbols):
    """The step, with the settings of the model's own `normalizer_spec`."""

    type = "SentencePiece"
    precompiled_charsmap: str = ""
    add_dummy_prefix: bool = True
    remove_extra_whitespaces: bool = True
    escape_whitespaces: bool = True
    treat_whitespace_as_suffix: bool = False
    user_defined_symbols: tuple[str, ...] = ()

    def build(self) -> Rewriting:
        """The normalizer that the settings describe."""
        return normalizing(self.settings())

    def settings(self) -> Settings:
        """The settings, ready for use."""
        return Settings(
            charsmap(self.precompiled_charsmap),
            extra=self.remove_extra_whitespaces,
            prefix=self.add_dummy_prefix,
            space=self.space,
            suffix=self.treat_whitespace_as_suffix,
            whole=alternation(self.user_defined_symbols),
        )

    @property
    def space(self) -> str:
        """Return the character that is written for a space."""
        return SPACE if self.escape_whitespaces else " "

    @property
    def effects(self) -> Effects:
        """State that the step marks beginnings of words, at which the model of words cuts."""
        extra = "removes extra whitespace" if self.remove_extra_whitespaces else ""
        return Effects(
            loses="maps characters to others" if self.precompiled_charsmap else extra,
            mark=self.space,
            charsmap=self.precompiled_charsmap,
            model_cuts_words=True,
        )


def normalizing(settings: Settings) -> Rewriting:
    """The rewriting of a text by some settings."""

    def edits(text: str) -> list[Edit]:
        found, end = normalized(text, settings)
        stops = [begin for _, begin in found[1:]] + [end]
        places = tuple((begin, stop) for (_, begin), stop in zip(found, stops, strict=False))
        return [Edit(0, len(text), "".join([new for new, _ in found]), places)]

    def apply(text: str) -> str:
        if settings.table is None and settings.whole is None:
            return plain(text, settings)
        return "".join([new for new, _ in normalized(text, settings)[0]])

    return Rewriting(apply, edits)


def alternation(symbols: Sequence[str]) -> re.Pattern[str] | None:
    """Return a pattern of the longest of some symbols at a place."""
    longest_first = sorted(filter(None, symbols), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, longest_first))) if longest_first else None


def plain(text: str, settings: Settings) -> str:
    """Normalize the quick way if every character stands for itself."""
    if settings.extra:
        text = " ".join([part for part in text.split(" ") if part])
    if not text:
        return ""
    if settings.prefix and not settings.suffix:
        text = " " + text
    text = text.replace(" ", settings.space)
    if settings.extra:
        text = text.rstrip(settings.space)
    return text + settings.space if settings.prefix and settings.suffix else text


def normalized(text: str, settings: Settings) -> tuple[list[Begun], int]:
    """Return the new characters with the start of each one's part, and the end of the last."""
    parts, at = deque[Part](), 0
    for length, new in matches(text, settings):
        parts.append((new, at))
        at += length
    # Drop the first spaces before the prefix is put there, which stays.
    while settings.extra and parts and parts[0][0] == " ":
        parts.popleft()
    if not parts:
        return [], 0
    space, found = settings.space, list[Begun]()
    if settings.prefix and not settings.suffix:
        found.append((space, parts[0][1]))
    after_space = settings.extra
    for new, begin in parts:
        # Drop spaces after a space across parts: a run may go on in the next part.
        kept = new.lstrip(" ") if after_space else new
        found += [(space if character == " " else character, begin) for character in kept]
        if kept:
            after_space = settings.extra and kept.endswith(" ")
    end = len(text)
    # Drop the last spaces; the text then ends where they began.
    while settings.extra and found and found[-1][0] == space:
        end = found.pop()[1]
    if settings.prefix and settings.suffix:
        found.append((space, end))
    return found, end


def matches(text: str, settings: Settings) -> Iterator[tuple[int, str]]:
    """Yield the normalized parts of a text: the number of characters, and the new ones.

    A symbol of the user stays as it is; else the longest key of the map at the place is replaced.
    """
    at = 0
    while at < len(text):
        whole = settings.whole.match(text, at) if settings.whole else None
        if whole:
            length, new = whole.end() - at, whole.group()
        elif settings.table is None:
            length, new = 1, text[at]
        else:
            length, new = _mapped(text[at : at + LONGEST_KEY], settings.table)
        yield length, new
        at += length


def _mapped(text: str, table: Charsmap) -> tuple[int, str]:
    data = text.encode("utf-8", "replace")
    found = table.prefixes(data[:LONGEST_KEY])
    if not found:
        return 1, "?" if "\ud800" <= text[0] <= "\udfff" else text[0]
    size, place = found[-1]
    return len(data[:size].decode("utf-8", "replace")), table.string(place)
