"""Settings that contradict each other, or the class that reads them: each found by one check."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from real_tokenizers import weights

from tokaudit.foundation.errors import NotApplicable
from tokaudit.report.model import Finding
from tokaudit.subject.material import Fact, Subject
from tokaudit_reference.spec import AddedToken, ModelType, Piece, TokenizerSpec, TokenType
from tokaudit_suites.shared.stated_key import StatedKey
from tokaudit_suites.shared.stated_keys import StatedKeys

Ask = Callable[..., list[object]]
Call = Callable[..., list[object]]
FORCED = "forced_decoder_ids"
NAMED, MODEL, GENERATION = "tokenizer_config.json", "config.json", "generation_config.json"


def stated(*facts: tuple[str, Any, str]) -> Subject:
    """A subject whose files state these and nothing else."""
    made = tuple(Fact(name, value, file, f"/{name}") for name, value, file in facts)
    return Subject("test", Path("/nowhere"), (), made)


def reported(found: list[object]) -> list[tuple[str, str]]:
    """Severity and cause of the findings."""
    return [(str(f.severity), f.cause) for f in found if isinstance(f, Finding)]


@pytest.mark.parametrize(("top", "said"), [(380, []), (512, ["warning"]), (300, ["warning"])])
def test_a_size_on_top_that_is_not_the_size_of_the_text_model_is_a_warning(
    ask: Ask, folder: Path, sick: ModuleType, top: int, said: list[str]
) -> None:
    parts = {"vocab_size": top, "text_config": {"vocab_size": 380}}
    sick.edit(folder, MODEL, lambda c: c.update(parts))
    found = reported(ask("embeddings/config-vocab-size", folder))
    assert found == [(severity, "two sizes") for severity in said]


@pytest.mark.parametrize(
    ("format", "model", "said"),
    [
        ("tokenizer.json", ModelType.BPE, [("warning", "none listed")]),
        ("tokenizer.json", ModelType.UNIGRAM, None),  # takes the entry whole
        ("vocab.json+merges.txt", ModelType.BPE, None),  # its class adds the token
    ],
)
def test_an_end_of_a_file_that_lists_no_added_tokens_is_cut_into_pieces(
    call: Call,
    letters: TokenizerSpec,
    format: str,
    model: ModelType,
    said: list[tuple[str, str]] | None,
) -> None:
    pieces = {**letters.pieces, 6: Piece(TokenType.ORDINARY, "<|end|>")}
    spec = replace(letters, pieces=pieces, added_tokens=(), format=format, model_type=model)
    subject = stated(("eos_token", "<|end|>", NAMED))
    if said is None:
        with pytest.raises(NotApplicable):
            call("special_tokens/eos-is-special", spec, subject)
    else:
        assert reported(call("special_tokens/eos-is-special", spec, subject)) == said


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("LlamaTokenizer", [("warning", "bytes")]),
        ("CodeLlamaTokenizer", [("error", "kind")]),
        ("XLNetTokenizerFast", [("error", "kind")]),
        ("OpenAIGPTTokenizer", []),
    ],
)
def test_a_class_for_another_kind_of_model_than_that_of_the_file_is_found(
    ask: Ask, folder: Path, sick: ModuleType, name: str, said: list[tuple[str, str]]
) -> None:
    sick.edit(folder, NAMED, lambda c: c.update(tokenizer_class=name))
    assert reported(ask("pipeline/class-rebuild", folder)) == said


@pytest.mark.parametrize("name", ["PreTrainedTokenizerFast", "GPT2Tokenizer", "OwnTokenizer"])
def test_a_class_that_builds_no_model_of_another_kind_is_not_asked(
    ask: Ask, folder: Path, sick: ModuleType, name: str
) -> None:
    sick.edit(folder, NAMED, lambda c: c.update(tokenizer_class=name))
    with pytest.raises(NotApplicable):
        ask("pipeline/class-rebuild", folder)


def speech(*texts: str) -> dict[int, Piece]:
    marks = ("<|startoftranscript|>", "<|en|>", "<|hi|>", "<|translate|>", "<|transcribe|>", *texts)
    return {id: Piece(TokenType.CONTROL, text) for id, text in enumerate(marks)}


TRANSLATE, TRANSCRIBE = [[1, None], [2, 3]], [[1, None], [2, 4]]


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ([("task", "transcribe", GENERATION)], []),
        ([("task", "translate", GENERATION)], [("info", "translates")]),
        (
            [("task", "transcribe", GENERATION), (FORCED, TRANSLATE, GENERATION)],
            [("error", "task")],
        ),
        ([(FORCED, TRANSCRIBE, MODEL), (FORCED, TRANSLATE, GENERATION)], [("error", "task")]),
        ([("task", "transcribe", NAMED), ("task", "translate", GENERATION)], [("error", "task")]),
        ([(FORCED, [[1, 1], [2, 4]], MODEL), (FORCED, TRANSCRIBE, GENERATION)], []),
        (
            [("language", "en", NAMED), ("language", "<|hi|>", GENERATION)],
            [("warning", "language")],
        ),
        ([(FORCED, [[1, 1]], MODEL), ("language", "hi", GENERATION)], [("info", "language")]),
    ],
)
def test_files_that_let_a_speech_model_do_two_tasks_are_found(
    call: Call, said: list[tuple[str, Any, str]], found: list[tuple[str, str]]
) -> None:
    pieces = speech()
    added = tuple(AddedToken(id, str(p.value), special=True) for id, p in pieces.items())
    spec = TokenizerSpec(ModelType.BPE, pieces, added_tokens=added, files=("tokenizer.json",))
    keys = StatedKeys(tuple(StatedKey(file, key, value, file) for key, value, file in said))
    assert reported(call("special_tokens/speech-task", spec, keys)) == found


T5 = {"model_type": "t5", "architectures": ["T5ForConditionalGeneration"], "d_model": 4}
LLAMA = {"model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": 4}
END = {"eos_token_id": 376}


@pytest.mark.parametrize(
    ("config", "generation", "said"),
    [
        ({**T5, **END, "decoder_start_token_id": 377}, None, []),
        ({**T5, **END}, None, [("error", "start")]),
        ({**T5, **END, "bos_token_id": 378}, None, []),  # taken instead
        ({**T5, **END}, {"decoder_start_token_id": 377, "eos_token_id": 376}, []),
        ({**T5, **END, "decoder_start_token_id": 377}, {"eos_token_id": 376}, [("error", "start")]),
        ({**T5, **END, "model_type": "marian"}, None, [("error", "start")]),  # 58100 is no token
        ({**T5, **END, "model_type": "mbart"}, None, []),  # begins with its bos
        ({**LLAMA, **END}, None, []),
        (LLAMA, None, [("error", "end")]),  # waits for id 2
        ({**LLAMA, "n_embd": 8, "model_type": "gpt2"}, None, [("error", "end")]),
        (
            {**LLAMA, "hidden_size": None, "n_embd": None, "model_type": "gpt2"},
            None,
            [("warning", "end")],
        ),  # null is absent
        ({**LLAMA, "model_type": "qwen2"}, None, [("warning", "end")]),
        ({**LLAMA, **END}, {"temperature": 1.0}, [("warning", "end")]),
        ({**LLAMA, **END}, {"_from_model_config": True}, []),
        ({**LLAMA, "model_type": "own"}, None, []),
        ({**LLAMA, "architectures": ["LlamaModel"]}, None, None),
        ({**LLAMA, "text_config": {"eos_token_id": 376}}, None, None),
    ],
)
def test_what_a_config_leaves_out_is_what_the_class_of_the_model_takes(
    ask: Ask,
    folder: Path,
    sick: ModuleType,
    config: dict[str, Any],
    generation: dict[str, Any] | None,
    said: list[tuple[str, str]] | None,
) -> None:
    sick.write(folder / MODEL, {**config, "vocab_size": 380})
    (folder / GENERATION).unlink(missing_ok=True)
    if generation is not None:
        sick.write(folder / GENERATION, generation)
    if said is None:
        with pytest.raises(NotApplicable):
            ask("config/left-to-class", folder)
    else:
        assert reported(ask("config/left-to-class", folder)) == said


@pytest.mark.parametrize(("kind", "said"), [("llama", []), ("wav2vec2", ["size"])])
def test_a_size_that_is_left_to_the_class_is_compared(
    ask: Ask, folder: Path, sick: ModuleType, kind: str, said: list[str]
) -> None:
    config = {**LLAMA, **END, "model_type": kind}
    sick.write(folder / MODEL, config)
    assert [cause for _, cause in reported(ask("config/left-to-class", folder))] == said


@pytest.mark.parametrize(
    ("kind", "generation", "said"),
    [
        ("whisper", {"no_timestamps_token_id": 377}, []),
        ("whisper", {"no_timestamps_token_id": None}, ["no no_timestamps_token_id"]),
        ("whisper", {}, ["no no_timestamps_token_id"]),
        ("whisper", None, ["no no_timestamps_token_id"]),
        ("seamless_m4t", {}, ["no text_decoder_lang_to_code_id"]),
        ("llama", {}, []),
    ],
)
def test_a_key_that_generation_of_a_kind_of_model_needs_is_there(
    ask: Ask,
    folder: Path,
    sick: ModuleType,
    kind: str,
    generation: dict[str, object] | None,
    said: list[str],
) -> None:
    named = {"architectures": ["WhisperForConditionalGeneration"], "decoder_start_token_id": 376}
    sick.write(folder / MODEL, {**LLAMA, **END, **named, "model_type": kind, "vocab_size": 380})
    (folder / GENERATION).unlink(missing_ok=True)
    if generation is not None:
        sick.write(folder / GENERATION, {**END, "decoder_start_token_id": 376, **generation})
    assert [cause for _, cause in reported(ask("config/left-to-class", folder))] == said


@pytest.mark.parametrize(
    ("named", "config", "found"),
    [
        ({"image_token": "<|user|>"}, {"image_token_id": 378}, 0),
        ({"image_token": "<|user|>"}, {"image_token_id": 379}, 1),
        ({"image_token": "<|user|>"}, {"image_token_index": 379}, 1),
        ({"eos_token": "<|end|>"}, {"eos_token_id": 378}, 0),  # of a role: role-ids says so
    ],
)
def test_a_token_that_one_file_names_has_the_id_that_the_model_has_for_it(
    ask: Ask,
    folder: Path,
    sick: ModuleType,
    named: dict[str, Any],
    config: dict[str, Any],
    found: int,
) -> None:
    sick.edit(folder, NAMED, lambda c: c.update(named))
    sick.edit(folder, MODEL, lambda c: c.update(config))
    try:
        assert len(reported(ask("config/named-ids", folder))) == found
    except NotApplicable:
        assert found == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"eos_token": "a", "eos_token": "b"}', [("error", "twice")]),
        ('{"eos_token": "a", "eos_token": "a"}', []),
        ('{"added_tokens_decoder": {"1": {"content": "a"}, "1": {}}}', [("error", "twice")]),
    ],
)
def test_a_key_with_two_values_in_one_file_is_found(
    ask: Ask, folder: Path, text: str, said: list[tuple[str, str]]
) -> None:
    (folder / NAMED).write_text(text)
    assert reported(ask("config/stated-twice", folder)) == said


@pytest.mark.parametrize(
    ("length", "found"), [(2048, 0), (10**30, 0), (1e30, 0), (0, 1), (-1, 1), (512.5, 1)]
)
def test_a_length_is_a_whole_number_above_zero(
    ask: Ask, folder: Path, sick: ModuleType, length: float, found: int
) -> None:
    sick.edit(folder, NAMED, lambda c: c.update(model_max_length=length))
    assert len(reported(ask("config/lengths", folder))) == found


EMBEDDING = "base_model.model.model.embed_tokens"


@pytest.mark.parametrize(
    ("stated", "tensors", "found"),
    [
        ({"modules_to_save": ["embed_tokens"]}, {f"{EMBEDDING}.weight": [380, 4]}, []),
        ({"modules_to_save": ["embed_tokens"]}, {"base.q.lora_A.weight": [8, 4]}, ["modules"]),
        (
            {"trainable_token_indices": [376, 377]},
            {f"{EMBEDDING}.token_adapter.trainable_tokens_delta": [2, 4]},
            [],
        ),
        ({"trainable_token_indices": {"embed_tokens": [7]}}, {"q": [2, 4]}, ["trainable"]),
        ({"modules_to_save": None, "trainable_token_indices": None}, {"q": [2, 4]}, None),
    ],
)
def test_rows_that_an_adapter_says_it_has_are_in_its_weights(
    ask: Ask,
    folder: Path,
    sick: ModuleType,
    stated: dict[str, Any],
    tensors: dict[str, list[int]],
    found: list[str] | None,
) -> None:
    sick.write(folder / "adapter_config.json", stated)
    weights(folder / "adapter_model.safetensors", tensors)
    if found is None:
        with pytest.raises(NotApplicable):
            ask("embeddings/saved-rows", folder)
    else:
        causes = [cause for _, cause in reported(ask("embeddings/saved-rows", folder))]
        assert [cause.partition("_")[0] for cause in causes] == found


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("LLaMATokenizer", [("error", "misspelled")]),
        ("LlamaTokeniser", [("warning", "misspelled")]),
        ("Qwen3Tokenizer", [("info", "unknown")]),
        ("LlamaTokenizerFast", []),
        ("AcornTokenizer", [("info", "unknown")]),
    ],
)
def test_the_name_of_a_class_that_is_misspelled_is_an_error(
    ask: Ask, folder: Path, sick: ModuleType, name: str, said: list[tuple[str, str]]
) -> None:
    sick.edit(folder, NAMED, lambda c: c.update(tokenizer_class=name))
    assert reported(ask("files/tokenizer-class", folder)) == said


@pytest.mark.parametrize("added", [{"end": {"content": "<|end|>"}}, {"380": {"special": True}}])
def test_an_added_token_that_loaders_cannot_read_is_an_error(
    ask: Ask, folder: Path, sick: ModuleType, added: dict[str, Any]
) -> None:
    sick.edit(folder, NAMED, lambda c: c.update(added_tokens_decoder=added))
    assert reported(ask("config/added-tokens", folder)) == [("error", "added_tokens_decoder")]


def test_settings_in_another_encoding_are_an_error(ask: Ask, folder: Path) -> None:
    path = folder / NAMED
    path.write_bytes(path.read_text("utf-8").encode("utf-16"))
    assert reported(ask("files/kind", folder)) == [("error", "file")]


def test_a_number_that_is_none_is_not_stated_twice(ask: Ask, folder: Path) -> None:
    (folder / GENERATION).write_text('{"temperature": NaN}')
    assert reported(ask("config/stated-twice", folder)) == []
