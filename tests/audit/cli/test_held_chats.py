"""`tokaudit chat --check`: a file of conversations against the laws."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from types import SimpleNamespace

import pytest

from tokaudit.cli.chat_command.held_chats import of_template
from tokaudit.products.audit import auditing
from tokaudit.report.model import Finding, Severity
from tokaudit_folders import chat_folders

Command = Callable[..., "CompletedProcess[str]"]
FAMILY = chat_folders.FAMILIES["ChatML"]
FORGETFUL = (
    "{%- for m in messages -%}{{ '<|im_start|>' + m.role + '\n' }}"
    "{%- if m.role == 'assistant' and loop.last -%}{{ '<think></think>' }}{%- endif -%}"
    "{{ m.content + '<|im_end|>\n' }}{%- endfor -%}"
    "{%- if add_generation_prompt -%}{{ '<|im_start|>assistant\n' }}{%- endif -%}"
)
TURNS = [
    {"role": role, "content": words}
    for role, words in (("user", "a"), ("assistant", "b"), ("user", "c"), ("assistant", "d"))
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Three conversations of two turns, with a column that no template is given."""
    path = tmp_path / "data.json"
    path.write_text(json.dumps([{"messages": TURNS, "source": "web"}] * 3, indent=1), "utf-8")
    return path


def test_a_template_that_keeps_every_law_passes(
    tokaudit_in_fork: Command, tmp_path: Path, data: Path
) -> None:
    folder = chat_folders.write(tmp_path / "model", FAMILY)
    done = tokaudit_in_fork("chat", folder, "--conversations", data, "--check")
    assert done.returncode == 0
    assert done.stderr.endswith("/model: 11 of 12 laws hold for 3 conversations\n")
    assert done.stdout.splitlines()[:3] == [
        "3 conversations; dates are those of 2 January 2025",
        "  ignored: source (3 times)",
        "ok   renders: Each conversation is rendered",
    ]


@pytest.mark.parametrize(("use", "code"), [("rollouts", 1), ("serving", 0)])
def test_what_a_use_cannot_live_with_fails_for_it_alone(
    tokaudit_in_fork: Command, tmp_path: Path, data: Path, use: str, code: int
) -> None:
    forgetful = chat_folders.with_template(FAMILY, FORGETFUL)
    folder = chat_folders.write(tmp_path / "model", forgetful)
    done = tokaudit_in_fork(
        *("chat", folder, "--conversations", data, "--check", "--use", use, "--json")
    )
    assert done.returncode == code
    laws = {law["law"]: law for law in json.loads(done.stdout)["laws"]}
    assert laws["kept"]["broken"] == 3
    assert laws["kept"]["conversations"] == ["item 1", "item 2", "item 3"]
    assert laws["kept"]["first"].startswith("message 3 (user) changes the ids from token ")


def test_ids_that_were_sampled_otherwise_are_counted_with_their_share(
    tokaudit_in_fork: Command, tmp_path: Path
) -> None:
    """A model may sample the same words in other tokens; rendering them again changes its ids."""
    folder = chat_folders.write(tmp_path / "model", FAMILY)
    data = tmp_path / "sampled.jsonl"
    rows = [{"messages": TURNS[:2]}, {"messages": TURNS[:2], "completion_ids": [1, 1, 1]}]
    data.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    done = tokaudit_in_fork(
        *("chat", folder, "--conversations", data, "--check", "--use", "rollouts")
    )
    said = done.stdout.splitlines()
    at = said.index("FAIL again: Sampled ids, decoded and rendered again, are the same ids")
    assert (done.returncode, said[at + 1]) == (1, "     broken by 1 (50.0%): line 2")
    assert said[at + 2].startswith("     first: message 2 (assistant) has other ids from token ")


@pytest.mark.parametrize(
    ("said", "broken"),
    [("both", {}), ("one", {"written": "message 1 (user) is not in the text"})],
)
def test_each_text_of_a_message_in_parts_is_looked_for(
    tokaudit_in_fork: Command, tmp_path: Path, said: str, broken: dict[str, str]
) -> None:
    parts = {"both": "m.content | map(attribute='text') | join", "one": "m.content[0].text"}
    template = "{%- for m in messages -%}{{ " + parts[said] + " + eos_token }}{%- endfor -%}"
    folder = chat_folders.write(tmp_path / "m", chat_folders.with_template(FAMILY, template))
    words = [{"type": "text", "text": text} for text in ("First.", "Second.")]
    path = tmp_path / "data.jsonl"
    path.write_text(json.dumps({"messages": [{"role": "user", "content": words}]}), "utf-8")
    done = tokaudit_in_fork("chat", folder, "--conversations", path, "--check", "--json")
    laws = json.loads(done.stdout)["laws"]
    assert {law["law"]: law["first"] for law in laws if law["broken"]} == broken


