"""Turns that are opened, ended or spelled differently than the template does for other roles."""

from __future__ import annotations

from pathlib import Path

import pytest

from tokaudit_folders import chat_folders
from tokaudit_folders.chat_folders import FAMILIES, Asked, Family

MARKERS = ("<pad>", "<|im_start|>", "<|im_end|>")
SOUND = (
    "{%- for m in messages -%}{%- set role, words, end = m.role, m.content, '<|im_end|>' -%}"
    "{{ '<|im_start|>' + role + '\\n' + words + end + '\\n' }}{%- endfor -%}"
    "{%- if add_generation_prompt -%}{{ '<|im_start|>assistant\\n' }}{%- endif -%}"
)


def causes(folder: Path, template: str, check: str = "turns") -> list[str]:
    written = chat_folders.write(folder, Family(template, MARKERS, "<|im_end|>"))
    return [f"{one.severity} {one.cause}" for one in Asked(written).findings(check)]


def where(role: str, new: str, old: str) -> str:
    """An expression with another value for the turns of one role."""
    return "(" + new + " if m.role == '" + role + "' else " + old + ")"


@pytest.mark.parametrize("family", FAMILIES.values(), ids=FAMILIES)
def test_turns_of_usual_families_get_no_finding(family: Family, tmp_path: Path) -> None:
    assert Asked(chat_folders.write(tmp_path, family)).findings("turns") == []


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("+ end", "+ " + where("user", "''", "end"), "warning user without end"),
        ("+ end", "+ " + where("system", "''", "end"), "warning system without end"),
        ("+ end", "+ " + where("assistant", "end + end", "end"), "warning marker twice"),
        ("+ end", "+ " + where("user", "end + end", "end"), "warning marker twice"),
        ("+ role", "+ " + where("user", "' user'", "role"), "warning space in a header"),
        ("+ role", "+ " + where("system", "' system'", "role"), "warning space in a header"),
        ("+ role", "+ " + where("user", "'User'", "role"), "warning case of a header"),
        ("+ role", "+ " + where("system", "'user'", "role"), "warning system as the user's"),
        ("+ role", "+ " + where("system", "'assistant'", "role"), "warning system as the assistant's"),
        ("words", where("user", "words|lower", "words"), "error changes the characters of a turn"),
        ("words", where("user", "words|upper", "words"), "error changes the characters of a turn"),
        ("words", where("system", "words|e", "words"), "error changes the characters of a turn"),
        ("words", where("user", "words|replace('é', 'e')", "words"), "error changes the characters of a turn"),
        ("+ '\\n' + words", "+ " + where("user", "' '", "'\\n'") + " + words", "warning space after a header"),
        ("end + '\\n'", "end + " + where("user", "' '", "'\\n'"), "warning space after an end"),
    ],
)  # fmt: skip
def test_what_one_role_has_and_the_others_have_not_is_named_once(
    old: str, new: str, said: str, tmp_path: Path
) -> None:
    assert SOUND.count(old) >= 1
    found = causes(tmp_path, SOUND.replace(old, new, 1) if old != "words" else _said(new))
    assert found == [said]


def _said(expression: str) -> str:
    return SOUND.replace("+ words", "+ " + expression)


def test_a_plain_chat_in_other_characters_is_not_called_unreadable(tmp_path: Path) -> None:
    """One cause has one finding: the turns, not that a plain chat is not rendered."""
    assert causes(tmp_path / "a", _said("words|upper"), "renders") == []
    assert causes(tmp_path / "b", _said("words|upper"), "words") == []


def test_a_marker_between_a_role_and_its_words_says_nothing_about_ends(tmp_path: Path) -> None:
    """Kimi's turns are opened by another marker for each role, and all of them go on alike."""
    template = (
        "{%- for m in messages -%}{{ '<|im_' + m.role + '|>' + m.role + '<|im_start|>' + m.content"
        " + '<|im_end|>' }}{%- endfor -%}"
        "{%- if add_generation_prompt -%}{{ '<|im_assistant|>assistant<|im_start|>' }}{%- endif -%}"
    )
    assert causes(tmp_path, template) == []


def test_the_header_of_a_system_message_is_the_last_one_before_it(tmp_path: Path) -> None:
    """Functionary's templates write a turn of their own before it."""
    first = "{{ '<|im_start|>system\\n\\nBe brief.<|im_end|>\\n' }}"
    assert causes(tmp_path, first + SOUND) == []


def test_formats_in_which_answers_alone_are_ended_are_sound(tmp_path: Path) -> None:
    """EXAONE and Tulu end no question; each role has a marker of its own there."""
    template = (
        "{%- for m in messages -%}{{ '<|' + m.role + '|>' + m.content }}"
        "{%- if m.role == 'assistant' -%}{{ '<|im_end|>' }}{%- endif -%}{%- endfor -%}"
        "{%- if add_generation_prompt -%}{{ '<|assistant|>' }}{%- endif -%}"
    )
    assert causes(tmp_path, template) == []
