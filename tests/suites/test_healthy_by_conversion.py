"""Folders as converters and publishers write them give no error, and only warnings that are true.

Each is made by the published converter's own rule, from a model that is trained here in a second.
"""

from __future__ import annotations

import json
import math
import struct
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest
from class_folders import model
from real_tokenizers import put
from sentencepiece import SentencePieceProcessor

import tokaudit
from tokaudit.report.model import Severity, Status, Verdict
from tokaudit.report.report import Report
from tokaudit.subject.formats.common.protobuf import fields
from tokaudit_folders.chat_folders import Asked, Family, write
from tokaudit_folders.folder import Folder

OWN_CODE = {"auto_map": {"AutoTokenizer": ["tokenization_x.XTokenizer", None]}}
POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n"


def audited(folder: Path) -> Report:
    return tokaudit.audit(folder, tier="quick", ignore=("fertility", "throughput"))


def said(report: Report) -> list[tuple[str, str]]:
    """Every error and warning, by its check."""
    found = [(str(f.severity), f.check) for r in report.results for f in r.findings]
    return [each for each in found if each[0] != "info"]


def added(ids: dict[str, int]) -> list[dict[str, Any]]:
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    return [{"id": id, "content": text, **flags, "special": True} for text, id in ids.items()]


def with_pieces(data: bytes, scores: dict[str, float]) -> bytes:
    """A SentencePiece model with more pieces at its end."""
    for text, score in scores.items():
        piece = b"\x0a" + bytes([len(text.encode())]) + text.encode()
        piece += b"\x15" + struct.pack("<f", score)
        data += b"\x0a" + bytes([len(piece)]) + piece
    return data


def converted(folder: Path, name: str) -> Path:
    """Both files of ALBERT or XLNet: their converter takes 100 from pieces like `5,`."""
    digits = {
        c: -9.0 - place / 9
        for place, c in enumerate([*"01", "5,", "▁19,", "10", "▁20", *"23456789", ","])
    }
    data = with_pieces(model("unigram", "fairseq"), digits)
    known = SentencePieceProcessor(model_proto=data)
    pieces = [(known.id_to_piece(i), known.get_score(i)) for i in range(known.get_piece_size())]
    vocab = [[t, s - 100 if t[-1:] == "," and t[-2:-1].isdigit() else s] for t, s in pieces]
    quotes = [("``", '"'), ("''", '"')]
    steps = [{"type": "Replace", "pattern": {"String": a}, "content": b} for a, b in quotes]
    mark = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
    tokenizer = {
        "added_tokens": added({"<unk>": 0, "<s>": 1, "</s>": 2}),
        "normalizer": {"type": "Sequence", "normalizers": [*steps, charsmap(data), *SPACES]},
        "pre_tokenizer": mark,
        "decoder": mark,
        "model": {"type": "Unigram", "unk_id": 0, "vocab": vocab},
    }
    put(folder / "spiece.model", data)
    put(folder / "tokenizer.json", tokenizer)
    roles = {"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>"}
    settings = {"keep_accents": True, "do_lower_case": False, "pad_token": "<unk>"}
    around = {"cls_token": "<s>", "sep_token": "</s>", "mask_token": "<unk>"}
    named = {"tokenizer_class": name, **roles, **settings, **around}
    put(folder / "tokenizer_config.json", named)
    return folder


def charsmap(data: bytes) -> dict[str, str]:
    """The character map of a SentencePiece model as the step of a tokenizer.json."""
    (settings,) = (value for number, value in fields(data, "model") if number == 3)
    assert isinstance(settings, bytes)
    (found,) = (value for number, value in fields(settings, "normalizer") if number == 2)
    assert isinstance(found, bytes)
    return {"type": "Precompiled", "precompiled_charsmap": b64encode(found).decode()}


SPACES = [{"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "}]


@pytest.mark.parametrize("name", ["AlbertTokenizer", "XLNetTokenizer"])
@pytest.mark.parametrize("check", ["vocab/id-order", "vocab/scores", "vocab/learnable"])
def test_pieces_of_a_digit_and_a_comma_are_scored_lower_by_the_converter(
    tmp_path: Path, name: str, check: str
) -> None:
    result = tokaudit.run_check(check, converted(tmp_path, name))
    assert (result.status, result.findings) in [
        (Status.PASSED, ()),
        (Status.NOT_APPLICABLE, ()),
    ]


@pytest.mark.parametrize("name", ["AlbertTokenizer", "XLNetTokenizer"])
def test_what_the_converter_cuts_apart_is_no_difference_of_the_two_files(
    tmp_path: Path, name: str, processes: None
) -> None:
    found = tokaudit.run_check("agreement/behaviour", converted(tmp_path, name)).findings
    assert {finding.severity for finding in found} <= {Severity.INFO}


def test_letters_of_one_probability_have_the_scores_of_their_model(
    tmp_path: Path, processes: None
) -> None:
    letters = [[letter, math.log(1 / 26)] for letter in "abcdefghijklmnopqrstuvwxyz"]
    vocab = [["<unk>", 0.0], *letters]
    added_tokens = added({"<unk>": 0})
    whole = {"added_tokens": added_tokens, "model": {"type": "Unigram", "unk_id": 0}}
    whole["model"] |= {"vocab": vocab}  # type: ignore[operator]
    put(tmp_path / "tokenizer.json", whole)
    assert [each for each in said(audited(tmp_path)) if each[1].startswith("vocab/")] == []


