"""Facts that owners hold a tokenizer to are in its manifest, and their change is drift in a gate."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import tokaudit
from tokaudit_folders.folder import Folder
from tokaudit_reference.text.bytes_alphabet import BYTE_OF

pytestmark = pytest.mark.usefixtures("processes")

THINKS = "{{ '<think>\n</think>' }}{% for m in messages %}{{ m.content }}<|im_end|>{% endfor %}"
CALLS = ("<tool_call>", "</tool_call>", "<tool_response>")
RESERVED = ("<|reserved_0|>", "<|reserved_1|>", "<|reserved_2|>")
SPECIAL = ("<s>", "<|im_end|>", "<think>", *CALLS, *RESERVED)
ROLES = {"bos_token": "<s>", "eos_token": "<|im_end|>"}
LEVEL = {"type": "ByteLevel", "add_prefix_space": False}


def checkpoint(rows: int = 384) -> Folder:
    """A vocabulary of bytes with three digits in one token, nine special tokens, and rows."""
    whole = Folder.bpe([*BYTE_OF], ["1 2", "12 3"]).changed(pre_tokenizer=LEVEL, decoder=LEVEL)
    folder = whole.added(*SPECIAL).template(THINKS)
    folder = folder.tokenizer_config(**ROLES, padding_side="left", truncation_side="right")
    return folder.weights(model__embed_tokens__weight=[rows, 2])


def facts(path: Path) -> dict[str, Any]:
    found = tokaudit.manifest(path)["predicate"]["facts"]
    return {key.removeprefix("tokaudit#"): value for key, value in found.items()}


FACTS = {
    "marker/reasoning_start": [["<think>", 260]],
    "marker/reasoning_end": [["</think>", None]],
    "marker/end_of_turn": [["<|im_end|>", 259]],
    "marker/calls": [["<tool_call>", 261], ["</tool_call>", 262]],
    "marker/results": [["<tool_response>", 263]],
    "padding_side": "left",
    "truncation_side": "right",
    "vocabulary/reserved": 3,
    "rows/spare": 117,
    "rows/multiple_of": 128,
    "roles/unset": ["pad", "unk"],
    "digits/alone": 10,
    "digits/longest": 3,
    "bytes/by": "entries",
    "bytes/covered": 256,
}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return facts(checkpoint().write(tmp_path_factory.mktemp("owned")))


@pytest.mark.parametrize("name", FACTS)
def test_a_fact_that_owners_hold_a_tokenizer_to_is_in_its_manifest(
    name: str, found: dict[str, Any]
) -> None:
    assert found[name] == FACTS[name]


def config(path: Path, **keys: Any) -> None:
    file = path / "tokenizer_config.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | keys))


def entries(path: Path, change: Any) -> None:
    file = path / "tokenizer.json"
    whole = json.loads(file.read_text())
    change(whole)
    file.write_text(json.dumps(whole))


def renamed(old: str, new: str) -> Any:
    """The change of the text of one added token."""

    def change(whole: dict[str, Any]) -> None:
        for token in whole["added_tokens"]:
            token["content"] = new if token["content"] == old else token["content"]

    return change


def change_everything(path: Path) -> None:
    """Move every fact but where the entries of bytes are."""
    checkpoint(rows=400).write(path)
    config(path, padding_side="right", truncation_side="left", pad_token="<|reserved_2|>")
    others = ("<thinks>", "</toolcall>", "<response>", "</think>", "<|eot_id|>")
    for old, new in zip(("<think>", *CALLS[1:], *RESERVED[:2]), others, strict=True):
        entries(path, renamed(old, new))
    entries(path, lambda whole: whole["model"]["vocab"].update({"9876": 267}))
    entries(path, lambda whole: whole["model"]["vocab"].pop("7"))


def test_a_gate_that_holds_a_manifest_reports_every_fact_that_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = checkpoint().write(tmp_path / "owned")
    (tmp_path / "owned.json").write_text(json.dumps(tokaudit.manifest(path)))
    (tmp_path / "tokaudit.toml").write_text(
        'select = ["vocab/holes"]\n[[subjects]]\npath = "owned"\nmanifest = "owned.json"\n'
    )
    assert drifts() == set()
    change_everything(path)
    moved = {f"facts tokaudit#{name}" for name in FACTS if name != "bytes/by"}
    assert moved - drifts() == set()


def drifts() -> set[str]:
    found = tokaudit.gate("tokaudit.toml").report.result("gate/manifest").findings
    return {each.cause for each in found}


def rendering(path: Path, **asked: Any) -> str:
    return tokaudit.identify(path, rendering=True, **asked).id


@pytest.mark.parametrize(
    "change",
    [
        lambda path: config(path, chat_template=THINKS.replace("<think>", "<thinks>")),
        lambda path: config(path, truncation_side="left"),
        lambda path: config(path, model_max_length=512),
        lambda path: config(path, eos_token="<s>"),
        lambda path: entries(path, renamed("<|reserved_0|>", "<|used|>")),
        lambda path: entries(path, lambda whole: whole["added_tokens"][0].update({"rstrip": True})),
    ],
    ids=["template", "truncation side", "length", "role", "token", "flag"],
)
def test_the_id_of_a_rendering_moves_with_all_that_a_cache_of_rows_depends_on(
    tmp_path: Path, change: Any
) -> None:
    path = checkpoint().write(tmp_path)
    before = rendering(path)
    assert before.startswith("rendering1-u") and rendering(path) == before
    change(path)
    assert rendering(path) != before


def test_the_id_of_a_rendering_has_its_policy_of_spans_and_not_the_rows_of_a_model(
    tmp_path: Path,
) -> None:
    path = checkpoint().write(tmp_path)
    before = rendering(path)
    assert len({before, rendering(path, spans="last"), rendering(path, spans="all")}) == 3
    checkpoint(rows=400).write(path)
    assert rendering(path) == before


def test_a_policy_of_spans_without_a_rendering_is_wrong_usage(tmp_path: Path) -> None:
    path = checkpoint().write(tmp_path)
    with pytest.raises(tokaudit.UsageError, match="spans"):
        tokaudit.identify(path, spans="last")
