"""Canonical hashes of a tokenizer's components; equal hashes mean equal components.

The name of a hash encodes everything that affects it, so that two hashes of one name can be
compared whatever format, library or version they came from.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

from tokaudit.products.compare.canonical_rows import (
    Written,
    canonical,
    merges_rows,
    table_digest,
    vocab_rows,
)
from tokaudit.report.recorded import ComponentIdentity
from tokaudit.runtimes.protocol import Encoding
from tokaudit.subject.configs import ROLE_TOKENS
from tokaudit.subject.material import Subject
from tokaudit_reference.models.bpe.effective import EffectiveMerges
from tokaudit_reference.spec import Component, Dialect, ModelType, Standing, TokenizerSpec

STAGES = ("normalizer", "pre_tokenizer", "post_processor", "decoder")
OF_FACTS = ("special_roles-v1", "chat_template-v1")
"""The identities of what a subject's files state in addition to its spec."""
SETTINGS = (
    *("model_type", "byte_level", "priority", "ignore_merges", "unk_id", "fuse_unk"),
    *("byte_fallback", "continuing_subword_prefix", "end_of_word_suffix"),
    *("max_input_chars_per_word", "dropout", "control_from_text", "begin_id"),
)
"""The fields of a spec that say what a model is, in addition to its tables."""

Part: TypeAlias = tuple[str, Callable[[], ComponentIdentity]]
"""The name of an identity and how it is worked out."""


def identities(
    spec: TokenizerSpec, subject: Subject, effective: EffectiveMerges | None
) -> Iterator[Part]:
    """Yield the identity of every component stated by the spec and the facts."""
    written = Written()
    yield "vocab-v1", lambda: vocab(spec, written)
    if spec.merges is not None:
        yield "merges-listed-v1", lambda: merges_listed(spec, written)
    if effective is not None and spec.model_type is ModelType.BPE:
        yield "merges-effective-v1", lambda: merges_effective(spec, effective, written)
    yield "model_settings-v1", lambda: model_settings(spec)
    for name, table in (("scores-v1", spec.scores), ("product_ranks-v1", spec.product_ranks)):
        if table:
            yield name, partial(numbers, name, table)
    if spec.unlisted:
        yield "unlisted-v1", lambda: unlisted(spec)
    yield "added_tokens-v1", lambda: added_tokens(spec)
    yield "special_roles-v1", lambda: _identity("special_roles-v1", special_roles(subject))
    for stage in STAGES:
        yield f"{stage}-v1", partial(stage_identity, stage, getattr(spec, stage))
    templates = sorted(str(fact.value) for fact in subject.facts_named("chat_template"))
    if templates:
        rows = dict.fromkeys(templates)
        yield "chat_template-v1", lambda: _identity("chat_template-v1", rows)


def worked_out(part: Part) -> ComponentIdentity:
    """Compute one identity; a fault of ours loses only that one.

    >>> worked_out(("vocab-v1", lambda: [][1])).standing
    'lost: IndexError: list index out of range'
    """
    name, work = part
    try:
        return work()
    except Exception as error:
        return ComponentIdentity(name, "", f"lost: {type(error).__name__}: {error}"[:200])


def model_settings(spec: TokenizerSpec) -> ComponentIdentity:
    """Hash `model_settings-v1`: the model without vocabulary, merges and scores."""
    stated = [[name, getattr(spec, name)] for name in SETTINGS]
    return _identity("model_settings-v1", [*stated, *map(list, dialect(spec))])


def dialect(spec: TokenizerSpec) -> list[tuple[str, str]]:
    """Name the rules of the model, if they are not those of its own library."""
    own = spec.dialect is not Dialect.PUBLISHED
    return [("dialect", spec.dialect)] if own else []


def numbers(name: str, table: Mapping[int, float]) -> ComponentIdentity:
    """Hash `scores-v1` or `product_ranks-v1`: the exact number of each id.

    >>> numbers("scores-v1", {0: -1.5}).n
    1
    """
    rows = (f'[{id},"{float(value).hex()}"]\n' for id, value in sorted(table.items()))
    return _table(name, rows)


def unlisted(spec: TokenizerSpec) -> ComponentIdentity:
    """Hash `unlisted-v1`: pieces that become unknown, with their exact numbers."""
    pieces = sorted(spec.unlisted.items())
    rows = (f'[{canonical(text).decode()},"{score.hex()}"]\n' for text, score in pieces)
    return _table("unlisted-v1", rows)


def merges_listed(spec: TokenizerSpec, written: Written) -> ComponentIdentity:
    """Hash `merges-listed-v1`: the pairs as the file lists them."""
    return _table("merges-listed-v1", merges_rows(spec, written))


def merges_effective(
    spec: TokenizerSpec, effective: EffectiveMerges, written: Written
) -> ComponentIdentity:
    """Hash `merges-effective-v1`: the pairs that can fire, in rank order."""
    shown = {
        id: ",".join(f'["{p.token_type}",{written[p.value]}]' for p in spec.pieces_at(id))
        for id in spec.pieces
    }
    rows = (f"[{shown[left]},{shown[right]}]\n" for left, right, _ in effective.merges)
    return _table("merges-effective-v1", rows)


def added_tokens(spec: TokenizerSpec) -> ComponentIdentity:
    """Hash `added_tokens-v1`: content, id and flags of each, by id."""
    flags = ("content", "id", "special", "lstrip", "rstrip", "single_word", "normalized")
    added = sorted(spec.added_tokens, key=lambda token: (token.id, token.content))
    return _identity("added_tokens-v1", ([getattr(t, flag) for flag in flags] for t in added))


def vocab(spec: TokenizerSpec, written: Written) -> ComponentIdentity:
    """Hash `vocab-v1`: the entries that are not added tokens, by id."""
    return _table("vocab-v1", vocab_rows(spec, written))


def stage_identity(stage: str, component: Component) -> ComponentIdentity:
    """Hash a stage's options with sorted keys; empty if unstated."""
    if component.standing is Standing.UNSTATED:
        return ComponentIdentity(f"{stage}-v1", "", str(component.standing))
    found = _identity(f"{stage}-v1", [component.options])
    return ComponentIdentity(found.name, found.digest, str(component.standing), found.n)


def special_roles(subject: Subject) -> list[list[Any]]:
    """Return the token of each role in the files, once for each distinct statement."""
    names = [f"{token}{suffix}" for token in ROLE_TOKENS for suffix in ("", "_id")]
    rows = [[f.name, f.value] for f in subject.facts_named(*names) if f.value is not None]
    return sorted({json.dumps(row): row for row in rows}.values(), key=json.dumps)


def behaviour(name: str, encodings: Sequence[Encoding]) -> ComponentIdentity:
    """Hash the ids of a frozen probe set, including errors."""
    rows = (["true" if one.error is None else "false", *map(str, one.ids)] for one in encodings)
    return _table(name, (f"[{','.join(row)}]\n" for row in rows))


def _table(name: str, lines: Iterable[str]) -> ComponentIdentity:
    """Hash a table of many rows, given as lines of canonical JSON."""
    digest, n = table_digest(lines)
    return ComponentIdentity(name, digest, n=n)


def _identity(name: str, rows: Iterable[Any]) -> ComponentIdentity:
    """Hash a few rows with any content."""
    written = [canonical(row) + b"\n" for row in rows]
    digest = hashlib.sha256(b"".join(written)).hexdigest()
    return ComponentIdentity(name, "sha256:" + digest, n=len(written))
