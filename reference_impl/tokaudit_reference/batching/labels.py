"""Labels for training on some roles of a conversation: the ids there, -100 everywhere else.

Takes the rendered text's ids with their offsets, and which role wrote which interval of it.  It
renders no template, shifts nothing (the usual losses shift by one themselves), and decides a token
across the border of two roles by the rule it is given, never by guess: `whole`, the default, trains
on no token that holds a character of another role.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from tokaudit_reference.batching.padding import IGNORED
from tokaudit_reference.batching.spans import Interval, Rule, mask_from_spans

RoleSpan = tuple[str, int, int]  # role, start, end in the rendered text


@dataclass(frozen=True, slots=True)
class Labelled:
    """One entry for each id: its label, and 1 if it belongs to a chosen role."""

    labels: list[int]
    assistant_mask: list[int]


def labelled(
    ids: Sequence[int],
    offsets: Sequence[Interval],
    role_spans: Sequence[RoleSpan],
    *,
    roles: Collection[str] = ("assistant",),
    rule: Rule = Rule.WHOLE,
    length: int | None = None,
) -> Labelled:
    """The labels and the mask of a rendered conversation; `length` is that of its text, if known.

    Raises `ValueError` for intervals that do not fit the text or each other.

    >>> spans = [("user", 0, 3), ("assistant", 3, 8)]
    >>> labelled([7, 8, 9], [(0, 2), (2, 5), (5, 8)], spans).labels
    [-100, -100, 9]
    >>> labelled([7, 8, 9], [(0, 2), (2, 5), (5, 8)], spans, rule=Rule.ANY).labels
    [-100, 8, 9]
    """
    if len(ids) != len(offsets):
        raise ValueError(f"{len(ids)} ids but {len(offsets)} offsets: give each id its interval")
    for index, (start, end) in enumerate(offsets):
        _refuse_misplaced(f"the offset of token {index}", start, end, length)
    _refuse_overlap(role_spans, length)
    chosen = [(start, end) for role, start, end in role_spans if role in _names(roles)]
    mask = mask_from_spans(offsets, chosen, rule)
    labels = [id if inside else IGNORED for id, inside in zip(ids, mask, strict=True)]
    return Labelled(labels, mask)


def _names(roles: Collection[str]) -> Collection[str]:
    """Read a plain string as one role, not as its letters."""
    return (roles,) if isinstance(roles, str) else roles


def _refuse_overlap(role_spans: Sequence[RoleSpan], length: int | None) -> None:
    """Refuse spans that overlap: a character has one author, so they are of another text."""
    end_before, role_before = 0, ""
    for role, start, end in sorted(role_spans, key=lambda span: span[1:]):
        _refuse_misplaced(f"the span of {role!r}", start, end, length)
        if start < end and start < end_before:
            raise ValueError(
                f"the spans of {role_before!r} and {role!r} overlap at {start}: "
                "give each character one role"
            )
        if end > end_before:
            end_before, role_before = end, role


def _refuse_misplaced(what: str, start: int, end: int, length: int | None) -> None:
    if not 0 <= start <= end or (length is not None and end > length):
        text = "" if length is None else f" of {length} characters"
        raise ValueError(f"{what} is ({start}, {end}), no interval of a text{text}")
