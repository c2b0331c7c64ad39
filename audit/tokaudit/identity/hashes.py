"""One canonical hash for each component of a tokenizer; equal hashes mean equal components.

The name of a hash encodes everything that affects it, so that two hashes of one name can be
compared whatever format, library or version they came from.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any, TypeAlias

import msgspec

from tokaudit.report.model import ComponentIdentity
from tokaudit.runtimes.protocol import Encoding
from tokaudit.subject.material import Subject
from tokaudit_reference.models.bpe.effective import EffectiveMerges
from tokaudit_reference.spec import Component, ModelType, Standing, TokenizerSpec

STAGES = ("normalizer", "pre_tokenizer", "post_processor", "decoder")
ROLES = ("bos", "eos", "unk", "pad", "sep", "cls", "mask")
ROWS_AT_ONCE = 4096
QUICK = msgspec.json.Encoder(order="sorted")

Plain: TypeAlias = str | int | Sequence["Plain"] | Mapping[str, "Plain"] | None
"""What is written alike by every JSON writer; floats are not, so no table may hold one."""


Part: TypeAlias = tuple[str, Callable[[], ComponentIdentity]]
"""The name of an identity and how it is worked out."""


def identities(
    spec: TokenizerSpec, subject: Subject, effective: EffectiveMerges | None
) -> Iterator[Part]:
    """The identity of every component that the spec and the subject's facts state."""
    yield "vocab-v1", lambda: vocab(spec)
    if spec.merges is not None:
        yield "merges-listed-v1", lambda: merges_listed(spec)
    if effective is not None and spec.model_type is ModelType.BPE:
        yield "merges-effective-v1", lambda: merges_effective(spec, effective)
    yield "added_tokens-v1", lambda: added_tokens(spec)
    yield "special_roles-v1", lambda: _identity("special_roles-v1", special_roles(subject))
    for stage in STAGES:
        yield f"{stage}-v1", partial(stage_identity, stage, getattr(spec, stage))
    templates = sorted(str(fact.value) for fact in subject.facts_named("chat_template"))
    if templates:
        rows = dict.fromkeys(templates)
        yield "chat_template-v1", lambda: _identity("chat_template-v1", rows)


def worked_out(part: Part) -> ComponentIdentity:
    """An identity; where a fault of ours is in the way, only that one is lost.

    >>> worked_out(("vocab-v1", lambda: [][1])).standing
    'lost: IndexError: list index out of range'
    """
    name, work = part
    try:
        return work()
    except Exception as error:
        return ComponentIdentity(name, "", f"lost: {type(error).__name__}: {error}"[:200])


def merges_listed(spec: TokenizerSpec) -> ComponentIdentity:
    """`merges-listed-v1`: the pairs as the file lists them."""
    written = {piece.value: _value(piece.value) for piece in spec.pieces.values()}
    pairs = ([written.get(part) or _value(part) for part in pair] for pair in spec.merges or ())
    return _table("merges-listed-v1", pairs)


def merges_effective(spec: TokenizerSpec, effective: EffectiveMerges) -> ComponentIdentity:
    """`merges-effective-v1`: the pairs that can fire, in rank order."""
    shown: dict[int, list[Plain]] = {
        id: [piece.token_type, _value(piece.value)] for id, piece in spec.pieces.items()
    }
    rows = ([shown[left], shown[right]] for left, right, _ in effective.merges)
    return _table("merges-effective-v1", rows)


def added_tokens(spec: TokenizerSpec) -> ComponentIdentity:
    """`added_tokens-v1`: content, id and flags of each, by id."""
    flags = ("content", "id", "special", "lstrip", "rstrip", "single_word", "normalized")
    added = sorted(spec.added_tokens, key=lambda token: (token.id, token.content))
    return _identity("added_tokens-v1", ([getattr(t, flag) for flag in flags] for t in added))


def vocab(spec: TokenizerSpec) -> ComponentIdentity:
    """`vocab-v1`: the entries that are not added tokens, in id order."""
    added = {token.id for token in spec.added_tokens}
    own = ((id, piece) for id, piece in sorted(spec.pieces.items()) if id not in added)
    return _table("vocab-v1", ([id, piece.token_type, _value(piece.value)] for id, piece in own))


def stage_identity(stage: str, component: Component) -> ComponentIdentity:
    """The hash of a pipeline stage's options with sorted keys; empty where nobody states it."""
    if component.standing is Standing.UNSTATED:
        return ComponentIdentity(f"{stage}-v1", "", str(component.standing))
    found = _identity(f"{stage}-v1", [component.options])
    return ComponentIdentity(found.name, found.digest, str(component.standing), found.n)


def special_roles(subject: Subject) -> list[list[Any]]:
    """Which token each role names, as the files state it, once for each distinct statement."""
    names = [f"{role}_token{suffix}" for role in ROLES for suffix in ("", "_id")]
    rows = [[f.name, f.value] for f in subject.facts_named(*names) if f.value is not None]
    return sorted({json.dumps(row): row for row in rows}.values(), key=json.dumps)


def behaviour(name: str, encodings: Sequence[Encoding]) -> ComponentIdentity:
    """The hash of the ids of a frozen probe set, errors included as such."""
    return _table(name, ([e.error is None, *e.ids] for e in encodings))


def canonical(value: Any) -> bytes:
    """JSON with sorted keys, no spaces and no escapes, in UTF-8."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode("utf-8", "surrogatepass")


def canonical_lines(rows: Sequence[Plain]) -> bytes:
    """The canonical JSON of each row and a line feed after it; the same bytes, all at once.

    >>> canonical_lines([[1, {"b": "x", "a": None}], []])
    b'[1,{"a":null,"b":"x"}]\\n[]\\n'
    """
    try:
        return QUICK.encode_lines(rows)
    except (UnicodeEncodeError, OverflowError, RecursionError):
        # Lone surrogates and numbers beyond 64 bits are only known to the writer of Python.
        return b"".join(canonical(row) + b"\n" for row in rows)


def _table(name: str, rows: Iterable[Plain]) -> ComponentIdentity:
    """The hash of a table of many rows, which are written many at once."""
    digest, n, rows = hashlib.sha256(), 0, iter(rows)
    while chunk := list(islice(rows, ROWS_AT_ONCE)):
        digest.update(canonical_lines(chunk))
        n += len(chunk)
    return ComponentIdentity(name, "sha256:" + digest.hexdigest(), n=n)


def _identity(name: str, rows: Iterable[Any]) -> ComponentIdentity:
    """The hash of a few rows of whatever a file holds."""
    written = [canonical(row) + b"\n" for row in rows]
    digest = hashlib.sha256(b"".join(written)).hexdigest()
    return ComponentIdentity(name, "sha256:" + digest, n=len(written))


def _value(value: bytes | str) -> dict[str, str]:
    return {"bytes": value.hex()} if isinstance(value, bytes) else {"text": value}
