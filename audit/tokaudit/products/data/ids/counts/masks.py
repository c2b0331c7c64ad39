"""Labels of masked language models, where most labelled ids are the mask token.

Of the ids that have a label most are the mask token, some are a random id and some are left as
they were (80, 10 and 10 % in BERT); all other labels are -100.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tokaudit.products.data.files.batch import numpy
from tokaudit.products.data.ids.counts.counting import Documents
from tokaudit.products.data.ids.counts.tally import Sign, Tally

if TYPE_CHECKING:
    from numpy.typing import NDArray

IGNORED = -100  # the label that no loss is taken of
MOST_BY_CHANCE = 16  # random ids of a row in which masks are less than half as many


def are_masked(masks: int, others: int, kept: int, ids: int) -> bool:
    """Return whether the labels are masked, by counts of masks and other labels.

    >>> are_masked(80, 10, 10, ids=700), are_masked(10, 80, 10, ids=700)
    (True, False)
    """
    labels = masks + others + kept
    return 0 < labels <= 2 * masks and 2 * others <= masks and 2 * labels <= ids


def places_of_masks(documents: Documents) -> NDArray[Any]:
    """Mark the ids that are the mask token with another id as label."""
    np, ids, labels = numpy(), documents.batch.ids, documents.batch.columns.labels
    found: NDArray[Any] = np.zeros(len(ids), bool)
    for mask in documents.expected.mask:
        found |= ids == mask
    if labels is not None and found.any():
        found &= (labels != IGNORED) & (labels != ids)
    return found


def count_masks(
    documents: Documents, tally: Tally, masks: NDArray[Any], others: NDArray[Any]
) -> None:
    """Count masked labels, and rows with too many other labels to be random."""
    np, places = numpy(), numpy().flatnonzero(masks)
    if not len(places):
        return
    tally.note(Sign.LABEL_OF_MASK, len(places), documents.spots(places))
    starts = documents.starts[documents.stops > documents.starts]
    wrong, masked = (np.add.reduceat(each.astype("i8"), starts) for each in (others, masks))
    astray = starts[(wrong >= MOST_BY_CHANCE) & (wrong > 2 * masked)]
    tally.note(Sign.LABELS_ASTRAY, len(astray), documents.spots(astray))


def unmasked(documents: Documents) -> Documents:
    """Return the documents with masked ids replaced by their labels."""
    np, batch = numpy(), documents.batch
    labels = batch.columns.labels
    if labels is None or not documents.expected.mask:
        return documents
    masks = int(places_of_masks(documents).sum())
    learned = labels != IGNORED
    kept = int((learned & (labels == batch.ids)).sum())
    if not are_masked(masks, int(learned.sum()) - masks - kept, kept, len(batch.ids)):
        return documents
    whole = replace(batch, ids=np.where(learned, labels, batch.ids))
    return Documents(whole, documents.expected, documents.info)
