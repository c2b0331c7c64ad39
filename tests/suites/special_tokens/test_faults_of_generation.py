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
        ("bad_words_ids", [[7]], [("info", "ignored")]),
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
    ("name", "forbidden", "left"),
    [
        ("sequence_bias", [[[6], -50.0], [[3], -50.0], 7], [[[3], -50.0], 7]),
        ("sequence_bias", [[[6], -50.0]], None),  # an empty list is refused
        ("suppress_tokens", [6], []),
    ],
)
def test_a_repair_leaves_the_end_out_of_what_is_forbidden(
    call: Call, letters: TokenizerSpec, name: str, forbidden: list[Any], left: list[Any] | None
) -> None:
    spec = replace(letters, added_tokens=(AddedToken(6, "<e>", special=True),))
    subject = stated(("eos_token_id", 6, GENERATION), (name, forbidden, GENERATION))
    (found,) = call("special_tokens/suppressed", spec, subject)
    (change,) = found.repair.changes
    assert (change.pointer, change.wanted) == (f"/{name}", left)


@pytest.mark.parametrize(("bad", "left"), [([[6], [3]], [[3]]), ([[6]], None)])
def test_a_bad_word_that_ends_texts_and_stops_no_generation_is_left_out(
    call: Call, letters: TokenizerSpec, bad: list[Any], left: list[Any] | None
) -> None:
    spec = replace(letters, added_tokens=(AddedToken(6, "<e>", special=True),))
    subject = stated(("eos_token", "<e>", NAMED), ("bad_words_ids", bad, GENERATION))
    (found,) = call("special_tokens/suppressed", spec, subject)
    (change,) = found.repair.changes
    assert (found.cause, change.wanted) == ("ends", left)


@pytest.mark.parametrize(
    ("end", "id", "template", "expected"),
    [
        ("<turn>", 6, "{{ content }}<turn>", ["warning eos of conversion"]),
        ("<turn>", 6, "{{ content }}{{ eos_token }}", ["warning eos of conversion"]),
        ("<turn>", 7, "{{ content }}<turn>", []),
        ("<e>", 7, "{{ content }}<turn>", []),  # the file names the end of the turn
        ("<turn>", 6, "{{ content }}<turn><e>", []),
        ("<turn>", 6, "{{ content }}", []),
    ],
)
def test_a_model_file_ends_with_the_token_that_its_converter_takes_and_the_template_writes(
    call: Call, letters: TokenizerSpec, end: str, id: int, template: str, expected: list[str]
) -> None:
    added = tuple(AddedToken(id, text, special=True) for id, text in ((6, "<e>"), (7, "<turn>")))
    subject = stated(
        ("eos_token", end, NAMED),
        ("eos_token_id", [6, 7], GENERATION),
        ("eos_token_id", id, "model.gguf"),
        ("chat_template", template, NAMED),
    )
    found = said(call, "special_tokens/role-ids", replace(letters, added_tokens=added), subject)
    assert [" ".join(each) for each in found] == expected


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


@pytest.mark.parametrize(
    ("forced", "expected"),
    [
        ([[1, "<|en|>"], [2, "<|transcribe|>"], [3, "<|notimestamps|>"]], []),
        ([[1, None], [2, "<|translate|>"]], []),
        ([[1, "<|notimestamps|>"]], []),  # of a model of English alone
        ([[1, "<|transcribe|>"], [2, "<|en|>"]], [("error", "forced")]),
        ([[1, "<|transcribe|>"], [2, "<|translate|>"]], [("error", "forced")]),
        ([[1, 5]], [("error", "forced")]),
        ([[1, 99]], [("error", "forced")]),
    ],
)
def test_the_forced_ids_of_speech_are_a_prompt(
    call: Call, speech: TokenizerSpec, forced: list[list[Any]], expected: list[tuple[str, str]]
) -> None:
    ids = [[place, ID.get(each, each)] for place, each in forced]
    subject = stated(("forced_decoder_ids", ids, GENERATION))
    assert said(call, "special_tokens/speech-prompt", speech, subject) == expected


@pytest.mark.parametrize(("id", "expected"), [(12, []), (13, [("error", "before")])])
def test_the_token_before_an_earlier_text_is_its_own(
    call: Call, speech: TokenizerSpec, id: int, expected: list[tuple[str, str]]
) -> None:
    subject = stated(("prev_sot_token_id", id, GENERATION))
    assert said(call, "special_tokens/speech-prompt", speech, subject) == expected


@pytest.mark.parametrize(
    ("suppressed", "more", "expected"),
    [
        ([7, "<|startofprev|>", 13], [], []),
        ([7, 8, 13], [], [("warning", "guessed")]),
        ([], [], [("warning", "guessed")]),
        ([], [("prev_sot_token_id", ID["<|startofprev|>"], GENERATION)], []),
    ],
)
def test_what_stands_in_for_the_token_before_an_earlier_text_is_that_token(
    call: Call,
    speech: TokenizerSpec,
    suppressed: list[Any],
    more: list[tuple[str, Any, str]],
    expected: list[tuple[str, str]],
) -> None:
    ids = [ID.get(each, each) for each in suppressed]
    subject = stated(("suppress_tokens", ids, GENERATION), *more)
    assert said(call, "special_tokens/speech-prompt", speech, subject) == expected


def translator(path: Path, appended: str, **config: Any) -> Path:
    """A BART over BERT's tokens, whose settings name an end that no text gets."""
    own = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "[EOS]"]
    processor = {
        "type": "BertProcessing",
        "sep": [appended, own.index(appended)],
        "cls": ["[CLS]", 2],
    }
    folder = Folder.wordpiece([*own, "a", "b"]).changed(post_processor=processor).added(*own)
    folder = folder.tokenizer_config(eos_token="[EOS]", sep_token="[SEP]", bos_token="[CLS]")
    return folder.config(model_type="bart", **config).write(path)