def test_arguments_in_a_text_are_named_where_a_template_fails_on_them(
    tokaudit_in_fork: Command, tmp_path: Path
) -> None:
    template = "{%- for m in messages -%}{{ m.tool_calls[0].function.arguments.items() | list }}{%- endfor -%}"
    folder = chat_folders.write(tmp_path / "m", chat_folders.with_template(FAMILY, template))
    call = {"type": "function", "function": {"name": "look", "arguments": "{}"}}
    path = tmp_path / "data.jsonl"
    message = {"role": "assistant", "content": "", "tool_calls": [call]}
    path.write_text(json.dumps({"messages": [message]}), "utf-8")
    done = tokaudit_in_fork("chat", folder, "--conversations", path, "--check", "--json")
    first = json.loads(done.stdout)["laws"][0]["first"]
    assert first.endswith("; the arguments of its calls are JSON in a text: try objects")


def test_a_template_that_begins_twice_is_not_one_that_begins_with_a_word_twice(
    tokaudit_in_fork: Command, tmp_path: Path, data: Path
) -> None:
    """The law is about the token that begins a text, and a user may say anything twice."""
    family = chat_folders.FAMILIES["Llama"]
    found = {}
    for name, first in (("once", "{{ bos_token }}aa"), ("twice", "{{ bos_token + bos_token }}")):
        template = family.template.replace("{{ bos_token }}", first)
        folder = chat_folders.write(tmp_path / name, chat_folders.with_template(family, template))
        done = tokaudit_in_fork("chat", folder, "--conversations", data, "--check", "--json")
        laws = {law["law"]: law["broken"] for law in json.loads(done.stdout)["laws"]}
        found[name] = laws["begun"]
    assert found == {"once": 0, "twice": 3}


def test_a_prompt_with_a_date_or_tools_at_its_start_is_one_that_a_cache_loses(
    tokaudit_in_fork: Command, tmp_path: Path
) -> None:
    """It is information, whatever the use; thinking that is switched at the end costs nothing."""
    tools = [{"type": "function", "function": {"name": name}} for name in ("look", "find")]
    path = tmp_path / "data.jsonl"
    rows = [{"messages": TURNS}, {"messages": TURNS, "tools": tools}]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    first = {
        "date": "{{ strftime_now('%d %B') }}",
        "tools": "{%- for t in tools or [] -%}{{ t.function.name }}{%- endfor -%}",
        "nothing": "",
        "switch": "{{ '!' if enable_thinking is false }}",
    }
    found = {}
    for name, words in first.items():
        asked = "{%- if add_generation_prompt and enable_thinking is false -%}x{%- endif -%}"
        template = chat_folders.with_template(FAMILY, words + FAMILY.template + asked)
        folder = chat_folders.write(tmp_path / name, template)
        use = ("--use", "serving", "--json")
        done = tokaudit_in_fork("chat", folder, "--conversations", path, "--check", *use)
        law = json.loads(done.stdout)["laws"][-1]
        found[name] = law["law"], done.returncode, law["broken"], law["first"][:53]
    assert found == {
        "date": ("cached", 0, 2, "the prompt for message 4, on the next day, shares onl"),
        "tools": ("cached", 0, 1, "the prompt for message 4, with the same tools in anot"),
        "nothing": ("cached", 0, 0, ""),
        "switch": ("cached", 0, 2, "the prompt for message 4, with thinking switched, sha"),
    }


def test_without_a_file_ordinary_conversations_are_held(
    tokaudit_in_fork: Command, tmp_path: Path
) -> None:
    folder = chat_folders.write(tmp_path / "model", FAMILY)
    done = tokaudit_in_fork("chat", folder, "--check", "--json")
    assert json.loads(done.stdout)["conversations"] == 5


def test_variables_a_dialect_and_a_template_are_taken(
    tokaudit_in_fork: Command, tmp_path: Path, data: Path
) -> None:
    """A variable is JSON where it can be; a template that is not there is refused with those that are."""
    shown = "{%- if loud is true -%}{{ 'LOUD' }}{%- endif -%}" + FORGETFUL
    folder = chat_folders.write(tmp_path / "model", chat_folders.with_template(FAMILY, shown))
    asked = ("chat", folder, "--conversations", data, "--first", "1", "--json")
    done = tokaudit_in_fork(*asked, "--var", "loud=true", "--dialect", "4.57")
    (one,) = json.loads(done.stdout)
    assert one["text"].startswith("LOUD<|im_start|>user\na")
    missing = tokaudit_in_fork(*asked, "--template", "rag")
    assert missing.returncode == 3
    assert "the tokenizer has no chat template 'rag'; its templates: default" in missing.stderr


