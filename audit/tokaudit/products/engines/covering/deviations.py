"""Texts about deviations of engines' regexes and string functions."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tokaudit_reference.spec import TokenizerSpec

TABLE = Path(__file__).with_name("deviations.toml")
CUT_AT = (256, 512, 1_024, 4_096)  # bytes, characters or units, in which engines work
LONG_WORD = "internationalisierung"
MOST_ADDED = 24  # added tokens in contexts of their own


@dataclass(frozen=True)
class Deviation:
    """A deviation of engines, and texts that show it.

    Those `at_ends` must begin or end a line.
    """

    about: str
    texts: tuple[str, ...]
    at_ends: bool = False


def deviations(spec: TokenizerSpec) -> Iterator[Deviation]:
    """Yield each deviation with its texts, and those around a spec's added tokens."""
    for row in tomllib.loads(TABLE.read_text("utf-8"))["deviation"]:
        texts = (context.replace("{}", one) for one in row["of"] for context in row["contexts"])
        yield Deviation(row["about"], tuple(dict.fromkeys(texts)), row["at_ends"])
    yield Deviation("long runs", tuple(_long_runs()), at_ends=True)
    if contents := [token.content for token in spec.added_tokens if token.content]:
        yield Deviation("added tokens", tuple(_added(contents[:MOST_ADDED])), at_ends=True)


def _long_runs() -> Iterator[str]:
    """Yield runs past each size limit, and words that a cut there would split."""
    for size in CUT_AT[:3]:
        yield from (one * (size + 3) for one in "a 中")
    yield LONG_WORD * (CUT_AT[0] // 4)
    yield f"{LONG_WORD} " * (CUT_AT[-1] // len(LONG_WORD) + 9)
    yield "1234567" * 80


def _added(contents: list[str]) -> Iterator[str]:
    """Yield each token doubled, inside a word, in another case, and next to a similar one."""
    for one, other in zip(contents, [*contents[1:], contents[0]], strict=True):
        yield f"a{one}{one}b {one.swapcase()} {one.upper()} {one.lower()} {other}{one}{other}"
        yield f"{one}a{other}"
    for one in contents:
        alike = (each for each in contents if each != one and each in one)
        yield from (f"a{one}b{each}c{one}" for each in alike)
