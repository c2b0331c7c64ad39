"""The façade gives tiktoken's ids for GPT-2, whole or in a stream, and keeps its promises."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from law_examples import some

from tokaudit_reference.models.bpe.tokenizer import BPETokenizer
from tokaudit_reference.spec import SpecError
from tokaudit_reference.text.bytes_alphabet import to_bytes
from tokaudit_reference.text.published_patterns import GPT2

END = "<|endoftext|>"
BYTES = {byte: bytes([byte]) for byte in range(256)}
CAT = {
    0: b" ",
    1: b"a",
    2: b"c",
    3: b"e",
    4: b"h",
    5: b"t",
    6: b"th",
    7: b" c",
    8: b" a",
    9: b"the",
    10: b" at",
}
CAT_MERGES = [(b"t", b"h"), (b" ", b"c"), (b" ", b"a"), (b"th", b"e"), (b" a", b"t")]
SAMPLES = [
    "",
    "s",
    "🙃",
    "Héllò hôw are ü? 🙃",
    f"Héllò hôw {END}{END} are ü? 🙃{END}",
    "  leading,   inner \n\n\n and trailing \t ",
    "it's IT'S we'LL don't 'ſ 1234567 ½ ² a１b",
    "漢字かな交じり文と한국어 वाक्य ภาษาไทย עברית العربية",
    "e\u0301\u0301 \u200d\u200b\ufeff\x00\x1c\x85 \u3000x",
    "def f(x):\n    return x ** 2  # done\r\n\r\n",
]


def gpt2_files(material: Path) -> tuple[dict[int, bytes], list[tuple[bytes, bytes]]]:
    folder = material / "tokenizers" / "gpt2"
    vocab = json.loads((folder / "vocab.json").read_bytes())
    lines = (folder / "merges.txt").read_text(encoding="utf-8").split("\n")
    pairs = [line.split(" ") for line in lines if line and not line.startswith("#version")]
    merges = [(in_bytes(left), in_bytes(right)) for left, right in pairs]
    return {id: in_bytes(token) for token, id in vocab.items()}, merges


def in_bytes(token: str) -> bytes:
    found = to_bytes(token)
    assert found is not None
    return found


@cache
def gpt2(material: Path, *specials: str) -> BPETokenizer:
    return BPETokenizer(*gpt2_files(material), list(specials))


@cache
def tiktoken_gpt2(material: Path) -> Any:
    import tiktoken

    vocab, _ = gpt2_files(material)
    ranks = {token: id for id, token in vocab.items() if id != 50256}
    return tiktoken.Encoding(
        "offline", pat_str=GPT2, mergeable_ranks=ranks, special_tokens={END: 50256}
    )


@pytest.mark.parametrize("text", SAMPLES)
def test_a_text_gets_the_ids_of_tiktoken(material: Path, text: str) -> None:
    expected = tiktoken_gpt2(material).encode(text, allowed_special="all")
    assert gpt2(material, END).encode(text) == expected
    assert list(gpt2(material, END).encode_iterable([text])) == expected
    assert gpt2(material, END).decode(expected) == text


mixed = st.text(st.sampled_from(list(" \t\n'steSlr.,1²é漢かа🙂<|>")) | st.characters(codec="utf-8"))


def test_fuzzed_texts_get_the_ids_of_tiktoken(material: Path) -> None:
    ours, theirs = gpt2(material, END), tiktoken_gpt2(material)

    @settings(max_examples=some(400), deadline=None, derandomize=True, database=None)
    @given(st.lists(mixed | st.just(END)).map("".join))
    def alike(text: str) -> None:
        assert ours.encode(text) == theirs.encode(text, allowed_special="all")

    alike()


def test_the_example_of_the_course_is_encoded() -> None:
    tokenizer = BPETokenizer(CAT, CAT_MERGES)
    assert tokenizer.encode("the cat ate") == [9, 7, 1, 5, 10, 3]


def test_of_special_tokens_that_overlap_the_longest_is_taken() -> None:
    tokenizer = BPETokenizer(BYTES, [], [END, END + END])
    assert tokenizer.encode(f"a{END}{END}b{END}") == [97, 257, 98, 256]


def test_special_tokens_that_the_vocabulary_lacks_get_the_next_ids() -> None:
    tokenizer = BPETokenizer(BYTES | {300: b"<a>"}, [], ["<b>", "<a>", "<c>", "<b>"])
    assert tokenizer.encode("<a><b><c>") == [300, 301, 302]
    assert tokenizer.decode([302, 301]) == "<c><b>"


def test_without_special_tokens_their_text_is_text() -> None:
    assert BPETokenizer(BYTES | {256: b"<a>"}, []).encode("<a>") == [60, 97, 62]


def test_invalid_utf8_is_decoded_to_the_replacement_character() -> None:
    assert BPETokenizer(BYTES, []).decode([0xE6, 0xBC, 0x41, 0xFF]) == "\ufffdA\ufffd"


def test_what_the_pattern_does_not_match_is_kept() -> None:
    tokenizer = BPETokenizer(BYTES, [], pattern=r"\d")
    assert tokenizer.decode(tokenizer.encode("ab1cd")) == "ab1cd"


def test_the_rank_of_the_pair_decides_and_not_that_of_the_product() -> None:
    vocab = BYTES | {256: b"ab", 257: b"bc", 258: b"abc"}
    merges = [(b"b", b"c"), (b"a", b"b"), (b"ab", b"c")]
    assert BPETokenizer(vocab, merges).encode("abc") == [97, 257]


def test_a_merge_without_its_part_is_an_error_that_names_it() -> None:
    with pytest.raises(SpecError, match=r"merges\[0\]: the merge of b'x' and b'yz' needs b'yz'"):
        BPETokenizer(BYTES, [(b"x", b"yz")])


def test_a_byte_without_an_id_is_an_error_that_names_it() -> None:
    with pytest.raises(SpecError, match="the byte 0x78 has no id"):
        BPETokenizer(CAT, CAT_MERGES).encode("the x")


def test_an_unknown_id_is_an_error_that_names_it() -> None:
    with pytest.raises(SpecError, match="the id 11 is not in the vocabulary of 11 tokens"):
        BPETokenizer(CAT, CAT_MERGES).decode([1, 11])


def test_an_empty_special_token_is_refused() -> None:
    with pytest.raises(SpecError, match="a special token is empty"):
        BPETokenizer(BYTES, [], ["<a>", ""])


CHUNKS = st.lists(
    st.sampled_from(
        [
            "<",
            "<a>",
            "<a>b",
            "a>b>",
            "b>",
            "'",
            "l",
            "ll",
            "'re",
            " ",
            "  ",
            "\n",
            "\t\n",
            "x",
            "é",
            "漢字",
            "1",
            "2345",
            "!",
            "K",
        ]
    ),
    max_size=14,
)
O200K_LIKE = r"[^\r\n\p{L}\p{N}]?\p{L}+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"


@pytest.mark.parametrize("pattern", [GPT2, O200K_LIKE])
def test_a_stream_gets_the_ids_of_its_text_wherever_it_is_cut(pattern: str) -> None:
    merges = [(b"\n", b"\n"), (b" ", b" "), (b"'", b"r"), (b"x", b"'"), (b"x'", b"r"), (b"l", b"l")]
    vocab = BYTES | {256 + rank: left + right for rank, (left, right) in enumerate(merges)}
    tokenizer = BPETokenizer(vocab, merges, ["<a>", "<a>b>", "b>K"], pattern=pattern)

    @settings(max_examples=some(500), deadline=None, derandomize=True, database=None)
    @given(CHUNKS)
    def alike(chunks: list[str]) -> None:
        assert list(tokenizer.encode_iterable(chunks)) == tokenizer.encode("".join(chunks))

    alike()


def test_a_stream_is_read_only_as_far_as_it_is_asked() -> None:
    read = []

    def lines() -> Iterator[str]:
        for number in range(100):
            read.append(number)
            yield f"line {number} of a hundred\n"

    next(BPETokenizer(BYTES, []).encode_iterable(lines()))
    assert len(read) == 1


def test_a_file_of_five_megabytes_is_encoded_in_less_than_one(
    material: Path, tmp_path: Path
) -> None:
    file = tmp_path / "text.txt"
    texts = (
        f"{'anotherverylongword' * 3} " * 3 + f"new{number % 3000}\n" for number in range(30_000)
    )
    file.write_text("".join(texts))
    assert file.stat().st_size > 5_000_000
    # Meanwhile a table of the process that is none of ours, as that of interned strings, may grow
    # once and take megabytes; it does not grow again in the second of two.
    peaks = (peak_of_encoding(BPETokenizer(*gpt2_files(material)), file) for _ in "12")
    assert any(peak < 1_000_000 for peak in peaks)


def peak_of_encoding(tokenizer: BPETokenizer, file: Path) -> int:
    with file.open(encoding="utf-8") as lines:
        tracemalloc.start()
        count = sum(1 for _ in tokenizer.encode_iterable(lines))
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert count > 300_000
    return peak


def test_an_error_quotes_no_more_than_the_beginning_of_a_long_value() -> None:
    said = str(SpecError("has an unknown type " + "a" * 1_000_000, file="tokenizer.json"))
    assert said.startswith("tokenizer.json: has an unknown type aaa") and len(said) < 2_100
