"""Tries the faults of engines in three languages: by the referee, by vectors, by other texts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cache
from random import Random

from tokaudit.engine.resolver import Needs
from tokaudit.engine.samples import Samples
from tokaudit.products.engines.covering.decodes import decodes_of
from tokaudit.products.engines.covering.deviations import deviations
from tokaudit.products.engines.covering.texts import DEVIATIONS, LONGEST, VERSIONS, covering_texts
from tokaudit.products.engines.covering.vectors import MOST_LINES, VectorText, vector_texts
from tokaudit.products.engines.covering.vectors_file import Decode, Line
from tokaudit.products.engines.referee.long_texts import long_texts
from tokaudit.products.engines.referee.match import Match
from tokaudit.products.engines.referee.referee import RuntimeTexts, referee
from tokaudit.products.engines.vectors import lines_of, replayed
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_runtimes.own_engines import SOUND, OwnFault, own_engine, own_faults, own_spec
from tokaudit_runtimes.trials import LLAMA_CPP, Remembering, spec_of
from tokaudit_tools.tables import head, row

COLUMNS = ("runtimes", "vectors", "as many real lines", "46 of llama.cpp")
SEED = 51
OF_A_KIND = 300  # texts for `runtimes`, which asks for more by itself


def found_by(fault: OwnFault, name: str, columns: Sequence[str] = COLUMNS) -> list[int]:
    """Count the causes or lines of each column that differ in an engine with a fault of a name."""
    spec = _spec(fault.language, fault.subject)
    counts = []
    with own_engine(spec, fault, name) as engine:
        for column in columns:
            if column == "runtimes":
                match = Match(spec, _reference(fault.language, fault.subject), engine)
                counts.append(len(referee(match, _asked(fault.language, fault.subject)).broken))
            else:
                lines, decodes = lines_for(fault.language, fault.subject, column)
                counts.append(len(replayed(lines, engine, spec, decodes).failed))
    return counts


def table(languages: Sequence[str]) -> Iterator[str]:
    """A row for each fault, and one for each half."""
    yield head("fault", "language", "half", *COLUMNS)
    shown: dict[str, list[list[bool]]] = {}
    for fault in own_faults():
        if fault.language in languages:
            counts = found_by(fault, fault.name)
            yield row(fault.name, fault.language, fault.half, *counts)
            shown.setdefault(fault.half, []).append([count > 0 for count in counts])
    for half, rows in sorted(shown.items()):
        sums = (sum(column) for column in zip(*rows, strict=True))
        yield row(f"faults shown of {len(rows)}", "", half, *sums)


def sound_of(fault: OwnFault, columns: Sequence[str]) -> list[int]:
    """The same of the engine without any fault, of which nothing differs."""
    return found_by(fault, SOUND, columns)


@cache
def _spec(language: str, subject: str) -> TokenizerSpec:
    return own_spec(spec_of("bytes"), OwnFault(SOUND, language, subject, ""))


@cache
def _reference(language: str, subject: str) -> Remembering:
    return Remembering(_spec(language, subject), "reference")


@cache
def _asked(language: str, subject: str) -> RuntimeTexts:
    spec = _spec(language, subject)
    kinds = {kind: texts[:OF_A_KIND] for kind, texts in covering_texts(spec, 1_000).items()}
    every = [text for each in deviations(spec) for text in each.texts if len(text) <= LONGEST]
    del kinds[VERSIONS]
    return RuntimeTexts({**kinds, DEVIATIONS: every}, long_texts(spec, "quick"))


@cache
def lines_for(language: str, subject: str, column: str) -> tuple[list[Line], list[Decode]]:
    """The lines of a vectors file, real lines drawn with a seed, or llama.cpp's."""
    spec, reference = _spec(language, subject), _reference(language, subject)
    if column == "vectors":
        chosen = [each for each in vector_texts(spec) if each.about != VERSIONS]
        return lines_of(chosen, reference), decodes_of(spec, reference)
    if column == "46 of llama.cpp":
        texts = json.loads(LLAMA_CPP.read_text("utf-8"))
    else:
        samples = Needs.installed().get(Samples).of_kind("language")
        real = [sentence for sample in samples for sentence in sample.sentences]
        texts = Random(SEED).sample(real, MOST_LINES)
    return lines_of([VectorText(column, text) for text in texts], reference), []
