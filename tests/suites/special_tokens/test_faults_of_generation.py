"""Faults in the ids that generation reads: starts, forced and suppressed tokens, maps of names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from real_tokenizers import put

import tokaudit
from tokaudit.report.model import Finding
from tokaudit.subject.material import Fact, Subject
from tokaudit_folders.folder import Folder
from tokaudit_reference.spec import AddedToken, Piece, TokenizerSpec, TokenType

Call = Callable[..., list[Any]]
NAMED, MODEL, GENERATION = "tokenizer_config.json", "config.json", "generation_config.json"
SPEECH = (
    *("<|endoftext|>", "<|startoftranscript|>", "<|en|>", "<|de|>", "<|translate|>"),
    *("<|transcribe|>", "<|startofprev|>", "<|nospeech|>", "<|notimestamps|>", "__deu__"),
)
ID = {content: id for id, content in enumerate(SPEECH, start=6)}


def stated(*facts: tuple[str, Any, str]) -> Subject:
    made = tuple(Fact(name, value, file, f"/{name}") for name, value, file in facts)
    return Subject("test", Path("/nowhere"), (), made)


def said(call: Call, check: str, *given: object) -> list[tuple[str, str]]:
    """Severity and cause of what a check finds."""
    found = (item for item in call(check, *given) if isinstance(item, Finding))
    return [(str(item.severity), item.cause) for item in found]


@pytest.fixture
def speech(letters: TokenizerSpec) -> TokenizerSpec:
    """Whisper's markers after six ordinary tokens."""
    added = tuple(AddedToken(id, content, special=True) for content, id in ID.items())
    return replace(letters, added_tokens=added)


def checked(folder: Path, file: str, keys: dict[str, Any]) -> list[tuple[str, str]]:
    added = [{"id": id, "content": text, "special": True} for text, id in ID.items()]
    Folder.bpe("abcdef").changed(added_tokens=added).write(folder)
    put(folder / file, keys)
    found = tokaudit.run_check("config/named-ids", folder).findings
    return [(str(each.severity), each.cause) for each in found]


@pytest.mark.parametrize(
    ("keys", "cause"),
    [
        ({"lang_to_id": {"<|en|>": 8, "<|de|>": 9}}, None),
        ({"lang_to_id": {"<|en|>": 9, "<|de|>": 10}}, "lang_to_id"),
        ({"lang_to_id": {"<|gone|>": 3}}, "lang_to_id"),
        ({"task_to_id": {"translate": 10, "transcribe": 11}}, None),
        ({"task_to_id": {"translate": 11, "transcribe": 10}}, "task_to_id"),
        ({"text_decoder_lang_to_code_id": {"deu": 15}}, None),
        ({"text_decoder_lang_to_code_id": {"deu": 16}}, "text_decoder_lang_to_code_id"),
        ({"own": {"map": {"<|de|>": 9}}}, None),
        ({"own": {"map": {"<|de|>": 8}}}, "map"),
        ({"own": {"8": "<|de|>"}}, "own"),
        ({"own": {"9": {"content": "<|de|>"}}}, None),
        ({"label2id": {"<|de|>": 0}, "id2label": {"0": "<|de|>"}}, None),
        ({"own": {"a": 5, "b": 0}}, None),  # letters name other things than tokens
        ({"image_token": "<|en|>", "image_token_id": 8}, None),
        ({"text_config": {"image_token": "<|en|>", "image_token_id": 9}}, "image_token_id"),
    ],
)
@pytest.mark.parametrize("file", [MODEL, GENERATION])
def test_a_token_that_is_named_with_an_id_has_that_id(
    tmp_path: Path, file: str, keys: dict[str, Any], cause: str | None
) -> None:
    assert checked(tmp_path, file, keys) == ([("error", cause)] if cause else [])


@pytest.mark.parametrize(
    ("kind", "start", "expected"),
    [
        ("t5", 7, []),
        ("t5", 6, [("error", "start")]),
        ("t5", 0, []),  # MADLAD-400 begins with its unknown token
        ("bart", 6, []),
        ("bart", 7, [("warning", "start")]),
        ("own", 6, []),
    ],
)
def test_a_decoder_begins_with_the_token_of_its_class(
    call: Call, letters: TokenizerSpec, kind: str, start: int, expected: list[tuple[str, str]]
) -> None:
    subject = stated(
        ("eos_token", "<|end|>", NAMED),
        ("pad_token", "<|pad|>", NAMED),
        ("model_type", kind, MODEL),
        ("decoder_start_token_id", start, MODEL),
    )
    assert said(call, "special_tokens/decoder-start", letters, subject) == expected


