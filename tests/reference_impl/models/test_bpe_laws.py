"""The fast way of merging gives what the textbook gives."""

from __future__ import annotations

from itertools import pairwise
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from law_examples import some

from tokaudit_reference.models.bpe.byte_encoder import ByteEncoder, by_pairs, by_products, bytes_of
from tokaudit_reference.models.bpe.merge import merge_fast, merge_textbook
from tokaudit_reference.models.bpe.short_merge import PairRanks, merge_short
from tokaudit_reference.models.piece_cache import PieceCache

symbols = st.lists(st.integers(0, 3), max_size=40)
pairs = st.lists(
    st.tuples(st.integers(0, 8), st.integers(0, 8)), unique=True, min_size=1, max_size=12
)


@given(symbols, pairs)
def test_linked_list_and_textbook_agree(word: list[int], merges: list[tuple[int, int]]) -> None:
    table = {pair: (rank, 4 + rank) for rank, pair in enumerate(merges)}
    assert merge_fast(word, table) == merge_textbook(word, table)


@given(symbols, pairs)
def test_the_scan_of_short_pieces_and_textbook_agree(
    word: list[int], merges: list[tuple[int, int]]
) -> None:
    table = {pair: (3 * rank, 4 + rank) for rank, pair in enumerate(merges)}
    assert merge_short(word, PairRanks.of(table)) == merge_textbook(word, table)


@given(symbols, st.integers(0, 3), st.integers(0, 3))
def test_no_pair_of_the_table_is_left(word: list[int], left: int, right: int) -> None:
    merged = merge_textbook(word, {(left, right): (0, 9)})
    assert (left, right) not in pairwise(merged)


@given(symbols, st.lists(st.sampled_from([(0, 0), (4, 4), (0, 4), (4, 0), (5, 0)]), unique=True))
def test_runs_of_one_symbol_merge_from_the_left_in_every_way(
    word: list[int], merges: list[tuple[int, int]]
) -> None:
    table = {pair: (rank, 4 + rank) for rank, pair in enumerate(merges)}
    merged = merge_textbook([0] * len(word), table)
    assert merge_fast([0] * len(word), table) == merged
    assert merge_short([0] * len(word), PairRanks.of(table)) == merged


laws = settings(max_examples=some(400), deadline=None, derandomize=True, database=None)
pieces = st.text(st.sampled_from("aab é漢字\U0001f642\ud800\udcc3\udca9"), max_size=12)
tokens = st.lists(
    st.tuples(pieces, st.integers(0, 6), st.integers(2, 7)).map(
        lambda drawn: bytes_of(drawn[0])[drawn[1] : drawn[1] + drawn[2]]
    ),
    max_size=25,
).map(lambda drawn: sorted({token for token in drawn if len(token) > 1}))
BYTE_IDS = {bytes([byte]): byte for byte in range(256)}


def textbook(piece: str, table: dict[tuple[int, int], tuple[float, int]]) -> list[int]:
    return merge_textbook(list(bytes_of(piece)), table)


@laws
@given(tokens, st.randoms(use_true_random=False), st.lists(pieces, max_size=4))
def test_slices_and_seams_and_textbook_agree_on_ranks_of_products(
    products: list[bytes], random: Random, texts: list[str]
) -> None:
    ids = BYTE_IDS | {token: 256 + index for index, token in enumerate(products)}
    ranks = {ids[token]: random.choice([0.5, 1, 2, 3, 7]) for token in products}
    table = {
        (ids[token[:cut]], ids[token[cut:]]): (ranks[ids[token]], ids[token])
        for token in products
        for cut in range(1, len(token))
        if token[:cut] in ids and token[cut:] in ids
    }
    encoder = ByteEncoder(by_products(ids, ranks), products, whole={})
    for text in [*texts, "".join(texts) * 2]:
        assert encoder.encode(text) == textbook(text, table)


@laws
@given(tokens, st.randoms(use_true_random=False), st.lists(pieces, max_size=4))
def test_seams_and_textbook_agree_on_ranks_of_pairs(
    products: list[bytes], random: Random, texts: list[str]
) -> None:
    ids = BYTE_IDS | {token: 256 + index for index, token in enumerate(products)}
    splits = [(token[:cut], token[cut:]) for token in products for cut in range(1, len(token))]
    listed = [
        pair for pair in splits if pair[0] in ids and pair[1] in ids and random.random() < 0.8
    ]
    random.shuffle(listed)
    table = {
        (ids[left], ids[right]): (rank, ids[left + right])
        for rank, (left, right) in enumerate(listed)
    }
    encoder = ByteEncoder(by_pairs(table, range(256)), products, whole={})
    for text in [*texts, "".join(texts) * 2]:
        assert encoder.encode(text) == textbook(text, table)


def test_a_token_taken_whole_is_not_taken_inside_a_piece_that_is_cut() -> None:
    encoder = ByteEncoder(by_pairs({}, range(256)), [], whole={"漢".encode(): 256})
    assert encoder.encode("漢") == [256]
    assert encoder.encode("漢字") == [*"漢字".encode()]


def test_a_full_cache_is_emptied_and_goes_on() -> None:
    asked: list[str] = []
    cache = PieceCache(lambda piece: asked.append(piece) or [len(piece)], limit=2)
    assert [cache[piece] for piece in ["a", "bb", "a", "ccc", "a"]] == [
        (1,),
        (2,),
        (1,),
        (3,),
        (1,),
    ]
    assert asked == ["a", "bb", "ccc", "a"]
    assert len(cache) == 2


def test_a_long_piece_is_encoded_but_not_remembered() -> None:
    cache = PieceCache(lambda piece: [len(piece)])
    assert cache["x" * 1000] == (1000,)
    assert not cache
