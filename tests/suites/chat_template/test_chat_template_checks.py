"""What the checks of chat templates say in addition to the sick folders: bases, and healthy folders."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tokaudit.foundation.errors import NotApplicable, Skip
from tokaudit.report.model import Finding, Severity
from tokaudit_faults.folders.checkpoint import lose_the_template
from tokaudit_folders import gguf_files

Ask = Callable[..., list[object]]
CHECKS = (
    *("safe", "renders", "stops", "bos", "generation-prompt", "prefix", "mask", "missing"),
    *("tokens", "copies", "portable", "injection", "words", "turns"),
)
HEALTHY = ("phi-3-mini", "mistral-7b-v0.1", "phi-2", "gpt2", "mpt", "gguf-phi-3", "gguf-gpt2")
TRUE_WARNINGS = {"gguf-phi-3": ["passes over system messages"]}  # of the template's first edition


def found(ask: Ask, check: str, folder: Path, base: Path | None = None) -> list[Finding]:
    try:
        output = ask(f"chat_template/{check}", folder, base)
    except (NotApplicable, Skip):
        return []
    return [item for item in output if isinstance(item, Finding)]


def test_a_template_unlike_the_bases_is_shown_by_the_shortest_conversation(
    folder: Path, sick: ModuleType, ask: Ask, tmp_path: Path, processes: None
) -> None:
    base = sick.healthy(tmp_path / "base")
    assert found(ask, "baseline", folder, base) == []
    sick.template(folder, sick.TEMPLATE.replace("<|end|>", "<|end|>\n"))
    (finding,) = found(ask, "baseline", folder, base)
    assert finding.severity is Severity.ERROR
    assert finding.message.endswith(
        "The shortest of these is the test conversation 'user', which differs from token 8 on."
    )


LOOP = "{% for m in messages %}{% if CASE %}{{ m.role }}: {{ m.content }}<|end|>{% endif %}{% endfor %}"


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        ("true", []),
        ("m.role != 'critic'", []),
        ("m.role != 'system'", [(Severity.WARNING, "passes over system messages")]),
        ("m.role != 'developer'", [(Severity.INFO, "passes over other messages")]),
        ("m.role != 'assistant' or loop.last", [(Severity.ERROR, "passes over turns")]),
    ],
)
def test_a_message_that_is_left_out_in_silence_is_judged_by_its_role(
    case: str,
    expected: list[tuple[Severity, str]],
    folder: Path,
    sick: ModuleType,
    ask: Ask,
    processes: None,
) -> None:
    sick.template(folder, LOOP.replace("CASE", case))
    first = [(each.severity, each.cause) for each in found(ask, "words", folder)][:1]
    assert first == expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("{{ m.role }}: {{ m.content }}", []),
        ("{{ m.role }}: {{ m.content|trim }}", []),
        ("{{ m.role }}: {{ m.content }}{{ m.content }}", ["writes a turn twice"]),
        ("{{ m.role }}: {{ m.content.split()|join(' ') }}", ["changes white space inside a turn"]),
        (
            "{{ 'user' if m.role == 'user' else 'system' }}: {{ m.content }}",
            ["opens a turn as another role's"],
        ),
    ],
)
def test_a_turn_is_written_once_as_it_was_said_under_its_own_role(
    said: str, expected: list[str], folder: Path, sick: ModuleType, ask: Ask, processes: None
) -> None:
    sick.template(folder, "{% for m in messages %}" + said + "<|end|>{% endfor %}")
    assert [finding.cause for finding in found(ask, "turns", folder)] == expected


def test_a_template_that_breaks_on_a_system_message_is_an_error(
    folder: Path, sick: ModuleType, ask: Ask, processes: None
) -> None:
    broken = "{% if m.role == 'system' %}{{ m.content + 1 }}{% endif %}"
    sick.template(folder, LOOP.replace("CASE", "true").replace("{{ m.role", broken + "{{ m.role"))
    assert found(ask, "renders", folder)[0].cause == "fails on a plain chat"


def test_a_generation_prompt_without_the_line_end_before_answers_is_a_warning(
    folder: Path, sick: ModuleType, ask: Ask, processes: None
) -> None:
    prompt = "{% if add_generation_prompt %}<|end|>assistant{% endif %}"
    turn = "{% for m in messages %}<|end|>{{ m.role }}{{ '\n' + m.content }}{% endfor %}"
    sick.template(folder, turn + prompt)
    assert [each.cause for each in found(ask, "generation-prompt", folder)] == ["no line end"]
    sick.template(folder, turn + prompt.replace("{% endif %}", "{{ '\n' }}{% endif %}"))
    assert found(ask, "generation-prompt", folder) == []


def test_a_template_that_raises_at_a_system_message_leaves_nothing_out(
    folder: Path, sick: ModuleType, ask: Ask, processes: None
) -> None:
    refusal = "{% if m.role == 'system' %}{{ raise_exception('no system') }}{% endif %}"
    sick.template(folder, LOOP.replace("CASE", "true").replace("{{ m.role", refusal + "{{ m.role"))
    assert found(ask, "words", folder) == []


def test_a_template_that_the_base_has_and_this_has_not_is_an_error(
    folder: Path, sick: ModuleType, ask: Ask, tmp_path: Path
) -> None:
    base = sick.healthy(tmp_path / "base")
    lose_the_template(folder)
    (finding,) = found(ask, "missing", folder, base)
    assert (finding.severity, finding.cause) == (Severity.ERROR, "the base has one")


def test_a_template_for_tools_in_a_file_of_its_own_hides_the_one_in_the_settings(
    folder: Path, sick: ModuleType, ask: Ask
) -> None:
    (folder / "additional_chat_templates").mkdir()
    (folder / "additional_chat_templates" / "tool_use.jinja").write_text(sick.TEMPLATE, "utf-8")
    (finding,) = found(ask, "missing", folder)
    assert (finding.severity, finding.cause) == (Severity.ERROR, "no default")
    assert "do not read the template of tokenizer_config.json" in finding.message
    (folder / "chat_template.jinja").write_text(sick.TEMPLATE, "utf-8")
    assert found(ask, "missing", folder) == []


def test_named_templates_none_of_which_is_for_plain_chats_are_an_error(
    folder: Path, sick: ModuleType, ask: Ask
) -> None:
    listed = [{"name": "tool_use", "template": sick.TEMPLATE}]
    sick.edit(folder, "tokenizer_config.json", lambda c: c.update(chat_template=listed))
    (finding,) = found(ask, "missing", folder)
    assert (finding.severity, finding.cause) == (Severity.ERROR, "no default")
    both = [*listed, {"name": "default", "template": sick.TEMPLATE}]
    sick.edit(folder, "tokenizer_config.json", lambda c: c.update(chat_template=both))
    assert found(ask, "missing", folder) == []


@pytest.mark.parametrize(
    ("settings", "file", "expected"),
    [
        ({"processor_class": "LlavaProcessor"}, "", [(Severity.WARNING, "not the processor's")]),
        ({"processor_class": "LlavaProcessor"}, "chat_template.jinja", []),
        ({"processor_class": "LlavaProcessor"}, "chat_template.json", []),
        ({"processor_class": "Qwen2AudioProcessor"}, "", []),  # which has one of its own
        ({"processor_class": "OwnProcessor", "auto_map": {"AutoProcessor": "own.P"}}, "", []),
        ({"image_processor_type": "CLIPImageProcessor"}, "", []),
    ],
)
def test_the_template_of_a_processor_is_in_a_file_that_it_reads(
    folder: Path,
    sick: ModuleType,
    ask: Ask,
    settings: Any,
    file: str,
    expected: list[tuple[Severity, str]],
) -> None:
    sick.write(folder / "preprocessor_config.json", settings)
    if file.endswith(".json"):
        sick.write(folder / file, {"chat_template": sick.TEMPLATE})
    elif file:
        (folder / file).write_text(sick.TEMPLATE)
    assert [(f.severity, f.cause) for f in found(ask, "missing", folder)] == expected


def test_a_gguf_file_without_the_template_next_to_it_is_a_warning(
    folder: Path, sick: ModuleType, ask: Ask
) -> None:
    keys = gguf_files.tokenizer("gpt2", ["a", "b"])
    (folder / "model.gguf").write_bytes(gguf_files.gguf(keys))
    (finding,) = found(ask, "missing", folder)
    assert (finding.severity, finding.cause) == (Severity.WARNING, "not converted")
    keys["tokenizer.chat_template"] = (gguf_files.TEXT, sick.TEMPLATE)
    (folder / "model.gguf").write_bytes(gguf_files.gguf(keys))
    assert found(ask, "missing", folder) == []


def test_a_chat_without_the_bos_that_the_base_writes_is_an_error(
    folder: Path, sick: ModuleType, ask: Ask, tmp_path: Path, processes: None
) -> None:
    base = sick.healthy(tmp_path / "base")
    for one in (folder, base):
        sick.edit(one, "tokenizer_config.json", lambda c: c.update(bos_token="<|pad|>"))
    assert found(ask, "bos", folder, base) == []
    sick.template(base, "{{ bos_token }}" + sick.TEMPLATE)
    (finding,) = found(ask, "bos", folder, base)
    assert (finding.severity, finding.cause) == (Severity.ERROR, "the base writes one")


def test_where_the_next_opening_is_a_stop_an_unended_answer_is_a_warning(
    folder: Path, sick: ModuleType, ask: Ask, processes: None
) -> None:
    sick.template(folder, sick.TEMPLATE.replace("<|end|>", ""))
    sick.edit(folder, "generation_config.json", lambda c: c.update(eos_token_id=[376, 378]))
    (finding,) = found(ask, "stops", folder)
    assert (finding.severity, finding.cause) == (Severity.WARNING, "unended")


@pytest.mark.parametrize(("end", "severity"), [("<|im_end|>", "error"), ("###", "warning")])
def test_an_end_written_as_a_token_that_the_tokenizer_lacks_is_an_error(
    folder: Path, sick: ModuleType, ask: Ask, end: str, severity: str, processes: None
) -> None:
    words = "{% for m in messages %}{{ m.role }}: {{ m.content }}" + end + "{% endfor %}"
    sick.template(folder, words + "{% if add_generation_prompt %}assistant: {% endif %}")
    (finding,) = found(ask, "stops", folder)
    assert (finding.severity, finding.cause) == (Severity(severity), "unended")


def test_a_tool_list_that_moves_is_information_where_lost_words_are_an_error(
    folder: Path, sick: ModuleType, ask: Ask, processes: None
) -> None:
    tools = "{% if loop.last and tools %}{{ tools|tojson }}{% endif %}"
    sick.template(folder, sick.TEMPLATE.replace("{{ m.content }}", tools + "{{ m.content }}"))
    severities = {finding.severity for finding in found(ask, "prefix", folder)}
    assert severities == {Severity.INFO}


def test_what_a_template_refuses_is_listed_for_information(
    folder: Path, sick: ModuleType, ask: Ask, processes: None
) -> None:
    refuse = "{% if messages[0].role == 'system' %}{{ raise_exception('no system') }}{% endif %}"
    sick.template(folder, refuse + sick.TEMPLATE)
    (finding,) = found(ask, "renders", folder)
    assert finding.severity is Severity.INFO
    assert finding.evidence[0].facts["system-user"] == "no system"


def test_reasoning_that_earlier_turns_lose_is_information(
    folder: Path, sick: ModuleType, ask: Ask, processes: None
) -> None:
    strip = "{{ m.content if loop.last else m.content.split('</think>')[-1].strip() }}"
    sick.template(folder, sick.TEMPLATE.replace("{{ m.content }}", strip))
    findings = found(ask, "prefix", folder)
    reported = {f.severity: f.cause for f in findings}
    assert reported[Severity.INFO] == "drops reasoning"
    assert any("earlier turn (message 2): " in finding.message for finding in findings)


def test_an_end_of_text_that_only_a_prompt_leaves_out_is_no_change_before_the_prompt(
    folder: Path, sick: ModuleType, ask: Ask, processes: None
) -> None:
    """Phi-3's template writes it, whatever the settings call the end of text."""
    ended = sick.TEMPLATE.removesuffix("{% endif %}") + "{% else %}<|of_no_role|>{% endif %}"
    sick.template(folder, ended)
    assert found(ask, "generation-prompt", folder) == []


