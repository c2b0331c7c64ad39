"""Types and limits of a worker's answers, and checks that they fit.

Whoever loads material of a subject may be taken over by it, so nothing of an answer is believed
that the question does not settle: how many things there are, and in which range every number is.

A refusal is part of a report, and two audits of one subject must say the same: what is of one run
only (folders that are gone by then, addresses and numbers of threads) is replaced in its words.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Callable, Collection, Sequence, Sized
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, Generic, TypeVar

import msgspec
from msgspec import Meta, Struct

from tokaudit.foundation.leftovers import temporary_folder
from tokaudit.runtimes.worker.frames import MostValues

if TYPE_CHECKING:
    from tokaudit_reference.trace import TracedSegment

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

LONGEST_WORDS = 4000  # characters of a message; a worker cuts its library's words before
LONGEST_COMMAND = 2_000_000  # characters, which is more than a system starts
MOST_TOKENS = 4_000_000
MOST_PIECES = 64  # of a character of a text: a normalizer makes at most 18 of one
MEGABYTE = 1 << 20
LARGEST = 48 * MEGABYTE  # a frame; small numbers and texts take ten times that in Python
OF_ANSWER = 8  # values of an answer that are not its result, and to spare
SMALLEST_ID, LARGEST_ID = -(2**31), 2**32 - 1  # of the libraries, signed and unsigned

Id = Annotated[int, Meta(ge=SMALLEST_ID, le=LARGEST_ID)]
Place = Annotated[int, Meta(ge=0, le=2**32 - 1)]
Code = Annotated[int, Meta(ge=0, le=0x10FFFF)]
Seconds = Annotated[float, Meta(ge=0, le=1e7)]
Words = Annotated[str, Meta(max_length=LONGEST_WORDS)]
Name = Annotated[str, Meta(max_length=200)]
Digest = tuple[Place, Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]]
FOLDER = "FOLDER"  # one of ours, whose name is another one in each run
FILE = "FOLDER/FILE"  # copies of files are numbered as they are read
OURS = r"(?:\.?tokaudit-(?:[a-z]+-)?(?:[0-9a-f]{8}-\d+\.\d*-)?|subject-)[0-9a-z_]{8}"
INSIDE = r"(?:/(?:subject-|tmp)[0-9a-z_]{8})?"
COPY = r"(?P<copy>/\d+(?=\.))?"
THREAD = re.compile(r"(thread '[^'\n]{0,80}') \(\d{1,10}\)")
ADDRESS = re.compile(r"\b0x[0-9a-f]{8,16}\b")


class PackedBytes(Struct, forbid_unknown_fields=True):
    """Bytes, sent as base64."""

    b64: bytes


Token = str | PackedBytes


class Loaded(Struct, forbid_unknown_fields=True, frozen=True):
    """Identity and capabilities of a loaded tokenizer."""

    adapter: Name
    package: Annotated[str, Meta(max_length=LONGEST_COMMAND)]  # of `cmd:` the whole command
    version: Name
    unicode_version: Name
    notes: Annotated[tuple[Words, ...], Meta(max_length=100)]
    capabilities: Annotated[frozenset[Name], Meta(max_length=100)]


class EncodedText(Struct, forbid_unknown_fields=True, frozen=True):
    """Ids, offsets, the attention mask, type ids and the error of one text."""

    i: tuple[Id, ...]
    o: tuple[tuple[Place, Place], ...] | None = None
    m: tuple[Annotated[int, Meta(ge=0, le=1)], ...] | None = None
    t: tuple[Place, ...] | None = None
    e: Words | None = None

    def fits(self) -> bool:
        """Return whether each list has an entry for each id, and an error comes without ids."""
        if self.o is None and self.m is None and self.t is None:  # nearly always
            return not (self.e and self.i)
        rows = [each for each in (self.o, self.m, self.t) if each is not None]
        return all(len(each) == len(self.i) for each in rows) and not (self.e and self.i)


class Answer(Struct, Generic[T], forbid_unknown_fields=True):
    """A result or an error of the library, with its question's number and its cost."""

    number: int
    seconds: Seconds
    processor: Seconds
    result: T | msgspec.UnsetType = msgspec.UNSET
    error: Words | msgspec.UnsetType = msgspec.UNSET
    lacks: bool = False  # the installed version of the library does not have what was needed


@dataclass(frozen=True)
class Shape(Generic[T_co]):
    """The valid shape of a result: its type, its size limit, and conditions."""

    type: Any
    largest: int
    fits: Callable[[Any], bool] = lambda _: True
    values: int = LARGEST  # how many it may hold, counted before anything is made of them
    objects: int = LARGEST

    @property
    def answer(self) -> Any:
        """Return the type of an answer with such a result."""
        kind: Any = Answer
        return kind[self.type]

    @property
    def most(self) -> MostValues:
        """Return the limit of values and objects in such an answer."""
        return MostValues(self.values + OF_ANSWER, self.objects + 1)


def _each(found: Sized, asked: Sized) -> bool:
    return len(found) == len(asked)


