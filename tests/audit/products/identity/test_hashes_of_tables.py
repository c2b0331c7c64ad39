"""The hashes of large tables are those of the canonical JSON of their rows."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tokaudit.products.compare.canonical_rows import Written, canonical
from tokaudit.products.identity.hashes import behaviour, merges_listed, vocab
from tokaudit.runtimes.protocol import Encoding
from tokaudit_reference.spec import ModelType, Piece, TokenizerSpec, TokenType

VALUES = st.one_of(st.binary(max_size=6), st.text(st.characters(codec=None), max_size=6))


def digest_of(rows: list[Any]) -> str:
    """The digest as the format of the hashes defines it."""
    written = b"".join(canonical(row) + b"\n" for row in rows)
    return "sha256:" + hashlib.sha256(written).hexdigest()


def plain(value: bytes | str) -> dict[str, str]:
    """A value as the rows of a hash hold it."""
    return {"bytes": value.hex()} if isinstance(value, bytes) else {"text": value}


@given(VALUES)
def test_a_value_is_written_as_canonical_json(value: bytes | str) -> None:
    assert Written()[value] == json.dumps(plain(value), ensure_ascii=False, separators=(",", ":"))


@given(st.dictionaries(st.integers(0, 2**40), st.tuples(st.sampled_from(TokenType), VALUES)))
def test_the_hash_of_a_vocabulary_is_that_of_its_rows(
    entries: dict[int, tuple[TokenType, bytes | str]],
) -> None:
    spec = TokenizerSpec(ModelType.BPE, {id: Piece(*entry) for id, entry in entries.items()})
    rows = [[id, str(kind), plain(value)] for id, (kind, value) in sorted(entries.items())]
    found = vocab(spec, Written())
    assert (found.digest, found.n) == (digest_of(rows), len(rows))


@given(st.lists(st.tuples(VALUES, VALUES)))
def test_the_hash_of_merges_is_that_of_their_rows(
    pairs: list[tuple[bytes | str, bytes | str]],
) -> None:
    spec = TokenizerSpec(ModelType.BPE, {}, merges=tuple(pairs))
    rows = [[plain(left), plain(right)] for left, right in pairs]
    assert merges_listed(spec, Written()).digest == digest_of(rows)


@given(st.lists(st.tuples(st.booleans(), st.lists(st.integers(0, 2**70)))))
def test_the_hash_of_a_behaviour_is_that_of_its_rows(answers: list[tuple[bool, list[int]]]) -> None:
    encodings = [Encoding(tuple(ids), error=None if fine else "no") for fine, ids in answers]
    assert behaviour("b", encodings).digest == digest_of([[fine, *ids] for fine, ids in answers])