def test_a_prompt_that_leaves_the_question_without_its_end_is_reported(
    folder: Path, sick: ModuleType, ask: Ask, processes: None
) -> None:
    head, _, _ = sick.TEMPLATE.partition("{% if add_")
    asked = "{% if not (loop.last and add_generation_prompt) %}<|end|>{% endif %}"
    cut = head.replace("<|end|>", asked)
    sick.template(folder, cut + "{% if add_generation_prompt %}<|assistant|>{% endif %}")
    (finding,) = found(ask, "generation-prompt", folder)
    assert finding.cause == "other opening"


def test_an_opening_that_is_always_written_is_reported_once(
    folder: Path, sick: ModuleType, ask: Ask, processes: None
) -> None:
    sick.template(folder, sick.TEMPLATE.partition("{% if add_")[0] + "<|assistant|>")
    (finding,) = found(ask, "generation-prompt", folder)
    assert finding.cause == "opens the assistant's turn whether asked or not"
    assert found(ask, "prefix", folder) == []


def test_a_prompt_that_opens_the_users_turn_is_an_error(
    folder: Path, sick: ModuleType, ask: Ask, processes: None
) -> None:
    sick.template(folder, sick.TEMPLATE.replace("<|assistant|>", "<|user|>"))
    (finding,) = found(ask, "generation-prompt", folder)
    assert finding.severity is Severity.ERROR
    assert finding.cause == "prompts with what opens the user's turn"


