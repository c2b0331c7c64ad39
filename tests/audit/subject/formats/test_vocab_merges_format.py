"""A vocabulary and its merges in two files, and what their class implies."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from format_files import config, read, spec_of, vocab

import tokaudit
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit_reference.spec import AddedToken, Piece, Standing, TokenType
from tokaudit_reference.text.bytes_alphabet import BYTE_OF
from tokaudit_reference.tokenizer import ReferenceTokenizer

GPT1 = ["<unk>", "a", "b", "c", "a</w>", "b</w>", "c</w>", "ab", "abc</w>"]
GPT1_MERGES = "#version: 0.2\na b\nab c</w>\n"
MARKED = [*BYTE_OF, *(f"{character}</w>" for character in BYTE_OF), "<|endoftext|>"]
MARKED_BYTES = {"vocab.json": json.dumps({t: i for i, t in enumerate(MARKED)}), "merges.txt": ""}


@pytest.fixture(scope="session")
def clip(material: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(
        (material / "tokenizers" / "clip-base" / "tokenizer.json").read_bytes()
    )
    return found


@pytest.fixture(scope="session")
def clip_pair(clip: dict[str, Any]) -> dict[str, str | bytes]:
    """CLIP's two files, as they were published next to the one they are in here."""
    merges = "".join(f"{merge}\n" for merge in clip["model"]["merges"])
    return {"vocab.json": json.dumps(clip["model"]["vocab"]), "merges.txt": merges}


def test_clips_pair_of_files_is_its_tokenizer_json(
    material: Path, tmp_path: Path, clip_pair: dict[str, str | bytes]
) -> None:
    named = config(tokenizer_class="CLIPTokenizer")
    pair = spec_of(tmp_path, {**clip_pair, "tokenizer_config.json": named})
    [(_, whole)] = parse_all(open_subject(str(material / "tokenizers" / "clip-base"))).parsed
    assert (pair.pieces, pair.merges) == (whole.pieces, whole.merges)
    assert (pair.byte_level, pair.end_of_word_suffix, pair.unk_id) == (True, "</w>", 49407)
    for stage in ("normalizer", "pre_tokenizer", "decoder"):
        assert getattr(pair, stage).options == getattr(whole, stage).options
        assert getattr(pair, stage).standing is Standing.IMPLIED
    text = "Hello,  WORLD's naïve café 42 <|endoftext|>日本\n"
    ids = ReferenceTokenizer(pair).encode(text).ids
    assert ids == ReferenceTokenizer(whole).encode(text).ids


def test_the_library_runs_the_pipeline_that_the_class_implies(
    tmp_path: Path, clip_pair: dict[str, str | bytes], processes: None
) -> None:
    named = config(tokenizer_class="CLIPTokenizer", unk_token="<|endoftext|>")
    spec_of(tmp_path, {**clip_pair, "tokenizer_config.json": named})
    [result] = tokaudit.audit(tmp_path, tier="quick", select=["agreement/reference"]).results
    assert (result.findings, result.measurements[0].value) == ((), 0)


