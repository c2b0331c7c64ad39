"""Lines of vocab.txt that end in white space are read in two ways."""

from __future__ import annotations

from pathlib import Path

import pytest
from tokenizers.models import WordPiece

import tokaudit
from tokaudit_suites.vocab.stripped_lines import WHITE

OWN = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "word", "a"]


def folder(path: Path, *entries: str) -> Path:
    (path / "vocab.txt").write_bytes("".join(f"{each}\n" for each in (*OWN, *entries)).encode())
    return path


def test_an_entry_that_is_another_without_its_end_is_a_warning(tmp_path: Path) -> None:
    path = folder(tmp_path, "word\xa0", "b\u3000")
    [finding] = tokaudit.audit(path, select=["vocab/stripped-lines"]).findings
    assert str(finding.severity) == "warning"
    assert finding.message.startswith("2 entries end in white space: 'word")
    assert (
        "keeps the white space, so that 'word' is id 5;" in finding.message
        and "strip the white space, so that 'word' is id 7." in finding.message
    )
    assert WordPiece.read_file(str(path / "vocab.txt"))["word"] == 7


def test_library_and_reference_read_the_same_entries(tmp_path: Path, processes: None) -> None:
    path = folder(tmp_path, "word\xa0")
    assert tokaudit.audit(path, select=["agreement/reference"], tier="quick").findings == ()


@pytest.mark.parametrize("entry", ["words", "\u2028", " ", "\xa0word", "\u200b", "\x1c"])
def test_entries_that_both_readers_take_alike_are_silent(tmp_path: Path, entry: str) -> None:
    path = folder(tmp_path, entry)
    assert tokaudit.audit(path, select=["vocab/stripped-lines"]).findings == ()


def test_white_space_is_what_the_library_cuts_off(tmp_path: Path) -> None:
    for point in (*range(0x21), 0x85, 0xA0, 0x1680, *range(0x2000, 0x2070), 0x3000, 0xFEFF):
        if chr(point) in "\r\n":
            continue
        (tmp_path / "vocab.txt").write_bytes(f"word{chr(point)}\n".encode())
        read = WordPiece.read_file(str(tmp_path / "vocab.txt"))
        assert ("word" in read) == (chr(point) in WHITE), hex(point)