def found_in(folder: Path) -> list[Finding]:
    checks = ["special_tokens/role-ids", "special_tokens/decoder-start"]
    return list(tokaudit.audit(folder, select=checks).findings)


ENDED = {"eos_token_id": 3, "decoder_start_token_id": 3, "forced_eos_token_id": 3}


def test_an_end_that_labels_get_is_right_whatever_the_settings_name(tmp_path: Path) -> None:
    [finding] = found_in(translator(tmp_path / "a", "[SEP]", **ENDED))
    assert str(finding.severity) == "warning" and "so every label, with '[SEP]'" in finding.message
    assert finding.places[0].file == NAMED
    assert finding.repair is None or not finding.repair.changes


def test_an_end_that_no_label_gets_is_an_error(tmp_path: Path) -> None:
    found = found_in(translator(tmp_path / "a", "[EOS]", **ENDED))
    assert [str(each.severity) for each in found if each.cause == "eos"] == ["error"]


def test_a_decoder_starts_with_the_end_of_its_config(tmp_path: Path) -> None:
    folder = translator(tmp_path / "a", "[SEP]", **{**ENDED, "decoder_start_token_id": 2})
    [start] = [each for each in found_in(folder) if each.cause == "start"]
    assert "begins with '[SEP]', id 3" in start.message


@pytest.mark.parametrize(
    ("model", "generation", "expected"),
    [
        ({"forced_bos_token_id": 1}, {"forced_bos_token_id": 1}, []),
        ({"forced_bos_token_id": 1}, {"forced_bos_token_id": 2}, [("error", "two first")]),
        ({"forced_bos_token_id": 1}, {"max_length": 9}, [("warning", "two first")]),
        ({"forced_bos_token_id": 1}, None, []),
        ({"decoder": {"forced_bos_token_id": 1}}, {"max_length": 9}, []),
        ({"decoder_start_token_id": 1}, {"forced_bos_token_id": 2}, []),
    ],
)
def test_a_language_that_config_json_alone_forces_is_not_forced(
    tmp_path: Path,
    model: dict[str, Any],
    generation: dict[str, Any] | None,
    expected: list[tuple[str, str]],
) -> None:
    folder = Folder.bpe("ab").added("en_XX", "fr_XX").config(**model)
    if generation is not None:
        folder = folder.file("generation_config.json", generation)
    found = tokaudit.run_check("special_tokens/decoder-start", folder.write(tmp_path)).findings
    assert [(str(each.severity), each.cause) for each in found] == expected


@pytest.mark.parametrize(("codes", "expected"), [(("eng_Latn",), []), ((), ["error"])])
def test_a_language_is_known_by_the_code_that_the_tokenizer_has_for_it(
    tmp_path: Path, codes: tuple[str, ...], expected: list[str]
) -> None:
    named = {"tokenizer_class": "PreTrainedTokenizerFast", "src_lang": "eng_Latn"}
    folder = Folder.bpe("ab", ["a b"]).added("</s>", *codes).tokenizer_config(**named)
    path = folder.config(model_type="m2m_100").write(tmp_path)
    found = tokaudit.run_check("config/languages", path, tier="quick").findings
    assert [str(each.severity) for each in found] == expected


@pytest.mark.parametrize(
    ("forced", "expected"),
    [
        ({}, []),
        ({"generation_config.json": 5}, []),
        ({"generation_config.json": 4}, ["warning forced"]),
        ({"config.json": 4}, ["warning forced"]),
        ({"config.json": 4, "generation_config.json": 5}, []),  # the one that is read
        ({"generation_config.json": 3}, []),  # an end of text
    ],
)
def test_answers_begin_with_the_language_that_the_tokenizer_is_set_to(
    tmp_path: Path, forced: dict[str, int], expected: list[str]
) -> None:
    folder = Folder.bpe("ab", ["a b"]).added("</s>", "en_XX", "fr_XX")
    folder = folder.tokenizer_config(
        tokenizer_class="MBartTokenizer", tgt_lang="fr_XX", eos_token="</s>"
    )
    for file, id in forced.items():
        folder = folder.file(file, {"forced_bos_token_id": id})
    found = tokaudit.run_check("config/languages", folder.write(tmp_path), tier="quick").findings
    assert [f"{each.severity} {each.cause}" for each in found] == expected


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        ({"language": "en", "task": "transcribe"}, []),
        ({"language": "<|EN|>"}, []),
        ({"language": "hindi"}, []),  # a name that the library knows or refuses by itself
        ({"language": "<|gsw|>"}, ["error language"]),
        ({"language": "hi"}, ["error language"]),
        ({"language": ["en", "hi"]}, ["error language"]),
        ({"task": "translate"}, ["error task"]),
    ],
)
def test_generation_refuses_a_language_or_task_that_its_maps_lack(
    tmp_path: Path, stated: dict[str, Any], expected: list[str]
) -> None:
    keys = {"lang_to_id": {"<|en|>": 3}, "task_to_id": {"transcribe": 4}, **stated}
    folder = Folder.bpe("ab", ["a b"]).added("<|en|>", "<|transcribe|>")
    folder = folder.file("generation_config.json", keys)
    found = tokaudit.run_check("config/languages", folder.write(tmp_path), tier="quick").findings
    assert [f"{each.severity} {each.cause}" for each in found] == expected