def test_an_answer_that_is_trimmed_is_not_the_one_that_was_sampled(
    tokaudit_in_fork: Command, tmp_path: Path
) -> None:
    trimming = FORGETFUL.replace("m.content +", "m.content|trim +")
    folder = chat_folders.write(tmp_path / "model", chat_folders.with_template(FAMILY, trimming))
    path = tmp_path / "data.jsonl"
    answered = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "\nb"}]
    path.write_text(json.dumps({"messages": answered}), "utf-8")
    done = tokaudit_in_fork("chat", folder, "--conversations", path, "--check", "--json")
    laws = {law["law"]: law["first"] for law in json.loads(done.stdout)["laws"]}
    assert laws["verbatim"] == "message 2 (assistant) is written without the space around it"


def test_a_law_of_tags_is_not_run_where_the_template_has_none(
    tokaudit_in_fork: Command, tmp_path: Path, data: Path
) -> None:
    folder = chat_folders.write(tmp_path / "model", chat_folders.with_template(FAMILY, FORGETFUL))
    done = tokaudit_in_fork("chat", folder, "--conversations", data, "--check")
    lines = done.stdout.splitlines()
    at = lines.index("-    marked: The generation tags hold the answers alone")
    assert lines[at + 1].startswith("     not run: the template has no generation tags")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("b<|im_end|>", "message 2 (assistant) ends in '<|im_end|>', which is written again"),
        ("b", ""),
    ],
    ids=["T14", "twin"],
)
def test_an_answer_that_ends_in_its_own_end_has_two_ends(
    answer: str, said: str, tokaudit_in_fork: Command, tmp_path: Path
) -> None:
    folder = chat_folders.write(tmp_path / "model", FAMILY)
    path = tmp_path / "data.jsonl"
    answered = [{"role": "user", "content": "a"}, {"role": "assistant", "content": answer}]
    path.write_text(json.dumps({"messages": answered}), "utf-8")
    done = tokaudit_in_fork("chat", folder, "--conversations", path, "--check", "--json")
    laws = {law["law"]: law for law in json.loads(done.stdout)["laws"]}
    assert (laws["ended"]["first"], laws["ended"]["broken"]) == (said, bool(said))


def test_an_audit_holds_the_same_rows_to_the_same_laws(
    tokaudit_in_fork: Command, tmp_path: Path, data: Path
) -> None:
    forgetful = chat_folders.with_template(FAMILY, FORGETFUL)
    folder = chat_folders.write(tmp_path / "model", forgetful)
    asked = ("--conversations", data, "--use", "rollouts")
    done = tokaudit_in_fork("chat", folder, *asked, "--check", "--json")
    laws = {law["law"]: law for law in json.loads(done.stdout)["laws"] if law["broken"]}
    select = ("--select", "chat_template/conversations", "--format", "json")
    report = json.loads(tokaudit_in_fork("audit", folder, *asked, *select).stdout)
    (result,) = report["results"]
    found = {finding["cause"]: finding for finding in result["findings"]}
    assert found.keys() == laws.keys()
    assert found["kept"]["severity"] == "error"
    for law, finding in found.items():
        assert laws[law]["first"] in finding["message"]
        assert laws[law]["conversations"][0] in finding["evidence"][1]["note"]


def test_both_draw_the_first_row_that_breaks_a_law(
    tokaudit_in_fork: Command, tmp_path: Path, data: Path
) -> None:
    forgetful = chat_folders.with_template(FAMILY, FORGETFUL)
    folder = chat_folders.write(tmp_path / "model", forgetful)
    asked = ("--conversations", data, "--use", "rollouts")
    drawn = tokaudit_in_fork("chat", folder, *asked, "--check").stdout.splitlines()
    first = drawn[drawn.index("") + 1]
    assert "  assistant: 12 tokens, 3 trained" in drawn
    select = ("--select", "chat_template", "--format", "json")
    report = json.loads(tokaudit_in_fork("audit", folder, *asked, *select).stdout)
    assert report["transcripts"][-1]["conversation"] == first


def test_without_conversations_an_audit_says_that_none_were_given(
    tokaudit_in_fork: Command, tmp_path: Path
) -> None:
    folder = chat_folders.write(tmp_path / "model", FAMILY)
    select = ("--select", "chat_template/conversations", "--format", "json")
    (result,) = json.loads(tokaudit_in_fork("audit", folder, *select).stdout)["results"]
    assert (result["status"], result["reason"]) == (
        "skipped",
        "no --conversations",
    )


def test_errors_of_a_template_alone_come_before_its_warnings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = [Finding(each, "m", cause="c") for each in reversed(Severity)]
    monkeypatch.setattr(auditing, "audit", lambda *given, **asked: SimpleNamespace(findings=found))
    told = of_template("mine.jinja")
    assert [each.severity for each in told] == [Severity.ERROR, Severity.WARNING]
