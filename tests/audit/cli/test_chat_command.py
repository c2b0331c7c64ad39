"""`tokaudit chat`, and conversations of the user's own, as they are installed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from locations import ROOT

from tokaudit_folders import chat_folders

Command = Callable[..., "CompletedProcess[str]"]
MINE = '{"id": "mine", "messages": [%s]}\n' % ", ".join(  # noqa: UP031
    json.dumps({"role": role, "content": words})
    for role, words in (("user", "a\x1b[31m"), ("assistant", "b"))
)


@pytest.fixture
def chatml(tmp_path: Path) -> Path:
    """A folder whose template is in the style of ChatML."""
    return chat_folders.write(tmp_path / "model", chat_folders.FAMILIES["ChatML"])


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A file with one conversation."""
    path = tmp_path / "mine.jsonl"
    path.write_text(MINE, encoding="utf-8")
    return path


def test_each_turn_is_a_block_of_tokens_and_ids(
    tokaudit_in_fork: Command, chatml: Path, mine: Path
) -> None:
    done = tokaudit_in_fork("chat", chatml, "--conversations", mine)
    assert (done.returncode, done.stderr) == (0, "")
    lines = [line.rstrip() for line in done.stdout.splitlines()]
    assert lines[:2] == ["mine", "  user: 13 tokens, 0 trained"]
    assert lines[4] == "  assistant: 12 tokens, 2 trained"
    assert lines[-1] == "An asterisk after an id: a model learns to write this token."
    assert "\x1b" not in done.stdout


def test_as_data_each_token_has_its_id_its_role_and_whether_it_is_trained(
    tokaudit_in_fork: Command, chatml: Path, mine: Path
) -> None:
    done = tokaudit_in_fork("chat", chatml, "--conversations", mine, "--json")
    (conversation,) = json.loads(done.stdout)
    trained = [token["piece"] for token in conversation["tokens"] if token["trained"]]
    assert trained == ["b", "<|im_end|>"]
    assert {token["role"] for token in conversation["tokens"]} == {"user", "assistant"}


def test_a_file_may_have_ids_of_ours_and_one_id_twice(
    tokaudit_in_fork: Command, chatml: Path, tmp_path: Path
) -> None:
    """Each is shown as it is; those of ours have other messages."""
    path = tmp_path / "mine.jsonl"
    row = {"id": "turns-4", "messages": [{"role": "user", "content": "a"}]}
    path.write_text(f"{json.dumps(row)}\n" * 2, "utf-8")
    done = tokaudit_in_fork("chat", chatml, "--conversations", path, "--json")
    found = json.loads(done.stdout)
    assert [one["conversation"] for one in found] == ["turns-4 (2)", "turns-4 (3)"]
    assert all(one["text"].startswith("<|im_start|>user\na<|im_end|>") for one in found)


FORGETFUL = (
    "{%- for m in messages -%}{{ '<|im_start|>' + m.role + '\n' }}"
    "{%- if m.role == 'assistant' and loop.last -%}{{ '<think></think>' }}{%- endif -%}"
    "{{ m.content + '<|im_end|>\n' }}{%- endfor -%}"
)
WITH_DEFAULT = (
    "{%- if messages[0].role != 'system' -%}{{ '<|im_start|>system\nBe kind.<|im_end|>\n' }}"
    "{%- endif -%}" + FORGETFUL
)


def folder_of(template: str, folder: Path) -> Path:
    """A folder whose chat template this is."""
    return chat_folders.write(
        folder, chat_folders.with_template(chat_folders.FAMILIES["ChatML"], template)
    )


def test_turns_that_are_written_anew_have_the_roles_of_who_said_them(
    tokaudit_in_fork: Command, tmp_path: Path
) -> None:
    """What a message said is what changes when it says something else."""
    done = tokaudit_in_fork("chat", folder_of(FORGETFUL, tmp_path / "model"))
    shown = [line for line in done.stdout.splitlines() if not line.startswith("   ")]
    roles = [line.partition(":")[0].strip() for line in shown[1:6]]
    assert roles == ["system", "user", "assistant", "user", "assistant"]
    assert all("trained" in line for line in shown[1:6])
    assert "unknown" not in done.stdout


def test_a_system_prompt_of_the_template_is_not_the_users(
    tokaudit_in_fork: Command, tmp_path: Path, mine: Path
) -> None:
    folder = folder_of(WITH_DEFAULT, tmp_path / "model")
    done = tokaudit_in_fork("chat", folder, "--conversations", mine)
    shown = [line for line in done.stdout.splitlines() if not line.startswith("   ")]
    assert [line.partition(",")[0] for line in shown[1:4]] == [
        "  template: 16 tokens",
        "  user: 13 tokens",
        "  assistant: 25 tokens",
    ]
    assert shown[-1] == "template: words that the chat template writes by itself."


def test_as_data_the_templates_words_have_their_role(
    tokaudit_in_fork: Command, tmp_path: Path
) -> None:
    done = tokaudit_in_fork("chat", folder_of(WITH_DEFAULT, tmp_path / "model"), "--json")
    first, *_, last = json.loads(done.stdout)
    assert {one["unknown"] for one in (first, last)} == {""}
    assert {token["trained"] for token in first["tokens"]} == {True, False}
    assert last["tokens"][0]["role"] == "template"


def test_qwen3_has_a_role_for_every_token(tokaudit_in_fork: Command) -> None:
    folder = ROOT / ".venv" / "npm" / "qwen3"
    if not folder.exists():
        pytest.skip("the packages of npm are not here: make .venv/npm-tokenizers")
    done = tokaudit_in_fork("chat", folder)
    shown = [line for line in done.stdout.splitlines() if not line.startswith("   ")]
    assert not any("unknown" in line or "not known" in line for line in shown)
    assert shown[shown.index("tool-call") + 1].startswith("  template: 181 tokens")


def test_a_folder_without_a_template_is_unreadable(
    tokaudit_in_fork: Command, material: Path
) -> None:
    done = tokaudit_in_fork("chat", material / "tokenizers" / "gpt2")
    assert done.returncode == 3
    assert "there is no chat template" in done.stderr


def test_a_conversation_named_like_one_of_ours_is_wrong_usage(
    tokaudit_in_fork: Command, chatml: Path, tmp_path: Path
) -> None:
    same = tmp_path / "same.jsonl"
    same.write_text(MINE.replace("mine", "turns-1"), encoding="utf-8")
    done = tokaudit_in_fork("audit", chatml, "--conversations", same)
    assert done.returncode == 2
    assert "the role matrix has the id 'turns-1'" in done.stderr


def test_an_audit_renders_the_conversations_of_the_user_too(
    tokaudit_in_fork: Command, chatml: Path, tmp_path: Path
) -> None:
    odd = tmp_path / "odd.jsonl"
    odd.write_text('{"id": "odd", "messages": [{"role": "user", "content": "Hi"}]}', "utf-8")
    family = chat_folders.FAMILIES["ChatML"]
    refusing = "{% if messages[0].content == 'Hi' %}{{ raise_exception('no') }}{% endif %}"
    folder = chat_folders.with_template(family, refusing + family.template)
    chat_folders.write(chatml, folder)
    done = tokaudit_in_fork(
        *("audit", chatml, "--conversations", odd, "--select", "chat_template/renders"),
        *("--format", "json", "--quiet"),
    )
    (result,) = json.loads(done.stdout)["results"]
    (found,) = [one for one in result["findings"] if one["cause"] == "refused"]
    assert "of 53" in found["message"]
    assert "odd" in found["evidence"][0]["facts"]
