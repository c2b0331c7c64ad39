"""`train_bpe`: from a file to a vocabulary and merges."""

from __future__ import annotations

import os
from multiprocessing import get_start_method
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from law_examples import some

from tokaudit_reference.models.bpe.tokenizer import BPETokenizer
from tokaudit_reference.spec import SpecError
from tokaudit_reference.text.published_patterns import GPT2, PATTERNS
from tokaudit_reference.training.bpe_on_files import train_bpe
from tokaudit_reference.training.chunks import ranges, unmistakable
from tokaudit_reference.training.words import count_words, cutter

END = "<|endoftext|>"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some modules of Python's library and other scripts, each a document."""
    library = Path(pytest.__file__).parents[1] / "_pytest"
    texts = [file.read_text() for file in sorted(library.glob("*.py"))[:12]]
    texts += ["Grüße aus Köln, 東京タワー 🙂\r\n", f"{END[:5]} is no token"]
    file = tmp_path_factory.mktemp("corpus") / "corpus.txt"
    file.write_text(END.join(texts), newline="")
    return file


def test_the_vocabulary_is_the_bytes_then_the_products_then_the_special_tokens(
    corpus: Path,
) -> None:
    vocab, merges = train_bpe(corpus, 300, [END])
    assert len(vocab) == 300
    assert [vocab[id] for id in range(256)] == [bytes([byte]) for byte in range(256)]
    assert [vocab[id] for id in range(256, 299)] == [left + right for left, right in merges]
    assert vocab[299] == END.encode()


def test_special_tokens_take_no_part_in_merges(corpus: Path) -> None:
    vocab, _ = train_bpe(corpus, 1500, [END])
    assert [token for token in vocab.values() if b"<|" in token] == [END.encode()]


def test_what_it_learned_encodes_and_decodes(corpus: Path) -> None:
    vocab, merges = train_bpe(corpus, 600, [END])
    tokenizer = BPETokenizer(vocab, merges, [END])
    text = f"def test_東京() -> None:{END}"
    ids = tokenizer.encode(text)
    assert tokenizer.decode(ids) == text
    assert ids[-1] == 599 and len(ids) < len(text)


@pytest.mark.parametrize("size", [5_000, 50_000, 10**9])
def test_neither_words_nor_their_order_depend_on_where_the_file_is_cut(
    corpus: Path, size: int, monkeypatch: pytest.MonkeyPatch, processes: None
) -> None:
    whole = list(count_words(corpus, [END], [GPT2], processes=1).items())
    monkeypatch.setattr("tokaudit_reference.training.words.ranges", lambda *a: ranges(*a, size))
    for processes in (1, 2):
        assert list(count_words(corpus, [END], [GPT2], processes=processes).items()) == whole
    assert (len(ranges(corpus, [END], size=size)) > 1) == (size < 10**9)


def test_two_processes_learn_what_one_learns(
    corpus: Path, monkeypatch: pytest.MonkeyPatch, processes: None
) -> None:
    monkeypatch.setattr("tokaudit_reference.training.words.ranges", lambda *a: ranges(*a, 9_000))
    one = train_bpe(corpus, 500, [END], processes=1)
    assert len(one[1]) == 243
    assert train_bpe(corpus, 500, [END], processes=2) == one


@pytest.mark.skipif(get_start_method() != "fork", reason="the trap reaches forked processes only")
def test_a_process_that_is_lost_is_said(
    corpus: Path, monkeypatch: pytest.MonkeyPatch, processes: None
) -> None:
    monkeypatch.setattr("tokaudit_reference.training.words.ranges", lambda *a: ranges(*a, 9_000))
    monkeypatch.setattr("tokaudit_reference.training.words._text", lambda task: os._exit(9))
    with pytest.raises(SpecError, match="was ended from outside") as caught:
        train_bpe(corpus, 300, [END], processes=2)
    assert caught.value.remedy == "memory may be short: use fewer processes"


def test_an_empty_file_gives_the_bytes_and_the_special_tokens(tmp_path: Path) -> None:
    (tmp_path / "text").touch()
    vocab, merges = train_bpe(tmp_path / "text", 1000, [END, END])
    assert (len(vocab), vocab[256], merges) == (257, END.encode(), [])


def test_training_ends_when_no_pair_is_left(tmp_path: Path) -> None:
    (tmp_path / "text").write_text(f"abc{END}abc")
    vocab, merges = train_bpe(tmp_path / "text", 1000, [END])
    assert merges == [(b"b", b"c"), (b"a", b"bc")]
    assert len(vocab) == 259


