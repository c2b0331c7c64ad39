"""The Unigram trainer: EM raises the likelihood, pruning keeps what is missed, the result encodes."""

from __future__ import annotations

import io
import itertools
from collections import Counter
from math import exp, fsum, inf, log
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from law_examples import some

from tokaudit_reference.models.unigram.viterbi import Unigram
from tokaudit_reference.training.unigram_lattice import best, expected
from tokaudit_reference.training.unigram_trainer import fitted, pruned, seeds, train

words = st.dictionaries(
    st.text("abc", min_size=1, max_size=7), st.integers(1, 9), min_size=1, max_size=8
)
law = settings(deadline=None, derandomize=True, database=None, max_examples=some(150))


def segmentations(word: str, pieces: object) -> list[list[str]]:
    """Every way to cut a word, found by trying every set of places."""
    found = []
    for cuts in itertools.product([False, True], repeat=len(word) - 1):
        edges = [0, *(place for place, cut in enumerate(cuts, 1) if cut), len(word)]
        parts = [word[start:end] for start, end in itertools.pairwise(edges)]
        if all(part in pieces for part in parts):  # type: ignore[operator]
            found.append(parts)
    return found


@law
@given(words)
def test_a_step_of_em_never_lowers_the_likelihood(counts: dict[str, int]) -> None:
    scores, last = seeds(counts), -inf
    for _ in range(4):
        scores, likelihood = fitted(counts, scores)
        assert likelihood >= last - 1e-6
        last = likelihood


@law
@given(words)
def test_probabilities_sum_to_one_after_every_step(counts: dict[str, int]) -> None:
    scores = fitted(counts, seeds(counts))[0]
    assert fsum(map(exp, scores.values())) == pytest.approx(1.0)


@law
@given(words)
def test_expected_counts_are_those_of_all_segmentations(counts: dict[str, int]) -> None:
    scores = seeds(counts)
    for word in counts:
        ways = {
            tuple(way): exp(fsum(scores[p] for p in way)) for way in segmentations(word, scores)
        }
        whole, found = expected(word, scores, 16)
        assert whole == pytest.approx(log(fsum(ways.values())))
        by_hand: Counter[str] = Counter()
        for way, probability in ways.items():
            for piece in way:
                by_hand[piece] += probability / fsum(ways.values())  # type: ignore[assignment]
        assert found == pytest.approx(dict(by_hand))


@law
@given(words, st.integers(0, 12))
def test_every_character_stays_and_the_size_is_kept(counts: dict[str, int], size: int) -> None:
    characters = set("".join(counts))
    scores = train(counts, size)
    assert characters <= set(scores)
    assert len(scores) <= max(size, len(characters))
    assert list(scores.values()) == sorted(scores.values(), reverse=True)


@law
@given(words, st.integers(1, 12))
def test_the_order_of_the_words_does_not_matter(counts: dict[str, int], size: int) -> None:
    assert train(dict(reversed(counts.items())), size) == train(counts, size)


@law
@given(words)
def test_the_encoder_cuts_as_the_best_segmentation_scores(counts: dict[str, int]) -> None:
    scores = train(counts, 9)
    for word in counts:
        pieces = [word[start:end] for start, end in Unigram(scores).segments(word)]
        most = max(fsum(scores[p] for p in way) for way in segmentations(word, scores))
        assert fsum(scores[piece] for piece in pieces) == pytest.approx(most)


def test_seeds_are_the_substrings_that_occur_twice_and_end_before_different_characters() -> None:
    assert sorted(seeds({"banana": 1})) == ["a", "ana", "b", "n", "na"]
    assert sorted(seeds({"abcab": 1, "abd": 1}, longest=2)) == ["a", "ab", "b", "c", "d"]
    assert list(seeds({"aab": 5}, size=0)) == ["a", "b"]


def test_the_piece_that_is_missed_most_stays() -> None:
    counts = {"xy": 50, "zw": 2, "x": 1, "y": 1, "z": 1, "w": 1}
    scores = fitted(counts, seeds(counts))[0]
    assert set(pruned(counts, scores, 5)) == {"w", "x", "y", "z", "xy"}


def test_a_segmentation_without_a_piece_may_not_exist() -> None:
    assert best("ab", {"ab": -1.0}, 2, without="ab") == []
    assert best("abc", {"a": -1.0}, 1) == []


def test_nothing_to_learn_gives_nothing() -> None:
    assert train({}, 5) == {}


@pytest.fixture(scope="module")
def corpus() -> list[str]:
    """Lines of a few modules of an installed package."""
    folder = Path(pytest.__file__).parent.parent / "_pytest"
    sources = [path.read_text() for path in sorted(folder.glob("[a-c]*.py"))]
    return [" ".join(line.split()) for source in sources for line in source.splitlines()]


def test_the_likelihood_on_real_text_is_within_a_few_percent_of_sentencepiece_or_better(
    corpus: list[str],
) -> None:
    import sentencepiece

    file = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter([line for line in corpus if line]),
        model_writer=file,
        vocab_size=500,
        character_coverage=1.0,
        normalization_rule_name="identity",
        minloglevel=2,
    )
    upstream = sentencepiece.SentencePieceProcessor(model_proto=file.getvalue())
    theirs = {upstream.id_to_piece(id): upstream.get_score(id) for id in range(3, 500)}
    counts = Counter("\u2581" + word for line in corpus for word in line.split())
    ours = train(counts, 497, longest=8)
    assert len(ours) == len(theirs) == 497
    assert fitted(counts, ours)[1] >= 1.02 * fitted(counts, theirs)[1]  # both below zero
    assert len(ours.keys() & theirs.keys()) > 497 / 3


def test_the_library_encodes_with_it_as_we_do(corpus: list[str]) -> None:
    from tokenizers import Tokenizer, models

    counts = Counter(word for line in corpus[:400] for word in line.split())
    scores = train(counts, 300)
    pieces = [("<unk>", 0.0), *scores.items()]
    upstream = Tokenizer(models.Unigram(pieces, unk_id=0, byte_fallback=False))
    ids = {piece: id for id, piece in enumerate(scores, 1)}
    ours = Unigram(scores)
    for word in counts:
        assert upstream.encode(word).ids == [ids[word[a:b]] for a, b in ours.segments(word)]
