"""`tokaudit chat`, and conversations of the user's own, as they are installed."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import select
import signal
import subprocess
import sys
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
    assert lines[-2:] == [
        "An asterisk after an id: a model learns to write this token.",
        "Mask: what generation tags hold (transformers' assistant mask).",
    ]
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
    assert "the tokenizer has no chat template" in done.stderr


def test_a_conversation_named_like_one_of_ours_is_wrong_usage(
    tokaudit_in_fork: Command, chatml: Path, tmp_path: Path
) -> None:
    same = tmp_path / "same.jsonl"
    same.write_text(MINE.replace("mine", "turns-1"), encoding="utf-8")
    done = tokaudit_in_fork("audit", chatml, "--conversations", same)
    assert done.returncode == 2
    assert "a built-in conversation has the id 'turns-1' already" in done.stderr


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


PROMPTED = {
    "prompt": [
        {"role": "user", "content": "a"},
        {"role": "assistant", "content": "b"},
        {"role": "user", "content": "c"},
    ],
    "completion": [{"role": "assistant", "content": "d"}],
}


@pytest.mark.parametrize(
    ("trainer", "expected"),
    [
        ((), "d<|im_end|>\n"),
        (("--trainer", "trl-completion"), "d<|im_end|>\n"),
        (("--trainer", "trl-assistant"), "d<|im_end|>"),
        (("--trainer", "tags"), "b<|im_end|>d<|im_end|>"),
    ],
    ids=["T12 guessed", "T12 completion", "T12 both masks", "twin: tags"],
)
def test_a_turn_of_the_prompt_is_trained_by_those_alone_who_mask_by_tags(
    trainer: tuple[str, ...], expected: str, tokaudit_in_fork: Command, chatml: Path, tmp_path: Path
) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps(PROMPTED), "utf-8")
    done = tokaudit_in_fork("chat", chatml, "--conversations", path, *trainer, "--json")
    (found,) = json.loads(done.stdout)
    written = "".join(token["piece"] for token in found["tokens"] if token["trained"])
    assert written.replace("Ċ", "\n").replace("⏎", "\n") == expected


def test_rows_of_messages_are_trained_whole_where_only_completions_are_masked(
    tokaudit_in_fork: Command, chatml: Path, mine: Path
) -> None:
    done = tokaudit_in_fork(
        "chat", chatml, "--conversations", mine, "--trainer", "trl-completion", "--check", "--json"
    )
    laws = {law["law"]: law["first"] for law in json.loads(done.stdout)["laws"]}
    assert laws["learned"] == (
        "message 1 (user) counts too: trl-completion masks nothing of this row"
    )


def test_a_message_that_is_not_in_the_text_is_marked_in_the_drawing(
    tokaudit_in_fork: Command, tmp_path: Path, mine: Path
) -> None:
    losing = FORGETFUL.replace("m in messages", "m in messages if m.role != 'user'")
    family = chat_folders.with_template(chat_folders.FAMILIES["ChatML"], losing)
    folder = chat_folders.write(tmp_path / "losing", family)
    done = tokaudit_in_fork("chat", folder, "--conversations", mine)
    assert "  not in the text: message 1 (user)" in done.stdout.splitlines()


def test_what_was_saved_is_expected_until_the_template_changes(
    tokaudit_in_fork: Command, tmp_path: Path, mine: Path
) -> None:
    """A difference is shown by its first line; the exit code is for CI."""
    family = chat_folders.FAMILIES["ChatML"]
    folder = chat_folders.write(tmp_path / "model", family)
    kept = tmp_path / "expected.jsonl"
    done = tokaudit_in_fork("chat", folder, "--conversations", mine, "--save", kept)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    row = json.loads(kept.read_text("utf-8"))
    assert row["expected"]["trained"] == [[22, 24]]
    same = tokaudit_in_fork("chat", folder, "--expect", kept)
    assert (same.returncode, same.stdout) == (
        0,
        "ok   mine\n1 of 1 conversations are as expected\n",
    )
    changed = family.template.replace("{{ m.content }}", "{{ m.content }}!")
    chat_folders.write(folder, chat_folders.with_template(family, changed))
    other = tokaudit_in_fork("chat", folder, "--expect", kept)
    assert (other.returncode, other.stdout.splitlines()) == (
        1,
        [
            "FAIL mine: differs in line 4",
            "     expected: b<|im_end|>",
            "     now     : b!<|im_end|>",
            "0 of 1 conversations are as expected",
        ],
    )


def test_a_row_without_what_is_expected_is_named_by_its_place(
    tokaudit_in_fork: Command, chatml: Path, mine: Path
) -> None:
    done = tokaudit_in_fork("chat", chatml, "--expect", mine)
    assert done.returncode == 3
    assert f"{mine}: line 1: has no object under the key 'expected'" in done.stderr


def test_saving_and_checking_are_asked_for_one_at_a_time(
    tokaudit_in_fork: Command, chatml: Path, tmp_path: Path
) -> None:
    done = tokaudit_in_fork("chat", chatml, "--check", "--save", tmp_path / "x.jsonl")
    assert done.returncode == 2
    assert "--check and --save: give only one of these options" in done.stderr


def test_a_template_alone_is_shown_with_its_markers_as_tokens(
    tokaudit_in_fork: Command, tmp_path: Path, mine: Path
) -> None:
    """Nobody has to have a tokenizer to see the turns and the mask of a template."""
    path = tmp_path / "mine.jinja"
    path.write_text(chat_folders.FAMILIES["ChatML"].template, "utf-8")
    done = tokaudit_in_fork("chat", path, "--conversations", mine, "--json")
    (found,) = json.loads(done.stdout)
    trained = [token["piece"] for token in found["tokens"] if token["trained"]]
    assert (done.returncode, trained) == (0, ["b", "<|im_end|>"])


def test_a_template_alone_is_a_subject_of_audit_and_compare(
    tokaudit_in_fork: Command, tmp_path: Path
) -> None:
    one, other = tmp_path / "one.jinja", tmp_path / "other.jinja"
    template = chat_folders.FAMILIES["ChatML"].template
    one.write_text(template, "utf-8")
    other.write_text(template.replace("'\\n'", "' '"), "utf-8")
    audited = tokaudit_in_fork("audit", one, "--tier", "quick")
    assert audited.returncode == 0
    assert "scope: chat template only, with each byte as a token" in audited.stdout
    assert tokaudit_in_fork("compare", one, one, "--template").returncode == 0
    assert tokaudit_in_fork("compare", one, other, "--template").returncode == 1


def test_a_template_alone_takes_the_tokenizer_of_a_folder_in_place_of_bytes(
    tokaudit_in_fork: Command, chatml: Path, tmp_path: Path, mine: Path
) -> None:
    """The ids are the checkpoint's, and its own template is not rendered."""
    path = tmp_path / "mine.jinja"
    path.write_text(chat_folders.FAMILIES["ChatML"].template.replace("'\\n'", "' '"), "utf-8")
    asked = ("--conversations", mine, "--json")
    (of_folder,) = json.loads(tokaudit_in_fork("chat", chatml, *asked).stdout)
    done = tokaudit_in_fork("chat", path, "--tokenizer", chatml, *asked)
    (found,) = json.loads(done.stdout)
    ids = {token["piece"]: token["id"] for token in of_folder["tokens"]}
    assert done.returncode == 0
    assert [token["piece"] for token in found["tokens"]][-2:] == ["<|im_end|>", " "]
    assert found["tokens"][-2]["id"] == ids["<|im_end|>"]


