"""Settings files of two sides that differ in keys that no facet covers."""

from __future__ import annotations

from collections.abc import Iterable

from tokaudit.engine.sides.side import Side
from tokaudit.products.compare.settings.files import DifferingFile, differing_files
from tokaudit.products.compare.settings.loaded import agreeing_places
from tokaudit.report.comparison import Facet, Outcome
from tokaudit.report.model import Place


def unspoken_files(
    left: Side, right: Side, facets: Iterable[Facet], also: Iterable[Place] = ()
) -> list[DifferingFile]:
    """Return each settings file that differs in a key outside of facets and `also`."""
    places = [
        place
        for facet in facets
        if facet.outcome is not Outcome.UNKNOWN
        for place in facet.places
        if not place.implied_by  # which is where a class is named, and not what is stated there
    ]
    places += (*agreeing_places(left, right), *also)
    spoken_of = {f"{place.file}#{place.pointer}" for place in places}
    return list(differing_files(left, right, spoken_of))
