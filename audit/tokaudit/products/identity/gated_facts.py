"""What the files of a subject come to: facts that a manifest gates, as it gates those stated."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tokaudit.engine.facet_names import PADDING, ROLES, STOPS
from tokaudit.foundation.errors import NotApplicable
from tokaudit.subject.material import Subject
from tokaudit.subject.tensors import Tensor
from tokaudit.subject.weights import embedding_tensors, output_tensors, read_headers
from tokaudit_reference.spec import TokenizerSpec


def derived_facts(subject: Subject, spec: TokenizerSpec) -> dict[str, Any]:
    """Sizes, ids of roles, padding side, stops, and the tensors with a row for each token.

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
    for role, token in sorted(statement_of_files(side, ROLES).items()):
        if isinstance(token, str):
            yield f"role/{role}", [token, ids.get(token)]
    for name, value in statement_of_files(side, PADDING).items():
        yield name, value
    for value in statement_of_files(side, STOPS).values():
        yield "stops", list(value)
    yield from _tensors(subject)


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
