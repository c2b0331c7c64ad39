"""A folder without a tokenizer is refused with what it is, what is missing and what to do."""

from __future__ import annotations

import json
from base64 import b64encode
from pathlib import Path

import pytest

import tokaudit
from tokaudit.foundation.errors import UnreadableError
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all


def refusal(folder: Path) -> str:
    with pytest.raises(UnreadableError) as raised:
        open_subject(folder)
    assert "\n" not in str(raised.value)
    return str(raised.value)


def test_an_adapter_names_its_base_model(tmp_path: Path) -> None:
    settings = {"base_model_name_or_path": "meta-llama/Llama-3.1-8B", "peft_type": "LORA"}
    (tmp_path / "adapter_config.json").write_text(json.dumps(settings))
    assert refusal(tmp_path).endswith(
        "is an adapter without a tokenizer; loaders take that of meta-llama/Llama-3.1-8B. Audit "
        "that folder, or put the tokenizer's files here"
    )


@pytest.mark.parametrize("settings", ["{}", "[1]", "{", '{"base_model_name_or_path": null}'])
def test_an_adapter_that_names_none_is_an_adapter_all_the_same(
    tmp_path: Path, settings: str
) -> None:
    (tmp_path / "adapter_config.json").write_text(settings)
    assert "loaders take its base model's" in refusal(tmp_path)


def test_merges_alone_lack_a_vocabulary(tmp_path: Path) -> None:
    (tmp_path / "merges.txt").write_text("#version: 0.2\na b\n")
    assert refusal(tmp_path).endswith(
        "has merges in merges.txt, and no vocabulary, so no token has an id. Put the vocab.json "
        "of the same tokenizer here"
    )


def test_codes_of_subword_nmt_have_no_ids(tmp_path: Path) -> None:
    (tmp_path / "codes.en").write_text("#version: 0.2\nt h\nth e</w>\n")
    (tmp_path / "vocab.en").write_text("the 10\nt@@ 4\n")
    assert "has merges of subword-nmt in codes.en, and no ids" in refusal(tmp_path)


def test_a_tokenizer_of_music_is_named_as_one(tmp_path: Path) -> None:
    said = {"config": {}, "tokenization": "REMI", "miditok_version": "3.0.4"}
    (tmp_path / "tokenizer.json").write_text(json.dumps(said))
    with pytest.raises(UnreadableError, match="is MidiTok's tokenizer of music"):
        tokaudit.manifest(tmp_path)


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("model.zip", b"PK\x03\x04....", "holds an archive, model.zip. Unpack it"),
        ("tokenizer.json.gz", b"\x1f\x8b....", "holds an archive, tokenizer.json.gz. Unpack it"),
        ("tokenizer.pkl", b"\x80\x04\x95\x10", "which runs code when it is loaded"),
        ("model.onnx", b"\x08\x07pytorch", "is an exported model (model.onnx) without a tokenizer"),
        ("model.tflite", b"\x1c\0\0\0TFL3", "is an exported model (model.tflite)"),
        ("model.safetensors", b"\x02\0\0\0\0\0\0\0{}", "is a model (model.safetensors) without"),
        ("data/train.parquet", b"PAR1....PAR1", "is a data set (data/train.parquet)"),
        ("train.jsonl", b'{"text": "a"}\n', "is a data set (train.jsonl)"),
        ("config.json", b'{"model_type": "llama"}', "has config.json and no file of a tokenizer"),
        ("meta.json", b'{"lang": "en", "pipeline": []}', "is a pipeline of spaCy"),
        ("bpe_simple_vocab_16e6.txt.gz", b"\x1f\x8b....", "has the merges of CLIP"),
        ("tokenizer.model", b"one line\nand another\n", "tokenizer.model is plain text"),
        ("spiece.model", b"GGUF\3\0\0\0", "spiece.model is a GGUF file under the name of"),
        ("tokenizer.model", b"PK\x03\x04....", "tokenizer.model is a zip archive; unpack it"),
    ],
)
def test_what_holds_no_tokenizer_is_named_with_what_to_do(
    tmp_path: Path, name: str, data: bytes, said: str
) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_bytes(data)
    assert said in refusal(tmp_path)


def test_a_vocabulary_under_the_name_of_a_tokenizer_is_told_apart(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text('{"a": 0, "b": 1}')
    with pytest.raises(UnreadableError, match="is a vocabulary of 2 entries and no tokenizer"):
        tokaudit.manifest(tmp_path)


@pytest.mark.parametrize("text", ["minbpe v1\n\n0\n", "IQ== 0\nIg== 1\n"])
def test_models_that_are_written_as_text_are_read_all_the_same(tmp_path: Path, text: str) -> None:
    (tmp_path / "tokenizer.model").write_text(text)
    assert open_subject(tmp_path).files[0].role in ("minbpe", "tiktoken")


def test_ranks_of_whisper_are_cut_by_the_pattern_of_gpt2(tmp_path: Path) -> None:
    ranks = "".join(f"{b64encode(bytes([each])).decode()} {each}\n" for each in range(256))
    (tmp_path / "multilingual.tiktoken").write_text(ranks)
    [(_, spec)] = parse_all(open_subject(tmp_path)).parsed
    assert spec.pre_tokenizer.rule.startswith("multilingual.tiktoken is a file of Whisper")


def test_what_is_not_known_is_listed_with_what_is_read(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing")
    assert (
        "contains no tokenizer that tokaudit can read (notes.txt: unknown format); known formats: "
        in refusal(tmp_path)
    )
