"""Words and places for positions in id data."""

from __future__ import annotations

from collections.abc import Sequence

from tokaudit.plugin import Evidence, Finding, Place, Severity, view
from tokaudit.products.data.ids.counts.tally import Sign, Spot
from tokaudit.products.data.work.scan import DataScan

LONGEST = 120  # characters of a text in a message


def where(spot: Spot) -> str:
    """Describe shard, document and offset in words.

    >>> where(Spot("a.bin", 17, 5)), where(Spot("b.bin", -1, 1234))
    ('a.bin, document 17, position 5', 'b.bin, position 1,234')
    """
    document = f", document {spot.document:,}" if spot.document >= 0 else ""
    return f"{spot.shard}{document}, position {spot.offset:,}"


def place_of(spot: Spot) -> Place:
    """Return shard, document and offset as a place."""
    document = f"document/{spot.document}/" if spot.document >= 0 else ""
    return Place("data", spot.shard, f"{document}id/{spot.offset}", outside=True)


def shard_place(name: str) -> Place:
    """Return a whole shard as a place."""
    return Place("data", name, outside=True)


def around(scan: DataScan, spot: Spot) -> Evidence:
    """Return the ids around a position, and their text."""
    tokens = view(spot.ids, scan.names)
    note = f"{where(spot)}; ids around it, which decode to {quoted(scan.text(spot.ids))}"
    return Evidence("ids", ids=spot.ids, actual=tokens, actual_label="on disk", note=note)


def quoted(text: str) -> str:
    """Quote a text, shortened if long."""
    return repr(text if len(text) <= LONGEST else text[:LONGEST] + "...")


def sign_finding(
    scan: DataScan,
    sign: Sign,
    severity: Severity,
    what: str,
    *,
    cause: str = "",
    also: Sequence[Sign] = (),
) -> Finding:
    """Build a finding about a sign; `{n}` in `what` becomes the count of its events.

    `also` are signs that say the same.
    """
    event = scan.total.event(sign, *also)
    places = event.spots
    first = f"; the first: {where(places[0])}{_id(places[0])}" if places else ""
    return Finding(
        severity,
        what.format(n=f"{event.count:,}") + first,
        tuple(map(place_of, places)),
        tuple(around(scan, spot) for spot in places[:2]),
        cause=cause or str(sign),
    )


def _id(spot: Spot) -> str:
    return f", where the id is {spot.ids[spot.at]}" if spot.at < len(spot.ids) else ""


def share(count: int, n: int) -> str:
    """Describe a share in words.

    >>> share(3, 1000)
    '3 of 1,000 (0.3 %)'
    """
    return f"{count:,} of {n:,} ({100 * count / max(1, n):.3g} %)"
