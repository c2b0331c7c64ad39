"""Serialize a spec, so that a worker runs exactly what the audit parsed.

To read the file again would take the worker longer than to run it, and the file may have been
exchanged in between.  Python's own `marshal` writes every value as it is: bytes as
well as text, lone surrogates, NaN and integers of any size, none of which survive JSON.  It is only
fit for what comes from this program, in one version of Python, and that is all it is used for: the
audit packs, its worker unpacks.
"""

from __future__ import annotations

import marshal
import weakref
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, fields
from itertools import chain
from typing import Any

from tokaudit_reference.spec import (
    AddedToken,
    Component,
    Dialect,
    ModelType,
    Piece,
    Priority,
    Standing,
    TokenizerSpec,
    TokenType,
)
from tokaudit_reference.steps.component import STAGES

EQUAL_ALIKE = 2  # of marshal's versions: later ones also write who else holds a value
NUMBERS = "I"  # of an array: four bytes for each, on every machine that Python runs on
Surface = bytes | str
Merge = tuple[Surface, Surface]
Column = list[float] | dict[int, float]
OF_EACH_PIECE = ("scores", "product_ranks")
ORDINARY = TokenType.ORDINARY  # nearly every piece, so only the others are written


def packed(spec: TokenizerSpec) -> bytes:
    """Serialize every relevant field of a spec; equal specs give equal bytes.

    >>> spec = TokenizerSpec(ModelType.WORDLEVEL, {0: Piece(TokenType.UNKNOWN, "[UNK]")}, unk_id=0)
    >>> unpacked(packed(spec)) == spec
    True

    The last spec is not packed again while it lives: equal subjects of a run have the same one.
    """
    last, data = _last[0]
    if last() is not spec:
        data = _packed(spec)
        _last[0] = weakref.ref(spec), data
    return data


_last: list[tuple[Callable[[], TokenizerSpec | None], bytes]] = [(lambda: None, b"")]


def _packed(spec: TokenizerSpec) -> bytes:
    decisive = (field.name for field in fields(spec) if field.compare)
    apart = ("pieces", "sharing", "merges")
    values = {name: _plain(getattr(spec, name)) for name in decisive if name not in apart}
    pieces = spec.pieces.items()
    values["pieces"] = {id: piece.value for id, piece in pieces}
    values["merges"] = None if spec.merges is None else _numbered(spec.merges, values["pieces"])
    for name in OF_EACH_PIECE:
        values[name] = _column(values[name], values["pieces"])
    values["sharing"] = [(id, p.token_type.value, p.value) for id, p in spec.sharing]
    types = {id: p.token_type.value for id, p in pieces if p.token_type is not ORDINARY}
    return marshal.dumps((values, types), EQUAL_ALIKE)


def _column(numbers: dict[int, float], pieces: Mapping[int, Surface]) -> Column:
    """Return the numbers alone if each piece has one."""
    return list(numbers.values()) if list(numbers) == list(pieces) else numbers


def _numbered(
    merges: Sequence[Merge], pieces: Mapping[int, Surface]
) -> tuple[bytes, list[Surface]]:
    """Return merges as indices of pieces, with extra values for other parts.

    A part is part of many merges, and so it is not written each time.
    """
    places: dict[Surface, int] = {}
    for value in pieces.values():
        places.setdefault(value, len(places))
    known = len(places)
    for part in chain.from_iterable(merges):
        if part not in places:
            places[part] = len(places)
    parts = array(NUMBERS, map(places.__getitem__, chain.from_iterable(merges)))
    return parts.tobytes(), list(places)[known:]


def _merges(
    numbered: tuple[bytes, list[Surface]], pieces: Mapping[int, Surface]
) -> tuple[Merge, ...]:
    """Restore the merges that `_numbered` wrote, with the pieces' own values."""
    parts = array(NUMBERS)
    parts.frombytes(numbered[0])
    values = [*dict.fromkeys(pieces.values()), *numbered[1]]
    each = map(values.__getitem__, parts)
    return tuple(zip(each, each, strict=True))


def _plain(value: Any) -> Any:
    """Convert a field's value to plain Python types, which `marshal` requires."""
    match value:
        case Component():
            return value.options, value.standing.value, value.rule
        case ModelType() | Priority() | Dialect():
            return value.value
        case tuple() if value and isinstance(value[0], AddedToken):
            return tuple(map(astuple, value))
        case Mapping():
            return dict(value)
    return value


def unpacked(data: bytes) -> TokenizerSpec:
    """Deserialize what `packed` wrote, and nothing else: `marshal` trusts its input."""
    values, types = marshal.loads(data)
    if values["merges"] is not None:
        values["merges"] = _merges(values["merges"], values["pieces"])
    for name in OF_EACH_PIECE:
        if isinstance(values[name], list):
            values[name] = dict(zip(values["pieces"], values[name], strict=True))
    values["pieces"] = {
        id: Piece(TokenType(types[id]) if id in types else ORDINARY, value)
        for id, value in values["pieces"].items()
    }
    values["sharing"] = tuple(
        (id, Piece(TokenType(kind), value)) for id, kind, value in values["sharing"]
    )
    values["model_type"] = ModelType(values["model_type"])
    values["priority"] = Priority(values["priority"])
    values["dialect"] = Dialect(values["dialect"])
    values["added_tokens"] = tuple(AddedToken(*token) for token in values["added_tokens"])
    for stage in (*STAGES, "truncation", "padding"):
        options, standing, rule = values[stage]
        values[stage] = Component(options, Standing(standing), rule)
    return TokenizerSpec(**values)