def test_the_clock_is_information(
    folder: Path, sick: ModuleType, ask: Ask, processes: None
) -> None:
    sick.template(folder, "{{ strftime_now('%d %b %Y') }}" + sick.TEMPLATE)
    (finding,) = found(ask, "safe", folder)
    assert finding.severity is Severity.INFO


def test_a_marker_that_only_the_template_writes_is_information(
    folder: Path, sick: ModuleType, ask: Ask, processes: None
) -> None:
    sick.template(folder, "[INST]<tool_call>{{ '</tool_call>' }}" + sick.TEMPLATE)
    (finding,) = found(ask, "tokens", folder)
    assert finding.severity is Severity.INFO
    assert finding.message.endswith(
        "'[INST]', '<tool_call>', '</tool_call>', '<|system|>', '<|tool|>'."
    )


def test_a_marker_that_the_base_has_as_a_token_is_a_warning(
    folder: Path, sick: ModuleType, ask: Ask, tmp_path: Path, processes: None
) -> None:
    base = sick.healthy(tmp_path / "base")
    sick.add_a_token(base, "[INST]")
    sick.template(folder, "[INST]" + sick.TEMPLATE)
    findings = found(ask, "tokens", folder, base)
    reported = {f.severity: f.message for f in findings}
    assert reported[Severity.WARNING].endswith("does not have as a token: '[INST]'.")


