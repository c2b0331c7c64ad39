"""Count runs of the id 0, as in unwritten parts of a file.

An array is made with zeros before ids are written into it, and rows are often filled up with zeros
whatever the tokenizer pads with.  Only runs are counted: a single 0 may be a token like any other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokaudit.products.data.files.batch import numpy
from tokaudit.products.data.ids.counts.counting import Documents
from tokaudit.products.data.ids.counts.tally import Sign, Tally
from tokaudit.products.data.ids.plan import BEGIN, END, PAD

if TYPE_CHECKING:
    from numpy.typing import NDArray

AT_END = 4  # zeros in a row that fill a document up, or are all of it
INSIDE = 16  # and anywhere else, where sampled ids may repeat a token


def count_zeros(documents: Documents, tally: Tally) -> None:
    """Count runs of zeros and their ids, unless 0 begins, ends or pads texts."""
    np, ids, flags = numpy(), documents.batch.ids, documents.expected.flags
    if flags[0] & (BEGIN | END | PAD) or not len(ids) or not len(documents.stops):
        return
    if documents.counted is not None and documents.counted[0] < AT_END:
        return
    places = np.flatnonzero(ids == 0)
    if not (places[AT_END - 1 :] - places[: 1 - AT_END] == AT_END - 1).any():
        return
    starts, stops = runs(places, documents.stops)
    long = stops - starts >= AT_END
    starts, stops = starts[long], stops[long]
    found = (stops - starts >= INSIDE) | _closes(documents, starts, stops)
    tally.note(Sign.ZEROS, int(found.sum()), documents.spots(starts[found]))
    tally.note(Sign.ZERO_IDS, int((stops - starts)[found].sum()))


def runs(places: NDArray[Any], ends: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the starts and stops of runs, which end with their document.

    >>> import numpy
    >>> [each.tolist() for each in runs(numpy.array([2, 3, 4, 9]), numpy.array([4, 10]))]
    [[2, 4, 9], [4, 5, 10]]
    """
    np = numpy()
    own = np.searchsorted(ends, places, "right")
    new = np.append(True, (np.diff(places) != 1) | (np.diff(own) != 0))
    last = np.append(np.flatnonzero(new)[1:], len(places)) - 1
    return places[new], places[last] + 1


def _closes(documents: Documents, starts: NDArray[Any], stops: NDArray[Any]) -> NDArray[Any]:
    """Mark the runs at the end of their document, ignoring an ending id."""
    np = numpy()
    own = np.searchsorted(documents.stops, starts, "right")
    ends = documents.stops[own]
    before_end = (stops == ends - 1) & (documents.roles(ends - 1) & END > 0)
    found = (stops == ends) | before_end
    if not documents.batch.closes:
        found &= own < len(documents.stops) - 1
    return found  # type: ignore[no-any-return]
