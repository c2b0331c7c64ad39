"""Every figure of `compare --for replacing`, worked out by hand and by a second implementation."""

from __future__ import annotations

import math
from array import array
from collections import Counter
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokaudit.engine.measure import interval
from tokaudit.products.compare.replacing.counts import REFUSED, DocumentTokens, Sizes, Texts, blocks
from tokaudit.products.compare.replacing.figures import Documents, figures_of, parity
from tokaudit.products.compare.replacing.kinds import entry_kinds
from tokaudit.products.compare.replacing.shifts import shifts
from tokaudit.products.compare.replacing.vocabulary import renyi_efficiency, vocabulary_use
from tokaudit.products.compare.work.counting import part_ids
from tokaudit.products.compare.work.replacing import by_script
from tokaudit.report.comparison import Rate
from tokaudit.report.replacement import PairedFigure
from tokaudit_reference.spec import ModelType, Piece, TokenizerSpec, TokenType

CORPUS = Texts("corpus", "held.txt", "held.txt", spaced=True)
COUNTS = st.lists(st.integers(1, 1000), min_size=2, max_size=40)


def language(key: str) -> Texts:
    return Texts("language", key, key)


def no_interval(tops: object, bottoms: object) -> None:
    return None


def encoded(*tokens: int, parts: int = 0, lost: float = 0.0) -> DocumentTokens:
    each = [parts] * len(tokens)
    return DocumentTokens(array("q", tokens), array("q", each), lost, characters=100)


def documents(
    left: DocumentTokens, right: DocumentTokens, *texts: str, about: Texts = CORPUS
) -> Documents:
    sizes = Sizes()
    for text in texts:
        sizes.take(text)
    return Documents(about, sizes, left, right)


def by_key(found: Documents) -> dict[str, PairedFigure]:
    return {each.key: each for each in figures_of(found, 100, no_interval)}


def test_a_corpus_of_two_documents_has_the_figures_that_were_worked_out_by_hand() -> None:
    # "low lower" is 9 bytes and 2 words, "né" 3 bytes and 1 word; 4 + 2 tokens against 2 + 1
    found = by_key(documents(encoded(4, 2, parts=1), encoded(2, 1), "low lower", "né"))
    assert found["tokens"].left == Rate(6) and found["tokens"].right == Rate(3)
    assert found["tokens"].ratio == Rate(0.5)
    assert found["bytes_per_token"].left == Rate(2) and found["bytes_per_token"].right == Rate(4)
    assert found["bytes_per_token"].ratio == Rate(2)
    assert found["tokens_per_word"].left == Rate(2) and found["tokens_per_word"].right == Rate(1)
    assert found["part_tokens"].left == Rate(2 / 6) and found["part_tokens"].right == Rate(0)
    assert found["bytes_in_context"].left == Rate(200)
    assert found["bytes_in_context"].right == Rate(400)
    bits = found["bits_per_byte_of_one_nat"].left
    assert bits is not None and bits.value == pytest.approx(6 / (12 * math.log(2)))


def test_a_document_that_one_side_refuses_counts_on_neither() -> None:
    found = by_key(documents(encoded(4, 2), encoded(REFUSED, 1), "low lower", "né"))
    assert found["tokens"].left == Rate(2) and found["tokens"].documents == 1


def test_a_side_that_loses_text_has_no_figure_and_no_ratio() -> None:
    found = by_key(documents(encoded(1, lost=50), encoded(9), "low lower"))
    assert found["tokens"].left is None and found["tokens"].ratio is None
    assert found["tokens"].right == Rate(9)


def test_parity_is_of_aligned_sentences() -> None:
    english = documents(encoded(2, 2), encoded(2, 4), "a b", "c d")
    thai = documents(encoded(6, 2), encoded(3, 3), "ก", "ข")
    found = parity(thai, english, no_interval)
    assert found is not None and found.left == Rate(2) and found.right == Rate(1)


def test_languages_of_one_script_are_put_together() -> None:
    german = documents(encoded(2, 2), encoded(2, 4), "a b", "c d", about=language("deu_Latn"))
    thai = documents(encoded(6), encoded(3), "ก", about=language("tha_Thai"))
    french = documents(encoded(1), encoded(1), "é", about=language("fra_Latn"))
    latin, of_thai = by_script([german, thai, french])
    assert (latin.texts.key, latin.texts.name) == ("Latn", "Latn (2 languages)")
    assert by_key(latin)["tokens"].left == Rate(5) and by_key(latin)["tokens"].right == Rate(7)
    assert by_key(latin)["bytes_per_token"].left == Rate(8 / 5)
    assert by_key(of_thai)["tokens"].ratio == Rate(0.5)


def test_the_interval_is_that_of_numpy_s_bootstrap() -> None:
    numpy = pytest.importorskip("numpy")
    drawn = numpy.random.default_rng(7)
    left = drawn.integers(50, 150, 200).astype(float)
    right = left * drawn.uniform(0.5, 0.9, 200)
    at = drawn.integers(0, 200, (4000, 200))
    ratios = right[at].sum(axis=1) / left[at].sum(axis=1)
    low, high = numpy.quantile(ratios, [0.025, 0.975])
    found = interval(list(right), list(left), 0)
    assert found is not None
    assert found[0] == pytest.approx(low, abs=0.003) and found[1] == pytest.approx(high, abs=0.003)


