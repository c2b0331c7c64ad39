"""Documents of code and of ten languages, which every installation has."""

from __future__ import annotations

import random
import sysconfig
from collections.abc import Iterator
from pathlib import Path

from tokaudit_suites.shared.sample_texts import load

LANGUAGES = ("eng", "deu", "fra", "spa", "rus", "arb", "hin", "cmn", "jpn", "kor")
LENGTH = 400  # characters of a document


def documents(count: int) -> list[str]:
    """Half of them code of Python's library, half sentences of ten languages, always the same."""
    draw = random.Random(0)
    half = count // 2
    code = list(_code())
    return [*draw.sample(code, half), *_sentences(count - half, draw)]


def _code() -> Iterator[str]:
    """The library's own files in parts."""
    for file in sorted(Path(sysconfig.get_path("stdlib")).glob("*.py")):
        text = file.read_text("utf-8", "ignore")
        for start in range(0, len(text), LENGTH):
            if (part := text[start : start + LENGTH]).strip():
                yield part


def _sentences(count: int, draw: random.Random) -> Iterator[str]:
    """Three sentences of one language after another, another three each time."""
    samples = {each.language[:3]: each.sentences for each in reversed(load())}
    for at in range(count):
        yield " ".join(draw.sample(list(samples[LANGUAGES[at % len(LANGUAGES)]]), 3))
