"""A use that the user states raises the severity of what harms it, and of nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tokaudit
from tokaudit.report.model import Finding
from tokaudit_folders.folder import Folder

CHATML = (
    "{% for m in messages %}{{ '<|im_start|>' + m.role + '\n' + m.content + '<|im_end|>\n' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
SPECIAL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")


def found(check: str, path: Path, **asked: Any) -> list[tuple[str, str]]:
    result = tokaudit.run_check(check, path, tier="quick", **asked)
    return [(str(each.severity), each.cause) for each in findings(result.findings)]


def findings(given: Any) -> list[Finding]:
    return [each for each in given if isinstance(each, Finding)]


def chat(path: Path, pad: str, eos: str = "<|im_end|>") -> Path:
    folder = Folder.bpe("ab", ["a b"]).added(*SPECIAL).template(CHATML)
    roles = {"eos_token": eos, "pad_token": pad, "bos_token": "<|endoftext|>"}
    return folder.tokenizer_config(**roles).config(architectures=["LlamaForCausalLM"]).write(path)


@pytest.mark.parametrize("eos", ["<|im_end|>", "<|endoftext|>"])
@pytest.mark.parametrize(
    ("use", "severity"), [(None, "warning"), ("serving", "warning"), ("sft", "error")]
)
def test_a_pad_token_that_ends_turns_is_an_error_where_answers_are_trained(
    tmp_path: Path, eos: str, use: str | None, severity: str
) -> None:
    cause = "eos" if eos == "<|im_end|>" else "end of turn"
    folder = chat(tmp_path, "<|im_end|>", eos)
    assert found("padding/pad-token", folder, use=use) == [(severity, cause)]


def test_a_pad_token_of_its_own_is_fine_for_every_use(tmp_path: Path) -> None:
    assert found("padding/pad-token", chat(tmp_path, "<|endoftext|>"), use="sft") == []


@pytest.mark.parametrize(
    ("use", "side", "told"),
    [
        ("rollouts", "right", True),
        ("serving", "right", True),
        ("sft", "left", True),
        ("pretraining", "left", True),
        ("rollouts", "left", False),
        ("sft", "right", False),
        ("classification", "left", False),
        (None, "left", False),
        (None, "right", False),
    ],
)
def test_a_side_of_padding_is_judged_by_the_stated_use(
    tmp_path: Path, use: str | None, side: str, told: bool
) -> None:
    folder = Folder.bpe("ab", ["a b"]).tokenizer_config(padding_side=side)
    path = folder.config(architectures=["LlamaForCausalLM"]).write(tmp_path)
    assert found("padding/side", path, use=use) == [("warning", "side of use")] * told


@pytest.mark.parametrize(("use", "severity"), [("pretraining", "info"), ("embedding", "warning")])
def test_a_length_that_is_left_open_is_a_warning_where_texts_of_any_length_come(
    tmp_path: Path, use: str, severity: str
) -> None:
    encoder = Folder.bpe("ab", ["a b"]).tokenizer_config(tokenizer_class="BertTokenizer")
    folder = encoder.config(model_type="bert", max_position_embeddings=512).write(tmp_path)
    assert found("padding/position-budget", folder, use=use) == [(severity, "open")]


def test_a_side_of_an_encoder_is_no_matter_of_generation(tmp_path: Path) -> None:
    folder = Folder.bpe("ab", ["a b"]).tokenizer_config(padding_side="right")
    path = folder.config(architectures=["BertModel"]).write(tmp_path)
    assert found("padding/side", path, use="serving") == []


@pytest.mark.parametrize(("use", "severity"), [(None, "warning"), ("classification", "error")])
def test_a_classifier_without_a_pad_id_is_an_error_where_it_classifies(
    tmp_path: Path, use: str | None, severity: str
) -> None:
    folder = Folder.bpe("ab", ["a b"]).added("<pad>").tokenizer_config(pad_token="<pad>")
    kind = {"model_type": "gpt2", "architectures": ["GPT2ForSequenceClassification"]}
    path = folder.config(**kind).write(tmp_path)
    assert found("padding/classifier-pad", path, use=use) == [(severity, "no pad id")]


@pytest.mark.parametrize(("use", "severity"), [("embedding", "warning"), ("serving", "error")])
def test_a_processor_that_is_not_here_is_an_error_where_the_model_is_served(
    tmp_path: Path, use: str, severity: str
) -> None:
    folder = Folder.bpe("ab", ["a b"]).config(vision_config={}, image_token_id=1).write(tmp_path)
    assert found("files/processor", folder, use=use) == [(severity, "no processor")]


@pytest.mark.parametrize(("use", "severity"), [("sft", "info"), ("serving", "warning")])
def test_a_mark_of_thinking_in_pieces_is_a_warning_where_a_parser_waits_for_it(
    tmp_path: Path, use: str, severity: str, processes: None
) -> None:
    thinks = CHATML.replace("assistant\n' }}{% endif", "assistant\n<think>\n</think>\n' }}{% endif")
    folder = Folder.bpe("ab", ["a b"]).added(*SPECIAL).template(thinks)
    path = folder.tokenizer_config(eos_token="<|im_end|>").write(tmp_path)
    assert (severity, "marker") in found("chat_template/tokens", path, use=use)


@pytest.mark.parametrize(("use", "severity"), [("sft", "info"), ("serving", "warning")])
def test_a_mark_that_decoding_drops_is_a_warning_where_a_parser_waits_for_it(
    tmp_path: Path, use: str, severity: str, processes: None
) -> None:
    thinks = CHATML.replace("assistant\n' }}{% endif", "assistant\n<think>\n</think>\n' }}{% endif")
    folder = Folder.bpe("ab", ["a b"]).added(*SPECIAL, "<think>", "</think>").template(thinks)
    path = folder.tokenizer_config(eos_token="<|im_end|>").write(tmp_path)
    assert (severity, "lost") in found("chat_template/tokens", path, use=use)


@pytest.mark.parametrize(("loaders", "severity"), [((), "info"), (("llama.cpp",), "warning")])
def test_space_that_a_token_takes_is_a_warning_where_the_target_keeps_it(
    tmp_path: Path, loaders: tuple[str, ...], severity: str, processes: None
) -> None:
    spaced = CHATML.replace("'<|im_start|>'", "'<|im_start|>\n'").replace(
        "'<|im_start|>assistant", "'<|im_start|>\nassistant"
    )
    plain = Folder.bpe("ab", ["a b"]).tokenizer_config(eos_token="<|im_end|>").template(spaced)
    strips = plain.added(*SPECIAL, rstrip=True).write(tmp_path / "strips")
    keeps = plain.added(*SPECIAL).write(tmp_path / "keeps")
    asked = {"loaders": loaders}
    assert (severity, "stripped") in found("chat_template/tokens", strips, **asked)
    assert "stripped" not in [cause for _, cause in found("chat_template/tokens", keeps, **asked)]


@pytest.mark.parametrize(
    ("use", "architecture", "told"),
    [
        ("embedding", "LlamaForCausalLM", True),
        ("embedding", "BertModel", False),
        ("serving", "LlamaForCausalLM", False),
        (None, "LlamaForCausalLM", False),
    ],
)
def test_a_decoder_that_embeds_says_how_it_pools(
    tmp_path: Path, use: str | None, architecture: str, told: bool
) -> None:
    path = Folder.bpe("ab", ["a b"]).config(architectures=[architecture]).write(tmp_path)
    assert found("config/pooling", path, use=use) == [("warning", "no pooling")] * told


@pytest.mark.parametrize(("use", "told"), [("embedding", True), (None, False)])
@pytest.mark.parametrize("ended", [True, False])
def test_the_last_token_that_is_pooled_is_one_after_the_text(
    tmp_path: Path, use: str | None, told: bool, ended: bool
) -> None:
    folder = Folder.bpe("ab", ["a b"]).added("</s>")
    text, end = (
        {"Sequence": {"id": "A", "type_id": 0}},
        {"SpecialToken": {"id": "</s>", "type_id": 0}},
    )
    known = {"</s>": {"id": "</s>", "ids": [3], "tokens": ["</s>"]}}
    template = {"type": "TemplateProcessing", "single": [text, end] if ended else [text]}
    template |= {"pair": [text, {"Sequence": {"id": "B", "type_id": 0}}], "special_tokens": known}
    folder = folder.changed(post_processor=template)
    folder = folder.tokenizer_config(eos_token="</s>", tokenizer_class="PreTrainedTokenizerFast")
    pooled = {"pooling_mode_lasttoken": True, "pooling_mode_mean_tokens": False}
    path = folder.settings("1_Pooling/config.json", **pooled).write(tmp_path)
    expected = [("warning", "pooling_mode_lasttoken")] * (told and not ended)
    assert found("config/pooling", path, use=use) == expected


@pytest.mark.parametrize(
    ("use", "size", "expected"),
    [
        ("speculative", 4, []),
        ("speculative", 8, [("warning", "vLLM")]),  # which transformers takes
        ("serving", 8, []),
        (None, 8, []),
    ],
)
def test_an_engine_that_refuses_a_draft_is_told_under_that_use(
    tmp_path: Path, use: str | None, size: int, expected: list[tuple[str, str]]
) -> None:
    plain = Folder.bpe("ab", ["a b"])
    target = plain.config(vocab_size=4).write(tmp_path / "target")
    draft = plain.config(vocab_size=size).write(tmp_path / "draft")
    assert found("baseline/speculative", draft, base=target, use=use) == expected


@pytest.mark.parametrize(("use", "severity"), [(None, "error"), ("speculative", "info")])
def test_a_draft_is_not_asked_for_the_template_of_its_target(
    tmp_path: Path, use: str | None, severity: str, processes: None
) -> None:
    plain = Folder.bpe("ab", ["a b"])
    target = plain.template("{{ messages[0].content }}").write(tmp_path / "target")
    draft = plain.template("{{ messages[-1].content }}b").write(tmp_path / "draft")
    assert found("chat_template/baseline", draft, base=target, use=use) == [(severity, "differs")]