@given(
    st.lists(
        st.tuples(st.integers(1, 50), st.integers(1, 50), st.text(min_size=1, max_size=9)),
        min_size=1,
        max_size=12,
    )
)
def test_every_figure_is_that_of_its_cited_formula(
    found: list[tuple[int, int, str]],
) -> None:
    # fertility: tokens / words; efficiency: bytes / tokens; The Pile: L_T / L_B * loss / ln 2
    lefts, rights, texts = zip(*found, strict=True)
    figures = by_key(documents(encoded(*lefts), encoded(*rights), *texts))
    size = sum(len(text.encode("utf-8", "surrogatepass")) for text in texts)
    words = sum(len(text.split()) for text in texts)
    for side, tokens in (("left", sum(lefts)), ("right", sum(rights))):
        expected = {
            "tokens": tokens,
            "bytes_per_token": Fraction(size, tokens),
            "bytes_in_context": Fraction(100 * size, tokens),
            "bits_per_byte_of_one_nat": tokens / size * math.log2(math.e),
        }
        if words:
            expected["tokens_per_word"] = Fraction(tokens, words)
        for key, value in expected.items():
            assert getattr(figures[key], side).value == pytest.approx(float(value))
    assert figures["tokens"].ratio.value == pytest.approx(sum(rights) / sum(lefts))  # type: ignore[union-attr]


def test_nothing_is_said_of_sentences_that_are_not_aligned() -> None:
    assert parity(documents(encoded(1), encoded(1), "a"), documents(encoded(1, 1), encoded(1, 1), "a", "b"), no_interval) is None  # fmt: skip


@given(COUNTS)
def test_the_renyi_efficiency_is_that_of_its_formula(counts: list[int]) -> None:
    entries = len(counts) + 3
    shares = [Fraction(count, sum(counts)) for count in counts]
    moment = sum(float(share) ** 2.5 for share in shares)
    expected = (1 / (1 - 2.5)) * math.log2(moment) / math.log2(entries)
    assert renyi_efficiency(counts, entries) == pytest.approx(expected)


def test_a_corpus_of_one_token_is_not_even_at_all_and_one_of_every_token_is() -> None:
    assert renyi_efficiency([9], 4) == pytest.approx(0)
    assert renyi_efficiency([3, 3, 3, 3], 4) == pytest.approx(1)
    assert renyi_efficiency([], 4) is None


@given(COUNTS)
def test_coverage_is_the_share_of_the_most_common_entries(counts: list[int]) -> None:
    used = Counter(dict(enumerate(counts)))
    for entries, share in vocabulary_use(500, used).coverage:
        common = sum(count for _, count in used.most_common(entries))
        assert share == pytest.approx(common / used.total())


VALUES = st.one_of(
    st.binary(min_size=1, max_size=4), st.text("aé語\U0001f642", min_size=1, max_size=3)
)


@given(st.lists(st.tuples(st.sampled_from(list(TokenType)), VALUES), max_size=20))
def test_tokens_that_are_not_whole_characters_are_bytes_unknown_or_lose_by_decoding(
    pieces: list[tuple[TokenType, bytes | str]],
) -> None:
    spec = TokenizerSpec(ModelType.BPE, {id: Piece(*each) for id, each in enumerate(pieces)})
    expected = {
        id
        for id, (kind, value) in enumerate(pieces)
        if kind.name in ("BYTE", "UNKNOWN")
        or (isinstance(value, bytes) and value.decode("utf-8", "ignore").encode() != value)
    }
    assert part_ids(spec) == expected


@given(st.lists(st.text("aAbB ", min_size=1, max_size=3), unique=True, max_size=12))
def test_near_duplicates_are_those_that_any_other_entry_equals(words: list[str]) -> None:
    pieces = {id: Piece(TokenType.ORDINARY, word) for id, word in enumerate(words)}
    found = entry_kinds(TokenizerSpec(ModelType.BPE, pieces)).counts
    for kind, key in (
        ("same but for case", str.lower),
        ("same except for a space", lambda word: word[word.startswith(" ") :]),
    ):
        alike = [one for one in words if any(one != o and key(one) == key(o) for o in words)]
        assert found.get(kind, 0) == len(alike)


@given(COUNTS)
def test_coverage_grows_to_everything(counts: list[int]) -> None:
    found = vocabulary_use(500, Counter(dict(enumerate(counts))))
    shares = [share for _, share in found.coverage]
    assert shares == sorted(shares) and shares[-1] == pytest.approx(1)
    assert found.never == 500 - len(counts) and found.once == counts.count(1)


def test_a_paired_interval_is_that_of_a_bootstrap_over_documents() -> None:
    drawn = Random(7)
    left = [float(drawn.randint(50, 150)) for _ in range(200)]
    right = [value * drawn.uniform(0.5, 0.9) for value in left]
    found = interval(right, left, 0)
    assert found is not None
    other = Random("another one")
    resampled = []
    for _ in range(2000):
        at = [other.randrange(200) for _ in range(200)]
        resampled.append(sum(right[i] for i in at) / sum(left[i] for i in at))
    resampled.sort()
    assert found[0] == pytest.approx(resampled[50], abs=0.003)
    assert found[1] == pytest.approx(resampled[1950], abs=0.003)


def test_many_documents_are_summed_in_blocks_of_neighbours_and_none_is_left_out() -> None:
    values = list(range(5001))
    found = blocks(values, range(5001))
    assert len(found) == 1667 and sum(found) == sum(values) and found[0] == 0 + 1 + 2


def test_the_documents_that_shift_most_come_first_and_ties_by_their_number() -> None:
    fewer, more = shifts("f", encoded(9, 9, 1, 5), encoded(4, 4, 2, 5))
    assert [each.number for each in fewer] == [1, 2] and [each.number for each in more] == [3]