LOADED: Shape[Loaded] = Shape(Loaded, MEGABYTE, values=300, objects=1)
VOCABULARY: Shape[list[tuple[int, Token]]] = Shape(
    Annotated[list[tuple[Id, Token]], Meta(max_length=MOST_TOKENS)],
    LARGEST,
    values=2 * MOST_TOKENS,
    objects=MOST_TOKENS,
)


def encodings(texts: Sequence[str]) -> Shape[list[EncodedText]]:
    """Expect an encoding for each text."""
    return Shape(
        list[EncodedText],
        LARGEST,
        lambda found: _each(found, texts) and all(one.fits() for one in found),
        objects=len(texts),
    )


def outputs(ids: Sequence[Sequence[int]]) -> Shape[list[Token]]:
    """Expect a text, or bytes, for each list of ids."""
    return Shape(
        list[Token],
        LARGEST,
        lambda found: _each(found, ids),
        values=len(ids),
        objects=len(ids),
    )


def code_points(names: Collection[str], characters: str) -> Shape[dict[str, list[int]]]:
    """Expect some of the characters for some of the tables."""
    codes = set(map(ord, characters))
    return Shape(
        dict[str, list[Code]],
        LARGEST,
        lambda found: found.keys() <= set(names) and all(codes.issuperset(found[n]) for n in found),
        values=len(names) * (len(characters) + 1),
        objects=1,
    )


def pre_tokens(texts: Sequence[str]) -> Shape[list[list[str] | None]]:
    """Expect each text's pieces, or None if unknown."""
    return Shape(
        list[list[str] | None],
        LARGEST,
        lambda found: _each(found, texts),
        values=MOST_PIECES * (sum(map(len, texts)) + len(texts)),
        objects=0,
    )


def normal_forms(codes: range) -> Shape[list[tuple[int, str]]]:
    """Expect a text for some of the scalars."""
    return Shape(
        list[tuple[Code, str]],
        LARGEST,
        lambda found: len(found) <= len(codes) and all(code in codes for code, _ in found),
        values=2 * len(codes),
        objects=0,
    )


def digests(texts: Sequence[str]) -> Shape[list[tuple[int, str] | None]]:
    """Expect the number of ids and their digest for each text."""
    most = 2 * len(texts)
    return Shape(list[Digest | None], MEGABYTE, lambda found: _each(found, texts), most, 0)


def round_trips(ids: Sequence[Sequence[int]]) -> Shape[list[tuple[bool, int, int] | None]]:
    """Expect for each list of ids whether it survives, the bytes, and the number of ids."""
    return Shape(
        list[tuple[bool, Place, Place] | None],
        LARGEST,
        lambda found: (
            _each(found, ids)
            and all(
                one is None or not one[0] or one[2] == len(row)
                for one, row in zip(found, ids, strict=True)
            )
        ),
        values=3 * len(ids),
        objects=0,
    )


def differences(asked: Sized) -> Shape[list[int | None]]:
    """Expect the index of each first difference, -1, or None if unknown."""
    place = Annotated[int, Meta(ge=-1, le=2**32 - 1)]
    most = len(asked)
    return Shape(list[place | None], MEGABYTE, lambda found: _each(found, asked), most, 0)


def times(repeats: int) -> Shape[list[float]]:
    """Expect the seconds of each repeat."""
    return Shape(list[Seconds], MEGABYTE, lambda found: len(found) == repeats, repeats, 0)


def stages() -> Shape[list[TracedSegment]]:
    """Expect the stages of one text."""
    from tokaudit_reference.trace import TracedSegment

    return Shape(list[TracedSegment], LARGEST)


def clean(words: str, most: int = LONGEST_WORDS) -> str:
    """Return a worker's message without active characters, and of bounded length.

    What is of one run only, such as the folder of the worker, is replaced.

    >>> clean("no \\x1b[31mfile")
    'no �[31mfile'
    """
    cut = without_private(words[: 2 * most])[:most]
    if cut.isprintable():
        return cut
    return "".join("\N{REPLACEMENT CHARACTER}" if _acts(one) else one for one in cut)


def _acts(character: str) -> bool:
    return character not in "\n\t" and unicodedata.category(character) in ("Cc", "Cf", "Cs")


def without_private(words: str) -> str:
    """Return the message as any other run would have it.

    >>> without_private("thread '<unnamed>' (4711) panicked: <X at 0x7f9c0a1b2c3d>")
    "thread '<unnamed>' panicked: <X at 0x…>"
    """
    if "/" in words:
        words = _folders(temporary_folder()).sub(_named, words)
    return ADDRESS.sub("0x…", THREAD.sub(r"\1", words))


def _named(found: re.Match[str]) -> str:
    return FILE if found["copy"] else FOLDER


@lru_cache(maxsize=4)
def _folders(temporary: str) -> re.Pattern[str]:
    """Return a pattern of our temporary folders, in any spelling."""
    roots = "|".join(sorted({re.escape(temporary), re.escape(os.path.realpath(temporary))}))
    return re.compile(rf"(?:{roots})/{OURS}{INSIDE}{COPY}")