def test_a_template_with_the_tokenizer_of_its_folder_is_audited_as_the_folder(
    tokaudit_in_fork: Command, chatml: Path, tmp_path: Path
) -> None:
    path, reports = tmp_path / "mine.jinja", [tmp_path / "folder.json", tmp_path / "alone.json"]
    path.write_text(chat_folders.FAMILIES["ChatML"].template, "utf-8")
    asked = ("--tier", "quick", "--quiet", "--out")
    tokaudit_in_fork("audit", chatml, *asked, reports[0])
    tokaudit_in_fork("audit", path, "--tokenizer", chatml, *asked, reports[1])
    found = [
        {one["check"]: one["status"] for one in json.loads(report.read_bytes())["results"]}
        for report in reports
    ]
    assert found[0] == found[1]


def test_templates_alone_are_compared_with_the_special_tokens_of_a_tokenizer(
    tokaudit_in_fork: Command, chatml: Path, tmp_path: Path
) -> None:
    """Without one, a stand-in is written in place of the end of text."""
    template = chat_folders.FAMILIES["ChatML"].template + "{{ eos_token }}"
    (chatml / "chat_template.jinja").write_text(template, "utf-8")
    path = tmp_path / "mine.jinja"
    path.write_text(template, "utf-8")
    assert tokaudit_in_fork("compare", "--template", chatml, path).returncode == 1
    for pair in ((chatml, path), (path, chatml), (path, path)):
        asked = ("compare", "--template", *pair, "--tokenizer", chatml)
        assert tokaudit_in_fork(*asked).returncode == 0


