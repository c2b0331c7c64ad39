"""What a prompt cache keeps where the day, the order of tools or the thinking changes."""

from __future__ import annotations

from pathlib import Path

import pytest

import tokaudit
from tokaudit.report.model import Measurement
from tokaudit_folders import chat_folders
from tokaudit_folders.chat_folders import CHECKS, Asked, Family
from tokaudit_folders.folder import Folder

MARKERS = ("<pad>", "<|user|>", "<|assistant|>", "<|system|>", "<|tool|>", "<|end|>")
TURNS = "{%- for m in messages -%}<|{{ m.role }}|>{{ m.content or '' }}<|end|>{%- endfor -%}"
PROMPT = "{%- if add_generation_prompt -%}<|assistant|>{%- endif -%}"
DATE = "<|system|>Today is {{ strftime_now('%d %B %Y') }}.<|end|>"
TIME = "<|system|>It is {{ strftime_now('%H:%M') }}.<|end|>"
OFFER = "{%- for t in tools or [] -%}<|system|>{{ t.function|tojson }}<|end|>{%- endfor -%}"
SWITCH = "{%- if enable_thinking -%}<|system|>Think.<|end|>{%- endif -%}"
AT_END = (
    PROMPT + "{%- if add_generation_prompt and enable_thinking is false -%}<|end|>{%- endif -%}"
)


def asked(folder: Path, template: str, use: str | None = None) -> Asked:
    written = chat_folders.write(folder, Family(template, MARKERS, "<|end|>"))
    return Asked(written, use=use)


@pytest.mark.parametrize(
    ("template", "said"),
    [
        (TURNS + PROMPT, []),
        (DATE + TURNS + PROMPT, ["each day"]),
        (TIME + TURNS + PROMPT, ["each minute"]),
        (OFFER + TURNS + PROMPT, ["order of tools"]),
        (OFFER.replace("tools or []", "(tools or [])|sort(attribute='function.name')") + TURNS + PROMPT, []),
        (SWITCH + TURNS + PROMPT, ["thinking"]),
        (TURNS + AT_END, []),
    ],
)  # fmt: skip
def test_what_comes_before_the_question_and_changes_is_information(
    template: str, said: list[str], tmp_path: Path
) -> None:
    found = asked(tmp_path, template).findings("cache")
    assert [one.cause for one in found] == said
    assert all(str(one.severity) == "info" and one.remedy and one.evidence for one in found)


@pytest.mark.parametrize(
    ("template", "severity"),
    [(DATE, "warning"), (TIME, "warning"), (SWITCH, "warning"), (OFFER, "info")],
    ids=["day", "minute", "thinking", "a client that keeps its order loses nothing"],
)
def test_who_serves_is_warned_of_what_the_template_does(
    template: str, severity: str, tmp_path: Path
) -> None:
    (found,) = asked(tmp_path, template + TURNS + PROMPT, "serving").findings("cache")
    assert str(found.severity) == severity


def test_the_tokens_that_are_kept_are_counted(tmp_path: Path) -> None:
    """`<|system|>Today is 0` of a prompt whose day goes from 02 to 03."""
    (found,) = asked(tmp_path, DATE + TURNS + PROMPT).findings("cache")
    (evidence,) = found.evidence
    assert evidence.first_difference and evidence.actual
    assert f"reuses only {evidence.first_difference} of " in found.message


def test_a_date_without_tokens_is_not_said_to_cost_any(tmp_path: Path) -> None:
    folder = Folder.bpe("a").added("<|end|>").template(DATE + TURNS + PROMPT)
    (found,) = tokaudit.run_check("chat_template/cache", folder.write(tmp_path)).findings
    assert found.cause == "each day"
    assert " is another text, though its first " in found.message


def test_each_change_is_measured(tmp_path: Path) -> None:
    one = asked(tmp_path, TURNS + PROMPT)
    check = CHECKS["chat_template/cache"].function
    figures = [
        each for each in check(**one._needs.arguments(check)) if isinstance(each, Measurement)
    ]
    assert [(each.dimensions["change"], each.value) for each in figures] == [
        ("each day", 100.0),
        ("order of tools", 100.0),
        ("thinking", 100.0),
    ]


@pytest.mark.parametrize(("use", "severity"), [(None, "info"), ("serving", "warning")])
def test_a_turn_that_is_written_anew_costs_a_server_what_it_kept(
    use: str | None, severity: str, tmp_path: Path
) -> None:
    thought = "{%- if loop.last and m.reasoning_content -%}<think>{{ m.reasoning_content }}</think>{%- endif -%}"
    dropping = TURNS.replace("{{ m.content", thought + "{{ m.content")
    found = asked(tmp_path, dropping + PROMPT, use).findings("prefix")
    assert ("drops reasoning", severity) in [(one.cause, str(one.severity)) for one in found]
