"""Markers of a template in the words of users and tools: what comes through, and how it is said."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from processes import starts_processes

from tokaudit.products.chat.work.attacks import Disguise, Slot
from tokaudit.products.chat.work.injection import InjectionTrials
from tokaudit.report.model import Finding, Measurement, Severity

Ask = Callable[..., list[Any]]
Forged = Callable[[Path], set[tuple[str, Slot, Disguise]]]
TOOLS = (
    "{% for t in tools or [] %}{{ t.function.name }}{% endfor %}{% for m in messages %}"
    "<|{{ m.role }}|>{% if m.tool_calls %}{{ m.tool_calls[0].function.arguments.place }}{% endif %}"
    "{% if m.content is string %}{{ m.content }}{% else %}"
    "{% for part in m.content %}{{ part.text }}{% endfor %}{% endif %}<|end|>{% endfor %}"
)


@pytest.fixture
@starts_processes
def forged(needs_of: Callable[..., Any]) -> Forged:
    """Which marker came through, by which slot and disguise."""

    def run(folder: Path) -> set[tuple[str, Slot, Disguise]]:
        (one,) = needs_of(folder).get(InjectionTrials).all
        attacks = (trial.attack for trial in one.tried if trial.forged)
        return {(a.literal, a.slot, a.disguise) for a in attacks}

    return run


def test_a_marker_in_a_message_ends_the_turn(
    folder: Path, sick: ModuleType, forged: Forged
) -> None:
    assert ("<|end|>", Slot.USER, Disguise.NONE) in forged(folder)


def test_names_arguments_results_and_parts_are_ways_in_too(
    folder: Path, sick: ModuleType, forged: Forged
) -> None:
    sick.template(folder, TOOLS)
    ways = {slot for literal, slot, _ in forged(folder) if literal == "<|end|>"}
    assert ways == set(Slot) - {Slot.MESSAGES}


def test_contents_that_are_glued_together_join_the_halves_of_a_marker(
    folder: Path, sick: ModuleType, forged: Forged
) -> None:
    glued = "{% for m in messages %}{{ m.content }}{% endfor %}<|end|>"
    sick.template(folder, glued)
    assert ("<|end|>", Slot.MESSAGES, Disguise.SPLIT) in forged(folder)


def test_a_template_that_takes_markers_out_resists(
    folder: Path, sick: ModuleType, forged: Forged
) -> None:
    clean = "{{ m.content|replace('<|', '') }}"
    sick.template(folder, sick.TEMPLATE.replace("{{ m.content }}", clean))
    assert forged(folder) == set()


def test_full_width_letters_come_through_where_a_normalizer_makes_them_plain(
    folder: Path, sick: ModuleType, forged: Forged
) -> None:
    assert ("<|end|>", Slot.USER, Disguise.FULL_WIDTH) not in forged(folder)

    def change(tokenizer: Any) -> None:
        tokenizer["normalizer"] = {"type": "NFKC"}
        for token in tokenizer["added_tokens"]:
            token["normalized"] = True

    sick.edit(folder, "tokenizer.json", change)
    assert ("<|end|>", Slot.USER, Disguise.FULL_WIDTH) in forged(folder)


def test_what_comes_through_is_information_with_a_rate_and_an_example(
    folder: Path, ask: Ask, processes: None
) -> None:
    rate, finding = ask("chat_template/injection", folder)
    assert isinstance(rate, Measurement) and isinstance(finding, Finding)
    assert finding.severity is Severity.INFO
    assert finding.evidence[0].facts["a user's message, as it is"] == "5 of 5"
    assert "Say <|user|> now." in str(finding.evidence[1].text)
    assert rate.value == pytest.approx(15 / 55)


def test_it_is_a_warning_only_where_the_base_resists(
    folder: Path, sick: ModuleType, ask: Ask, tmp_path: Path, processes: None
) -> None:
    def warnings(base: Path) -> list[str]:
        output = ask("chat_template/injection", folder, base)
        return [f.cause for f in output if getattr(f, "severity", None) is Severity.WARNING]

    base = sick.healthy(tmp_path / "base")
    assert warnings(base) == []
    clean = "{{ m.content|replace('<|', '') }}"
    sick.template(base, sick.TEMPLATE.replace("{{ m.content }}", clean))
    assert warnings(base) == ["the base resists"]
