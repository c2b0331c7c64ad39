"""Count labels, masks and positions that do not fit the ids next to them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokaudit.products.data.files.batch import numpy
from tokaudit.products.data.ids.counts.counting import Documents, edges
from tokaudit.products.data.ids.counts.full_rows import padding
from tokaudit.products.data.ids.counts.masks import IGNORED, count_masks, places_of_masks
from tokaudit.products.data.ids.counts.tally import Sign, Tally
from tokaudit.products.data.ids.plan import END, PAD

if TYPE_CHECKING:
    from numpy.typing import NDArray


def count_columns(documents: Documents, tally: Tally) -> None:
    """Count labels, attention masks and positions, if they exist."""
    columns = documents.batch.columns
    if not len(documents.batch.ids):
        return
    if columns.labels is not None:
        _labels(documents, tally, columns.labels)
    if columns.mask is not None:
        _mask(documents, tally, columns.mask)
    if columns.positions is not None:
        _positions(documents, tally, columns.positions)


def _labels(documents: Documents, tally: Tally, labels: NDArray[Any]) -> None:
    np, ids = numpy(), documents.batch.ids
    learned = labels != IGNORED
    masks = places_of_masks(documents)
    own = labels == ids
    other = learned & ~own & ~masks
    tally.note(Sign.LABEL_OWN, int((learned & own).sum()))
    count_masks(documents, tally, masks, other)
    nonempty = documents.stops > documents.starts
    starts = documents.starts[nonempty]
    first = np.zeros(len(ids), bool)
    first[starts] = True
    last = np.append(first[1:], True)
    following = np.append(labels[:-1] == ids[1:], False) & ~last
    shifted_at = learned & ~last & following
    wrong, moved, taken = (
        np.add.reduceat(each.astype("i8"), starts) for each in (other, shifted_at, learned)
    )
    inner = np.add.reduceat((learned & ~last).astype("i8"), starts)
    shifted = (wrong > 0) & (moved == inner) & (inner > 0)
    tally.note(Sign.LABELS_SHIFTED, int(shifted.sum()), documents.spots(starts[shifted]))
    owner = np.searchsorted(documents.stops[nonempty], np.flatnonzero(other), "right")
    places = np.flatnonzero(other)[~shifted[owner]]
    tally.note(Sign.LABEL_OTHER, len(places), documents.spots(places))
    judged, text = _judged(documents), ~padding(documents)
    if documents.batch.columns.mask is not None:
        text &= documents.batch.columns.mask != 0
    sizes, whole = (np.add.reduceat(each.astype("i8"), starts) for each in (text, learned & text))
    for sign, where in (
        (Sign.LABELS_NONE, (taken == 0) & judged[starts]),
        (Sign.LABELS_ALL, (taken > 0) & (whole == sizes)),
        (Sign.LABELS_PARTLY, (taken > 0) & (whole < sizes)),
    ):
        tally.note(sign, int(where.sum()), documents.spots(starts[where]))
    _learned(documents, tally, learned, ~text | ~judged)


def _judged(documents: Documents) -> NDArray[Any]:
    """Mark the ids with labels to check, without rows of unequal lengths."""
    judged: NDArray[Any] = numpy().ones(len(documents.batch.ids), bool)
    for each in documents.batch.unlike:
        row = each.document - documents.batch.first
        judged[documents.starts[row] : documents.stops[row]] = False
    return judged


def _learned(
    documents: Documents, tally: Tally, learned: NDArray[Any], around: NDArray[Any]
) -> None:
    """Count ends of documents that are not trained, and padding that is."""
    np, flags = numpy(), documents.flags
    pads = np.flatnonzero((flags & PAD > 0) & (flags & END == 0) & learned)
    tally.note(Sign.PAD_LEARNED, len(pads), documents.spots(pads))
    _, last = edges(documents, around)
    ends = last[last >= 0]
    ends = ends[flags[ends] & END > 0]
    missed = ends[~learned[ends]]
    tally.note(Sign.END_NOT_LEARNED, len(missed), documents.spots(missed))
    tally.note(Sign.END_LEARNED, len(ends) - len(missed))


def _mask(documents: Documents, tally: Tally, mask: NDArray[Any]) -> None:
    np, flags = numpy(), documents.flags
    pad = (flags & PAD > 0) & (flags & END == 0)
    on, off = (
        np.flatnonzero(pad & (mask != 0)),
        np.flatnonzero(~padding(documents) & (flags & PAD == 0) & (mask == 0)),
    )
    tally.note(Sign.MASK_ON_PAD, len(on), documents.spots(on))
    tally.note(Sign.MASK_OFF_TEXT, len(off), documents.spots(off))


def _positions(documents: Documents, tally: Tally, positions: NDArray[Any]) -> None:
    """Count positions that neither increase by one nor restart from 0."""
    np = numpy()
    jumps = np.append(False, (positions[1:] != positions[:-1] + 1) & (positions[1:] != 0))
    starts = documents.starts[documents.stops > documents.starts]
    jumps[starts] = positions[starts] != 0
    jumps &= documents.flags & PAD == 0
    places = np.flatnonzero(jumps)
    tally.note(Sign.POSITION_JUMP, len(places), documents.spots(places))
