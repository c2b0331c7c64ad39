"""Count ids by rank, in bands of doubling width.

The rank of an id is its place in the vocabulary from 1 on.  Trainers write entries in the order of
merges or of their score, so ids of low rank are the frequent ones in the encoding of any text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokaudit.products.data.files.batch import numpy
from tokaudit.products.data.ids.counts.tally import Tally

if TYPE_CHECKING:
    from numpy.typing import NDArray


def band_of(id: int) -> int:
    """Return the band of an id; band n begins with rank 2 to the n.

    >>> [band_of(id) for id in (0, 1, 2, 3, 6, 7, 1022, 1023)]
    [0, 1, 1, 2, 2, 3, 9, 10]
    """
    return (id + 1).bit_length() - 1


def count_own(parts: list[NDArray[Any]], tally: Tally) -> None:
    """Count the ids of own encodings by band."""
    np = numpy()
    if not parts:
        return
    ranks = np.concatenate(parts).astype("f8") + 1  # whole numbers of any size that is believed
    counted = np.bincount(np.frexp(ranks)[1] - 1)
    for band in np.flatnonzero(counted).tolist():
        tally.own_ranks[band] = tally.own_ranks.get(band, 0) + int(counted[band])
