"""What a template writes before the first message is its own, as later turns show."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tokaudit.products.chat.rendering.renderer import render
from tokaudit.products.chat.rendering.rendering import RenderRequest
from tokaudit.products.chat.rendering.segments import Unknown, segments
from tokaudit.products.chat.work.own_words import own_words, turn_headers
from tokaudit.subject.conversations.conversation import role_matrix

UNPACKED = Path(sys.prefix) / "template-wheels" / "unpacked"
TURN = "<|{{ m.role }}|>{{ m.content }}<|end|>"
LOOP = "{% for m in messages %}" + TURN + "{% endfor %}"
DEFAULT = "{% if messages[0].role != 'system' %}<|system|>Be kind.<|end|>{% endif %}"
BOS = "{{ bos_token }}"
GIVEN = {one.id: one for one in role_matrix()}


def split(template: str, conversation: str) -> tuple[str, str]:
    """The template's own words at the beginning of a conversation, and what follows."""
    rendered = render(RenderRequest(template, role_matrix(), {"bos_token": "<s>"}))
    given, one = GIVEN[conversation], rendered.conversation(conversation)
    assert one is not None
    text, found = one.whole.plain.text, segments(one, given.roles)
    first = (found.known if isinstance(found, Unknown) else found)[0]
    headers = turn_headers(rendered, role_matrix())
    at = own_words(text, first, given.messages[0], headers, "<s>")
    return text[:at], text[at:]


@pytest.mark.parametrize(
    ("template", "own"),
    [
        (LOOP, ""),
        (BOS + LOOP, "<s>"),
        (DEFAULT + LOOP, "<|system|>Be kind.<|end|>"),
        (BOS + DEFAULT + LOOP, "<s><|system|>Be kind.<|end|>"),
        ("[gMASK]<sop>" + LOOP, "[gMASK]<sop>"),
    ],
)
def test_what_comes_before_the_first_turn_is_the_templates(template: str, own: str) -> None:
    found = split(template, "user")
    assert found == (own, "<|user|>Hello.<|end|>")


def test_tools_in_a_turn_of_their_own_are_the_templates() -> None:
    tools = "{% if tools %}<|tools|>{{ tools[0].function.name }}<|end|>{% endif %}"
    own, rest = split(tools + LOOP, "tools-offered")
    assert own == "<|tools|>get_weather<|end|>"
    assert rest == "<|user|>What is the weather in Paris?<|end|>"


def test_tools_inside_of_the_users_turn_are_the_users() -> None:
    tools = "{% if tools and loop.first %}{{ tools[0].function.name }}: {% endif %}"
    inside = LOOP.replace("{{ m.content }}", tools + "{{ m.content }}")
    assert split(inside, "tools-offered")[0] == ""


def test_a_system_message_that_the_user_gave_is_not_the_templates() -> None:
    own, rest = split(BOS + DEFAULT + LOOP, "system-user")
    assert own == "<s>"
    assert rest.startswith("<|system|>You are a careful assistant.<|end|>")


def test_a_prompt_inside_of_the_first_turn_counts_as_its_own_where_no_later_turn_tells() -> None:
    """Then nothing shows where the template's words end."""
    once = "<|user|>Be kind. {{ messages[0].content }}<|end|>"
    assert split(once, "user") == ("", "<|user|>Be kind. Hello.<|end|>")


@pytest.mark.templates
@pytest.mark.parametrize(
    ("stem", "ends", "begins"),
    [
        ("qwen2_5", "You are a helpful assistant.<|im_end|>\n", "<|im_start|>user\n"),
        ("llama3_2", "<|eot_id|>", "<|start_header_id|>user<|end_header_id|>\n\n"),
        ("mistral_v7_tekken", "[/SYSTEM_PROMPT]", "[INST]"),
        ("gptoss", "<|end|>", "<|start|>user<|message|>"),
        ("cohere2", "<|END_OF_TURN_TOKEN|>", "<|START_OF_TURN_TOKEN|><|USER_TOKEN|>"),
        ("deepseekv3", "<s>", "<｜User｜>"),
        ("gemma3", "<s>", "<start_of_turn>user\n"),
        ("glm4moe", "[gMASK]<sop>", "<|user|>\n"),
        ("qwen3", "", "<|im_start|>user\n"),
    ],
)
def test_published_templates_are_split_before_the_users_turn(
    stem: str, ends: str, begins: str
) -> None:
    path = next(UNPACKED.rglob(f"{stem}.jinja"), None)
    if path is None:
        pytest.skip("the templates of packages are not here: make templates")
    own, rest = split(path.read_text(encoding="utf-8"), "user")
    assert own.endswith(ends)
    assert bool(own) == bool(ends)
    assert rest.startswith(f"{begins}Hello.")
