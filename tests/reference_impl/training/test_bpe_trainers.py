"""The BPE trainers: the textbook's examples, and the fast one held to the textbook."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from law_examples import some

from tokaudit_reference.models.bpe.effective import effective_merges
from tokaudit_reference.spec import (
    Component,
    ModelType,
    Piece,
    SpecError,
    Standing,
    TokenizerSpec,
    TokenType,
)
from tokaudit_reference.tokenizer import ReferenceTokenizer
from tokaudit_reference.training import bpe_trainer
from tokaudit_reference.training.bpe_on_files import ByteOrder, Merge, merges_of
from tokaudit_reference.training.textbook_bpe import pair_counts, train_textbook
from tokaudit_reference.training.tie_breaks import RULES

ALPHABET = ["b", "a", "c"]  # not in the order of the alphabet, so that the rules differ
LAW = settings(deadline=None, derandomize=True, database=None, max_examples=some(150))
CORPORA = st.lists(
    st.tuples(st.text("\0\1\2", min_size=1, max_size=14), st.sampled_from([1, 2, 3, 4, 50, 1000])),
    min_size=1,
    max_size=8,
    unique_by=lambda word: word[0],
)
LOWEST = {"low": 5, "lower": 2, "newest": 6, "widest": 3}


def numbered(words: list[tuple[str, int]]) -> list[tuple[tuple[int, ...], int]]:
    """Words as the textbook's version takes them."""
    return [(tuple(map(ord, word)), count) for word, count in words]


def test_the_first_merges_of_low_lower_newest_widest_are_those_of_the_paper() -> None:
    assert merges_of(LOWEST, 4) == [(b"s", b"t"), (b"e", b"st"), (b"o", b"w"), (b"l", b"ow")]


def test_with_equal_counts_the_rules_pick_different_pairs() -> None:
    first = {rule: merges_of(LOWEST, 1, rule)[0] for rule in RULES}
    assert first == {
        "lowest_id": (b"e", b"s"),
        "lexicographic_max": (b"s", b"t"),
        "first_seen": (b"e", b"s"),
        "shortest": (b"e", b"s"),
    }


def test_aaabdaaabac_becomes_four_symbols_by_three_merges() -> None:
    assert merges_of({"aaabdaaabac": 1}, 3, "first_seen") == [
        (b"a", b"a"),
        (b"aa", b"a"),
        (b"aaa", b"b"),
    ]


def test_a_token_whose_parts_are_merged_into_others_first_cannot_be_reached() -> None:
    letters = ["乌", "鲁", "木", "齐"]
    merges = (("鲁", "木"), ("乌", "鲁"), ("木", "齐"), ("乌鲁", "木齐"))
    pieces = [*letters, "鲁木", "乌鲁", "木齐", "乌鲁木齐"]
    none = Component(None, Standing.STATED)
    spec = TokenizerSpec(
        ModelType.BPE,
        {id: Piece(TokenType.ORDINARY, piece) for id, piece in enumerate(pieces)},
        merges=merges,
        normalizer=none,
        pre_tokenizer=none,
    )
    ids = ReferenceTokenizer(spec).encode("乌鲁木齐").ids
    assert [pieces[id] for id in ids] == ["乌", "鲁木", "齐"]
    assert [pieces[id] for id in effective_merges(spec).unmergeable] == ["乌鲁木齐"]


@LAW
@given(CORPORA, st.sampled_from(sorted(RULES)))
def test_both_trainers_learn_the_same_merges(words: list[tuple[str, int]], rule: str) -> None:
    assert bpe_trainer.train(words, ALPHABET, 9, rule) == train_textbook(
        numbered(words), ALPHABET, 9, rule
    )


@LAW
@given(CORPORA, st.sampled_from(sorted(RULES)))
def test_after_every_merge_the_counts_are_those_of_a_recount(
    words: list[tuple[str, int]], rule: str
) -> None:
    trainer = bpe_trainer.Trainer(words, ALPHABET, rule)
    weights = [count for _, count in words]
    while True:
        recount = pair_counts(numbered(list(zip(trainer.words, weights, strict=True))))
        assert {tuple(map(ord, pair)): n for pair, n in trainer.counts.items()} == recount
        pair = trainer.most_frequent()
        if pair is None:
            break
        trainer.merge(pair)


def test_a_pair_that_is_too_rare_is_not_merged() -> None:
    assert merges_of({"ab": 3, "cd": 2}, 9, min_frequency=3) == [(b"a", b"b")]


def test_to_ask_for_frequent_pairs_forgets_no_rare_one() -> None:
    trainer = bpe_trainer.Trainer([("\0\1", 9), ("\1\2", 2)], ALPHABET, "lowest_id")
    assert trainer.most_frequent(10) is None
    assert trainer.most_frequent(9) == "\0\1"
    trainer.merge("\0\1")
    assert trainer.most_frequent(3) is None
    assert trainer.most_frequent(2) == "\1\2"


def test_symbols_numbered_like_surrogates_are_symbols_like_any_other() -> None:
    first, second, made = 0xD800, 0xDC00, 0xDC01
    values = ["x"] * made
    word = (chr(first) + chr(second)) * 4
    assert bpe_trainer.train([(word, 1)], values, 2) == [(first, second), (made, made)]


def test_more_symbols_than_there_are_characters_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bpe_trainer, "SYMBOLS", 4)
    with pytest.raises(SpecError, match="there are 4 symbols") as caught:
        bpe_trainer.train([("\0\1\2", 1)], ALPHABET, 2)
    assert caught.value.remedy == "ask for a smaller vocabulary"


