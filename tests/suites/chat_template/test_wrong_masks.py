"""Generation tags in twelve wrong places, each an error or, for a header alone, a warning."""

from __future__ import annotations

from pathlib import Path

import pytest

from tokaudit.products.chat.chatting import chat
from tokaudit.subject.conversations.conversation import Conversation
from tokaudit_folders import chat_folders
from tokaudit_folders.chat_folders import Asked, Family

MARKERS = ("<pad>", "<|user|>", "<|assistant|>", "<|tool|>", "<|system|>", "<|end|>")
IN, OUT = "{%- generation -%}", "{%- endgeneration -%}"
CALLS = (
    "{%- for c in m.tool_calls or [] -%}<call>{{ c.function.name }}: "
    "{{ c.function.arguments|tojson }}</call>{%- endfor -%}"
)
ANSWER = {"role": "assistant", "content": "a  b   c"}
WORDS, HEADER, END = "{{ m.content or '' }}", "<|assistant|>", "<|end|>"


def template(answer: str, other: str = WORDS + END, whole: str = "") -> str:
    """Turns whose answers and other messages are written so, all of it after `whole`."""
    return (
        whole
        + "{%- for m in messages -%}{%- if m.role == 'assistant' -%}"
        + answer
        + "{%- else -%}<|{{ m.role }}|>"
        + other
        + "{%- endif -%}{%- endfor -%}{%- if add_generation_prompt -%}<|assistant|>{%- endif -%}"
        + (OUT if whole else "")
    )


SAID = WORDS + CALLS
TAGGED = IN + SAID + END + OUT


def only(when: str) -> str:
    """Answers that are tagged in some turns."""
    plain = HEADER + SAID + END
    return "{%- if " + when + " -%}" + HEADER + TAGGED + "{%- else -%}" + plain + "{%- endif -%}"


WRONG = {
    "the header inside": (template(IN + HEADER + SAID + END + OUT), "header"),
    "the end outside": (template(HEADER + IN + SAID + OUT + END), "end"),
    "nothing inside": (template(HEADER + IN + OUT + SAID + END), "does not mark"),
    "the end alone": (template(HEADER + SAID + IN + END + OUT), "does not mark"),
    "the header alone": (template(IN + HEADER + OUT + SAID + END), "does not mark"),
    "the last answer alone": (template(only("loop.last")), "some answers"),
    "the first answer alone": (template(only("loop.index0 < 3")), "some answers"),
    "answers without calls alone": (template(only("not m.tool_calls")), "calls"),
    "calls outside": (template(HEADER + IN + WORDS + OUT + CALLS + IN + END + OUT), "calls"),
    "questions inside": (template(HEADER + TAGGED, IN + WORDS + END + OUT), "user's"),
    "results inside": (
        template(
            HEADER + TAGGED,
            "{%- if m.role == 'tool' -%}" + IN + WORDS + END + OUT + "{%- else -%}" + WORDS + END
            + "{%- endif -%}",
        ),
        "marks others",
    ),
    "the whole text inside": (template(HEADER + SAID + END, whole=IN), "user's"),
}  # fmt: skip


def causes(folder: Path, text: str) -> list[str]:
    written = chat_folders.write(folder, Family(text, MARKERS, END))
    return [one.cause for one in Asked(written).findings("mask")]


def test_tags_around_every_answer_and_its_end_are_right(tmp_path: Path) -> None:
    assert causes(tmp_path, template(HEADER + TAGGED)) == []


@pytest.mark.parametrize("wrong", list(WRONG))
def test_tags_in_a_wrong_place_are_one_finding(wrong: str, tmp_path: Path) -> None:
    text, said = WRONG[wrong]
    (cause,) = causes(tmp_path, text)
    assert said in cause


def test_a_space_that_is_a_token_by_itself_is_learned_as_its_span_is(
    tmp_path: Path, processes: None
) -> None:
    """The offsets of such a token are trimmed to nothing."""
    folder = chat_folders.write(tmp_path, Family(template(HEADER + TAGGED), MARKERS, END))
    conversation = Conversation("one", ({"role": "user", "content": "Hi"}, ANSWER))
    (shown,) = chat(folder, conversations=[conversation])
    learned = [token.trained for token in shown.tokens if token.role == "assistant"]
    assert learned == [False] + [True] * (len(learned) - 1)


def test_space_after_the_end_that_is_learned_is_information(tmp_path: Path) -> None:
    """A model stops at the end, so that nothing comes of it; templates of trainers do so."""
    text = template(HEADER + IN + SAID + END + "{{ '\\n' }}" + OUT)
    folder = chat_folders.write(tmp_path, Family(text, MARKERS, END))
    (found,) = Asked(folder).findings("mask")
    assert (str(found.severity), found.cause) == ("info", "after the end")