@pytest.mark.parametrize(
    ("marker", "special", "expected"),
    [
        ("</think>", True, (Severity.WARNING, "lost")),
        ("</tool_call>", True, (Severity.INFO, "lost")),
        ("</think>", False, (Severity.INFO, "forged")),
    ],
    ids=["of reasoning", "of calls, which servers decode with specials", "not special"],
)
def test_the_flag_of_a_marker_that_is_a_token_is_judged(
    marker: str,
    special: bool,
    expected: tuple[Severity, str],
    folder: Path,
    sick: ModuleType,
    ask: Ask,
    processes: None,
) -> None:
    """A parser of answers needs `</think>`; the start of a turn must not come from users."""
    sick.add_a_token(folder, marker, special)
    sick.template(folder, marker.replace("/", "") + marker + sick.TEMPLATE)
    told = {(finding.severity, finding.cause) for finding in found(ask, "tokens", folder)}
    assert expected in told


@pytest.mark.parametrize("name", HEALTHY)
def test_a_healthy_published_folder_gets_information_and_true_warnings_at_most(
    name: str, material: Path, ask: Ask, processes: None
) -> None:
    folder = material / "tokenizers" / name
    worse = [
        finding.cause
        for check in CHECKS
        for finding in found(ask, check, folder)
        if finding.severity is not Severity.INFO
    ]
    assert worse == TRUE_WARNINGS.get(name, [])


@pytest.mark.parametrize("wrong", ["<end|>", "<|end>", "[|end|]", "<｜END｜>"])
def test_a_marker_with_the_letters_of_a_token_and_another_text_is_a_warning(
    wrong: str, folder: Path, sick: ModuleType, ask: Ask, processes: None
) -> None:
    sick.template(folder, sick.TEMPLATE.replace("<|end|>", wrong))
    said = {str(each.severity): each.message for each in found(ask, "tokens", folder)}
    assert f"{wrong!r}" in said["warning"]


def test_a_tag_with_both_ends_is_text_and_no_misspelled_token(
    folder: Path, sick: ModuleType, ask: Ask, processes: None
) -> None:
    sick.template(folder, sick.TEMPLATE + "{{ '<end>' + '</end>' }}")
    assert [each.cause for each in found(ask, "tokens", folder)].count("misspelled") == 0
