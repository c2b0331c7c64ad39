"""A GGUF file none of whose markers has a type that engines look for in text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tokaudit.report.model import Finding
from tokaudit_faults.folders import engines
from tokaudit_folders.gguf_files import I32, NORMAL, TEXT, U32

Ask = Callable[..., list[object]]


@pytest.mark.parametrize(("typed", "severities"), [(True, []), (False, ["error"])])
def test_markers_without_a_type_are_an_error(
    ask: Ask, tmp_path: Path, typed: bool, severities: list[str]
) -> None:
    engines.alone(tmp_path / "model")
    if not typed:
        engines.write(tmp_path / "model", lambda keys: keys.pop("tokenizer.ggml.token_type"))
    output = ask("special_tokens/gguf-ends", tmp_path / "model")
    found = [item for item in output if isinstance(item, Finding) and item.cause == "no types"]
    assert [finding.severity for finding in found] == severities


def causes(ask: Ask, path: Path, change: Callable[[dict[str, Any]], object]) -> list[str]:
    engines.write(path, change)
    output = ask("special_tokens/gguf-ends", path)
    found = [item for item in output if isinstance(item, Finding)]
    return [item.cause for item in found if item.cause in ("cut markers", "eot start")]


def typed_as_text(token: str) -> Callable[[dict[str, Any]], object]:
    """Give a token the type of ordinary text."""

    def change(keys: dict[str, Any]) -> None:
        types = list(keys["tokenizer.ggml.token_type"][1])
        types[keys["tokenizer.ggml.tokens"][1].index(token)] = NORMAL
        keys["tokenizer.ggml.token_type"] = (I32, types)
        keys["tokenizer.chat_template"] = (TEXT, TEMPLATE)

    return change


TEMPLATE = "{% for m in messages %}<|user|>{{ m.content }}<|end|>{% endfor %}"


@pytest.mark.parametrize(
    ("token", "expected"), [("<|user|>", ["cut markers"]), ("<|assistant|>", []), ("a", [])]
)
def test_a_marker_of_the_template_that_engines_cut_is_an_error(
    ask: Ask, tmp_path: Path, token: str, expected: list[str]
) -> None:
    assert causes(ask, tmp_path / "model", typed_as_text(token)) == expected


WITHOUT_ENDS = "{% for m in messages %}<|user|>{{ m.content }}{% endfor %}"


@pytest.mark.parametrize(
    ("token", "template", "expected"),
    [
        ("<|user|>", TEMPLATE, ["eot start"]),
        ("<|end|>", TEMPLATE, []),
        ("<|user|>", WITHOUT_ENDS, []),
    ],
)
def test_an_end_of_turn_that_begins_turns_is_a_warning(
    ask: Ask, tmp_path: Path, token: str, template: str, expected: list[str]
) -> None:
    def change(keys: dict[str, Any]) -> None:
        id = keys["tokenizer.ggml.tokens"][1].index(token)
        keys["tokenizer.ggml.eot_token_id"] = (U32, id)
        keys["tokenizer.chat_template"] = (TEXT, template)

    assert causes(ask, tmp_path / "model", change) == expected


@pytest.mark.parametrize(
    ("end", "token", "expected"),
    [
        ("eom", "a", ["eom word"]),
        ("eot", "a", ["eot word"]),
        ("eom", "<|end|>", []),
        ("eot", "<|end|>", []),
    ],
)
def test_an_end_of_a_turn_or_message_that_is_a_word_ends_answers_at_it(
    ask: Ask, tmp_path: Path, end: str, token: str, expected: list[str]
) -> None:
    """As llama.cpp itself does: it lists the id among those that end an answer."""

    def change(keys: dict[str, Any]) -> None:
        id = keys["tokenizer.ggml.tokens"][1].index(token)
        keys[f"tokenizer.ggml.{end}_token_id"] = (U32, id)

    engines.write(tmp_path / "model", change)
    output = ask("special_tokens/gguf-ends", tmp_path / "model")
    found = [item for item in output if isinstance(item, Finding)]
    assert [item.cause for item in found if item.cause.endswith("word")] == expected
