"""What the library once refuted of small tokenizers is no longer proved, nor has one short id."""

from __future__ import annotations

from pathlib import Path

import pytest
from library_pair import Content, LibraryPair, bpe, tokenizer

from tokaudit.products.compare.proofs.merges.model import merge_model
from tokaudit.products.identity.short_id import short_id
from tokaudit_reference.spec import ModelType, TokenizerSpec

BYTES = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
IN_BYTES = bpe(["a", "\u00c3", "\u00a9", "\u0124"], [])
NO_UNKNOWN = bpe(["a", "b", "ab"])
PREPENDED = {
    "type": "Sequence",
    "normalizers": [{"type": "NFC"}, {"type": "Prepend", "prepend": ""}],
}
FLAGS = dict.fromkeys(("special", "lstrip", "rstrip", "single_word", "normalized"), False)
BEGIN, END = ({"id": id, "content": content, **FLAGS} for id, content in ((2, "<b>"), (5, "<e>")))
OF_ENTRIES = [{"id": id, "content": f"<{id}>", **FLAGS} for id in (1, 2)]
WORDS = {"type": "WordLevel", "unk_token": "?"}
WORDPIECE = {
    "type": "WordPiece",
    "vocab": {"?": 0, "a": 1, "##a": 2},
    "unk_token": "?",
    "continuing_subword_prefix": "##",
    "max_input_chars_per_word": 100,
}
REFUTED = {
    "bytes are made of bytes": (
        tokenizer(IN_BYTES, normalizer={"type": "ByteLevel"}),
        tokenizer(IN_BYTES, normalizer={"type": "ByteLevel"}, pre_tokenizer=BYTES),
    ),
    "an unknown token without an entry refuses what is dropped without one": (
        tokenizer({**NO_UNKNOWN, "unk_token": None}),
        tokenizer({**NO_UNKNOWN, "unk_token": "<none>"}),
    ),
    "an entry more moves an added token whose stated id is not the next free one": (
        tokenizer(bpe(["a", "b"], []), added_tokens=[BEGIN, END]),
        tokenizer(bpe(["a", "b", "xy"], []), added_tokens=[BEGIN, END]),
    ),
    "nothing is put before a text": (
        tokenizer(NO_UNKNOWN, normalizer={"type": "NFC"}),
        tokenizer(NO_UNKNOWN, normalizer=PREPENDED),
    ),
    "a word of no character is the longest that is looked up": (
        tokenizer({**WORDPIECE, "max_input_chars_per_word": 0}),
        tokenizer(WORDPIECE),
    ),
    "entries are exchanged whose ids the files state for added tokens": (
        tokenizer(WORDS | {"vocab": {"?": 0, "a": 1, "b": 2}}, added_tokens=OF_ENTRIES),
        tokenizer(WORDS | {"vocab": {"?": 0, "b": 1, "a": 2}}, added_tokens=OF_ENTRIES),
    ),
}


@pytest.mark.parametrize(("one", "other"), REFUTED.values(), ids=REFUTED)
def test_what_the_library_tells_apart_is_not_proved(
    one: Content, other: Content, tmp_path: Path
) -> None:
    assert not LibraryPair(tmp_path, one, other).proved()


@pytest.mark.parametrize(("one", "other"), REFUTED.values(), ids=REFUTED)
def test_what_the_library_tells_apart_has_other_short_ids(
    one: Content, other: Content, tmp_path: Path
) -> None:
    first, second = LibraryPair(tmp_path, one, other).specs
    assert id_of(first) != id_of(second)


def id_of(spec: TokenizerSpec) -> str:
    return short_id(spec, merge_model(spec) if spec.model_type is ModelType.BPE else None).id
