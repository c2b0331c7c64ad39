"""Several sizes from one count, an alphabet of characters, digits, and text that is held out."""

from __future__ import annotations

import json
import unicodedata
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tokenizers import Tokenizer

import tokaudit
from tokaudit.foundation.errors import UnreadableError, UsageError
from tokaudit.products.train.held_out import split_corpus
from tokaudit_reference.training import chunks, words

pytestmark = pytest.mark.usefixtures("processes")
PAPER = "low " * 5 + "lower " * 2 + "newest " * 6 + "widest " * 3
KINDS: tuple[dict[str, Any], ...] = (
    {},
    {"alphabet": "characters", "coverage": 0.99},
    {"model": "wordpiece"},
    {"model": "unigram"},
)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Sentences with numbers, accents and one rare character, each a line."""
    file = tmp_path / "text.txt"
    lines = (
        f"In {1900 + n} the café had {n * 37} guests, and paid {n * n} francs." for n in range(99)
    )
    file.write_text("\n".join(lines) + "\n東\n")
    return file


def written(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


@pytest.mark.parametrize("kind", KINDS)
def test_each_of_several_sizes_is_equal_byte_for_byte_to_one_trained_alone(
    corpus: Path, tmp_path: Path, kind: dict[str, Any]
) -> None:
    made = tokaudit.train_sizes([corpus], tmp_path / "mine", [350, 400, 375], **kind)
    assert [each.path.name for each in made] == ["mine-350", "mine-400", "mine-375"]
    for each in made:
        alone = tmp_path / f"alone-{each.asked}"
        tokaudit.train([corpus], alone, each.asked, **kind)
        assert written(alone) == written(each.path)


def test_no_size_at_all_is_refused(corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="sizes: is empty; give at least one"):
        tokaudit.train_sizes([corpus], tmp_path / "mine", [])


def test_the_merges_of_the_first_subword_bpe_paper_have_the_counts_worked_out_by_hand(
    tmp_path: Path,
) -> None:
    # e s and s t occur 6 + 3 times; then es t 9, l o and o w 5 + 2, and lo w 7
    (tmp_path / "c").write_text(PAPER)
    made = tokaudit.train([tmp_path / "c"], tmp_path / "o", 260, pattern=r"\S+|\s+")
    found = [(each.left, each.right, each.count) for each in made.merges]
    assert found == [(b"e", b"s", 9), (b"es", b"t", 9), (b"l", b"o", 7), (b"lo", b"w", 7)]


def test_the_readable_entries_are_as_minbpe_writes_them(tmp_path: Path) -> None:
    (tmp_path / "c").write_text("aaabdaaabac")
    tokaudit.train(
        [tmp_path / "c"],
        tmp_path / "o",
        259,
        readable=True,
        special=["<|end|>"],
        tie_break="first_seen",
    )
    lines = (tmp_path / "o" / "tokenizer.vocab").read_text().splitlines()
    assert lines[0] == "[!] 0" and lines[-3:] == ["[a][a] -> [aa] 256", "[aa][a] -> [aaa] 257", "[<|end|>] 258"]  # fmt: skip
    assert "[\\u000a] 198" in lines and unicodedata.category("\n") == "Cc"


def test_a_folder_from_its_recipe_is_equal_from_one_process_and_from_several(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "c").write_text("".join(f"one {n} two {n * n}<|end|>" for n in range(999)))
    first, again = tmp_path / "first", tmp_path / "again"
    tokaudit.train([tmp_path / "c"], first, 400, special=["<|end|>"], jobs=1)
    monkeypatch.setattr(words, "ranges", partial(chunks.ranges, size=1000))
    counted: list[int] = []
    tokaudit.retrain(first, again, on_step=lambda what, done, whole: counted.append(done))
    assert written(again) == written(first) and len(counted) > 10


def test_a_recipe_with_every_choice_gives_the_same_bytes(corpus: Path, tmp_path: Path) -> None:
    first, again = tmp_path / "first", tmp_path / "again"
    tokaudit.train(
        *([corpus], first, 360),
        alphabet="characters",
        digits="one",
        held_out=0.2,
        readable=True,
        special=["<|end|>"],
        coverage=0.99,
    )
    tokaudit.retrain(first, again)
    assert written(first) == written(again)


def test_an_alphabet_of_characters_leaves_the_rare_ones_to_bytes(
    corpus: Path, tmp_path: Path
) -> None:
    tokaudit.train([corpus], tmp_path / "o", 400, alphabet="characters", coverage=0.999)
    theirs = Tokenizer.from_file(str(tmp_path / "o" / "tokenizer.json"))
    found = theirs.encode("the café 東🙂")
    assert found.tokens[-7:] == ["<0xE6>", "<0x9D>", "<0xB1>", "<0xF0>", "<0x9F>", "<0x99>", "<0x82>"]  # fmt: skip
    assert theirs.decode(found.ids) == "the café 東🙂"
    assert "é" in theirs.get_vocab() and "東" not in theirs.get_vocab()


def test_a_merge_that_would_spell_the_name_of_a_byte_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "c").write_text("<0x41> " * 50 + "abc")
    tokaudit.train([tmp_path / "c"], tmp_path / "o", 300, alphabet="characters", coverage=1.0)
    theirs = Tokenizer.from_file(str(tmp_path / "o" / "tokenizer.json"))
    assert theirs.decode(theirs.encode("<0x41>").ids) == "<0x41>"


@pytest.mark.parametrize(("digits", "most"), [("one", 1), ("three", 3)])
@pytest.mark.parametrize("kind", [{}, {"alphabet": "characters"}, {"model": "unigram"}])
def test_no_entry_has_more_digits_than_were_allowed(
    corpus: Path, tmp_path: Path, digits: str, most: int, kind: dict[str, Any]
) -> None:
    tokaudit.train([corpus], tmp_path / "o", 600, digits=digits, **kind)
    theirs = Tokenizer.from_file(str(tmp_path / "o" / "tokenizer.json"))
    entries = [entry for entry in theirs.get_vocab() if not entry.startswith("<0x")]
    assert max(sum(map(str.isdigit, entry)) for entry in entries) == most
    assert theirs.decode(theirs.encode("in 1234567").ids) == "in 1234567"


def test_a_document_is_never_on_both_sides_and_none_is_lost(corpus: Path, tmp_path: Path) -> None:
    with split_corpus([corpus], 0.3, (), tmp_path / "parts") as found:
        sides = [Counter(file.read_text().splitlines()) for file in (*found.training, *found.held)]
    assert sides[0] + sides[1] == Counter(corpus.read_text().splitlines())
    assert not sides[0].keys() & sides[1].keys() and 15 < sides[1].total() < 45
    assert not (tmp_path / "parts").exists()


def test_documents_end_with_special_tokens_where_a_file_has_any(tmp_path: Path) -> None:
    (tmp_path / "c").write_text("".join(f"line\nline {n}<|end|>" for n in range(40)))
    with split_corpus([tmp_path / "c"], 0.5, ["<|end|>"], tmp_path / "parts") as found:
        texts = [file.read_text() for file in (*found.training, *found.held)]
    assert all(text.count("line") == 2 * text.count("<|end|>") > 0 for text in texts)


def test_bytes_per_token_of_text_held_out_is_what_the_library_makes_of_it(
    corpus: Path, tmp_path: Path
) -> None:
    made = tokaudit.train([corpus], tmp_path / "o", 400, held_out=0.4)
    with split_corpus([corpus], 0.4, (), tmp_path / "parts") as found:
        texts = found.held[0].read_text().splitlines(keepends=True)
    theirs = Tokenizer.from_file(str(tmp_path / "o" / "tokenizer.json"))
    tokens = sum(len(each.ids) for each in theirs.encode_batch(texts))
    size = sum(len(text.encode()) for text in texts)
    held = made.held_out
    assert held is not None
    assert (held.documents, held.bytes, held.tokens) == (len(texts), size, tokens)
    assert held.bytes_per_token.value == size / tokens


def test_nothing_left_to_hold_out_is_said(tmp_path: Path) -> None:
    (tmp_path / "c").write_text("one line\n")
    with pytest.raises(UnreadableError, match="none of the 1 documents is left to hold out"):
        tokaudit.train([tmp_path / "c"], tmp_path / "o", 300, held_out=1e-9)
    with pytest.raises(UnreadableError, match="none of the 1 documents is left to train on"):
        tokaudit.train([tmp_path / "c"], tmp_path / "o", 300, held_out=1.0)
    assert not (tmp_path / "o").exists()


def test_other_bytes_are_named_with_their_own_file(tmp_path: Path) -> None:
    (tmp_path / "c").write_bytes(b"good\nb\xffd\n")
    with pytest.raises(UnreadableError, match=r"/c: is not UTF-8: byte 0xff at offset 6"):
        tokaudit.train([tmp_path / "c"], tmp_path / "o", 300, held_out=0.5)


def test_the_recipe_holds_the_new_choices(corpus: Path, tmp_path: Path) -> None:
    tokaudit.train([corpus], tmp_path / "o", 400, digits="three", held_out=0.4)
    settings = json.loads((tmp_path / "o" / "training_recipe.json").read_text())["predicate"]["settings"]  # fmt: skip
    assert (settings["digits"], settings["held_out"], settings["readable"]) == ("three", 0.4, False)
