"""Published tokenizers decode to what the library they were made for decodes to."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from installed_library import OLDER
from law_examples import some

from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_reference.steps.decoders import Decoder
from tokaudit_reference.steps.decoders.streaming import StreamingDecoder

laws = settings(max_examples=some(150), deadline=None, derandomize=True, database=None)
PUBLISHED = [
    "gpt2",
    "bert-base-uncased",
    "t5-small",
    "phi-3-mini",
    "clip-base",
    "mistral-7b-v0.1",
    "modernbert-base",
    "whisper-large-v3",
]


@cache
def spec_of(subject: str, format: str) -> TokenizerSpec:
    return next(s for r, s in parse_all(open_subject(subject)).parsed if r.format == format)


def id_lists(spec: TokenizerSpec, *outside: int) -> st.SearchStrategy[list[int]]:
    """Ids of all kinds: any, the first 260 (bytes, mostly), added tokens, those given."""
    every, added = sorted(spec.pieces), [token.id for token in spec.added_tokens]
    kinds = [every, every[:260], added or every, [*outside] or every]
    return st.lists(st.one_of([st.sampled_from(kind) for kind in kinds]), max_size=10)


def streamed(decoder: Decoder, ids: list[int], skip: bool = False) -> str:
    stream = StreamingDecoder(decoder, skip_special_tokens=skip)
    return "".join([*map(stream.feed, ids), stream.finish()])


def hold_equal(spec: TokenizerSpec, upstream: Callable[[list[int]], str]) -> None:
    decoder = Decoder(spec)

    @laws
    @given(id_lists(spec))
    def agree(ids: list[int]) -> None:
        assert decoder.decode(ids) == streamed(decoder, ids) == upstream(ids)

    agree()


@pytest.mark.parametrize("name", PUBLISHED)
def test_any_ids_decode_as_in_tokenizers(material: Path, name: str) -> None:
    from tokenizers import Tokenizer

    folder = material / "tokenizers" / name
    upstream = Tokenizer.from_file(str(folder / "tokenizer.json"))
    spec = replace(spec_of(str(folder), "tokenizer.json"), library=OLDER)
    decoder = Decoder(spec)

    @laws
    @given(id_lists(spec, spec.size(), 2**32 - 1), st.booleans())
    def agree(ids: list[int], skip: bool) -> None:
        text = upstream.decode(ids, skip_special_tokens=skip)
        assert decoder.decode(ids, skip_special_tokens=skip) == text
        assert streamed(decoder, ids, skip) == text
        if "\ufffd" not in text:
            assert decoder.decode_bytes(ids, skip_special_tokens=skip).decode() == text

    agree()


@pytest.mark.parametrize(
    "file",
    [
        "mistral-7b-v0.1/tokenizer.model",
        "sentencepiece-test/test_model.model",
        "sentencepiece-test/test_ja_model.model",
    ],
)
def test_any_ids_decode_as_in_sentencepiece(material: Path, file: str) -> None:
    from sentencepiece import SentencePieceProcessor

    path = str(material / "tokenizers" / file)
    hold_equal(spec_of(path, "sentencepiece"), SentencePieceProcessor(model_file=path).decode)


def test_any_ids_decode_as_in_tiktoken(material: Path) -> None:
    from tiktoken import Encoding
    from tiktoken.load import load_tiktoken_bpe

    path = material / "tokenizers" / "cl100k_base" / "cl100k_base.tiktoken"
    spec = spec_of(str(path), "tiktoken")
    special = {token.content: token.id for token in spec.added_tokens}
    upstream = Encoding(
        "cl100k", pat_str=".", mergeable_ranks=load_tiktoken_bpe(str(path)), special_tokens=special
    )
    decoder = Decoder(spec)
    assert special

    @laws
    @given(id_lists(spec))
    def agree(ids: list[int]) -> None:
        assert decoder.decode_bytes(ids) == upstream.decode_bytes(ids)
        assert decoder.decode(ids) == streamed(decoder, ids) == upstream.decode(ids)

    agree()


def test_a_tekken_file_s_ids_stand_after_its_special_tokens(tmp_path: Path) -> None:
    entries = [
        {"rank": rank, "token_bytes": base64.b64encode(token).decode(), "token_str": None}
        for rank, token in enumerate([b"a", b"\xc3", b"\xa9"])
    ]
    config = {"pattern": ".", "default_num_special_tokens": 3, "default_vocab_size": 6}
    path = tmp_path / "tekken.json"
    path.write_text(json.dumps({"config": config, "vocab": entries}))
    decoder = Decoder(spec_of(str(path), "tekken"))
    assert decoder.decode([1, 3, 4, 5, 4, 2]) == "<s>aé\ufffd</s>"
    assert decoder.decode([1, 3, 4, 5, 4, 2], skip_special_tokens=True) == "aé\ufffd"
    assert decoder.decode_bytes([4, 1]) == b"\xc3<s>"


OPTIONS = [
    {"model_type": kind, "add_dummy_prefix": prefix, "remove_extra_whitespaces": extra}
    for kind in ("unigram", "bpe")
    for prefix in (True, False)
    for extra in (True, False)
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_any_ids_decode_as_in_sentencepiece_whatever_a_model_says_of_spaces(
    tmp_path: Path, options: dict[str, object]
) -> None:
    from sentencepiece import SentencePieceProcessor, SentencePieceTrainer

    corpus = ["a quick brown fox", "漢字 and  naïve words", " a fox, a dog"] * 9
    SentencePieceTrainer.train(
        sentence_iterator=iter(corpus),
        model_prefix=str(tmp_path / "trained"),
        vocab_size=330,
        hard_vocab_limit=False,
        byte_fallback=True,
        user_defined_symbols=["<u>", "▁x", "y▁"],
        control_symbols=["<c>"],
        unk_surface=" (unknown) ",
        minloglevel=9,
        **options,
    )
    path = str(tmp_path / "trained.model")
    hold_equal(spec_of(path, "sentencepiece"), SentencePieceProcessor(model_file=path).decode)


def test_any_ids_decode_as_in_sentencepiece_with_a_denormalizer(tmp_path: Path) -> None:
    from sentencepiece import SentencePieceProcessor, SentencePieceTrainer

    rules = tmp_path / "rules.tsv"
    rules.write_text("61\t41 41\n20 62\t2D\n6F 6E\t31\n")  # a: AA, " b": -, on: 1
    SentencePieceTrainer.train(
        sentence_iterator=iter(["a quick brown fox  on a", "漢字 and  naïve words"] * 9),
        model_prefix=str(tmp_path / "trained"),
        vocab_size=330,
        hard_vocab_limit=False,
        byte_fallback=True,
        denormalization_rule_tsv=str(rules),
        minloglevel=9,
    )
    path = str(tmp_path / "trained.model")
    spec, upstream = spec_of(path, "sentencepiece"), SentencePieceProcessor(model_file=path)
    hold_equal(spec, upstream.decode)
    assert Decoder(spec).decode(upstream.encode("a banana on  bbb")) == "AA-AAnAAnAA 1-bb"
    bad = upstream.piece_to_id("<0xE6>")
    assert Decoder(spec).decode_bytes([bad, upstream.piece_to_id("a")]) == b"\xe6AA"