def test_every_merge_is_told_with_how_often_it_occurred() -> None:
    heard: list[tuple[int, int]] = []
    merges_of({"abab": 3}, 9, on_merge=lambda done, count: heard.append((done, count)))
    assert heard == [(1, 6), (2, 3)]


def test_hugging_face_learns_the_same_merges_in_the_same_order() -> None:
    import argparse
    from pathlib import Path

    text = Path(argparse.__file__).read_text()
    theirs = of_hugging_face([text], 1000)
    assert len(theirs) == 1000
    assert of_ours([text], 1000, "alphabet") == theirs


def test_rustbpe_learns_the_same_merges_in_the_same_order() -> None:
    pytest.importorskip("rustbpe", reason="the extra 'bench' is not installed")
    import argparse
    from pathlib import Path

    text = Path(argparse.__file__).read_text()
    assert products(of_ours([text], 600, "raw")) == of_rustbpe([text], 600)


def of_ours(texts: list[str], merges: int, byte_order: ByteOrder) -> list[Merge]:
    """What ours merges in texts, in order."""
    from tokaudit_reference.text.patterns import compiled
    from tokaudit_reference.text.published_patterns import GPT2

    words = Counter(piece for text in texts for piece in compiled(GPT2).pieces(text))
    return merges_of(words, merges, "lowest_id", byte_order)


def products(merges: list[Merge]) -> list[bytes]:
    """What merges make, in order."""
    return [left + right for left, right in merges]


def of_rustbpe(texts: list[str], merges: int) -> list[bytes]:
    """What rustbpe makes of them; it tells no parts."""
    import rustbpe

    from tokaudit_reference.text.published_patterns import GPT2

    upstream = rustbpe.Tokenizer()
    upstream.train_from_iterator(iter(texts), vocab_size=256 + merges, pattern=GPT2)
    return [bytes(token) for token, _ in upstream.get_mergeable_ranks()][256:]


def of_hugging_face(texts: list[str], merges: int) -> list[Merge]:
    """What Hugging Face's trainer merges in them."""
    import json

    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    from tokaudit_reference.text.bytes_alphabet import to_bytes

    upstream = Tokenizer(models.BPE())
    upstream.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=256 + merges, initial_alphabet=alphabet, show_progress=False
    )
    upstream.train_from_iterator(texts, trainer)
    pairs = json.loads(upstream.to_str())["model"]["merges"]
    return [(to_bytes(left) or b"", to_bytes(right) or b"") for left, right in pairs]


TEXTS = st.lists(st.text("ab é\n", min_size=1, max_size=30), min_size=1, max_size=10)
FEW = settings(LAW, max_examples=some(60))


@FEW
@given(TEXTS)
def test_hugging_face_merges_any_text_alike_until_no_pair_is_left(texts: list[str]) -> None:
    assert of_ours(texts, 300, "alphabet") == of_hugging_face(texts, 300)


@FEW
@given(TEXTS)
def test_rustbpe_merges_any_text_alike_until_no_pair_is_left(texts: list[str]) -> None:
    pytest.importorskip("rustbpe", reason="the extra 'bench' is not installed")
    assert products(of_ours(texts, 300, "raw")) == of_rustbpe(texts, 300)


@LAW
@given(st.lists(st.text("ab", min_size=1, max_size=12), min_size=1, max_size=6))
def test_lexicographic_max_is_the_greatest_pair_of_bytes_among_the_most_frequent(
    texts: list[str],
) -> None:
    """The rule as the assignment states it, over words cut into bytes."""
    words = [[bytes([byte]) for byte in text.encode()] for text in texts]
    expected: list[Merge] = []
    while pairs := Counter(pair for word in words for pair in pairwise(word)):
        best = max(pairs, key=lambda pair: (pairs[pair], pair))
        expected.append(best)
        words = [_joined(word, *best) for word in words]
    assert merges_of(Counter(texts), 99, "lexicographic_max") == expected


def _joined(word: list[bytes], left: bytes, right: bytes) -> list[bytes]:
    found: list[bytes] = []
    rest = iter(range(len(word)))
    for place in rest:
        here = word[place : place + 2] == [left, right]
        found.append(left + right if here else word[place])
        if here:
            next(rest)
    return found


@LAW
@given(st.lists(st.text("ab", min_size=1, max_size=8), min_size=1, max_size=5))
def test_first_seen_is_the_choice_of_a_plain_recount_in_the_order_of_the_text(
    texts: list[str],
) -> None:
    """The algorithm of minbpe: a dict filled from the text, and `max` over it."""
    ids = [[ord(character) for character in text] for text in texts]
    expected = []
    for made in range(256, 260):
        counts: dict[tuple[int, int], int] = {}
        for chunk in ids:
            for pair in pairwise(chunk):
                counts[pair] = counts.get(pair, 0) + 1
        if not counts:
            break
        best = max(counts, key=lambda pair: counts[pair])
        expected.append(best)
        ids = [list(_merged(tuple(chunk), best, made)) for chunk in ids]
    values = [bytes([byte]) for byte in range(256)]
    assert bpe_trainer.train(Counter(texts).items(), values, 4, "first_seen") == expected


def _merged(word: tuple[int, ...], pair: tuple[int, int], made: int) -> tuple[int, ...]:
    from tokaudit_reference.training.textbook_bpe import merged

    return merged(word, pair, made)
