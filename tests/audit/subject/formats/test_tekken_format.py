"""The special tokens of tekken files: listed, or with the names that older files leave unsaid."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

import tokaudit
from tokaudit.foundation.errors import UnreadableError
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all, readable


def special(folder: Path, **more: Any) -> dict[int, str]:
    """The special tokens of a small file with 22 ids for them, by id."""
    config = {"pattern": ".+", "default_num_special_tokens": 22, "default_vocab_size": 23}
    entry = {"rank": 0, "token_bytes": base64.b64encode(b"a").decode()}
    path = folder / "tekken.json"
    path.write_text(json.dumps({"config": config, "vocab": [entry], **more}))
    ((representation, _),) = parse_all(open_subject(str(path))).parsed
    return {token.id: token.content for token in representation.spec.added_tokens}


def test_a_file_without_a_list_has_the_names_that_the_library_gives_them(tmp_path: Path) -> None:
    found = special(tmp_path)
    assert (found[3], found[19], found[20]) == ("[INST]", "[TOOL_CONTENT]", "<SPECIAL_20>")
    assert len(found) == 22


def test_ids_after_a_list_that_is_too_short_are_fillers(tmp_path: Path) -> None:
    listed = [{"rank": 0, "token_str": "<unk>"}, {"rank": 1, "token_str": "<s>"}]
    found = special(tmp_path, special_tokens=listed)
    assert (found[1], found[2], found[21]) == ("<s>", "<SPECIAL_2>", "<SPECIAL_21>")
    assert len(found) == 22


def counted(folder: Path, config: dict[str, int], rows: int | None = None) -> Path:
    """A file of all bytes and ten entries more, three special tokens listed, and a config."""
    entries = [bytes([byte]) for byte in range(256)] + [b"a" + bytes([98 + at]) for at in range(10)]
    listed = [
        {"rank": rank, "token_bytes": base64.b64encode(each).decode()}
        for rank, each in enumerate(entries)
    ]
    special = [
        {"rank": rank, "token_str": text} for rank, text in enumerate(("<s>", "</s>", "<u>"))
    ]
    stated = {"pattern": ".+", "default_num_special_tokens": 4, "default_vocab_size": 270, **config}
    whole = {"config": stated, "vocab": listed, "special_tokens": special}
    (folder / "tekken.json").write_text(json.dumps(whole))
    if rows is not None:
        (folder / "config.json").write_text(json.dumps({"vocab_size": rows}))
    return folder


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"default_vocab_size": 271}, "is 271, but 4 special tokens (default_num_special_tokens)"),
        ({"default_vocab_size": 3}, "is 3, less than the 4 of default_num_special_tokens"),
        ({"default_num_special_tokens": 2}, "is 2, but 3 special tokens are listed"),
    ],
)
def test_a_count_that_the_lists_contradict_is_named_with_both(
    tmp_path: Path, config: dict[str, int], said: str
) -> None:
    with pytest.raises(UnreadableError) as refused:
        readable(open_subject(counted(tmp_path, config)))
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("config", "rows", "check", "expected"),
    [
        ({}, 270, "vocab/byte-coverage", []),
        ({"default_vocab_size": 200}, None, "vocab/byte-coverage", ["left out"]),
        ({}, 270, "embeddings/config-vocab-size", []),
        ({"default_vocab_size": 266}, 270, "embeddings/config-vocab-size", ["left out"]),
        ({"default_vocab_size": 266}, 266, "embeddings/config-vocab-size", []),
    ],
)
def test_a_count_that_leaves_entries_out_is_the_cause(
    tmp_path: Path, config: dict[str, int], rows: int | None, check: str, expected: list[str]
) -> None:
    found = tokaudit.run_check(check, counted(tmp_path, config, rows)).findings
    assert [finding.cause for finding in found] == expected
    assert all(each.places[0].pointer == "/config/default_vocab_size" for each in found)
