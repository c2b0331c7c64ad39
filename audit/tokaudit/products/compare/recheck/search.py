"""Compare a stored comparison with a new one: outcomes, reasons, texts and notes.

Whoever hides a text under *no difference found*, or rewrites a reason, is found out by the search
itself.  It gives the same rows for the same texts, so it is made with the tier and seed that the
report states.  What it cannot decide is said, row by row, and never counts as checked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tokaudit.engine.facet_names import CORPUS
from tokaudit.products.compare.recheck.claims import Rechecked
from tokaudit.products.compare.recheck.side_names import SideNames
from tokaudit.report.comparison import Comparison, Facet, Outcome

OF_THE_MACHINE = (
    "platform",
    "sandbox",
    "sandbox_lacks",
    "seed",
    "tier",
)  # in addition to versions, in an environment
STOPPED = "until the time was over"


def other_versions(stored: Mapping[str, str], now: Mapping[str, str]) -> str:
    """Name the packages whose version changed; a search may then run other texts.

    >>> other_versions({"python": "3.11", "seed": "1"}, {"python": "3.12", "seed": "0"})
    'python 3.11'
    """
    names = [name for name in stored if name not in OF_THE_MACHINE]
    return ", ".join(f"{name} {stored[name]}" for name in names if stored[name] != now.get(name))


def against_the_search(stored: Comparison, again: Comparison, doubt: str) -> Iterator[Rechecked]:
    """Yield each facet compared with a new search; `doubt` says why that may differ."""
    found = {facet.name: facet for facet in again.facets}
    both = SideNames.of(stored), SideNames.of(again)
    for facet in stored.facets:
        claim = f"{facet.name}, searched again"
        if facet.name not in found:
            if facet.name != CORPUS:
                yield Rechecked(claim, "no comparison has such a facet")
            continue
        objection = _objection(facet, found[facet.name], both)
        if objection and (why := _excuse(facet, found[facet.name], doubt)):
            yield Rechecked(claim, unchecked=f"{why}; {objection}")
        elif objection or facet.certificate is None:  # a proof has a line by itself
            yield Rechecked(claim, objection)
    for name in found.keys() - {facet.name for facet in stored.facets}:
        yield excused(f"{name}, searched again", "the report leaves it out", doubt)
    yield from _as_a_whole(stored, again, doubt)


def _as_a_whole(stored: Comparison, again: Comparison, doubt: str) -> Iterator[Rechecked]:
    counts = [(each.texts, each.different, each.run_by) for each in (stored, again)]
    wrong = "" if counts[0] == counts[1] else f"it would be {again.different:,} of {again.texts:,}"
    yield excused(f"{stored.different:,} of {stored.texts:,} texts differ", wrong, doubt)
    if stored.suitability is not None and again.suitability is not None:
        same = stored.suitability == again.suitability
        wrong = "" if same else f"it would be: {again.suitability.why}"
        yield excused(f"for {stored.suitability.purpose}, and why", wrong, doubt)
    if stored.side_by_side is not None:
        wrong = "" if stored.side_by_side == again.side_by_side else "other figures come out"
        yield excused("costs and entries side by side", wrong, doubt)
    if stored.corpus:
        yield Rechecked("documents of a corpus", unchecked="they are not read again")


def excused(claim: str, wrong: str, doubt: str) -> Rechecked:
    """Refuse a wrong claim, or mark it as unchecked if there is doubt.

    >>> excused("ids", "other ids", "").objection, excused("ids", "", "a doubt").unchecked
    ('other ids', '')
    """
    if wrong and doubt:
        return Rechecked(claim, unchecked=f"{doubt}; {wrong}")
    return Rechecked(claim, wrong)


def _objection(stored: Facet, again: Facet, names: tuple[SideNames, SideNames]) -> str:
    """Explain how the new search differs; "" if it does not."""
    if stored.outcome is not again.outcome:
        text = f", by {_texts(again)}" if again.evidence else ""
        return f"the search gives {again.outcome}{text}"
    if stored.why != again.why:
        return f"the reason would be: {again.why}"
    sides = list(zip((stored, again), names, strict=True))
    shown, labels = zip(*[_shown(facet, own) for facet, own in sides], strict=True)
    if shown[0] != shown[1]:
        return f"the search shows {_texts(again)}, or another note" if again.evidence else "no text"
    if labels[0] != labels[1]:
        return "a text names a side that is not compared"
    places = [
        [(p.component, own.within(p.file), p.pointer, p.value) for p in facet.places]
        for facet, own in sides
    ]
    return "" if _plain(places[0]) == _plain(places[1]) else "the places would be others"


def _excuse(stored: Facet, again: Facet, doubt: str) -> str:
    """Explain why a differing facet may have been true; "" if it cannot.

    A difference that is found now was there before, unless the files or a library have changed.
    """
    if again.outcome is Outcome.DIFFERS and stored.outcome is not Outcome.DIFFERS:
        return ""
    if STOPPED in again.why:
        return "the time was over before all texts were run again"
    return doubt


def _texts(facet: Facet) -> str:
    shown = [each.text if each.kind == "text" else list(each.ids) for each in facet.evidence]
    return ", ".join(map(repr, shown))


def _shown(facet: Facet, names: SideNames) -> tuple[list[Any], list[Any]]:
    """Return a facet's texts and labels, independent of the sides' current names."""
    rows, labels = [], []
    for each in facet.evidence:
        ids = [[token.id for token in row] for row in (each.expected, each.actual)]
        rows.append((each.kind, each.text, each.text_base64, ids, tuple(each.ids), each.note))
        told = (each.expected_label, each.actual_label, *each.facts)
        labels.append([names.side(label) for label in told])
    return rows, labels


def _plain(value: Any) -> Any:
    """Return a value as JSON would restore it."""
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value