def test_a_tokenizer_for_a_folder_that_has_one_is_wrong_usage(
    tokaudit_in_fork: Command, chatml: Path
) -> None:
    done = tokaudit_in_fork("chat", chatml, "--tokenizer", chatml)
    said = (
        f"tokenizer: {chatml} has its own tokenizer; this option applies only to a file with "
        "nothing but a chat template, such as FILE.jinja"
    )
    assert (done.returncode, said in done.stderr) == (2, True)


def test_a_template_is_checked_with_the_tokenizer_of_a_folder(
    tokaudit_in_fork: Command, chatml: Path, tmp_path: Path
) -> None:
    """With bytes no marker is several tokens; this tokenizer lacks one of the template's."""
    path = tmp_path / "mine.jinja"
    template = chat_folders.FAMILIES["ChatML"].template.replace("<|im_start|>", "<|im_begin|>")
    path.write_text(template, "utf-8")
    alone = tokaudit_in_fork("chat", path, "--check")
    with_tokenizer = tokaudit_in_fork("chat", path, "--tokenizer", chatml, "--check")
    said = "writes 1 marker that the tokenizer does not have as a token: '<|im_begin|>'."
    assert (said in alone.stdout, said in with_tokenizer.stdout) == (False, True)


def test_a_call_that_a_template_leaves_out_is_marked_in_the_drawing(
    tokaudit_in_fork: Command, chatml: Path
) -> None:
    done = tokaudit_in_fork("chat", chatml)
    assert "  not in the text: the call of get_weather in message 2 (assistant)" in done.stdout


def test_a_row_with_tools_is_drawn_and_checked_by_the_template_that_loaders_take(
    tokaudit_in_fork: Command, chatml: Path, tmp_path: Path
) -> None:
    """transformers takes `tool_use` where tools are given, though the row has no call."""
    more = chatml / "additional_chat_templates"
    more.mkdir()
    default = chat_folders.FAMILIES["ChatML"].template
    (chatml / "chat_template.jinja").write_text(default, "utf-8")
    of_tools = default.replace("{{ m.content }}", "{{ m.content if m.role == 'user' }}")
    (more / "tool_use.jinja").write_text(of_tools, "utf-8")
    messages = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "bcd"}]
    tool = {"type": "function", "function": {"name": "look", "description": "Looks."}}
    path = tmp_path / "rows.jsonl"
    rows = [{"messages": messages}, {"messages": messages, "tools": [tool]}]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    shown = json.loads(tokaudit_in_fork("chat", chatml, "--conversations", path, "--json").stdout)
    learned = ["".join(t["piece"] for t in one["tokens"] if t["trained"]) for one in shown]
    assert learned == ["bcd<|im_end|>", "<|im_end|>"]
    checked = tokaudit_in_fork("chat", chatml, "--conversations", path, "--check", "--json")
    laws = {law["law"]: law for law in json.loads(checked.stdout)["laws"]}
    assert laws["written"]["conversations"] == ["line 2"]


