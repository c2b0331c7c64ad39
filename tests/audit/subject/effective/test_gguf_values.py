"""What llama.cpp takes of a GGUF file where a key is there, absent, or another than it acts on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import tokaudit
from tokaudit_folders import gguf_files as g

TOKENS = ["<unk>", "<s>", "</s>", "\u2581", "a", "b"]
TYPES = [g.UNKNOWN, g.CONTROL, g.CONTROL, g.NORMAL, g.NORMAL, g.NORMAL]


def cells(
    folder: Path, model: str, more: list[str] | None = None, **keys: g.Value
) -> dict[str, tuple[Any, str]]:
    tokens, types = [*TOKENS, *(more or [])], [*TYPES, *[g.NORMAL] * len(more or [])]
    merges = {"merges": (g.TEXT, ["a b"])} if model in ("gpt2", "gemma4") else {}
    listed = {"scores": (g.F32, [0.0] * len(tokens)), "token_type": (g.I32, types)}
    path = folder / "model.gguf"
    path.write_bytes(g.gguf(g.tokenizer(model, tokens, **listed, **merges, **keys)))
    with tokaudit.open(path) as opened:
        return {cell.key: (cell.value, cell.source) for cell in opened.loaded}


def test_a_role_without_a_key_has_the_id_that_the_engine_takes_for_the_model(
    tmp_path: Path,
) -> None:
    rows = cells(tmp_path, "llama")
    assert rows["eos_token_id"] == (2, "default of llama.cpp for the model llama")
    assert rows["add_bos_token"] == (True, "default of llama.cpp for the model llama")
    assert rows["add_space_prefix"] == (True, "default of llama.cpp for the model llama")
    assert rows["sep_token_id"] == (None, "stated nowhere")


def test_an_id_that_the_engine_would_take_is_none_beyond_the_vocabulary(tmp_path: Path) -> None:
    rows = cells(tmp_path, "gpt2", pre=(g.TEXT, "gpt-2"))
    assert rows["bos_token_id"] == (None, "stated nowhere")


def test_an_end_of_turn_is_known_by_its_text_where_no_key_names_one(tmp_path: Path) -> None:
    rows = cells(tmp_path, "llama", ["<|im_end|>"])
    assert rows["eot_token_id"] == (6, "default of llama.cpp by texts and roles")
    assert rows["ids that end an answer"][0] == [2, 6]
    assert rows["added tokens"][0] == "4, special 4"


def test_two_texts_that_could_end_a_turn_leave_it_unknown(tmp_path: Path) -> None:
    rows = cells(tmp_path, "llama", ["<|im_end|>", "<|eot_id|>"])
    assert "eot_token_id" not in rows
    assert rows["ids that end an answer"][0] == [2, 6, 7]


def test_an_end_of_harmony_ends_no_answer_next_to_its_return_and_call(tmp_path: Path) -> None:
    rows = cells(tmp_path, "llama", ["<|end|>", "<|return|>", "<|call|>"])
    assert rows["ids that end an answer"][0] == [2, 7, 8]


def test_gemma4_begins_with_bos_whatever_the_flag_says(tmp_path: Path) -> None:
    off = {"add_bos_token": (g.BOOL, False), "bos_token_id": (g.U32, 1)}
    rows = cells(tmp_path, "gemma4", **off)
    assert rows["add_bos_token"] == (True, "default of llama.cpp for the model gemma4")
    assert rows["before a text"][0] == "<s>"
    assert cells(tmp_path, "llama", **off)["before a text"][0] is None


def test_a_token_to_add_without_an_id_ends_the_engine(tmp_path: Path) -> None:
    rows = cells(tmp_path, "t5", add_bos_token=(g.BOOL, True))
    assert str(rows["before a text"][0]).startswith("refused: it ends when it encodes")


def test_templates_are_named_by_their_keys(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    keys = g.tokenizer("llama", TOKENS, scores=(g.F32, [0.0] * 6), token_type=(g.I32, TYPES))
    named = {f"tokenizer.chat_template{name}": (g.TEXT, "a") for name in ("", ".tool_use")}
    path.write_bytes(g.gguf(keys | named))
    with tokaudit.open(path) as opened:
        rows = {cell.key: cell.value for cell in opened.loaded}
    assert rows["chat_template"] == "default, tool_use"


def test_a_flag_that_gemma4_s_engine_does_not_follow_is_no_error(tmp_path: Path) -> None:
    off = {"add_bos_token": (g.BOOL, False), "bos_token_id": (g.U32, 1)}
    cells(tmp_path, "gemma4", **off)
    report = tokaudit.audit(tmp_path, select=["special_tokens/gguf-ends"], tier="quick")
    [found] = [each for each in report.findings if each.cause == "bos off"]
    assert str(found.severity) == "warning"
    assert found.message.endswith("llama.cpp begins with it all the same since PR#21500.")
