"""What ids decode to is what the library's own decoders make of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from installed_library import of_the_newest
from law_examples import some
from tokenizers import Regex, Tokenizer, decoders, models

from tokaudit_reference.library_versions import older_version
from tokaudit_reference.spec import (
    AddedToken,
    Component,
    ModelType,
    Piece,
    SpecError,
    Standing,
    TokenizerSpec,
    TokenType,
    Unsupported,
)
from tokaudit_reference.steps.decoders import Decoder, UnknownId

laws = settings(max_examples=some(150), deadline=None, derandomize=True, database=None)
PARTS = [
    " ",
    "▁",
    "a",
    "b",
    "é",
    "漢",
    "Ġ",
    "Ã",
    "©",
    "##",
    "</w>",
    "<pad>",
    "|",
    ".",
    "n't",
    "\ufffd",
]
BYTES = [f"<0x{byte:02X}>" for byte in (0x41, 0xC3, 0xA9, 0xE6, 0xBC, 0xA2, 0xF0, 0xFF, 0x20)]
ODD = ["<0x+1>", "<0xe6>", "<0xG1>", "<0x041>", " do not", " '", " 's", "", "Ġé Ã", "Ã©"]
token = st.lists(st.sampled_from(PARTS), max_size=5).map("".join) | st.sampled_from(BYTES + ODD)
tokens = st.lists(token, max_size=8) | st.lists(st.sampled_from(BYTES), max_size=8)

STEPS: list[tuple[dict[str, Any], Any]] = [
    ({"type": "ByteLevel", "add_prefix_space": True}, decoders.ByteLevel()),
    ({"type": "ByteFallback"}, decoders.ByteFallback()),
    ({"type": "Fuse"}, decoders.Fuse()),
    ({"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always"}, decoders.Metaspace()),
    (
        {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first"},
        decoders.Metaspace(prepend_scheme="first"),
    ),
    (
        {"type": "Metaspace", "replacement": "a", "prepend_scheme": "never"},
        decoders.Metaspace("a", prepend_scheme="never"),
    ),
    ({"type": "WordPiece", "prefix": "##", "cleanup": True}, decoders.WordPiece()),
    ({"type": "WordPiece", "prefix": "a", "cleanup": False}, decoders.WordPiece("a", False)),
    ({"type": "WordPiece", "prefix": "", "cleanup": True}, decoders.WordPiece("", True)),
    ({"type": "BPEDecoder", "suffix": "</w>"}, decoders.BPEDecoder()),
    ({"type": "BPEDecoder", "suffix": "a"}, decoders.BPEDecoder("a")),
    ({"type": "CTC"}, decoders.CTC()),
    (
        {"type": "CTC", "pad_token": "a", "word_delimiter_token": "b", "cleanup": False},
        decoders.CTC("a", "b", False),
    ),
    ({"type": "CTC", "pad_token": "", "word_delimiter_token": ""}, decoders.CTC("", "", True)),
    ({"type": "Strip", "content": " ", "start": 1, "stop": 0}, decoders.Strip(" ", 1, 0)),
    ({"type": "Strip", "content": "a", "start": 2, "stop": 0}, decoders.Strip("a", 2, 0)),
    ({"type": "Replace", "pattern": {"String": "▁"}, "content": " "}, decoders.Replace("▁", " ")),
    (
        {"type": "Replace", "pattern": {"String": "ab"}, "content": "ba"},
        decoders.Replace("ab", "ba"),
    ),
    ({"type": "Replace", "pattern": {"String": ""}, "content": "-"}, decoders.Replace("", "-")),
    (
        {"type": "Replace", "pattern": {"Regex": "a*"}, "content": "$0"},
        decoders.Replace(Regex("a*"), "$0"),
    ),
    (
        {"type": "Replace", "pattern": {"Regex": r"\s|."}, "content": ""},
        decoders.Replace(Regex(r"\s|."), ""),
    ),
]


def stated(options: Any) -> Component:
    return Component(options, Standing.STATED)


def spec_of(values: list[Any], options: Any, **more: Any) -> TokenizerSpec:
    pieces = {id: Piece(TokenType.ORDINARY, value) for id, value in enumerate(values)}
    return TokenizerSpec(ModelType.WORDLEVEL, pieces, decoder=stated(options), **more)


def decoded(values: list[str], options: Any) -> str:
    return Decoder(spec_of(values, options)).decode(range(len(values)))


@pytest.mark.parametrize(("options", "upstream"), STEPS, ids=lambda given: str(given)[:60])
def test_each_step_alone_decodes_as_the_library_s(options: dict[str, Any], upstream: Any) -> None:
    @laws
    @given(tokens)
    def agree(values: list[str]) -> None:
        assert decoded(values, options) == upstream.decode(values)

    agree()


@settings(laws, max_examples=some(1500))
@given(tokens, st.lists(st.sampled_from(STEPS), max_size=4))
def test_steps_in_any_order_decode_as_the_library_s(
    values: list[str], steps: list[tuple[dict[str, Any], Any]]
) -> None:
    options = {"type": "Sequence", "decoders": [options for options, _ in steps]}
    upstream = decoders.Sequence([upstream for _, upstream in steps])
    assert decoded(values, options) == upstream.decode(values)


@laws
@given(tokens, st.integers(0, 3), st.integers(0, 3))
def test_strip_takes_from_both_ends_as_the_library_s(
    values: list[str], start: int, stop: int
) -> None:
    assume(all(value.strip("a") for value in values))  # the library's panics
    options = {"type": "Strip", "content": "a", "start": start, "stop": stop}
    assert decoded(values, options) == decoders.Strip("a", start, stop).decode(values)


def test_strip_does_not_fail_where_both_ends_want_the_same_character() -> None:
    options = {"type": "Strip", "content": "a", "start": 2, "stop": 1}
    assert [decoded([value], options) for value in ("", "a", "aa", "aaaa")] == ["", "", "", "a"]


@laws
@given(st.binary(max_size=12))
def test_bytes_that_are_no_utf8_are_replaced_as_the_library_s(data: bytes) -> None:
    from tokaudit_reference.text.bytes_alphabet import CHARACTER_OF

    characters = [CHARACTER_OF[byte] for byte in data]
    assert decoded(characters, {"type": "ByteLevel"}) == decoders.ByteLevel().decode(characters)


def test_without_a_decoder_tokens_are_parted_by_spaces() -> None:
    upstream = Tokenizer(models.WordLevel({"a": 0, "b": 1}, "a"))
    assert decoded(["a", "b"], None) == upstream.decode([0, 1]) == "a b"
    assert decoded(["a", "b"], {"type": "Sequence", "decoders": []}) == "ab"


def test_old_files_say_whether_a_space_was_put_before_in_another_key() -> None:
    values = ["▁a", "▁b"]
    assert decoded(values, {"type": "Metaspace", "add_prefix_space": True}) == "a b"
    assert decoded(values, {"type": "Metaspace", "add_prefix_space": False}) == " a b"


def test_an_id_in_neither_vocabulary_is_dropped() -> None:
    decoder = Decoder(spec_of(["a", "b"], None, added_tokens=(AddedToken(5, "<e>"),)))
    assert decoder.decode([0, 9, 1, 5, 10**9]) == "a b <e>"


def test_an_id_that_tiktoken_would_refuse_is_refused() -> None:
    decoder = Decoder(spec_of([b"a"], {"type": "Bytes"}))
    with pytest.raises(UnknownId, match="the id 7 has no token; ids go to 0"):
        decoder.decode([0, 7])


def test_only_special_tokens_are_skipped() -> None:
    added = (AddedToken(1, "<s>", special=True), AddedToken(2, "<u>"))
    decoder = Decoder(spec_of(["a"], {"type": "Fuse"}, added_tokens=added))
    assert decoder.decode([1, 0, 2]) == "<s>a<u>"
    assert decoder.decode([1, 0, 2], skip_special_tokens=True) == "a<u>"
    assert decoder.decode_bytes([1, 0, 2], skip_special_tokens=True) == b"a<u>"


@of_the_newest
def test_an_added_token_that_is_looked_for_normalized_decodes_normalized() -> None:
    from tokenizers import AddedToken as Added
    from tokenizers import normalizers

    upstream = Tokenizer(models.WordLevel({"a": 0}, "a"))
    upstream.normalizer = normalizers.Lowercase()
    upstream.add_special_tokens([Added("<A>", normalized=True), Added("<B>", normalized=False)])
    added = (
        AddedToken(1, "<A>", special=True, normalized=True),
        AddedToken(2, "<B>", special=True, normalized=False),
    )
    spec = spec_of(["a"], None, added_tokens=added, normalizer=stated({"type": "Lowercase"}))
    for skip, expected in ((False, "<a> <B>"), (True, "<a>")):
        assert upstream.decode([1, 2], skip_special_tokens=skip) == expected
        assert Decoder(spec).decode([1, 2], skip_special_tokens=skip) == expected


def test_an_older_library_decodes_an_added_token_as_the_file_writes_it() -> None:
    """As tokenizers 0.20.3, 0.21.4 and 0.22.2 were measured to."""
    added = (AddedToken(1, "<A>", special=True, normalized=True),)
    newest = spec_of(["a"], None, added_tokens=added, normalizer=stated({"type": "Lowercase"}))
    older = replace(newest, library=older_version("0.22.2"))
    assert Decoder(newest).decode([0, 1], skip_special_tokens=True) == "a <a>"
    assert Decoder(older).decode([0, 1]) == "a <A>"
    assert Decoder(older).decode([0, 1], skip_special_tokens=True) == "a"


def test_marks_of_continuation_and_word_end_are_put_back() -> None:
    pieces = {0: Piece(TokenType.CONTINUATION, "b"), 1: Piece(TokenType.WORD_END, b"\xc3\xa9")}
    spec = replace(
        spec_of([], None), pieces=pieces, continuing_subword_prefix="##", end_of_word_suffix="</w>"
    )
    assert Decoder(spec).decode([0, 1]) == "##b Ã©</w>"


def test_the_error_policy_is_that_of_the_exact_bytes() -> None:
    values = ["<0xE6>", "<0x41>", "b", "<0xC3>", "<0xA9>"]
    decoder = Decoder(spec_of(values, {"type": "ByteFallback"}))
    ids = range(5)
    assert decoder.decode_bytes(ids) == b"\xe6Ab\xc3\xa9"
    assert decoder.decode(ids) == "\ufffd\ufffdbé"
    assert decoder.decode(ids, errors="ignore") == "Abé"
    assert decoder.decode(ids, errors="backslashreplace") == "\\xe6Abé"
    with pytest.raises(UnicodeDecodeError, match="0xe6 in position 0"):
        decoder.decode(ids, errors="strict")


@laws
@given(st.lists(st.binary(max_size=3), max_size=8))
def test_joined_bytes_are_given_exactly(values: list[bytes]) -> None:
    for options in ({"type": "Bytes"}, {"type": "ByteLevel"}):
        decoder = Decoder(spec_of(values, options))
        assert decoder.decode_bytes(range(len(values))) == b"".join(values)
        assert decoder.decode(range(len(values))) == b"".join(values).decode("utf-8", "replace")


def test_a_special_token_of_a_byte_joining_format_is_its_own_text() -> None:
    added = (AddedToken(1, "é", special=True),)
    joined = Decoder(spec_of([b"a"], {"type": "Bytes"}, added_tokens=added))
    through_the_alphabet = Decoder(spec_of([b"a"], {"type": "ByteLevel"}, added_tokens=added))
    assert joined.decode_bytes([1]) == "é".encode()
    assert through_the_alphabet.decode_bytes([1]) == b"\xe9"


def test_byte_level_pieces_without_a_stated_decoder_are_joined() -> None:
    pieces = {0: Piece(TokenType.ORDINARY, b"\xe6\xbc"), 1: Piece(TokenType.ORDINARY, b"\xa2")}
    assert Decoder(TokenizerSpec(ModelType.TRIE, pieces, byte_level=True)).decode([0, 1]) == "漢"


def test_a_lone_surrogate_in_a_file_is_no_reason_to_fail() -> None:
    assert decoded(["\ud800", "\udc41"], {"type": "Fuse"}) == "\ufffd\ufffd"


def test_a_decoder_that_nobody_states_is_refused_and_not_guessed() -> None:
    with pytest.raises(Unsupported, match="the decoder is not stated"):
        Decoder(TokenizerSpec(ModelType.BPE, {0: Piece(TokenType.ORDINARY, "a")}))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"type": "Cyrillic"}, "the decoder 'Cyrillic' is not covered"),
        ({"replacement": "_"}, "the decoder '' is not covered"),
        ({}, "the decoder '' is not covered"),
        ({"type": "Sequence", "decoders": ["Fuse"]}, "the decoder is not an object of steps"),
        ({"type": "Sequence", "decoders": 5}, "the decoder is not an object of steps"),
        ({"type": "Strip", "content": "ab"}, "content is 'ab'; expected one character"),
        ({"type": "Strip", "content": "a", "start": -1}, "start is '-1'; expected a count"),
        ({"type": "Metaspace", "replacement": 5}, "replacement is '5'; expected a string"),
        ({"type": "WordPiece", "cleanup": "no"}, "cleanup is 'no'; expected true or false"),
        ({"type": "Replace", "pattern": "a"}, "the pattern is 'a'"),
        ({"type": "Replace", "pattern": {"Regex": "("}, "content": ""}, "does not compile"),
    ],
)
def test_what_a_step_cannot_be_built_from_is_refused_when_it_is_built(
    options: dict[str, Any], message: str
) -> None:
    with pytest.raises(SpecError, match=message.replace("(", r"\(")):
        Decoder(spec_of(["a"], options))


JOINED = [
    {"type": "ByteLevel"},
    {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False},
    {"type": "Bytes"},
]


@laws
@pytest.mark.parametrize("options", JOINED)
@given(
    values=st.lists(st.binary(max_size=4), min_size=1, max_size=6),
    ids=st.lists(st.integers(0, 8), max_size=8),
    skip=st.booleans(),
)
def test_bytes_joined_at_once_are_those_of_the_steps(
    options: dict[str, Any], values: list[bytes], ids: list[int], skip: bool
) -> None:
    pieces = {id: Piece(TokenType.ORDINARY, value) for id, value in enumerate(values)}
    added = (AddedToken(len(values), "é<x>", special=True), AddedToken(len(values) + 1, "y"))
    decoder = Decoder(
        TokenizerSpec(
            ModelType.BPE,
            pieces,
            byte_level=True,
            added_tokens=added,
            decoder=Component(options, Standing.STATED),
        )
    )
    known = [id for id in ids if id < len(values) + len(added)]

    chain = decoder.chain(exact=True)
    settled = chain.feed(decoder.tokens.of(known, skip))
    by_steps = "".join([*settled, *chain.finish()]).encode("utf-8", "surrogateescape")

    assert decoder.decode_bytes(known, skip_special_tokens=skip) == by_steps