def marian(folder: Path, **config: Any) -> Path:
    """Marian's config keeps the default bos id 0, which is any piece; answers begin with padding."""
    words = {text: id for id, text in enumerate([",", "</s>", "<unk>", "<pad>", "a", "b", "ab"])}
    whole = {
        "added_tokens": added({text: words[text] for text in ("</s>", "<unk>", "<pad>")}),
        "model": {"type": "WordLevel", "vocab": words, "unk_token": "<unk>"},
    }
    put(folder / "tokenizer.json", whole)
    roles = {"eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>"}
    put(folder / "tokenizer_config.json", roles)
    ids = {"bos_token_id": 0, "eos_token_id": 1, "pad_token_id": 3}
    put(folder / "config.json", {"architectures": ["MarianMTModel"], **ids, **config})
    return folder


@pytest.mark.parametrize(
    ("config", "severity"),
    [({"decoder_start_token_id": 3}, Severity.INFO), ({}, Severity.ERROR)],
)
def test_a_bos_id_that_nothing_reads_is_no_error(
    tmp_path: Path, config: dict[str, int], severity: Severity
) -> None:
    found = tokaudit.run_check("special_tokens/role-ids", marian(tmp_path, **config)).findings
    assert [finding.severity for finding in found] == [severity]


def left_to_code(folder: Path, *, code: bool) -> Path:
    """Ids and special tokens that no file states, as code of the checkpoint supplies them."""
    put(folder / "tokenizer.model", model("bpe", "fairseq"))
    roles = {"eos_token": "<|eos|>", "bos_token": "<|bos|>", "pad_token": "<|pad|>"}
    put(folder / "tokenizer_config.json", {**roles, **(OWN_CODE if code else {})})
    ids = {"bos_token_id": 401, "eos_token_id": 405, "pad_token_id": 406, "vocab_size": 64}
    put(folder / "config.json", {"architectures": ["XForCausalLM"], **ids})
    return folder


def test_what_code_of_the_checkpoint_supplies_is_not_examined_and_never_an_error(
    tmp_path: Path,
    processes: None,
) -> None:
    report = audited(left_to_code(tmp_path, code=True))
    assert [each for each in said(report) if each[0] == "error"] == []
    assert "not examined: the checkpoint's own code 'tokenization_x.XTokenizer'" in report.scope
    open_ = {r.check for r in report.results if "code of the checkpoint" in r.reason}
    assert {"special_tokens/role-ids", "files/foreign-config"} <= open_


def test_without_code_of_the_checkpoint_the_same_folder_fails(
    tmp_path: Path, processes: None
) -> None:
    assert audited(left_to_code(tmp_path, code=False)).verdict is Verdict.FAIL


def words_and_list(folder: Path, *, other: bool = False) -> Path:
    """A WordLevel and the plain list of its ids."""
    words = ["<pad>", "<unk>", *(a + b for a in "abcdefg" for b in "klmnopq")]
    ids = {word: id for id, word in enumerate(words)}
    model = {"type": "WordLevel", "vocab": ids, "unk_token": "<unk>"}
    tokens = added({"<pad>": 0, "<unk>": 1})
    cut = {"type": "WhitespaceSplit"}
    put(
        folder / "tokenizer.json",
        {"added_tokens": tokens, "pre_tokenizer": cut, "model": model},
    )
    put(folder / "tokenizer_config.json", {"unk_token": "<unk>", "pad_token": "<pad>"})
    if other:
        words[5], words[9] = words[9], words[5]
    put(folder / "vocab.txt", ("\n".join(words) + "\n").encode())
    return folder


def test_a_list_of_a_word_levels_ids_is_no_word_piece(tmp_path: Path, processes: None) -> None:
    assert said(audited(words_and_list(tmp_path))) == []


def test_a_list_with_other_ids_than_its_word_level_is_an_error(tmp_path: Path) -> None:
    found = tokaudit.run_check("agreement/vocab", words_and_list(tmp_path, other=True)).findings
    assert [finding.severity for finding in found] == [Severity.ERROR]


def test_the_free_id_0_of_rwkv_is_information(tmp_path: Path, processes: None) -> None:
    lines = [f"{id} {chr(96 + id)!r} 1\n" for id in range(1, 27)]
    put(tmp_path / "rwkv_vocab.txt", "".join(lines).encode())
    ids = dict.fromkeys(("bos_token_id", "eos_token_id", "pad_token_id"), 0)
    put(tmp_path / "config.json", {"model_type": "rwkv", "vocab_size": 27, **ids})
    put(tmp_path / "generation_config.json", ids)
    about = {each for each in said(audited(tmp_path)) if each[1] in ABOUT_IDS}
    assert about == set()


