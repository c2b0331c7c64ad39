"""Facts derived from a subject's files, which a manifest gates like stated ones."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tokaudit.engine.facet_names import PADDING, ROLES, ROWS, STOPS
from tokaudit.foundation.errors import NotApplicable
from tokaudit.subject.material import Subject
from tokaudit.subject.tensors import Tensor
from tokaudit.subject.upstream.published.spellings import (
    is_reserved,
    reasoning,
    tool_marks,
    turn_ends,
)
from tokaudit.subject.weights import embedding_tensors, output_tensors, read_headers
from tokaudit_reference.spec import TokenizerSpec, TokenType

ROLES_OF_TEXT = ("bos", "eos", "pad", "unk")
MULTIPLES = (128, 64, 8, 1)
DIGITS = re.compile("[ \u2581\u0120]?(?:##)?([0-9]+)")


def derived_facts(subject: Subject, spec: TokenizerSpec) -> dict[str, Any]:
    """Return sizes, role ids, sides, stops, markers, and tensors with token rows.

    A key is `tokaudit#` and a name, which no file of a subject can have.
    """
    return {f"tokaudit#{name}": value for name, value in _facts(subject, spec)}


def _facts(subject: Subject, spec: TokenizerSpec) -> Iterator[tuple[str, Any]]:
    from tokaudit.engine.sides.side import Side
    from tokaudit.products.compare.facets.stated import statement_of_files

    side = Side(subject.name, spec, subject)
    yield "vocabulary/size", spec.size()
    yield "vocabulary/entries", len({*spec.pieces, *(token.id for token in spec.added_tokens)})
    ids = {name: id for id, name in reversed(side.names.items())}
    stated = {k: v for k, v in statement_of_files(side, ROLES).items() if isinstance(v, str)}
    for role, token in sorted(stated.items()):
        yield f"role/{role}", [token, ids.get(token)]
    yield "roles/unset", [role for role in ROLES_OF_TEXT if f"{role}_token" not in stated]
    yield from _markers(subject, ids)
    yield from _coverage(spec, ids)
    for name, value in statement_of_files(side, PADDING).items():
        yield name, value
    for fact in subject.facts_named("truncation_side")[:1]:
        yield fact.name, fact.value
    for value in statement_of_files(side, STOPS).values():
        yield "stops", list(value)
    yield from _tensors(subject)
    yield from _spare(statement_of_files(side, ROWS), spec.size())


def _markers(subject: Subject, ids: Mapping[str, int]) -> Iterator[tuple[str, Any]]:
    """Yield marks that are tokens or in a template, each with its id or None."""
    templates = "".join(str(fact.value) for fact in subject.facts_named("chat_template"))
    pairs = reasoning()
    kinds = {"reasoning_start": pairs, "reasoning_end": pairs.values(), "end_of_turn": turn_ends()}
    for kind, texts in (*kinds.items(), *tool_marks().items()):
        if there := [text for text in texts if text in ids or text in templates]:
            yield f"marker/{kind}", [[text, ids.get(text)] for text in there]


def _coverage(spec: TokenizerSpec, ids: Mapping[str, int]) -> Iterator[tuple[str, Any]]:
    """Yield the number of reserved tokens, and the coverage of digits and bytes."""
    yield "vocabulary/reserved", sum(map(is_reserved, ids))
    runs = [found[1] for name in ids if (found := DIGITS.fullmatch(name))]
    yield "digits/alone", len({each for each in runs if len(each) == 1})
    yield "digits/longest", max(map(len, runs), default=0)
    fallback = {p.value for p in spec.every_piece() if p.token_type is TokenType.BYTE}
    alone = {
        p.value for p in spec.every_piece() if isinstance(p.value, bytes) and len(p.value) == 1
    }
    by = "fallback" if fallback else "entries" if spec.byte_level else "none"
    count = {"fallback": len(fallback), "entries": len(alone), "none": 0}
    yield "bytes/by", by
    yield "bytes/covered", count[by]


def _spare(rows: Sequence[int], size: int) -> Iterator[tuple[str, Any]]:
    """Yield the model's surplus rows, and the largest usual multiple that fits."""
    if rows:
        yield "rows/spare", rows[-1] - size
        yield "rows/multiple_of", next(each for each in MULTIPLES if rows[-1] % each == 0)


def _tensors(subject: Subject) -> Iterator[tuple[str, Any]]:
    try:
        headers = read_headers(subject)
    except NotApplicable:
        return
    for kind, tensors in (
        ("embedding", embedding_tensors(headers)),
        ("head", output_tensors(headers)),
    ):
        for name, tensor in sorted(tensors.items()):
            yield f"{kind}/{name}", _described(tensor)


def _described(tensor: Tensor) -> list[Any]:
    return [tensor.dtype, list(tensor.shape)]
