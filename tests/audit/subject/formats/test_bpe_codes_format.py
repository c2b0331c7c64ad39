"""PhoBERT's and BERTweet's `bpe.codes`, as published and as transformers 5.24 saves it."""

from __future__ import annotations

from pathlib import Path

from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import Representation, parse_all
from tokaudit_reference.tokenizer import ReferenceTokenizer

WORDS = "the 9\nt@@ 8\nh@@ 7\ne 6\nth@@ 5\n"


def read(folder: Path, codes: str) -> Representation:
    (folder / "vocab.txt").write_text(WORDS)
    (folder / "bpe.codes").write_text(codes)
    return parse_all(open_subject(folder)).all[0]


def ids(folder: Path, codes: str) -> list[int]:
    """What "the" is, by the four tokens in front and the lines of `vocab.txt`."""
    spec = read(folder, codes).spec
    assert spec is not None
    return ReferenceTokenizer(spec).encode("the").ids


def test_a_line_is_a_merge_and_its_count(tmp_path: Path) -> None:
    assert ids(tmp_path, "t h 12\nth e</w> 9\n") == [4]


def test_without_counts_no_merge_is_made(tmp_path: Path) -> None:
    assert ids(tmp_path, "t h\nth e</w>\n") == [5, 6, 7]


def test_what_was_saved_so_twice_is_read_too(tmp_path: Path) -> None:
    assert ids(tmp_path, "t\nth\n") == [5, 6, 7]


def test_a_line_of_more_than_a_pair_and_a_count_is_refused(tmp_path: Path) -> None:
    assert "expected two parts and their count" in read(tmp_path, "t h e 12\n").error
