"""The WordPiece trainer picks by likelihood, keeps its counts true, and its result encodes."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from law_examples import some

from tokaudit_reference.models.wordpiece import wordpiece
from tokaudit_reference.training.wordpiece_counts import Counts, counted, merged, spelled
from tokaudit_reference.training.wordpiece_trainer import train, train_textbook

COURSE = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
words = st.dictionaries(st.text("abc#", min_size=1, max_size=9), st.integers(1, 9), max_size=12)
law = settings(deadline=None, derandomize=True, database=None, max_examples=some(200))


@law
@given(words, st.integers(0, 30), st.integers(0, 5), st.sampled_from(["##", "", "@"]))
def test_kept_counts_give_the_vocabulary_of_the_textbook(
    counts: dict[str, int], size: int, least: int, prefix: str
) -> None:
    slow = train_textbook(counts, size, min_frequency=least, prefix=prefix)
    assert train(counts, size, min_frequency=least, prefix=prefix) == slow


@law
@given(words)
def test_after_every_merge_the_counts_equal_a_recount(given_words: dict[str, int]) -> None:
    counts = Counts(given_words, "##", 1)
    spelt = [(spelled(word, "##"), count) for word, count in given_words.items()]
    for _ in range(6):
        pair = counts.best()
        if pair is None:
            break
        counts.merge(pair)
        spelt = [(merged(word, pair, "##"), count) for word, count in spelt]
        assert (+counts.symbols, +counts.pairs) == counted(spelt)


@law
@given(words)
def test_no_other_pair_has_a_better_score(given_words: dict[str, int]) -> None:
    pair = Counts(given_words, "@", 1).best()
    symbols, pairs = counted([(spelled(word, "@"), count) for word, count in given_words.items()])
    scores = {p: Fraction(n, symbols[p[0]] * symbols[p[1]]) for p, n in pairs.items()}
    assert (scores[pair] if pair else None) == max(scores.values(), default=None)


@law
@given(words, st.integers(0, 40))
def test_every_word_of_the_corpus_encodes_and_decodes(counts: dict[str, int], size: int) -> None:
    vocab = {piece: id for id, piece in enumerate(train(counts, size))}
    rest = {piece.removeprefix("##"): id for piece, id in vocab.items() if piece.startswith("##")}
    name = {id: piece for piece, id in vocab.items()}
    for word in counts:
        pieces = [name[id] for id, _, _ in wordpiece(word, vocab, rest) or ()]
        assert "[UNK]" not in pieces
        assert pieces[0] + "".join(piece.removeprefix("##") for piece in pieces[1:]) == word


def test_the_first_merge_of_the_course_is_the_pair_that_is_seldom_apart() -> None:
    assert train(COURSE, 9)[8:] == ["##gs"]  # 5 / (20 * 5); "##u" + "##g" is four times as frequent


def test_of_equal_scores_the_more_frequent_pair_wins() -> None:
    assert train(COURSE, 12)[9:] == ["pu", "hu", "bu"]  # each 1/36, with counts 17, 15, 4


def test_of_equal_scores_and_counts_the_first_in_code_points_wins() -> None:
    assert train({"ba": 2, "dc": 2}, 7) == ["[UNK]", "##a", "##c", "b", "d", "ba", "dc"]


def test_a_pair_below_the_least_frequency_is_not_merged() -> None:
    assert train({"ab": 1, "cd": 2}, 99, min_frequency=2)[5:] == ["cd"]


def test_a_vocabulary_smaller_than_its_alphabet_is_the_alphabet() -> None:
    assert train({"ab": 1}, 1, ["[PAD]", "[UNK]"]) == ["[PAD]", "[UNK]", "##b", "a"]


def test_the_library_s_trainer_picks_by_frequency_instead() -> None:
    """Reproduced: Hugging Face's WordPieceTrainer is byte-pair encoding with a prefix."""
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    upstream = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    upstream.pre_tokenizer = pre_tokenizers.Whitespace()
    trainer = trainers.WordPieceTrainer(
        vocab_size=15, special_tokens=["[UNK]"], show_progress=False
    )
    upstream.train_from_iterator([" ".join([word] * n) for word, n in COURSE.items()], trainer)
    by_id = sorted(upstream.get_vocab(), key=upstream.get_vocab().__getitem__)
    assert by_id[12:] == _most_frequent_merges(3) == ["##ug", "##un", "hug"]
    assert train(COURSE, 11)[8:] == ["##gs", "pu", "hu"]


def _most_frequent_merges(steps: int) -> list[str]:
    spelt = [(spelled(word, "##"), count) for word, count in COURSE.items()]
    found = []
    for _ in range(steps):
        _, pairs = counted(spelt)
        pair = max(pairs, key=pairs.__getitem__)
        found.append(pair[0] + pair[1].removeprefix("##"))
        spelt = [(merged(word, pair, "##"), count) for word, count in spelt]
    return found


@pytest.fixture(scope="module")
def python_words() -> dict[str, int]:
    """The words of a few modules of Python's own library."""
    import re
    from collections import Counter

    folder = Path(pytest.__file__).parent
    source = " ".join(path.read_text() for path in sorted(folder.glob("../_pytest/*.py")))
    return Counter(re.findall(r"\w+|[^\w\s]", source.lower()))


def test_the_library_encodes_real_words_with_it_as_we_do(python_words: dict[str, int]) -> None:
    from tokenizers import Tokenizer, models

    vocab = {piece: id for id, piece in enumerate(train(python_words, 1200, min_frequency=2))}
    upstream = Tokenizer(models.WordPiece(vocab, unk_token="[UNK]"))
    rest = {piece.removeprefix("##"): id for piece, id in vocab.items() if piece.startswith("##")}
    assert len(vocab) == 1200
    for word in python_words:
        ours = wordpiece(word, vocab, rest)
        assert upstream.encode(word).ids == [id for id, _, _ in ours or [(vocab["[UNK]"], 0, 0)]]