def test_gpt2s_own_names_are_the_same_pair(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.mkdir()
    other.mkdir()
    pair = spec_of(one, {"vocab.json": vocab([*BYTE_OF, "ab"]), "merges.txt": "a b\n"})
    same = spec_of(other, {"encoder.json": vocab([*BYTE_OF, "ab"]), "vocab.bpe": "a b\n"})
    assert same == replace(pair, files=("encoder.json", "vocab.bpe"))


def test_a_byte_level_vocabulary_without_its_merges_is_an_error(tmp_path: Path) -> None:
    _, error = read(tmp_path, {"vocab.json": vocab(list(BYTE_OF))})
    assert "vocab.json: has no merges.txt next to it" in error


def test_a_vocabulary_of_whole_tokens_is_told_and_blamed_for_nothing(tmp_path: Path) -> None:
    (tmp_path / "vocab.json").write_text(vocab(["<pad>", "|", "A", "B"]))
    [found] = parse_all(open_subject(str(tmp_path))).all
    assert found.sound and "has no merges.txt next to it" in found.error


def test_the_class_of_the_quick_loader_is_the_same(tmp_path: Path) -> None:
    quick = {"tokenizer_config.json": config(tokenizer_class="CLIPTokenizerFast")}
    spec = spec_of(tmp_path, {**MARKED_BYTES, **quick})
    assert spec.pre_tokenizer.rule == "tokenizer_config.json names CLIPTokenizer"


@pytest.mark.parametrize("named", [{}, {"tokenizer_class": "XLMTokenizer"}])
def test_a_pair_that_marks_words_implies_no_pipeline_by_itself(
    tmp_path: Path, named: dict[str, str]
) -> None:
    spec = spec_of(tmp_path, {**MARKED_BYTES, "tokenizer_config.json": config(**named)})
    assert (spec.byte_level, spec.end_of_word_suffix) == (True, "</w>")
    stages = (spec.normalizer, spec.pre_tokenizer, spec.decoder)
    assert {stage.standing for stage in stages} == {Standing.UNSTATED}


def gpt1(**named: Any) -> dict[str, str | bytes]:
    files = {"vocab.json": vocab(GPT1), "merges.txt": GPT1_MERGES}
    return {**files, "tokenizer_config.json": config(**named)}


def test_gpt1_spells_characters_and_marks_the_end_of_words(tmp_path: Path) -> None:
    spec = spec_of(tmp_path, gpt1(tokenizer_class="OpenAIGPTTokenizer"))
    assert (spec.byte_level, spec.end_of_word_suffix, spec.unk_id) == (False, "</w>", 0)
    assert spec.pieces[8] == Piece(TokenType.WORD_END, "abc")
    assert spec.merges == (("a", "b"), ("ab", "c</w>"))
    tokenizer = ReferenceTokenizer(spec)
    assert tokenizer.encode("ABC a! ab").ids == [8, 4, 0, 1, 5]
    assert tokenizer.decode([8, 4]) == "abc a"


def test_gpt1_encodes_as_the_library_built_the_same_way_does(tmp_path: Path) -> None:
    tokenizers = pytest.importorskip("tokenizers")
    spec = spec_of(tmp_path, gpt1(tokenizer_class="OpenAIGPTTokenizer"))
    model = tokenizers.models.BPE.from_file(
        str(tmp_path / "vocab.json"),
        str(tmp_path / "merges.txt"),
        unk_token="<unk>",
        end_of_word_suffix="</w>",
    )
    upstream = tokenizers.Tokenizer(model)
    upstream.normalizer = tokenizers.normalizers.BertNormalizer(lowercase=True)
    upstream.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    upstream.decoder = tokenizers.decoders.BPEDecoder(suffix="</w>")
    upstream.add_special_tokens(["<unk>"])
    ours = ReferenceTokenizer(spec)
    for text in ("ABC abc", "cab! á<unk>b", "aabbcc", "x", "", "日a bc"):
        ids = upstream.encode(text).ids
        assert ours.encode(text).ids == ids
        assert ours.decode(ids) == upstream.decode(ids, skip_special_tokens=False)


def test_an_unknown_token_that_is_named_is_the_one(tmp_path: Path) -> None:
    spec = spec_of(tmp_path, gpt1(tokenizer_class="HerbertTokenizer", unk_token="c"))
    assert spec.unk_id == 3
    assert spec.pieces[3] == Piece(TokenType.UNKNOWN, "c")


def test_a_few_entries_that_end_like_a_mark_are_no_marks(tmp_path: Path) -> None:
    tokens = [*BYTE_OF, "</w>", "x</w>"]
    files: dict[str, str | bytes] = {"vocab.json": vocab(tokens), "merges.txt": ""}
    spec = spec_of(tmp_path, files)
    assert (spec.end_of_word_suffix, spec.pieces[257].value) == ("", b"x</w>")
    assert spec.pre_tokenizer.options is not None


def test_most_letters_with_a_mark_show_it_where_few_merges_end_a_word(tmp_path: Path) -> None:
    long = [f"A{'U' * number}" for number in range(1, 60)]
    tokens = ["<unk>", *"AUGC", "A</w>", "U</w>", "G</w>", *long, "GA</w>"]
    files: dict[str, str | bytes] = {"vocab.json": vocab(tokens), "merges.txt": "G A</w>\n"}
    spec = spec_of(tmp_path, files)
    assert spec.end_of_word_suffix == "</w>"
    assert spec.pieces[5] == Piece(TokenType.WORD_END, "A")


def bytes_pair(**named: Any) -> dict[str, str | bytes]:
    tokens = [*BYTE_OF, "<|endoftext|>"]
    files = {"vocab.json": vocab(tokens), "merges.txt": ""}
    return {**files, "tokenizer_config.json": config(**named)}


@pytest.mark.parametrize(
    ("named", "pieces"),
    [
        ({}, ["it", "'s", " 12"]),
        ({"tokenizer_class": "RobertaTokenizer", "add_prefix_space": True}, [" it", "'s", " 12"]),
        ({"tokenizer_class": "Qwen2Tokenizer"}, ["it", "'s", " ", "1", "2"]),
        (
            {"tokenizer_class": "Qwen2Tokenizer", "add_prefix_space": True},
            [" it", " 's", " ", " 1", " 2"],
        ),
    ],
)
def test_the_class_says_how_a_byte_level_pair_cuts(
    tmp_path: Path, named: dict[str, Any], pieces: list[str]
) -> None:
    pipeline = ReferenceTokenizer(spec_of(tmp_path, bytes_pair(**named))).pipeline
    assert pipeline.pieces("it's 12", True) == pieces


def test_a_special_token_has_the_flags_that_are_stated(tmp_path: Path) -> None:
    stated = {"content": "<|endoftext|>", "lstrip": True, "special": True}
    spec = spec_of(tmp_path, bytes_pair(added_tokens_decoder={"256": stated}))
    stated_flags = {"special": True, "lstrip": True, "normalized": False}
    assert spec.added_tokens == (AddedToken(256, "<|endoftext|>", **stated_flags),)
    assert spec.pieces[256] == Piece(TokenType.CONTROL, b"<|endoftext|>")


@pytest.mark.parametrize("key", ["x", "-1", "99999999999", "²"])
def test_an_added_token_without_a_proper_id_is_refused(tmp_path: Path, key: str) -> None:
    _, error = read(tmp_path, bytes_pair(added_tokens_decoder={key: {"content": "x"}}))
    assert f"tokenizer_config.json at /added_tokens_decoder/{key}: is not an added token" in error


def test_the_empty_token_of_a_byte_level_vocabulary_is_not_its_unknown(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"vocab.json": vocab([*BYTE_OF, ""]), "merges.txt": ""}
    spec = spec_of(tmp_path, files)
    assert (spec.unk_id, spec.pieces[256].token_type) == (None, TokenType.ORDINARY)


def test_two_entries_of_one_id_are_told(tmp_path: Path) -> None:
    content = '{"a": 0, "b": 1, "c": 0}'
    spec = spec_of(tmp_path, {"vocab.json": content, "merges.txt": "a b 7\n"})
    assert spec.sharing == ((0, Piece(TokenType.ORDINARY, "a")),)
    assert spec.ids_by_surface == {"a": 0, "b": 1, "c": 0}
    assert spec.merges == (("a", "b"),)


@pytest.mark.parametrize("line", ["a", "a b c", "a  b", "a b c d"])
def test_a_line_that_is_no_merge_is_named(tmp_path: Path, line: str) -> None:
    files: dict[str, str | bytes] = {"vocab.json": vocab(GPT1), "merges.txt": f"a b\n{line}\n"}
    _, error = read(tmp_path, files)
    assert f"merges.txt at line 2: is not a pair of pieces: {line!r}" in error


@pytest.mark.parametrize(
    ("stated", "added"),
    [
        (
            {"tokenizer_class": "RobertaTokenizer"},
            {"<s>": False, "<pad>": False, "</s>": False, "<mask>": True},
        ),
        (
            {"tokenizer_class": "RobertaTokenizer", "mask_token": "<s>"},
            {"<pad>": False, "</s>": False, "<s>": True},
        ),
        (
            {"tokenizer_class": "RobertaTokenizer", "mask_token": {"content": "<mask>"}},
            {"<s>": False, "<pad>": False, "</s>": False, "<mask>": False},
        ),
        ({"tokenizer_class": "DebertaTokenizer"}, {}),  # whose tokens are not there
        ({"tokenizer_class": "GPT2Tokenizer"}, {}),
        ({}, {}),
    ],
)
def test_the_tokens_that_a_class_has_by_itself_are_added_tokens(
    stated: dict[str, Any], added: dict[str, bool], tmp_path: Path
) -> None:
    """Each with whether it takes the space before it, as a mask without flags of its own does."""
    tokens = [*BYTE_OF, "<s>", "<pad>", "</s>", "<mask>"]
    files = {"vocab.json": vocab(tokens), "merges.txt": ""}
    spec = spec_of(tmp_path, {**files, "tokenizer_config.json": config(**stated)})
    assert {token.content: token.lstrip for token in spec.added_tokens} == added
    assert all(token.special and not token.normalized for token in spec.added_tokens)
