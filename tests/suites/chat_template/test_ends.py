"""Turns that do not end, ends after ends, what nobody sees, and what only looks like a fault."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tokaudit.report.model import Finding
from tokaudit_folders import chat_folders, sick
from tokaudit_folders.chat_folders import Asked, Family
from tokaudit_templates.rewritings import REWRITINGS

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
    ids=["T13 a zero-width space", "T13 an override", "T13 tag characters"],
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


@pytest.mark.parametrize("name", [f"T11 {name}" for name in LOOKS])
@pytest.mark.parametrize("rewriting", ["as it is", *REWRITINGS])
def test_what_only_looks_like_a_fault_gets_no_warning(
    rewriting: str, name: str, tmp_path: Path
) -> None:
    looks = LOOKS[name.removeprefix("T11 ")]
    written = REWRITINGS[rewriting](looks) if rewriting in REWRITINGS else looks
    sound = asked(tmp_path / "sound", SOUND, CHATML)
    one = asked(tmp_path / "one", written, CHATML)
    checks = ("calls", "reasoning", "safe", "tools", "ends", "turns")
    found = {each for check in checks for each in said(one.findings(check))}
    assert found <= {each for check in checks for each in said(sound.findings(check))}


HANDED_OVER = (
    "{%- for m in messages -%}{%- if m.role == 'tool' -%}{{ m.content }}<result|>"
    "{%- else -%}{{ '<|im_start|>' + m.role + '\n' }}" + WORDS + CALLS
    + "{{ '<|result>' if m.tool_calls else '<|im_end|>\n' }}{%- endif -%}{%- endfor -%}" + PROMPT
)  # fmt: skip
HANDS_OVER = Family(
    HANDED_OVER, ("<pad>", "<|im_start|>", "<|im_end|>", "<|result>", "<result|>"), "<|im_end|>"
)


def test_a_call_after_which_nothing_stops_generation_is_a_warning(tmp_path: Path) -> None:
    """As where the first token of the result is written by the model, and is not in the list."""
    folder = chat_folders.write(tmp_path, HANDS_OVER)
    (found,) = Asked(folder).findings("stops")
    assert said([found]) == ["warning no stop after a call"]
    assert "'<|result>' (id 379) between a call and its result" in found.message


def test_a_call_that_ends_at_a_stop_of_its_own_gets_no_finding(tmp_path: Path) -> None:
    folder = chat_folders.write(tmp_path, HANDS_OVER)
    sick.write(folder / "generation_config.json", {"eos_token_id": [378, 379]})
    assert Asked(folder).findings("stops") == []


BOS = "<|begin_of_text|>"
LLAMA = chat_folders.FAMILIES["Llama"]
WITHOUT_BOS = chat_folders.with_template(LLAMA, LLAMA.template.replace("{{ bos_token }}", ""))


def that_begins_texts(folder: Path) -> Path:
    """A copy whose post-processor puts its BOS before every text."""
    chat_folders.write(folder, WITHOUT_BOS)
    tokenizer = sick.read(folder / "tokenizer.json")
    (id,) = [each["id"] for each in tokenizer["added_tokens"] if each["content"] == BOS]
    bos, one, two = (
        {"SpecialToken": {"id": BOS, "type_id": 0}},
        *({"Sequence": {"id": each, "type_id": 0}} for each in "AB"),
    )
    tokenizer["post_processor"] = {
        "type": "TemplateProcessing",
        "single": [bos, one],
        "pair": [bos, one, two],
        "special_tokens": {BOS: {"id": BOS, "ids": [id], "tokens": [BOS]}},
    }
    sick.write(folder / "tokenizer.json", tokenizer)
    return folder


@pytest.mark.parametrize(
    ("based", "switch", "expected"),
    [
        (True, {}, ["warning written by nobody"]),
        (False, {}, ["info written by nobody"]),
        (True, {"add_bos_token": False}, []),
        (True, {"eos_token": BOS}, []),
    ],
    ids=["T08", "T08 without a base", "twin: switched off, as phi-3-mini", "twin: it is the end"],
)
def test_a_bos_that_nobody_writes_is_reported(
    based: bool,
    switch: dict[str, object],
    expected: list[str],
    tmp_path: Path,
    ask: Callable[..., list[object]],
    processes: None,
) -> None:
    folder = chat_folders.write(tmp_path / "one", WITHOUT_BOS)
    sick.edit(folder, "tokenizer_config.json", lambda c: c.update(switch))
    base = that_begins_texts(tmp_path / "base") if based else None
    found = ask("chat_template/bos", folder, base)
    assert said([each for each in found if isinstance(each, Finding)]) == expected


IN_CHATML = chat_folders.FAMILIES["ChatML"].template


@pytest.mark.parametrize(
    ("template", "based", "expected"),
    [
        (WITHOUT_BOS.template, False, ["warning missing"]),
        (WITHOUT_BOS.template, True, ["info missing"]),
        (IN_CHATML, False, ["info missing"]),
        (LLAMA.template, False, ["warning doubled by two writers"]),
    ],
    ids=["of the family", "twin: as the base", "twin: in another format", "twin: written"],
)
def test_a_template_without_the_bos_of_its_family_is_a_warning(
    template: str,
    based: bool,
    expected: list[str],
    tmp_path: Path,
    ask: Callable[..., list[Finding]],
    processes: None,
) -> None:
    folder = that_begins_texts(tmp_path / "one")
    sick.edit(folder, "tokenizer_config.json", lambda c: c.update(chat_template=template))
    base = that_begins_texts(tmp_path / "base") if based else None
    assert said(ask("chat_template/bos", folder, base)) == expected


ASKED = "{% for m in messages %}<pad>{{ m.role }}END{{ m.content }}<|eot_id|>{% endfor %}{% if add_generation_prompt %}<pad>assistantEND{% endif %}"


@pytest.mark.parametrize(
    ("end", "expected"),
    [
        (": ", ["warning space at the end"]),
        ("{{ ':\\n\\n' }}", ["warning space at the end"]),
        (":", []),
        ("{{ ':\\n' }}", []),
        ("<|end_header_id|>", []),
    ],
    ids=["space", "two line ends", "twin: none", "twin: one line end", "twin: a marker"],
)
def test_a_prompt_that_ends_within_the_first_token_of_answers_is_reported(
    end: str,
    expected: list[str],
    material: Path,
    tmp_path: Path,
    ask: Callable[..., list[Finding]],
    processes: None,
) -> None:
    family = chat_folders.with_template(LLAMA, ASKED.replace("END", end))
    gpt2 = sick.read(material / "tokenizers/gpt2/tokenizer.json")
    folder = chat_folders.write(tmp_path / "one", family, gpt2)
    assert said(ask("chat_template/generation-prompt", folder, None)) == expected


HEADED = "<|start_header_id|>{{ m.role }}<|end_header_id|>"
PROMPT = "{% if add_generation_prompt %}<|start_header_id|>assistant<|end_header_id|>{% endif %}"
EACH = "{% for m in messages %}FIRST{{ m.content }}<|eot_id|>{% endfor %}"


@pytest.mark.parametrize(
    ("first", "expected"),
    [
        ("{{ bos_token }}" + HEADED, ["warning in every turn"]),
        ("{{ bos_token if loop.first }}" + HEADED, []),
        ("{{ bos_token if m.role == 'user' }}" + HEADED, []),
        ("{{ bos_token }}{{ m.role }}: ", []),
    ],
    ids=["in the loop", "twin: once", "twin: for each question", "twin: it opens each turn alone"],
)
def test_a_bos_before_the_marker_of_every_turn_is_reported_once(
    first: str,
    expected: list[str],
    tmp_path: Path,
    ask: Callable[..., list[object]],
    processes: None,
) -> None:
    family = chat_folders.with_template(LLAMA, EACH.replace("FIRST", first) + PROMPT)
    folder = chat_folders.write(tmp_path / "one", family)
    found = ask("chat_template/bos", folder, None)
    warned = [each for each in found if isinstance(each, Finding) and each.severity != "info"]
    assert said(warned) == expected
    prompts = ask("chat_template/generation-prompt", folder, None)
    assert not expected or prompts == []


WRITTEN = "{% for p in m.content %}{% if p.type == 'image' %}IMAGE{% else %}{{ p.text }}{% endif %}{% endfor %}"
PARTS = "{% if m.content is string %}{{ m.content }}{% else %}" + WRITTEN + "{% endif %}"


@pytest.mark.parametrize(
    ("placeholder", "stated", "expected"),
    [
        ("", {"image_token_id": 385}, ["error lost"]),
        ("(a picture)", {"image_token_id": 385}, ["error no image token"]),
        ("(a picture)", {}, []),
        ("<|start_header_id|>", {"image_token_id": 385}, []),
        ("", {"image_token_id": None}, ["error lost"]),
    ],
    ids=["T09 nothing", "T09 words", "twin: no token", "twin: a token", "nothing, and no token"],
)
def test_an_image_without_a_token_is_an_error_where_the_model_has_one(
    placeholder: str, stated: dict[str, int], expected: list[str], tmp_path: Path
) -> None:
    template = LLAMA.template.replace("{{ m.content }}", PARTS.replace("IMAGE", placeholder))
    template = template.replace("+ m.content +", "}}" + PARTS.replace("IMAGE", placeholder) + "{{")
    folder = chat_folders.write(tmp_path, chat_folders.with_template(LLAMA, template))
    sick.edit(folder, "config.json", lambda c: c.update(stated))
    assert said(Asked(folder).findings("images")) == expected


def test_a_template_that_knows_no_image_is_an_error_where_the_model_has_a_token(
    tmp_path: Path,
) -> None:
    template = LLAMA.template.replace(
        "m.content",
        "(m.content if m.content is string else m.content|map(attribute='text')|join(' '))",
    )
    folder = chat_folders.write(tmp_path, chat_folders.with_template(LLAMA, template))
    assert Asked(folder).findings("images") == []
    sick.edit(folder, "config.json", lambda c: c.update(image_token_id=385))
    (found,) = Asked(folder).findings("images")
    assert found.message.endswith(
        "writes no token for an image, but config.json states image_token_id 385."
    )
