"""The table of loaders, and the sentence on them at the top of a page."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from tokaudit.plugin import Report
from tokaudit.report.recorded import LoaderRecord, LoaderState
from tokaudit.report.sentences.of_comparison import listed

WORDS = {
    LoaderState.AGREES: "agrees",
    LoaderState.DIFFERS: "ids differ",
    LoaderState.LOADS: "loads it",
    LoaderState.REFUSES: "refuses it",
    LoaderState.UNKNOWN: "not known",
}
WITH_REASON = (LoaderState.REFUSES, LoaderState.UNKNOWN)
MOST_SAID = 2  # loaders whose ids differ that the sentence names


class LoaderRow(NamedTuple):
    """One loader in the table; every cell is a text."""

    loader: str
    part: str
    known_by: str
    state: LoaderState
    result: str
    says: str


def loader_rows(report: Report) -> list[LoaderRow]:
    """A row for each loader of an audit; none in any other report."""
    return [
        LoaderRow(each.name, each.part, each.known_by, each.state, _before_reason(each), each.says)
        for each in report.loaders
    ]


def _before_reason(each: LoaderRecord) -> str:
    return _result(each) + (":" if each.says and each.state in WITH_REASON else "")


def loaders_sentence(report: Report) -> str:
    """Name the loaders that agree and that differ, the worst first; "" if nothing is known.

    >>> from tokaudit_reports.arranged.loaders import _agreement
    >>> _agreement([LoaderRecord("a 1", "run", LoaderState.AGREES, 9, 0, "the reference")])
    'a 1 and the reference agree on all 9 texts'
    """
    states = {state: [each for each in report.loaders if each.state is state] for state in WORDS}
    said: list[str] = []
    if refusing := _once([each.name for each in states[LoaderState.REFUSES]]):
        said.append(f"{listed(refusing)} refuse{'' if refusing[1:] else 's'} it")
    said += [f"{each.name}: {_result(each)}" for each in states[LoaderState.DIFFERS][:MOST_SAID]]
    if agreeing := states[LoaderState.AGREES]:
        said.append(_agreement(agreeing))
    return "; ".join(said)


def loading_sentence(report: Report) -> str:
    """Name the loaders that agree, and those that load it besides, run or emulated."""
    said = [each] if (each := loaders_sentence(report)) else []
    loads = [each for each in report.loaders if each.state is LoaderState.LOADS and not each.texts]
    if loads:
        by, names = _once([each.known_by for each in loads]), _once([each.name for each in loads])
        said.append(f"{_by_package(names)} load{'' if names[1:] else 's'} it ({listed(by)})")
    return "; ".join(said)


def _by_package(names: Iterable[str]) -> str:
    """Return the names, each package once with its versions.

    >>> _by_package(["a 1", "a 2", "the reference"])
    'a 1 and 2 and the reference'
    """
    versions: dict[str, list[str]] = {}
    for name in names:
        package, _, version = name.rpartition(" ")
        numbered = version[:1].isdigit()
        versions.setdefault(package if numbered else name, []).extend([version] * numbered)
    return listed([f"{name} {listed(of)}" if of else name for name, of in versions.items()])


def _agreement(agreeing: list[LoaderRecord]) -> str:
    names = _once([name for each in agreeing for name in (each.name, each.other)])
    return f"{listed(names)} agree on all {min(each.texts for each in agreeing):,} texts"


def _result(each: LoaderRecord) -> str:
    texts = f"{each.texts:,} texts"
    match each.state:
        case LoaderState.AGREES:
            return f"same ids as {each.other} on all {texts}"
        case LoaderState.DIFFERS:
            return f"ids differ from {each.other} on {each.different:,} of {texts}"
        case _:
            return WORDS[each.state] + (f", encoded {texts}" if each.texts else "")


def _once(names: list[str]) -> list[str]:
    return list(dict.fromkeys(names))