ABOUT_IDS = ("vocab/holes", "special_tokens/role-ids", "special_tokens/class-defaults")
COHERE = Family(
    "{% for m in messages %}<|START|>{{ m.role }}<|MIDDLE|>{{ m.content }}"
    "{% if m.role == 'assistant' %}<|END_RESPONSE|>{% endif %}<|END_OF_TURN_TOKEN|>{% endfor %}"
    "{% if add_generation_prompt %}<|START|>assistant<|MIDDLE|>{% endif %}",
    ("<pad>", "<|START|>", "<|MIDDLE|>", "<|END_RESPONSE|>", "<|END_OF_TURN_TOKEN|>"),
    "<|END_OF_TURN_TOKEN|>",
)


def test_a_stop_next_to_the_end_of_a_response_ends_the_turn(tmp_path: Path) -> None:
    assert Asked(write(tmp_path, COHERE)).findings("stops") == []


def test_a_stop_after_text_does_not_end_the_turn(tmp_path: Path) -> None:
    between = COHERE.template.replace("{% endif %}<|END_OF", "{% endif %} and <|END_OF")
    family = Family(between, COHERE.tokens, COHERE.eos)
    assert [f.cause for f in Asked(write(tmp_path, family)).findings("stops")] == ["not a stop"]


def test_weights_that_are_pointers_are_one_finding_said_before_the_verdict(
    tmp_path: Path,
    processes: None,
) -> None:
    folder = words_and_list(tmp_path)
    shards = [f"model-0000{n}-of-00002.safetensors" for n in (1, 2)]
    for shard in shards:
        put(folder / shard, POINTER)
    put(folder / "model.safetensors.index.json", {"weight_map": {"lm_head.weight": shards[1]}})
    report = audited(folder)
    assert said(report) == [("warning", "files/weights")]
    assert report.verdict is Verdict.PASS
    assert report.sentence.startswith("The weights were not examined")


def test_a_manifest_of_a_folder_with_pointers_has_no_facts_of_weights(
    tmp_path: Path, processes: None
) -> None:
    put(words_and_list(tmp_path) / "model.safetensors", POINTER)
    assert "embedding" not in json.dumps(tokaudit.manifest(tmp_path))


def test_a_tokenizer_that_fails_fails_with_weights_that_are_pointers_too(
    tmp_path: Path, processes: None
) -> None:
    folder = words_and_list(tmp_path, other=True)
    put(folder / "model.safetensors", POINTER)
    assert audited(folder).verdict is Verdict.FAIL


@pytest.mark.parametrize(
    ("length", "architecture", "severity"),
    [
        (512, "LlamaForCausalLM", "error"),
        (256, "LlamaForCausalLM", "warning"),
        (512, "BertForMaskedLM", "warning"),
    ],
)
def test_padding_is_an_error_where_it_fills_every_position_of_a_model_that_generates(
    tmp_path: Path, length: int, architecture: str, severity: str
) -> None:
    folder = words_and_list(tmp_path)
    data = json.loads((folder / "tokenizer.json").read_bytes())
    block = {"strategy": {"Fixed": length}, "direction": "Right", "pad_id": 0}
    put(folder / "tokenizer.json", data | {"padding": {**block, "pad_token": "<pad>"}})
    config = {"architectures": [architecture], "max_position_embeddings": 512}
    put(folder / "config.json", config)
    found = tokaudit.run_check("padding/settings-left-on", folder).findings
    assert [str(finding.severity) for finding in found] == [severity]


def test_padding_to_fewer_than_64_positions_is_a_warning(tmp_path: Path) -> None:
    folder = words_and_list(tmp_path)
    data = json.loads((folder / "tokenizer.json").read_bytes())
    block = {"strategy": {"Fixed": 32}, "direction": "Right", "pad_id": 0, "pad_token": "<pad>"}
    put(folder / "tokenizer.json", data | {"padding": block})
    config = {"architectures": ["LlamaForCausalLM"], "max_position_embeddings": 32}
    put(folder / "config.json", config)
    found = tokaudit.run_check("padding/settings-left-on", folder).findings
    assert [finding.severity for finding in found] == [Severity.WARNING]


@pytest.mark.parametrize(
    ("content", "template", "expected"),
    [
        ("</s>", "", ["'</s>' (id 0) ends texts"]),
        ("<|turn|>", "<|turn|>{{ messages[0].content }}", ["'<|turn|>' (id 0) marks turns"]),
        ("<|turn|>", "", []),
    ],
)
def test_single_word_is_an_error_for_ends_and_turns_with_the_text_that_shows_it(
    tmp_path: Path, content: str, template: str, expected: list[str], processes: None
) -> None:
    (token,) = added({content: 0})
    listed = [token | {"single_word": True}]
    Folder.bpe([content, *"Yes"]).changed(added_tokens=listed).write(tmp_path)
    settings = {"eos_token": "</s>", **({"chat_template": template} if template else {})}
    put(tmp_path / "tokenizer_config.json", settings)
    found = tokaudit.run_check("special_tokens/single-word", tmp_path).findings
    assert [f.message.partition(",")[0].removesuffix(" in the chat template") for f in found] == (
        expected
    )
    assert [f.evidence[0].text for f in found] == ["Yes" + content for _ in expected]