HEADER = "{{ '<|start_header_id|>' + m.role + '<|end_header_id|>' }}"
ODD = {
    "T15 as Llama Guard, which judges": (
        "{%- set who = 'Agent' if messages|length % 2 == 0 else 'User' -%}"
        "{{ '<|start_header_id|>user<|end_header_id|>Judge the ' + who + '. ' }}"
        "{%- for c in categories or ['Theft', 'Fraud'] -%}{{ 'S' ~ loop.index ~ ': ' ~ c ~ '. ' }}"
        "{%- endfor -%}{%- for m in messages[-2:] -%}{{ who if loop.last else 'User' }}{{ ': ' }}"
        "{{ m.content if m.content is string else m.content[0].text }}{{ '. ' }}{%- endfor -%}"
        "{{ '<|eot_id|><|start_header_id|>assistant<|end_header_id|>' }}"
    ),
    "T15 as MiniMax-VL-01, for parts": (
        "{%- for m in messages -%}" + HEADER + "{%- if m.content is string -%}{{ m.content }}"
        "{%- else -%}{%- for p in m.content|selectattr('type', 'equalto', 'image') -%}<image>"
        "{%- endfor -%}{%- for p in m.content|selectattr('type', 'equalto', 'text') -%}{{ p.text }}"
        "{%- endfor -%}{%- endif -%}{{ '<|eot_id|>' }}{%- endfor -%}"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ODD)
def test_whatever_a_template_does_the_report_is_written(
    name: str, tokaudit_in_fork: Command, tmp_path: Path
) -> None:
    family = chat_folders.with_template(chat_folders.FAMILIES["Llama"], ODD[name])
    folder, report = chat_folders.write(tmp_path / "odd", family), tmp_path / "report.json"
    asked = ("--select", "chat_template", "--out", report, "--quiet")
    assert tokaudit_in_fork("audit", folder, *asked).returncode in (0, 1)
    assert {one["status"] for one in json.loads(report.read_bytes())["results"]}.isdisjoint(
        {"crashed"}
    )
    assert tokaudit_in_fork("chat", folder).returncode == 0
    assert tokaudit_in_fork("chat", folder, "--check").returncode in (0, 1)
    assert tokaudit_in_fork("compare", "--template", folder, folder).returncode == 0


@pytest.mark.usefixtures("processes")
def test_what_was_saved_is_expected_by_the_installed_command_as_a_job_of_ci_runs_it(
    tmp_path: Path, mine: Path
) -> None:
    """Green until the template changes, then red with the first line that differs."""
    template, kept = tmp_path / "chat.jinja", tmp_path / "expected.jsonl"
    sound = chat_folders.FAMILIES["ChatML"].template
    template.write_text(sound, "utf-8")
    assert installed("chat", template, "--conversations", mine, "--save", kept).returncode == 0
    green = installed("chat", template, "--expect", kept)
    assert (green.returncode, green.stdout.splitlines()[-1:]) == (
        0,
        ["1 of 1 conversations are as expected"],
    )
    template.write_text(sound.replace("{{ m.content }}", "{{ m.content }}!"), "utf-8")
    red = installed("chat", template, "--expect", kept)
    assert (red.returncode, red.stdout.splitlines()[0]) == (1, "FAIL mine: differs in line 4")


def test_a_check_of_a_template_alone_shows_what_the_suite_finds(
    tokaudit_in_fork: Command, tmp_path: Path
) -> None:
    """The laws say nothing of tools, which no conversation of the user's has."""
    template = tmp_path / "chat.jinja"
    offer = "{%- for t in tools or [] -%}{{ 'TOOL ' + t.function.description }}{%- endfor -%}"
    template.write_text(offer + chat_folders.FAMILIES["ChatML"].template, "utf-8")
    done = tokaudit_in_fork("chat", template, "--check")
    assert (
        "warn The chat template in chat.jinja fails on conversations that clients send"
        in done.stdout
    )
    assert "tools: without description" in done.stdout


def installed(*arguments: str | Path) -> CompletedProcess[str]:
    """The program next to this Python, started by itself."""
    program = str(Path(sys.executable).parent / "tokaudit")
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=False)


@pytest.mark.usefixtures("processes")
def test_a_template_is_repaired_while_a_terminal_watches_it(tmp_path: Path) -> None:
    """The installed command in a terminal: what breaks is shown, and what was saved since."""
    template = tmp_path / "chat.jinja"
    template.write_text("{%- for m in messages -%}<|im_start|>{{ m.role }}", "utf-8")
    master, other = pty.openpty()
    program = [
        str(Path(sys.executable).parent / "tokaudit"),
        "chat",
        template,
        "--check",
        "--watch",
    ]
    loop = subprocess.Popen(program, stdin=other, stdout=other, stderr=other, close_fds=True)
    os.close(other)
    try:
        assert "FAIL renders: Each conversation is rendered" in _until(master, "Ctrl-C ends")
        saved = tmp_path / "chat.jinja.new"  # an editor's way: no moment with half of the file
        saved.write_text(chat_folders.FAMILIES["ChatML"].template, "utf-8")
        saved.replace(template)
        assert "ok   renders: Each conversation is rendered" in _until(master, "Ctrl-C ends")
        loop.send_signal(signal.SIGINT)
        _to_the_end(master)  # a terminal that nobody reads stops the program
        assert loop.wait(timeout=200) == 130
    finally:
        loop.kill()
        loop.wait()
        os.close(master)


def _to_the_end(terminal: int) -> None:
    """Read what is still written, until the program has closed its side."""
    with contextlib.suppress(OSError):
        while select.select([terminal], [], [], 280)[0] and os.read(terminal, 65536):
            pass


def _until(terminal: int, words: str) -> str:
    """What a terminal shows up to these words."""
    shown = ""
    while words not in shown:
        ready, _, _ = select.select([terminal], [], [], 280)
        assert ready, f"the terminal shows no more after {shown[-500:]!r}"
        shown += os.read(terminal, 65536).decode("utf-8", "replace")
    return shown
