"""Certificates of a side's statement about a facet: plain data with a digest."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import groupby
from typing import Any

from tokaudit.engine.canonical_steps import numbered_anew
from tokaudit.engine.facet_fields import ADDED_FIELDS, MODEL_FIELDS
from tokaudit.engine.facet_names import ADDED, IDS, MERGES, STAGES
from tokaudit.engine.vocabularies.relation import added_elsewhere
from tokaudit.engine.vocabularies.written import AS_WRITTEN, as_written
from tokaudit.products.compare.canonical_rows import (
    Written,
    canonical,
    merges_rows,
    table_digest,
    vocab_rows,
)
from tokaudit.report.comparison import Certificate, Facet, Outcome, Proof
from tokaudit_reference.spec import TokenizerSpec

OfFiles = Callable[[str], Any]
"""What the files next to a tokenizer state about a facet."""


def with_digest(
    facet: Facet, spec: TokenizerSpec, other: TokenizerSpec, of_files: OfFiles
) -> Facet:
    """Add a certificate to a facet if both sides state the same."""
    stated = facet.certificate
    if stated is None and facet.outcome is Outcome.IDENTICAL:
        stated = Certificate(Proof.EQUAL)
    if stated is None or stated.proof is not Proof.EQUAL:
        return facet
    if stated.form == AS_WRITTEN:
        spec, other = as_written(spec), as_written(other)
    digest = "sha256:" + _digest(_plain(row) for row in _rows(spec, other, facet.name, of_files))
    return replace(facet, certificate=replace(stated, digest=digest))


def _digest(rows: Iterable[Any]) -> str:
    return hashlib.sha256(b"".join(canonical(row) + b"\n" for row in rows)).hexdigest()


def _rows(spec: TokenizerSpec, other: TokenizerSpec, name: str, of_files: OfFiles) -> Iterator[Any]:
    """Yield a side's statement of a facet, in rows; equal rows are equal statements."""
    if name == IDS:
        yield _entries(_with_added(spec, other), Written())
    elif name == MERGES:
        yield from _model(spec)
    elif name == ADDED:
        yield from sorted({token.content: token for token in spec.added_tokens}.items())
        yield from ((field, getattr(spec, field)) for field in ADDED_FIELDS[1:])
        yield from numbered_anew(spec)
    elif name in STAGES:
        yield getattr(spec, STAGES[name]).options
    else:
        yield of_files(name)


def _entries(spec: TokenizerSpec, written: Written) -> str:
    """Return the digest of the entries; for a shared id, order does not matter."""
    rows = vocab_rows(spec, written)
    if not spec.sharing:
        return table_digest(rows)[0]
    grouped = groupby(rows, key=lambda row: row.partition(",")[0])
    return table_digest(row for _, same_id in grouped for row in sorted(same_id))[0]


def _with_added(spec: TokenizerSpec, other: TokenizerSpec) -> TokenizerSpec:
    """Return the spec with the entries added that the other side adds."""
    entries = added_elsewhere(other, spec)
    tokens = (token for token in other.added_tokens if token.id in entries)
    return replace(spec, added_tokens=(*spec.added_tokens, *tokens))


def _model(spec: TokenizerSpec) -> Iterator[Any]:
    """Yield the parts of a model, with long tables by digest."""
    written = Written()
    yield _entries(replace(spec, added_tokens=()), written)
    listed = table_digest(merges_rows(spec, written))[0]
    yield listed if spec.merges is not None else None
    for field in MODEL_FIELDS:
        value = getattr(spec, field)
        if isinstance(value, Mapping):  # id -> score or rank
            yield field, _digest([id, repr(score)] for id, score in sorted(value.items()))
        elif field != "merges":
            yield field, value


def _plain(value: Any) -> Any:
    """Convert a value to lists and texts, in one form for each value."""
    match value:
        case bytes():
            return ["bytes", value.hex()]
        case str():
            return str(value)
        case Mapping():
            return ["map", *sorted(([_plain(k), _plain(v)] for k, v in value.items()), key=repr)]
        case tuple() | list():
            return ["list", *map(_plain, value)]
        case bool() | int() | float() | None:
            return repr(value)
    names = value.__dataclass_fields__
    return [type(value).__name__, *(_plain(getattr(value, name)) for name in names)]
