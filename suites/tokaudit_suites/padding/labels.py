"""The rule by which trainers keep padding out of the loss."""

from __future__ import annotations

from collections.abc import Sequence

IGNORED = -100


def labels_by_id(ids: Sequence[int], pad: int) -> tuple[int, ...]:
    """Labels as data collators make them: the ids, ignored wherever the id is the pad id.

    >>> labels_by_id([7, 2, 2], pad=2)
    (7, -100, -100)
    """
    return tuple(IGNORED if id == pad else id for id in ids)


def labels_by_mask(ids: Sequence[int], mask: Sequence[int]) -> tuple[int, ...]:
    """Labels as they should be: ignored only where the attention mask is 0.

    >>> labels_by_mask([7, 2, 2], [1, 1, 0])
    (7, 2, -100)
    """
    return tuple(id if seen else IGNORED for id, seen in zip(ids, mask, strict=True))
