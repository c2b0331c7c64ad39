"""Count beginnings and ends of documents, and their irregularities."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tokaudit.products.data.files.batch import numpy
from tokaudit.products.data.ids.counts.counting import Documents, edges
from tokaudit.products.data.ids.counts.full_rows import full_rows
from tokaudit.products.data.ids.counts.tally import Sign, Tally
from tokaudit.products.data.ids.plan import BEGIN, END, PAD

if TYPE_CHECKING:
    from numpy.typing import NDArray

LOOKED_AT = 3  # ids of each document that are looked at first: the outer ones and one within


def count_boundaries(documents: Documents, tally: Tally) -> None:
    """Count beginnings and ends; rows of one length may cut documents, and have none."""
    batch, expected = documents.batch, documents.expected
    if not len(batch.ids):
        return
    if documents.info.packed:
        _begins_anywhere(documents, tally)
        return
    same = bool({*expected.begin} & {*expected.end})
    first, last = edges(documents, _padding(documents))
    opened, closed = first < len(batch.ids), last >= 0
    opened[:1] &= batch.opens
    closed[-1:] &= batch.closes
    if documents.info.bounded:
        outer = {
            BEGIN: _begins(documents, tally, first[opened]),
            END: _ends(documents, tally, last[closed], first[closed]),
        }
        _left_open(documents, tally, last)
        whole = opened & closed
        tally.full = tally.full.and_also(full_rows(documents, first[whole], last[whole]))
        _inside(documents, tally, (first, last), outer, same=same)
        _without_text(documents, tally, sum(outer.values()))
    elif expected.end:
        _stream(documents, tally)


def _padding(documents: Documents) -> NDArray[Any] | None:
    """Mark the ids that are only padding; None if there are none."""
    if not documents.how_many(PAD):
        return None
    found: NDArray[Any] = (documents.flags & PAD > 0) & (documents.flags & (BEGIN | END) == 0)
    return found


def _begins(documents: Documents, tally: Tally, first: NDArray[Any]) -> int:
    """Count beginnings, and return their number."""
    np = numpy()
    if not documents.expected.begin:  # so that none of them has to be looked at
        tally.note(Sign.BEGINS_WITHOUT, len(first), documents.spots(first))
        return 0
    has = documents.roles(first) & BEGIN > 0
    tally.note(Sign.BEGINS_WITH, int(has.sum()), documents.spots(first[has]))
    tally.note(Sign.BEGINS_WITHOUT, int((~has).sum()), documents.spots(first[~has]))
    some = first[has]
    second = np.minimum(some + 1, len(documents.batch.ids) - 1)
    owners = (np.searchsorted(documents.stops, each, "right") for each in (some, second))
    within = np.equal(*owners) & (second > some)
    twice = some[within & (documents.roles(second) & BEGIN > 0)]
    tally.note(Sign.BEGINS_TWICE, len(twice), documents.spots(twice))
    return len(some)


def _ends(documents: Documents, tally: Tally, last: NDArray[Any], first: NDArray[Any]) -> int:
    """Count ends, and return their number."""
    np = numpy()
    has = documents.roles(last) & END > 0
    ends = int(has.sum())
    tally.note(Sign.ENDS_WITH, ends, documents.spots(last[has]))
    tally.note(Sign.ENDS_WITHOUT, int((~has).sum()), documents.spots(last[~has]))
    if documents.how_many(END) > ends:  # else there is none before another
        before = np.maximum(last - 1, 0)
        twice = has & (last > first) & (documents.roles(before) & END > 0)
        tally.note(Sign.ENDS_TWICE, int(twice.sum()), documents.spots(last[twice]))
    return ends


def _inside(
    documents: Documents,
    tally: Tally,
    edges_of: tuple[NDArray[Any], NDArray[Any]],
    outer: Mapping[int, int],
    *,
    same: bool,
) -> None:
    """Count beginnings and ends that are not among the first or last two ids."""
    np = numpy()
    first, last = edges_of
    for bit, sign in ((BEGIN, Sign.BEGIN_INSIDE), (END, Sign.END_INSIDE)):
        if same and bit == BEGIN:
            continue
        if documents.how_many(bit) == outer[bit]:
            continue
        places = np.flatnonzero((documents.flags & bit) != 0)
        own = np.searchsorted(documents.stops, places, "right")
        inside = places[(places > first[own] + 1) & (places < last[own] - 1)]
        owners = np.unique(np.searchsorted(documents.stops, inside, "right"))
        tally.note(sign, len(owners), documents.spots(inside))
        if bit == BEGIN:
            _unended(documents, tally, inside)


def _without_text(documents: Documents, tally: Tally, outer: int) -> None:
    """Count documents of beginning, ending and padding ids alone."""
    np, around = numpy(), BEGIN | END | PAD
    whole = documents.stops > documents.starts
    if sum(map(documents.how_many, (BEGIN, END, PAD))) == outer:  # so that none is inside
        whole &= documents.stops - documents.starts <= 2
    whole[:1] &= documents.batch.opens
    whole[-1:] &= documents.batch.closes
    starts, stops = documents.starts[whole], documents.stops[whole]
    middle = documents.roles((starts + stops) // 2) & around > 0  # which leaves few of most corpora
    starts, stops = starts[middle], stops[middle]
    alone = documents.roles(starts) & around > 0
    alone &= documents.roles(stops - 1) & around > 0
    for at in np.flatnonzero(alone & (stops - starts > LOOKED_AT)).tolist():
        alone[at] = (documents.flags[starts[at] : stops[at]] & around > 0).all()
    tally.note(Sign.NO_TEXT, int(alone.sum()), documents.spots(starts[alone]))


def _stream(documents: Documents, tally: Tally) -> None:
    """Count ends in ids without stated bounds, and ends right after an end."""
    np = numpy()
    ends = documents.flags & END > 0
    places = np.flatnonzero(ends)
    tally.note(Sign.ENDS_WITH, len(places))
    twice = np.flatnonzero(ends[1:] & ends[:-1]) + 1
    tally.note(Sign.ENDS_TWICE, len(twice), documents.spots(twice))
    _begins_anywhere(documents, tally)
    stop = documents.batch.offset + len(ends)
    if stop == documents.info.ids and not ends[-1]:
        tally.note(Sign.LEFT_OPEN, 1, [documents.spot(len(ends) - 1)])


def _begins_anywhere(documents: Documents, tally: Tally) -> None:
    """Count beginnings after an id of a text, if documents begin anywhere."""
    same = {*documents.expected.begin} & {*documents.expected.end}
    if not same and documents.how_many(BEGIN):
        begins = numpy().flatnonzero(documents.flags & BEGIN)
        outer = documents.starts if documents.info.bounded else documents.starts[:1]
        _unended(documents, tally, begins[~numpy().isin(begins, outer)])


def _unended(documents: Documents, tally: Tally, begins: NDArray[Any]) -> None:
    """Count the beginnings that follow an id of a text."""
    open_ = begins[documents.roles(begins - 1) & (BEGIN | END | PAD) == 0]
    tally.note(Sign.BEGIN_UNENDED, len(open_), documents.spots(open_))


def _left_open(documents: Documents, tally: Tally, last: NDArray[Any]) -> None:
    """Count a shard whose last document has no end."""
    batch, info = documents.batch, documents.info
    is_last = batch.first >= 0 and batch.first + len(last) == info.documents
    if is_last and batch.closes and last[-1] >= 0 and not documents.roles(last[-1:])[0] & END:
        tally.note(Sign.LEFT_OPEN, 1, [documents.spot(int(last[-1]))])
