"""A bare file of ranks next to a tokenizer.json is a copy of its vocabulary."""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tokaudit_folders.folder import Folder
from tokaudit_reference.text.bytes_alphabet import to_characters

Ask = Callable[..., list[Any]]
MERGES = ((b"a", b"b"), (b"c", b"d"), (b"ab", b"cd"))
TOKENS = [*(bytes([byte]) for byte in range(256)), *(a + b for a, b in MERGES)]
BYTES = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}


def folder(ranks: Sequence[bytes]) -> Folder:
    listed = [f"{to_characters(a)} {to_characters(b)}" for a, b in MERGES]
    plain = Folder.bpe({to_characters(token): id for id, token in enumerate(TOKENS)}, listed)
    lines = (f"{base64.b64encode(token).decode()} {id}\n" for id, token in enumerate(ranks))
    whole = plain.changed(pre_tokenizer=BYTES, decoder=BYTES).added("<|end|>")
    return whole.file("vocab.tiktoken", "".join(lines))


def exchanged() -> list[bytes]:
    return [*TOKENS[:256], TOKENS[257], TOKENS[256], TOKENS[258]]


@pytest.mark.parametrize(
    ("ranks", "causes"),
    [
        (TOKENS, []),
        (exchanged(), ["exchanged"]),
        (TOKENS[:-1], ["entries"]),
        ([*TOKENS, b"<|end|>"], []),
        ([*TOKENS, b"zz"], ["added"]),
    ],
)
def test_ranks_that_differ_are_an_error(
    tmp_path: Path, ask: Ask, ranks: list[bytes], causes: list[str]
) -> None:
    found = ask("agreement/vocab", folder(ranks).write(tmp_path))
    assert [(str(each.severity), each.cause) for each in found] == [("error", c) for c in causes]


def test_an_entry_on_the_id_of_an_added_token_is_named_with_both(tmp_path: Path, ask: Ask) -> None:
    (found,) = ask("agreement/vocab", folder([*TOKENS, b"zz"]).write(tmp_path))
    assert "259 is 'zz' and '<|end|>'" in found.message
    assert [place.file for place in found.places] == ["vocab.tiktoken", "tokenizer.json"]