@pytest.mark.parametrize("start", ["<|startoftranscript|>", "<|en|>", "<|endoftext|>"])
def test_whisper_begins_with_the_start_of_a_transcript(
    call: Call, speech: TokenizerSpec, start: str
) -> None:
    facts = (("model_type", "whisper", MODEL), ("decoder_start_token_id", ID[start], GENERATION))
    expected = [] if start == "<|startoftranscript|>" else [("error", "start")]
    assert said(call, "special_tokens/decoder-start", speech, stated(*facts)) == expected


@pytest.mark.parametrize(
    ("key", "id", "expected"),
    [
        ("forced_bos_token_id", 7, []),
        ("forced_bos_token_id", 6, [("error", "forced end")]),
        ("forced_eos_token_id", 6, []),
        ("forced_eos_token_id", 3, [("warning", "forced other")]),
    ],
)
def test_forced_tokens_end_an_answer_only_at_its_end(
    call: Call, letters: TokenizerSpec, key: str, id: int, expected: list[tuple[str, str]]
) -> None:
    subject = stated(("eos_token", "<|end|>", NAMED), (key, id, GENERATION))
    assert said(call, "special_tokens/decoder-start", letters, subject) == expected


@pytest.mark.parametrize(
    ("name", "ids", "expected"),
    [
        ("suppress_tokens", ["<|startofprev|>", "<|translate|>"], []),
        ("suppress_tokens", ["<|endoftext|>"], ["error ends"]),
        ("suppress_tokens", ["<|de|>"], ["warning prompt"]),
        ("suppress_tokens", ["<|notimestamps|>", 4], ["error words", "warning prompt"]),
        ("begin_suppress_tokens", ["<|endoftext|>"], []),
        ("begin_suppress_tokens", ["<|startofprev|>"], ["warning first"]),
        ("begin_suppress_tokens", ["<|endoftext|>", 4], ["warning beginning"]),
    ],
)
def test_what_is_never_written_is_no_end_and_of_speech_no_word(
    call: Call, speech: TokenizerSpec, name: str, ids: list[str | int], expected: list[str]
) -> None:
    listed = [ID[id] if isinstance(id, str) else id for id in ids]
    subject = stated(("eos_token_id", ID["<|endoftext|>"], MODEL), (name, listed, GENERATION))
    found = said(call, "special_tokens/suppressed", speech, subject)
    assert [" ".join(each) for each in found] == expected


@pytest.mark.parametrize(
    ("name", "forbidden", "expected"),
    [
        ("suppress_tokens", [7], [("error", "ends")]),
        ("suppress_tokens", [6], []),  # an end that no turn is written with
        ("bad_words_ids", [[7]], [("error", "ends")]),
        ("bad_words_ids", [[3, 7]], []),  # never after that word alone
        ("sequence_bias", [[[7], -50.0]], [("error", "ends")]),
        ("sequence_bias", [[[3, 7], -50.0]], []),
        ("sequence_bias", [[[7], -2.0], [[3], -50.0], [[7]], 7], []),
        ("sequence_bias", [[[7], 50.0]], [("error", "forced end")]),
    ],
)
def test_the_end_that_the_template_writes_is_neither_forbidden_nor_forced(
    call: Call, letters: TokenizerSpec, name: str, forbidden: list[Any], expected: list[Any]
) -> None:
    added = tuple(AddedToken(id, text, special=True) for id, text in ((6, "<e>"), (7, "<turn>")))
    spec = replace(letters, added_tokens=added)
    subject = stated(
        ("eos_token_id", [6, 7], GENERATION),
        ("chat_template", "{{ content }}<turn>", NAMED),
        (name, forbidden, GENERATION),
    )
    assert said(call, "special_tokens/suppressed", spec, subject) == expected


@pytest.mark.parametrize(
    ("token", "expected"),
    [
        (b"((", []),
        (b" -", []),
        (b" \xe2\x99", []),  # how a note begins
        (b"?", ["error words"]),
        (b"-", ["error words"]),
        (b"\xd1", ["error words"]),  # how a letter begins
    ],
)
def test_whispers_lists_hold_signs_and_no_speech(
    call: Call, speech: TokenizerSpec, token: bytes, expected: list[str]
) -> None:
    spec = replace(speech, pieces={**speech.pieces, 5: Piece(TokenType.ORDINARY, token)})
    listed = ("suppress_tokens", [5, ID["<|translate|>"]], GENERATION)
    subject = stated(("eos_token_id", ID["<|endoftext|>"], MODEL), listed)
    found = said(call, "special_tokens/suppressed", spec, subject)
    assert [" ".join(each) for each in found] == expected


def test_words_are_suppressed_by_who_wants_that_of_a_model_of_text(
    call: Call, letters: TokenizerSpec
) -> None:
    subject = stated(("eos_token_id", 6, MODEL), ("suppress_tokens", [4, 5], GENERATION))
    assert said(call, "special_tokens/suppressed", letters, subject) == []
