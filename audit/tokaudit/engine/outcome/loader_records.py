"""Loaders of a subject for the report: run or emulated, and their agreement."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tokaudit.engine.collected import Answered, Collector
from tokaudit.engine.loaded import How, Loaded, LoadedBy
from tokaudit.engine.needs import Reference, UpstreamLoad
from tokaudit.report.model import Measurement
from tokaudit.report.recorded import LoaderRecord, LoaderState
from tokaudit.subject.effective.class_choice import class_choice
from tokaudit.subject.material import Subject

REFERENCE = "the reference"
OF_REFERENCE = "agreement/texts_that_differ"
OF_PAIRS = "loaders/texts"  # its dimension `loaders` names both


def loaders_of(
    answered: Answered,
    subject: Subject,
    load: UpstreamLoad | None,
    reference: Reference | None,
    loaded: Loaded | None,
) -> tuple[LoaderRecord, ...]:
    """Record each loader from the results of checks, without running anything new."""
    figures = [figure for result in answered.results for figure in result.measurements]
    stated = _stated(loaded, subject, figures) if loaded is not None else ()
    return (*_encoders(load, reference, figures), *stated)


LOADERS = Collector("loaders", loaders_of)


def _encoders(
    load: UpstreamLoad | None, reference: Reference | None, figures: Iterable[Measurement]
) -> Iterator[LoaderRecord]:
    """Yield the upstream library and the reference, which every audit runs on equal texts."""
    compared = next((each for each in figures if each.key == OF_REFERENCE), None)
    texts, different = (compared.n, int(compared.value)) if compared else (0, 0)
    if load is not None and load.tokenizer is None:
        yield LoaderRecord(load.adapter, How.RUN, LoaderState.REFUSES, says=load.error)
    elif load is not None and load.tokenizer is not None:
        name = f"{load.tokenizer.info.package} {load.tokenizer.info.version}"
        state = _state(texts, different)
        yield LoaderRecord(name, How.RUN, state, texts, different, REFERENCE if texts else "")
    if reference is not None:
        yield LoaderRecord(REFERENCE, How.RUN, LoaderState.LOADS, texts)


def _stated(
    loaded: Loaded, subject: Subject, figures: Iterable[Measurement]
) -> Iterator[LoaderRecord]:
    """Yield the loaders that a folder is meant for: the user's, or else both versions."""
    pairs = {
        each.dimensions["loaders"].partition(", ")[2]: each
        for each in figures
        if each.key == OF_PAIRS
    }
    for by in loaded.all:
        known = by.how is How.RUN or by.refusals or by.examined
        says = _says(by, subject) if known else "no file names a tokenizer class"
        if (pair := pairs.get(by.loader.name)) is not None:
            texts, different = pair.n, int(pair.value)
            other = pair.dimensions["loaders"].partition(", ")[0]
            state = _state(texts, different)
            yield LoaderRecord(by.loader.name, by.how, state, texts, different, other, says)
        else:
            yield LoaderRecord(by.loader.name, by.how, _state_of(by), says=says)


def _state(texts: int, different: int) -> LoaderState:
    if not texts:
        return LoaderState.LOADS
    return LoaderState.DIFFERS if different else LoaderState.AGREES


def _state_of(by: LoadedBy) -> LoaderState:
    if by.how is How.NOT_RUN:
        return LoaderState.UNKNOWN
    if by.refusals:
        return LoaderState.REFUSES
    return LoaderState.LOADS if by.examined else LoaderState.UNKNOWN


def _says(by: LoadedBy, subject: Subject) -> str:
    """Describe its error, why it was not run, or the class that it uses."""
    if by.refusals:
        return by.refusals[0].says
    if by.how is not How.EMULATED:
        return by.why
    choice = class_choice(subject, by.loader.version)
    return f"as {choice.name}" if choice is not None else ""
