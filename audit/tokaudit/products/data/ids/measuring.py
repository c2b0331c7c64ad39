"""Measure one piece of a shard: count everything, and decode sampled documents."""

from __future__ import annotations

from tokaudit.foundation.errors import UnreadableError
from tokaudit.products.data.files import Piece, Shard
from tokaudit.products.data.ids.counts.boundaries import count_boundaries
from tokaudit.products.data.ids.counts.counting import Counter
from tokaudit.products.data.ids.counts.labels import count_columns
from tokaudit.products.data.ids.counts.tally import Tally, merged_copies
from tokaudit.products.data.ids.counts.zeros import count_zeros
from tokaudit.products.data.ids.documents.copies import copies_in
from tokaudit.products.data.ids.documents.drawn import DrawnDocuments
from tokaudit.products.data.ids.isolating import Ranges
from tokaudit.products.data.ids.plan import Plan
from tokaudit.runtimes.protocol import Tokenizer


def measure(
    shard: Shard,
    piece: Piece,
    plan: Plan,
    tokenizer: Tokenizer | None,
    left_out: Ranges = (),
) -> Tally:
    """Count a piece; an unreadable part is a fault, and the rest is measured."""
    counter = Counter(plan.expected, shard.info, plan.histogram)
    drawn = None
    if tokenizer is not None:
        drawn = DrawnDocuments(plan, tokenizer, counter.tally, left_out)
    try:
        for batch in shard.batches(piece, plan.expected.separator):
            documents = counter.take(batch)
            count_boundaries(documents, counter.tally)
            if not plan.histogram:
                continue
            count_columns(documents, counter.tally)
            count_zeros(documents, counter.tally)
            sample = copies_in(documents, plan.draw.share)
            counter.tally.copies = merged_copies(counter.tally.copies, sample)
            if drawn is not None:
                drawn.take(documents)
    except UnreadableError as error:
        why = str(error).removeprefix(f"{shard.info.name}: ")
        fault = ("unreadable", why, shard.info.name, -1)
        counter.tally.add(Tally(faults=(fault,), faulty=1))
    if drawn is not None:
        drawn.finish()
    return counter.done()
