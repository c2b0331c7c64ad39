"""What is given id by id is, joined, what the whole list decodes to; and comes as early as it can."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from law_examples import some

from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit_reference.spec import (
    AddedToken,
    Component,
    ModelType,
    Piece,
    Standing,
    TokenizerSpec,
    TokenType,
)
from tokaudit_reference.steps.decoders import Decoder
from tokaudit_reference.steps.decoders.streaming import StreamingDecoder

laws = settings(max_examples=some(1500), deadline=None, derandomize=True, database=None)
token = st.lists(st.sampled_from([" ", "▁", "a", "b", "é", "##", "</w>", "|", "Ã"]), max_size=4)
byte = st.sampled_from([f"<0x{byte:02X}>" for byte in (0x41, 0xC3, 0xA9, 0xE6, 0xBC, 0xA2)])
tokens = st.lists(token.map("".join) | byte, max_size=8)

STEPS: list[dict[str, Any]] = [
    {"type": "ByteLevel"},
    {"type": "Bytes"},
    {"type": "ByteFallback"},
    {"type": "Fuse"},
    {"type": "Metaspace"},
    {"type": "Metaspace", "prepend_scheme": "never"},
    {"type": "WordPiece"},
    {"type": "BPEDecoder"},
    {"type": "CTC"},
    {"type": "Strip", "content": "a", "start": 2, "stop": 2},
    {"type": "Strip", "content": " ", "start": 0, "stop": 1},
    {"type": "Strip", "content": " ", "start": 1, "stop": 0},
    {"type": "Replace", "pattern": {"String": "aba"}, "content": "b"},
    {"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
    {"type": "Replace", "pattern": {"Regex": "a+b?|▁"}, "content": " "},
    {"type": "SentencePiece"},
]
FUSED_LLAMA = {
    "type": "Sequence",
    "decoders": [
        {"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
        {"type": "ByteFallback"},
        {"type": "Fuse"},
        {"type": "Strip", "content": " ", "start": 1, "stop": 0},
    ],
}


def decoder_of(values: list[Any], options: Any, kinds: Any = (), **more: Any) -> Decoder:
    kinds = dict(kinds)
    pieces = {
        id: Piece(kinds.get(id, TokenType.ORDINARY), value) for id, value in enumerate(values)
    }
    component = Component(options, Standing.STATED)
    return Decoder(TokenizerSpec(ModelType.BPE, pieces, decoder=component, **more))


def parts(values: list[Any], options: Any, kinds: Any = ()) -> list[str]:
    """What each id gives, and at last the end."""
    stream = StreamingDecoder(decoder_of(values, options, kinds))
    return [*map(stream.feed, range(len(values))), stream.finish()]


@laws
@given(
    tokens,
    st.lists(st.sampled_from(STEPS), max_size=4),
    st.sampled_from(["replace", "ignore", "backslashreplace"]),
)
def test_all_parts_together_are_the_whole(
    values: list[str], steps: list[dict[str, Any]], errors: str
) -> None:
    decoder = decoder_of(values, {"type": "Sequence", "decoders": steps})
    stream = StreamingDecoder(decoder, errors=errors)
    ids = range(len(values))
    together = "".join([*map(stream.feed, ids), stream.finish()])
    assert together == decoder.decode(ids, errors=errors)


@settings(laws, max_examples=some(300))
@given(st.lists(st.binary(max_size=3), max_size=8))
def test_bytes_that_are_no_utf8_become_the_same_in_parts(values: list[bytes]) -> None:
    whole = b"".join(values).decode("utf-8", "replace")
    assert "".join(parts(values, {"type": "Bytes"})) == whole


def test_an_unfinished_character_is_held_back() -> None:
    assert parts([b"a\xe6", b"\xbc", b"\xa2b", b"\xc3"], {"type": "Bytes"}) == [
        "a",
        "",
        "漢b",
        "",
        "\ufffd",
    ]


def test_a_run_of_byte_tokens_is_held_back_until_another_token_ends_it() -> None:
    values = ["a", "<0x41>", "<0xC3>", "▁b", "<0x41>"]
    assert parts(values, FUSED_LLAMA) == ["a", "", "", "\ufffd\ufffd b", "", "A"]


def test_sentencepiece_settles_each_character_of_a_run_of_bytes() -> None:
    values = ["<0x41>", "<0xC3>", "<0xA9>", "▁b"]
    kinds = dict.fromkeys(range(3), TokenType.BYTE)
    assert parts(values, {"type": "SentencePiece"}, kinds) == ["A", "", "é", " b", ""]


def test_the_space_before_the_first_token_goes_at_once() -> None:
    assert parts(["▁a", "▁b"], FUSED_LLAMA) == ["a", " b", ""]
    assert parts(["▁a", "▁b"], {"type": "Metaspace"}) == ["a", " b", ""]
    assert parts(["▁", "▁b"], {"type": "SentencePiece"}) == ["", "b", ""]


def test_nothing_is_held_back_by_the_clean_up_of_word_pieces() -> None:
    assert parts(["do", "n", "##'t", "."], {"type": "WordPiece"}) == ["do", " n", "'t", ".", ""]


def test_a_token_that_may_be_the_last_is_held_back_where_that_matters() -> None:
    values = ["a</w>", "b", "c</w>"]
    assert parts(values, {"type": "BPEDecoder"}) == ["", "a ", "b", "c"]


def test_of_repeated_tokens_the_first_settles_the_text() -> None:
    values = ["<pad>", "a", "a", "|", "b"]
    assert parts(values, {"type": "CTC"}) == ["", "a", "", " ", "b", ""]


def test_what_may_be_taken_off_the_end_is_held_back() -> None:
    strip = {"type": "Strip", "content": "x", "start": 0, "stop": 2}
    options = {"type": "Sequence", "decoders": [{"type": "Fuse"}, strip]}
    assert parts(["ax", "xx", "b", "x"], options) == ["a", "x", "xxb", "", ""]


def test_what_may_begin_a_literal_is_held_back() -> None:
    found = {"type": "Replace", "pattern": {"String": "<br>"}, "content": "\n"}
    options = {"type": "Sequence", "decoders": [{"type": "Fuse"}, found]}
    assert parts(["a<b", "r", ">b<", "c<"], options) == ["a", "", "\nb", "<c", "<"]


def test_all_is_held_back_where_a_pattern_looks_at_the_whole_text() -> None:
    found = {"type": "Replace", "pattern": {"Regex": "a.*z"}, "content": "-"}
    options = {"type": "Sequence", "decoders": [{"type": "Fuse"}, found]}
    assert parts(["ab", "c", "z"], options) == ["", "", "", "-"]


def test_after_the_end_the_next_text_begins() -> None:
    stream = StreamingDecoder(decoder_of(["▁a"], {"type": "Metaspace"}))
    texts = ["".join([stream.feed(0), stream.feed(0), stream.finish()]) for _ in range(2)]
    assert texts == ["a a", "a a"]


def test_special_tokens_are_skipped_and_strict_errors_are_raised_as_in_the_whole() -> None:
    added = (AddedToken(1, "<s>", special=True),)
    decoder = decoder_of([b"\xc3"], {"type": "Bytes"}, added_tokens=added)
    stream = StreamingDecoder(decoder, skip_special_tokens=True, errors="strict")
    assert [stream.feed(1), stream.feed(0)] == ["", ""]
    with pytest.raises(UnicodeDecodeError):
        stream.finish()


TEXTS = ["Grüße, 漢字 🙂🙂!", " two  spaces\n\tand don't .", "naïve <0x41> ▁ \u200d"]


@pytest.mark.parametrize("name", ["gpt2", "bert-base-uncased", "t5-small", "phi-3-mini"])
def test_the_library_s_stream_gives_the_same_text(material: Path, name: str) -> None:
    from tokenizers import Tokenizer
    from tokenizers.decoders import DecodeStream

    folder = material / "tokenizers" / name
    upstream = Tokenizer.from_file(str(folder / "tokenizer.json"))
    parsed = parse_all(open_subject(str(folder))).parsed
    spec = next(spec for found, spec in parsed if found.format == "tokenizer.json")
    stream = StreamingDecoder(Decoder(spec))
    for text in TEXTS:
        ids = upstream.encode(text, add_special_tokens=False).ids
        theirs = DecodeStream(skip_special_tokens=False)
        expected = "".join([theirs.step(upstream, id) or "" for id in ids])
        assert "".join([*map(stream.feed, ids), stream.finish()]) == expected
