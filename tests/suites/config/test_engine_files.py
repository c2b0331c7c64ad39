"""Files of other engines agree with the tokenizer next to them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tokaudit.foundation.errors import NotApplicable
from tokaudit.subject.upstream.engine_files import engine_statements
from tokaudit_folders.folder import Folder
from tokaudit_folders.gguf_files import BOOL, CONTROL, F32, I32, NORMAL, U32, tokenizer
from tokaudit_suites.config import _engine_statements
from tokaudit_suites.config._engine_rules import RULES

Ask = Callable[..., list[Any]]
CHECK = "config/engine-files"
BASE = Folder.bpe("abcd", ["a b"]).added("<|end|>", "<|pad|>", "<<ENT>>", "<<SEP>>", "[Q] ")
BASE = BASE.tokenizer_config(eos_token="<|end|>", pad_token="<|pad|>")
END, PAD, ENT, SEP = 5, 6, 7, 8
IN_ORDER = ["a", "b", "c", "d", "ab", "<|end|>", "<|pad|>", "<<ENT>>", "<<SEP>>", "[Q] "]
SPOKEN = {"[PAD]": 0, "[UNK]": 1, "|": 2, "a": 3, "b": 4}


def said(ask: Ask, folder: Folder, path: Path) -> list[tuple[str, str]]:
    return [(str(each.severity), each.cause) for each in ask(CHECK, folder.write(path))]


GLINER, GENAI, MLC = "gliner_config.json", "genai_config.json", "mlc-chat-config.json"
COLBERT, OPENVINO = "artifact.metadata", "openvino_tokenizer.xml"
ENCODER, SCORE = "config_sentence_transformers.json", "1_LogitScore/config.json"


@pytest.mark.parametrize(
    ("file", "content", "expected"),
    [
        ("vocabulary.json", IN_ORDER, []),
        ("vocabulary.json", [*IN_ORDER, "<fill_0>"], []),
        ("vocabulary.json", IN_ORDER[:8], []),
        ("vocabulary.json", [*IN_ORDER[5:], *IN_ORDER[:5]], [("error", "moved")]),
        ("shared_vocabulary.json", ["b", "a", *IN_ORDER[2:]], [("error", "moved")]),
        ("vocabulary.json", [f"x{at}" for at in range(10)], [("warning", "other list")]),
        ("vocabulary.txt", "\n".join(IN_ORDER) + "\n", []),
        ("vocabulary.txt", "\r\n".join(IN_ORDER) + "\r\n", []),
        ("vocabulary.txt", "\n" + "\n".join(IN_ORDER), [("error", "moved")]),
        ("shared_vocabulary.txt", "\n".join(IN_ORDER[:5]), [("error", "no end")]),
        ("vocabulary.json", {"a": 0}, []),
        ("vocabulary.json", IN_ORDER[:5], [("error", "no end")]),
        (GENAI, {"model": {"type": "llama"}}, [("warning", "no end")]),
        (GENAI, {"model": {"type": "llama", "pad_token_id": PAD}}, [("warning", "no end")]),
        (GENAI, {"model": {"type": "llama", "pad_token_id": END}}, []),
        (GENAI, {"model": {"eos_token_id": [END], "vocab_size": 10}}, []),
        (GENAI, {"model": {"eos_token_id": END, "pad_token_id": PAD}}, []),
        (GENAI, {"model": {"eos_token_id": 1}}, [("error", "other end")]),
        (GENAI, {"model": {"eos_token_id": 50256}}, [("error", "beyond")]),
        (GENAI, {"model": {"vocab_size": 5}}, [("error", "too few")]),
        (GENAI, {"model": {"vocab_size": 9}}, [("warning", "too few")]),
        (GENAI, {"model": {"vocab_size": 64}}, []),
        (GENAI, {"model": None}, []),
        (MLC, {"vocab_size": 10, "conv_template": {"stop_token_ids": [END]}}, []),
        (MLC, {"conv_template": {"stop_token_ids": [2]}}, [("error", "other end")]),
        (GLINER, {"class_token_index": ENT, "ent_token": "<<ENT>>"}, []),
        (GLINER, {"class_token_index": ENT}, []),
        (GLINER, {"class_token_index": -1, "vocab_size": -1}, []),
        (GLINER, {"class_token_index": SEP, "ent_token": "<<ENT>>"}, [("error", "other")]),
        (GLINER, {"class_token_index": ENT, "ent_token": "<<NO>>"}, [("error", "other")]),
        (ENCODER, {"query_prefix": "[Q] "}, []),
        (ENCODER, {"query_prefix": ""}, []),
        (ENCODER, {"query_prefix": "[D] "}, [("error", "no query_prefix")]),
        (COLBERT, {"query_token_id": "<<ENT>>", "doc_token_id": "<<SEP>>"}, []),
        (COLBERT, {"query_token_id": "[unused0]"}, [("error", "no query_token_id")]),
        (COLBERT, {"doc_token_id": "[unused1]"}, [("error", "no doc_token_id")]),
        ("params.json", {"vocab_size": 10}, []),
        ("params.json", {"vocab_size": -1}, []),
        ("params.json", {"vocab_size": 5}, [("error", "too few")]),
        ("config.json", {"suppress_ids": [0, 1], "lang_ids": [ENT]}, []),
        ("config.json", {"suppress_ids": [0, 50256]}, [("error", "beyond")]),
        ("config.json", {"lang_ids": [ENT, 2]}, [("error", "words")]),
        (SCORE, {"true_token_id": 1, "false_token_id": 1}, [("error", "opposites")]),
        (SCORE, {"true_token_id": 0, "false_token_id": 1}, []),
        (SCORE, {"true_token_id": 9693}, [("error", "beyond")]),
        (SCORE, {"true_token_id": PAD}, [("warning", "markers")]),
        ("tokens.txt", "".join(f"{t} {i}\n" for i, t in enumerate(IN_ORDER[:7])), []),
        ("tokens.txt", "<blk> 0\na 1\nb 2\nc 3\nd 4\n", [("error", "moved")]),
        ("tokens.txt", "one two three\n", []),
        ("tokens.txt", "x 0\ny 1\nz 2\n", []),
        (OPENVINO, f'<rt_info><eos_token_id value="{END}" /></rt_info>', []),
        (OPENVINO, '<layers eos_token_id="1"/><rt_info><a value="b" /></rt_info>', []),
        (OPENVINO, '<rt_info><eos_token_id value="2" /></rt_info>', [("error", "other end")]),
        (OPENVINO, '<rt_info><pad_token_id value="99"/></rt_info>', [("error", "beyond")]),
        (OPENVINO, "<rt_info><eos_token_id value=", []),
        ("config.yaml", "token_list:\n- <blank>\n- a\n- b\n- 'c'\n- \"d\"\n- ab\n", []),
        ("config.yaml", "token_list:\n- a\n- b\n- c\nmodel:\n- d\n", [("warning", "pieces")]),
        ("config.yaml", 'token_list:\n- "\\u2581a"\n- x\n', [("error", "pieces")]),
        ("config.yaml", "token_list: tokens.txt\nlr: 1\n", []),
        ("unigrams.txt", "ab\ncab\nxyz\n", []),
        ("unigrams.txt", "AB\nCAB\nab\n", [("error", "letters")]),
    ],
)
def test_a_statement_of_another_engine_is_held_to_the_tokenizer(
    tmp_path: Path, ask: Ask, file: str, content: Any, expected: list[tuple[str, str]]
) -> None:
    try:
        assert said(ask, BASE.file(file, content), tmp_path) == expected
    except NotApplicable:
        assert not expected


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (["", "⁇", " ", "a", "b"], []),
        (["", "⁇", " ", "A", "B"], [("error", "lacking")]),
        (["", "⁇", " ", "a", "c"], [("error", "lacking")]),
        (["", "a", "b", " ", "⁇"], [("error", "moved")]),
        (["", "⁇", " ", "a", "b", "<s>"], [("error", "other number")]),
    ],
)
def test_labels_of_a_decoder_of_speech_are_in_the_order_of_the_vocabulary(
    tmp_path: Path, ask: Ask, labels: list[str], expected: list[tuple[str, str]]
) -> None:
    names = {"pad_token": "[PAD]", "unk_token": "[UNK]", "word_delimiter_token": "|"}
    folder = Folder().file("vocab.json", SPOKEN).config(vocab_size=5)
    folder = folder.tokenizer_config(tokenizer_class="Wav2Vec2CTCTokenizer", **names)
    folder = folder.file("alphabet.json", {"labels": labels, "is_bpe": False})
    assert said(ask, folder, tmp_path) == expected


def test_the_repair_of_an_index_is_the_id_of_the_token_that_is_named(
    tmp_path: Path, ask: Ask
) -> None:
    found = ask(CHECK, BASE.settings(GLINER, class_token_index=SEP).write(tmp_path))
    assert [change.wanted for change in found[0].repair.changes] == [ENT]


def test_without_a_file_of_another_engine_nothing_is_asked(tmp_path: Path, ask: Ask) -> None:
    with pytest.raises(NotApplicable):
        ask(CHECK, BASE.write(tmp_path))


def test_each_form_of_statement_has_a_rule_and_each_row_a_source_at_a_commit() -> None:
    assert {row.states for row in engine_statements()} <= RULES.keys()
    assert [row.at for row in engine_statements() if not row.source or not row.does] == []


def test_a_row_that_is_deleted_is_missed_by_the_fault_that_it_is_for(
    tmp_path: Path, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = [row for row in engine_statements() if row.at != "/class_token_index"]
    folder = BASE.settings(GLINER, class_token_index=SEP, vocab_size=10)
    assert said(ask, folder, tmp_path / "with") == [("error", "other")]
    monkeypatch.setattr(_engine_statements, "engine_statements", lambda: tuple(left))
    assert said(ask, folder, tmp_path / "without") == []


@pytest.mark.parametrize(("yes", "no", "told"), [(1, 2, []), (2, 1, [("error", "opposites")])])
def test_the_score_of_a_yes_is_not_subtracted_from_that_of_a_no(
    ask: Ask, tmp_path: Path, yes: int, no: int, told: list[tuple[str, str]]
) -> None:
    folder = Folder.wordlevel(["[UNK]", "yes", "no"])
    ids = {"true_token_id": yes, "false_token_id": no}
    assert said(ask, folder.file(SCORE, ids), tmp_path) == told


TURNS = Folder.bpe("ab", ["a b"]).added("<|end|>", "<|text|>", "<|u|>", "<|m|>", "<|fin|>")
TURNS = TURNS.tokenizer_config(eos_token="<|text|>")
MESSAGES = "{{- range .Messages }}<|u|>{{ .Role }}<|m|>{{ .Content }}<|fin|>{{ end }}<|u|>a"
PROMPT = "{{ if .System }}<|u|>{{ .System }}{{ end }}<|u|>{{ .Prompt }}<|m|>{{ .Response }}<|fin|>"


@pytest.mark.parametrize(
    ("template", "stops", "expected"),
    [
        (MESSAGES, ["<|fin|>"], []),
        (PROMPT, ['"<|fin|>"'], []),
        (PROMPT, [], [("error", "no end")]),
        (MESSAGES, ["<|end|>"], [("error", "no end")]),
        (MESSAGES, ["<|fin|>", "<|m|>"], [("error", "at once")]),
        (MESSAGES, ["<|fin|>", "<|u|>"], []),
        (PROMPT, ["<|fin|>", "<|m|>"], []),
        (PROMPT.replace("<|fin|>", "<|end|>"), [], []),
        (PROMPT.replace("<|u|>", "<|user|>"), ["<|fin|>"], [("error", "no token")]),
        (PROMPT.replace("<|u|>", "[INST]"), ["<|fin|>"], []),
        ("{{ .Prompt }}", ["###"], []),
        ("{{ if", ["<|m|>"], []),
    ],
)
def test_the_template_of_a_modelfile_has_tokens_and_ends_each_answer(
    ask: Ask, tmp_path: Path, template: str, stops: list[str], expected: list[tuple[str, str]]
) -> None:
    lines = ["# made for this", "FROM ./model.gguf", f'TEMPLATE """{template}"""']
    text = "\n".join([*lines, *(f"PARAMETER stop {stop}" for stop in stops), "PARAMETER num_ctx 1"])
    assert said(ask, TURNS.file("Modelfile", text), tmp_path) == expected


def test_a_modelfile_without_a_template_leaves_the_model_its_own(ask: Ask, tmp_path: Path) -> None:
    assert said(ask, TURNS.file("Modelfile", "FROM x\nPARAMETER stop <|m|>\n"), tmp_path) == []


def test_a_marker_that_the_chat_template_writes_too_is_no_other_family_s(
    ask: Ask, tmp_path: Path
) -> None:
    template = PROMPT.replace("<|u|>", "<|user|>")
    folder = TURNS.file("Modelfile", f'FROM x\nTEMPLATE """{template}"""\nPARAMETER stop <|fin|>\n')
    assert said(ask, folder.template("<|user|>{{ messages }}"), tmp_path) == []


@pytest.mark.parametrize(
    ("copied", "expected"),
    [("<|u|>{{ m }}&#10;", []), ("<|m|>{{ m }}", [("warning", "other template")])],
)
def test_a_copy_of_the_chat_template_that_an_engine_takes_first_is_the_same(
    ask: Ask, tmp_path: Path, copied: str, expected: list[tuple[str, str]]
) -> None:
    text = f'<net><rt_info><chat_template value="{copied.replace("<", "&lt;")}" /></rt_info></net>'
    folder = TURNS.template("<|u|>{{ m }}\n").file(OPENVINO, text)
    assert said(ask, folder, tmp_path) == expected


@pytest.mark.parametrize(("ends", "expected"), [([5, 6], []), ([6], [("error", "other end")])])
def test_an_engine_that_is_told_of_no_other_end_is_told_of_the_turns(
    ask: Ask, tmp_path: Path, ends: list[int], expected: list[tuple[str, str]]
) -> None:
    folder = Folder.bpe("abcd", ["a b"]).added("<|im_end|>", "<|text|>")
    folder = folder.tokenizer_config(eos_token="<|im_end|>").settings(
        "generation_config.json", eos_token_id=[5, 6]
    )
    folder = folder.file(GENAI, {"model": {"eos_token_id": ends}})
    assert said(ask, folder, tmp_path) == expected


@pytest.mark.parametrize(
    ("added", "expected"), [(True, [("warning", "two beginnings")]), (False, [])]
)
def test_a_text_that_the_template_begins_is_not_begun_once_more(
    ask: Ask, tmp_path: Path, added: bool, expected: list[tuple[str, str]]
) -> None:
    kinds = (I32, [CONTROL, NORMAL, NORMAL, CONTROL])
    scores = (F32, [0.0, -1.0, -2.0, 0.0])
    keys = tokenizer("llama", ["<s>", "a", "b", "</s>"], scores=scores, token_type=kinds)
    roles = {"bos_token_id": (U32, 0), "eos_token_id": (U32, 3), "add_bos_token": (BOOL, added)}
    keys |= {f"tokenizer.ggml.{key}": value for key, value in roles.items()}
    folder = Folder().gguf(keys).file("Modelfile", 'TEMPLATE "<s>[INST] {{ .Prompt }}"')
    assert said(ask, folder, tmp_path) == expected


def test_an_end_that_a_file_lacks_is_what_the_engine_takes_then(tmp_path: Path, ask: Ask) -> None:
    folder = BASE.file("genai_config.json", {"model": {"type": "llama", "pad_token_id": PAD}})
    (found,) = ask(CHECK, folder.write(tmp_path))
    assert found.message == (
        "genai_config.json states no model/eos_token_id: onnxruntime-genai then ends answers at 6 "
        "('<|pad|>'), whatever other files say."
    )
    assert [place.pointer for place in found.places] == ["/model"]


def test_a_list_that_lacks_the_end_of_a_turn_is_an_error_though_it_has_another(
    tmp_path: Path, ask: Ask
) -> None:
    folder = Folder.bpe("abcd", ["a b"]).added("<|endoftext|>", "<|im_end|>")
    folder = folder.tokenizer_config(eos_token="<|im_end|>")
    folder = folder.settings("generation_config.json", eos_token_id=[5, 6])
    listed = sorted(folder.vocab, key=lambda text: folder.vocab[text])
    assert said(ask, folder.file("vocabulary.json", listed), tmp_path / "whole") == []
    short = folder.file("vocabulary.json", listed[:-1])
    assert said(ask, short, tmp_path / "short") == [("error", "no end")]
