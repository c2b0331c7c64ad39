"""Turns that do not end, ends after ends, what nobody sees, and what only looks like a fault."""

from __future__ import annotations

from pathlib import Path

import pytest

from tokaudit.report.model import Finding
from tokaudit_folders import chat_folders
from tokaudit_folders.chat_folders import Asked, Family
from tokaudit_template_defects.rewritings import REWRITINGS

WORDS = "{{ m.content or '' }}"
CALLS = (
    "{%- for c in m.tool_calls or [] -%}<tool_call>{{ c.function.name }}"
    "{{ c.function.arguments|string }}</tool_call>{%- endfor -%}"
)
PROMPT = "{%- if add_generation_prompt -%}{{ '<|im_start|>assistant\n' }}{%- endif -%}"
CHATML = (
    "{%- for m in messages -%}{{ '<|im_start|>' + m.role + '\n' }}" + WORDS + CALLS
    + "{{ '<|im_end|>\n' }}{%- endfor -%}" + PROMPT
)  # fmt: skip
GEMMA = (
    "{{ bos_token }}{%- for m in messages -%}<start_of_turn>{{ m.role + '\n' + m.content }}"
    "{{ '<end_of_turn>\n' }}{%- endfor -%}"
    "{%- if add_generation_prompt -%}{{ '<start_of_turn>assistant\n' }}{%- endif -%}"
)
PHI = (
    "{%- for m in messages -%}{{ '<|' + m.role + '|>\n' + m.content + '<|end|>\n' }}{%- endfor -%}"
    "{%- if add_generation_prompt -%}{{ '<|assistant|>\n' }}{%- else -%}{{ eos_token }}{%- endif -%}"
)
TOKENS = {
    CHATML: ("<|im_end|>", ("<pad>", "<|im_start|>", "<|im_end|>")),
    GEMMA: ("<eos>", ("<pad>", "<bos>", "<eos>", "<start_of_turn>", "<end_of_turn>")),
    PHI: ("<|endoftext|>", ("<pad>", "<|endoftext|>", "<|user|>", "<|assistant|>", "<|end|>")),
}
FAULTS = {
    "T06": (CHATML, "{{ '<|im_end|>\n' }}", "{{ '' if m.tool_calls else '<|im_end|>\n' }}", "error closed"),
    "T07": (GEMMA, "<end_of_turn>\n", "<end_of_turn><eos>\n", "error ended once"),
    "T10": (PHI, "m.content + '<|end|>\n'", "m.content + ('' if m.role == 'assistant' else '<|end|>\n')", "error closed"),
    "a second beginning": (GEMMA, "<start_of_turn>{{ m.role", "{{ bos_token if loop.last else '' }}<start_of_turn>{{ m.role", "error begun once"),
}  # fmt: skip


def asked(folder: Path, template: str, of: str) -> Asked:
    eos, tokens = TOKENS[of]
    bos = "<bos>" if "<bos>" in tokens else None
    return Asked(chat_folders.write(folder, Family(template, tokens, eos, bos)))


def said(found: list[Finding]) -> list[str]:
    return [f"{each.severity} {each.cause}" for each in found]


@pytest.mark.parametrize("id", FAULTS)
def test_a_turn_that_does_not_end_once_is_an_error(id: str, tmp_path: Path) -> None:
    sound, old, new, expected = FAULTS[id]
    assert old in sound
    found = said(asked(tmp_path, sound.replace(old, new), sound).findings("ends"))
    assert found == [expected]


@pytest.mark.parametrize("template", list(TOKENS), ids=["ChatML", "Gemma", "Phi"])
@pytest.mark.parametrize("name", ["as it is", *REWRITINGS])
def test_turns_that_end_once_get_no_finding(name: str, template: str, tmp_path: Path) -> None:
    """Nor do neutral rewritings, nor an end of text after the last turn alone."""
    written = REWRITINGS[name](template) if name in REWRITINGS else template
    one = asked(tmp_path, written, template)
    assert said([*one.findings("ends"), *one.findings("safe")]) == []


@pytest.mark.parametrize(
    ("written", "named"),
    [
        ("\u200b", "U+200B ZERO WIDTH SPACE in line 1"),
        ("{{ '\\u202e' }}", "U+202E RIGHT-TO-LEFT OVERRIDE in line 1"),
        ("\U000e0041\U000e0042", "2 invisible characters"),
    ],
)
def test_characters_that_nobody_sees_and_nobody_said_are_an_error(
    written: str, named: str, tmp_path: Path
) -> None:
    (found,) = asked(tmp_path, written + CHATML, CHATML).findings("safe")
    assert said([found]) == ["error invisible characters"]
    assert named in found.message


OFFER = "{%- if tools -%}{{ '<|im_start|>system\nTools: ' }}{{ tools|tojson }}{{ '<|im_end|>\n' }}{%- endif -%}"
SOUND = OFFER + CHATML.replace("|string", "|tojson")
READS = (
    "{%- for m in messages -%}{{ '<|im_start|>' + m.role + '\n' }}"
    "{%- set thought = THOUGHT -%}{%- if thought -%}<think>{{ thought }}</think>{%- endif -%}"
    "{%- if m.content is string -%}{{ m.content }}{%- else -%}{%- for p in m.content or [] -%}"
    "{{ p.text or '' }}{%- endfor -%}{%- endif -%}{{ '<|im_end|>\n' }}{%- endfor -%}" + PROMPT
)
NO_THINKING = SOUND.replace("<|im_start|>' + m.role + '\n'", "<|im_start|>' + m.role + '\n' + ('</think>' if m.role == 'assistant' else '')").replace("assistant\n'", "assistant\n</think>'")  # fmt: skip
LOOKS = {
    "an answer without thinking": NO_THINKING,
    "instructions that name a tag": "{%- if tools -%}{{ '<|im_start|>system\nBegin a call with <tool_call>. ' }}{{ tools|tojson }}{{ '<|im_end|>\n' }}{%- endif -%}" + SOUND.removeprefix(OFFER),
    "a format in a variable": "{%- set ns = namespace(assistant_format='text') -%}{%- if ns.assistant_format == \"mapping\" -%}Answer with an object. {%- endif -%}" + SOUND,
    "reasoning as message.reasoning": READS.replace("THOUGHT", "m.reasoning"),
    "reasoning as a part": READS.replace("THOUGHT", "(m.content[0].thinking if m.content is iterable and m.content is not string and m.content is not mapping else '')"),
}  # fmt: skip


@pytest.mark.parametrize("name", LOOKS)
def test_what_only_looks_like_a_fault_gets_no_warning(name: str, tmp_path: Path) -> None:
    sound = asked(tmp_path / "sound", SOUND, CHATML)
    one = asked(tmp_path / "one", LOOKS[name], CHATML)
    checks = ("calls", "reasoning", "safe", "tools", "ends", "turns")
    found = {each for check in checks for each in said(one.findings(check))}
    assert found <= {each for check in checks for each in said(sound.findings(check))}
