"""Full rows, whose text may continue in the next row, and rows padded with ends.

Long texts are cut into rows of one length, and documents are packed into such rows one after the
other.  A row that is as long as the longest need neither begin nor end a document.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokaudit.products.data.files.batch import numpy
from tokaudit.products.data.ids.counts.counting import Documents, edges
from tokaudit.products.data.ids.counts.tally import SHORTEST_ROW, FullRows
from tokaudit.products.data.ids.plan import END, PAD

if TYPE_CHECKING:
    from numpy.typing import NDArray


def full_rows(documents: Documents, first: NDArray[Any], last: NDArray[Any]) -> FullRows:
    """Count full rows, between their first and last id without padding."""
    lengths = last - first + 1
    if not len(lengths) or (longest := int(lengths.max())) <= 0:
        return FullRows()
    full = lengths == longest
    ends = documents.roles(last[full]) & END > 0
    return FullRows(longest, int(full.sum()), int((~ends).sum()))


def going_on(documents: Documents) -> NDArray[Any]:
    """Mark the rows that may begin in mid-text: the one before is full and open."""
    np = numpy()
    found = np.full(len(documents.stops), documents.info.packed)
    lengths = documents.stops - documents.starts
    longest = int(lengths.max(initial=0))
    if documents.info.packed or longest < SHORTEST_ROW or not documents.info.bounded:
        return found  # type: ignore[no-any-return]
    full = np.flatnonzero(lengths == longest)
    if len(full) > 1:
        open_ = full[documents.roles(documents.stops[full] - 1) & (END | PAD) == 0]
        found[open_[open_ + 1 < len(found)] + 1] = True
        found[:1] = documents.batch.first > 0 and len(open_) > 0
    return found  # type: ignore[no-any-return]


def padding(documents: Documents) -> NDArray[Any]:
    """Mark the padding ids: pad-only ids, and ends around a text beyond the first.

    Where a tokenizer pads with its end of text, the end of a row is the first after its text.
    """
    np, flags = numpy(), documents.flags
    ends = flags & END > 0
    found: NDArray[Any] = (flags & PAD > 0) & ~ends
    places = np.flatnonzero(ends)
    own = np.searchsorted(documents.stops, places, "right")
    first, last = edges(documents, found | ends)
    before = np.where(flags[places] & PAD > 0, first[own], first[own] - 1)
    found[places[(places > last[own] + 1) | (places < before)]] = True
    return found
