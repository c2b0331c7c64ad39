"""What a subject's files may hold is bounded, and what is too much is refused in one line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tokaudit.foundation.errors import UnreadableError
from tokaudit.subject import configs, representations, safe_json
from tokaudit.subject.formats.common import pieces
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit_folders.folder import Folder

NFC = {"type": "NFC"}


def written(folder: Path, name: str = "tokenizer.json", **parts: Any) -> Path:
    stages = dict.fromkeys(("normalizer", "pre_tokenizer", "post_processor", "decoder"))
    small = Folder.bpe("ab", [["a", "b"]]).changed(added_tokens=[], **stages).changed(**parts)
    return Folder().file(name, small.text()).write(folder)


def errors(folder: Path) -> list[str]:
    return [found.error for found in parse_all(open_subject(folder)).all]


def nested(wide: int, deep: int) -> dict[str, Any]:
    """Sequences in sequences, so many of them in each."""
    inner = NFC if deep == 0 else nested(wide, deep - 1)
    return {"type": "Sequence", "normalizers": [inner] * wide}


@pytest.mark.parametrize(("wide", "deep"), [(2, 12), (600, 0), (30, 1)])
def test_a_stage_of_more_than_512_steps_is_refused(tmp_path: Path, wide: int, deep: int) -> None:
    (error,) = errors(written(tmp_path, normalizer=nested(wide, deep)))
    assert error == "tokenizer.json at /normalizer: has more than 512 steps"


def test_a_stage_of_hundreds_of_steps_is_read(tmp_path: Path) -> None:
    assert errors(written(tmp_path, normalizer=nested(500, 0))) == [""]


@pytest.mark.parametrize(
    ("data", "count"), [(b"[" + b"[]," * 5 + b"[]]", "12"), (b'"' + b"," * 11 + b'"', "11")]
)
def test_values_of_json_are_counted_before_they_are_made(
    monkeypatch: pytest.MonkeyPatch, data: bytes, count: str
) -> None:
    monkeypatch.setattr(safe_json, "MOST_MEMBERS", 10)
    with pytest.raises(UnreadableError, match=f"has up to {count} values; at most 10 are read"):
        safe_json.parse(data, "x.json")


def test_json_is_read_128_deep_and_not_deeper() -> None:
    assert safe_json.parse(b"[" * 129 + b"]" * 129, "x.json")
    with pytest.raises(UnreadableError, match="is nested too deeply to be a tokenizer's file"):
        safe_json.parse(b"[" * 130 + b"]" * 130, "x.json")


def test_a_vocabulary_of_too_many_tokens_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pieces, "MOST_PIECES", 2)
    assert errors(written(tmp_path)) == [
        "tokenizer.json at /model/vocab: has 3 tokens; at most 2 are read"
    ]


def test_tokens_that_are_too_long_together_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(representations, "MOST_CHARACTERS", 3)
    assert errors(written(tmp_path)) == [
        "tokenizer.json: has tokens of 4 characters together; at most 3 are read"
    ]


def test_what_all_tokenizers_together_have_too_much_is_left_unread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path)
    (tmp_path / "vocab.json").write_text('{"a": 0}')
    (tmp_path / "merges.txt").write_text("")
    size = (tmp_path / "tokenizer.json").stat().st_size
    monkeypatch.setattr(representations, "LARGEST_READ", size + 7)
    first, second = errors(tmp_path)
    assert first == ""
    assert second.startswith("vocab.json: has 8 bytes; at most")


def test_configs_that_are_too_much_together_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tokaudit.subject import facts

    monkeypatch.setattr(facts, "LARGEST_CONFIGS", 1)
    (written(tmp_path) / "config.json").write_text("{}")
    assert configs.LARGEST_CONFIGS == 64_000_000
    with pytest.raises(UnreadableError, match="configuration files have 2 bytes together; at most"):
        open_subject(tmp_path)


def test_a_folder_with_the_name_of_a_tokenizer_file_is_seen(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").mkdir()
    (tmp_path / "vocab.json").write_text('{"a": 0}')
    (tmp_path / "merges.txt").write_text("")
    file = open_subject(tmp_path).file("tokenizer.json")
    assert file is not None and file.impostor == "a folder, not a file"
