"""Finds the first stage at which two references, encoding one text, do not do the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tokaudit.plugin import Comparison, TracedBySides, TracedPart, visible

Words = tuple[str, ...]  # what one side does, to be shown with a space between
Stage = Callable[[tuple[TracedPart, ...]], Iterator[Words]]


@dataclass(frozen=True)
class Parting:
    """A stage, and the first difference at it between the sides.

    A side that does nothing more there has no words.
    """

    stage: str
    left: Words = ()
    right: Words = ()


def first_parting(traced: TracedBySides) -> Parting | None:
    """Return the first stage at which the sides differ; None if none or one side has no stages."""
    if traced.left is None or traced.right is None:
        return None
    for name, stage in STAGES.items():
        ours, theirs = list(stage(traced.left)), list(stage(traced.right))
        if ours != theirs:
            same = _shared(ours, theirs)
            return Parting(name, _at(ours, same), _at(theirs, same))
    return None


def parting_sentence(traced: TracedBySides, comparison: Comparison) -> str:
    """Name the first stage at which the sides differ, in words; empty if none."""
    parting = first_parting(traced)
    if parting is None:
        return ""
    ours, theirs = map(_quoted, (parting.left, parting.right))
    sides = f"{ours} in {comparison.left}, {theirs} in {comparison.right}"
    return f"other {parting.stage}: {sides}"


def _quoted(words: Words) -> str:
    return f"“{visible(' '.join(words), spaces=False)}”" if words else "nothing"


def _added(parts: tuple[TracedPart, ...]) -> Iterator[Words]:
    for part in parts:
        yield (part.text,) if part.added_id is None else (part.text, "as an added token")


def _normalized(parts: tuple[TracedPart, ...]) -> Iterator[Words]:
    return ((part.normalized,) for part in parts if part.added_id is None)


def _pieces(parts: tuple[TracedPart, ...]) -> Iterator[Words]:
    return ((piece.text,) for part in parts for piece in part.pieces)


def _merges(parts: tuple[TracedPart, ...]) -> Iterator[Words]:
    pieces = (piece for part in parts for piece in part.pieces)
    return ((left, "+", right) for piece in pieces for left, right in piece.merges)


def _tokens(parts: tuple[TracedPart, ...]) -> Iterator[Words]:
    tokens = (token for part in parts for piece in part.pieces for token in piece.tokens)
    return ((token.piece or "",) for token in tokens)


def _ids(parts: tuple[TracedPart, ...]) -> Iterator[Words]:
    for part in parts:
        if part.added_id is not None:
            yield (str(part.added_id),)
        yield from ((str(token.id),) for piece in part.pieces for token in piece.tokens)


STAGES: dict[str, Stage] = {
    "added tokens": _added,
    "normalized text": _normalized,
    "pieces": _pieces,
    "merges": _merges,
    "tokens": _tokens,
    "ids": _ids,
}


def _shared(ours: list[Words], theirs: list[Words]) -> int:
    """Return the length of the common beginning."""
    both = enumerate(zip(ours, theirs, strict=False))
    return next((at for at, (one, other) in both if one != other), min(len(ours), len(theirs)))


def _at(items: list[Words], index: int) -> Words:
    return items[index] if index < len(items) else ()
