"""What a message said, found by letting it say something else."""

from __future__ import annotations

from tokaudit.products.chat.rendering.marking import OTHER, in_other_words
from tokaudit.products.chat.rendering.renderer import render
from tokaudit.products.chat.rendering.rendering import RenderedConversation, RenderRequest
from tokaudit.products.chat.work.transcript import marked_segments
from tokaudit.subject.conversations.conversation import read

FORGETFUL = (
    "{% for m in messages %}<{{ m.role }}>{% if m.role == 'assistant' and loop.last %}<think>"
    "</think>{% endif %}{{ m.content }}<end>{% endfor %}"
)
TURNS = (
    b'{"id": "a", "messages": [{"role": "user", "content": "Hi"}, '
    b'{"role": "assistant", "content": "Hi"}, {"role": "user", "content": "Hi"}]}'
)
HEADERS = {"user": ("<user>",), "assistant": ("<assistant>",)}


def rendered(marked: tuple[str, ...] = ("a",)) -> RenderedConversation:
    request = RenderRequest(FORGETFUL, read(TURNS, "turns.jsonl"), marked=marked)
    (one,) = render(request).conversations
    return one


def test_equal_words_of_several_messages_are_told_apart() -> None:
    one = rendered()
    text = one.whole.plain.text
    assert text == "<user>Hi<end><assistant>Hi<end><user>Hi<end>"
    assert one.extents == ((6, 8), (24, 26), (37, 39))


def test_extents_are_found_only_where_they_are_asked_for() -> None:
    assert rendered(()).extents == ()


def test_a_turn_begins_with_its_header_and_ends_where_the_next_begins() -> None:
    one = rendered()
    roles = ("user", "assistant", "user")
    found = marked_segments(one.whole.plain.text, one.extents, roles, HEADERS)
    assert [(part.start, part.opening, part.end) for part in found] == [
        (0, 13, 13), (13, 24, 31), (31, 44, 44)
    ]  # fmt: skip


def test_words_that_overlap_give_no_segments() -> None:
    assert marked_segments("abcd", ((0, 3), (2, 4)), ("user", "user"), HEADERS) == ()


def test_a_call_says_its_arguments_and_a_message_may_say_nothing() -> None:
    call = {"id": "1", "function": {"name": "look", "arguments": {"at": "x", "n": 2}}}
    changed = in_other_words({"role": "assistant", "content": None, "tool_calls": [call]})
    assert changed is not None
    (other,) = changed["tool_calls"]
    assert other["function"] == {"name": "look", "arguments": {"at": OTHER, "n": 2}}
    assert in_other_words({"role": "assistant", "content": ""}) is None


def test_a_text_that_holds_no_message_has_no_segments() -> None:
    assert marked_segments("3 messages", (None, None, None), ("user", "assistant"), HEADERS) == ()