@pytest.mark.parametrize("token", ["", "<\ud800>"])
def test_special_tokens_that_no_text_can_hold_are_refused(corpus: Path, token: str) -> None:
    with pytest.raises(SpecError, match="is empty or has no UTF-8"):
        train_bpe(corpus, 300, [token])


def test_a_file_without_boundaries_is_one_range(corpus: Path) -> None:
    assert ranges(corpus, [], size=1000) == [(0, corpus.stat().st_size)]


def test_a_cut_is_where_a_boundary_begins(tmp_path: Path) -> None:
    file = tmp_path / "text"
    file.write_text("aaaa<x>bbbb<x>cccc")
    assert ranges(file, ["<x>"], size=2) == [(0, 4), (4, 11), (11, 18)]


def test_a_published_pattern_is_cut_at_line_ends_between_letters(tmp_path: Path) -> None:
    file = tmp_path / "text"
    file.write_text("ab\ncd\n\nef\n gh\nij")
    assert ranges(file, [], [GPT2], 1) == [(0, 3), (3, 14), (14, 16)]


@pytest.mark.parametrize(
    ("special", "patterns"), [([], [GPT2, r"\S+"]), ([], [r"\S+"]), (["a\nb"], [GPT2])]
)
def test_another_pattern_and_a_token_with_a_line_end_leave_lines_whole(
    special: list[str], patterns: list[str], tmp_path: Path
) -> None:
    (tmp_path / "text").write_text("ab\ncd\nef")
    assert ranges(tmp_path / "text", special, patterns, 1) == [(0, 8)]


@pytest.mark.parametrize("name", PATTERNS)
@settings(deadline=None, derandomize=True, database=None, max_examples=some(200))
@given(text=st.lists(st.sampled_from([*"ab's1./-\u00e9 \t\r\n", "a\nb", "ll\nD"])).map("".join))
def test_ranges_hold_the_pre_tokens_of_the_whole_text(
    name: str, text: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file, cut = tmp_path_factory.mktemp("text") / "text", cutter(PATTERNS[name])
    file.write_bytes(text.encode())
    parts = [text.encode()[a:b].decode() for a, b in ranges(file, [], PATTERNS[name], 1)]
    assert [word for part in parts for word in cut(part)] == cut(text)


def test_tokens_that_can_overlap_are_no_boundaries() -> None:
    assert unmistakable(["<a>", "<a><b>", "b>c"]) == []
    assert unmistakable(["<a>", "<b>"]) == ["<a>", "<b>"]


def test_of_special_tokens_that_begin_alike_the_longest_is_taken_out(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("up<a><b>down<a>up")
    assert count_words(tmp_path / "text", ["<a>", "<a><b>"], [GPT2]) == {"up": 2, "down": 1}


def test_each_pattern_splits_what_the_one_before_left(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("ab12 cd3")
    counts = count_words(tmp_path / "text", [], [r"\d", r"[a-z]+"])
    assert dict(counts) == {"ab": 1, "1": 1, "2": 1, " ": 1, "cd": 1, "3": 1}


def test_line_ends_are_kept(tmp_path: Path) -> None:
    (tmp_path / "text").write_bytes(b"a\r\nb\rc\n")
    assert count_words(tmp_path / "text", [], ["."])["\r"] == 2


@pytest.mark.parametrize(
    ("size", "more", "says"),
    [
        (256, {}, "less than the 256 bytes and 1 special tokens"),
        (300, {"tie_break": "coin"}, "the tie break 'coin' is unknown"),
        (300, {"pattern": "(a"}, "does not compile"),
    ],
)
def test_what_cannot_be_is_said(corpus: Path, size: int, more: dict[str, str], says: str) -> None:
    with pytest.raises(SpecError, match=says.replace("(", r"\(")) as caught:
        train_bpe(corpus, size, [END], **more)  # type: ignore[arg-type]
    assert caught.value.remedy or "compile" in says


def test_bytes_that_are_no_utf_8_are_placed(tmp_path: Path) -> None:
    file = tmp_path / "text"
    file.write_bytes(b"good " * 3 + END.encode() + b"\xff")
    with pytest.raises(SpecError, match="text: is not UTF-8: byte 0xff at offset 28"):
        train_bpe(file, 300, [END])
