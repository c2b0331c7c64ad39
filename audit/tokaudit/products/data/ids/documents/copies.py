"""Sample of duplicate documents, drawn by content.

A copy has the key of its original, so both are in the sample or neither is, whatever shard they are
in.  The sample is bounded by its lowest keys: a key that is among the lowest of all is among the
lowest of each piece, so that the counts of those that are left are exact.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from tokaudit.products.data.files.batch import numpy
from tokaudit.products.data.ids.counts.counting import Documents
from tokaudit.products.data.ids.counts.tally import MOST_KEPT, Copies, Place
from tokaudit.products.data.ids.plan import ALL_OF_THEM, mixed

if TYPE_CHECKING:
    from numpy.typing import NDArray

SHORTEST = 32  # ids; shorter texts are often the same by themselves
BITS = 40  # of a key that are those of the digest of all ids


def copies_in(documents: Documents, share: float) -> dict[int, Copies]:
    """Sample a share of a batch's documents that are whole and not short."""
    np, batch = numpy(), documents.batch
    whole = documents.stops - documents.starts >= SHORTEST
    whole[:1] &= batch.opens
    whole[-1:] &= batch.closes
    places = np.flatnonzero(whole)
    if not share or not len(places):
        return {}
    keys = _keys(documents, places)
    drawn = keys <= np.uint64(ALL_OF_THEM if share >= 1 else int(share * ALL_OF_THEM))
    found: dict[int, list[int]] = {}  # key -> the documents of the batch, in their order
    last, wide = 0, np.ascontiguousarray(batch.ids, "<i8").data
    for key, place in sorted(zip(keys[drawn].tolist(), places[drawn].tolist(), strict=True)):
        if len(found) >= MOST_KEPT and key >> BITS > last >> BITS:
            break
        start, stop = documents.starts[place], documents.stops[place]
        found.setdefault(_with_digest(key, wide[start:stop]), []).append(place)
        last = key
    kept = sorted(found)[:MOST_KEPT]
    return {key: _copies(documents, found[key]) for key in kept}


def _copies(documents: Documents, places: list[int]) -> Copies:
    first = sorted({_place(documents, place) for place in places[:2]})
    return Copies(len(places), tuple(first))


def _keys(documents: Documents, places: NDArray[Any]) -> NDArray[Any]:
    """Return a key for each document from its length and four of its ids."""
    starts, stops = documents.starts[places], documents.stops[places]
    length = stops - starts
    keys = mixed(length.astype("u8"))
    for part in range(4):
        at = starts + (length - 1) * part // 3
        keys = mixed(keys ^ documents.batch.ids[at].astype("u8"))
    return keys


def _with_digest(key: int, ids: memoryview) -> int:
    """Replace the lower bits of a key by a digest of the document's ids."""
    digest = hashlib.blake2b(ids, digest_size=BITS // 8).digest()
    return key >> BITS << BITS | int.from_bytes(digest, "big")


def _place(documents: Documents, place: int) -> Place:
    batch, name = documents.batch, documents.info.name
    if batch.first >= 0:
        return name, batch.first + place, 0
    return name, -1, batch.offset + int(documents.starts[place])
