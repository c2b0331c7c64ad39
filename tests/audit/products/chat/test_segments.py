"""Whose words are whose in a rendered conversation, and what is trained."""

from __future__ import annotations

from tokaudit.products.chat.rendering.renderer import render
from tokaudit.products.chat.rendering.rendering import RenderedConversation, RenderRequest
from tokaudit.products.chat.rendering.segments import Segment, Unknown, segments, trained_spans
from tokaudit.subject.conversations.conversation import Conversation

TALK = Conversation(
    "talk",
    (
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": "Yo", "thought": "hm"},
        {"role": "user", "content": "Bye"},
    ),
)
CHATML = (
    "{% for m in messages %}<{{ m.role }}>{{ m.content }}<end>{% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)


def rendered(template: str) -> RenderedConversation:
    """The conversation by that template."""
    return render(RenderRequest(template, (TALK,))).conversations[0]


def test_each_message_has_the_text_that_it_adds() -> None:
    """The assistant's own words begin after the generation prompt."""
    assert segments(rendered(CHATML), TALK.roles) == (
        Segment(0, 13, "user", 0, 13),
        Segment(13, 31, "assistant", 1, 24),
        Segment(31, 45, "user", 2, 45),
    )


def test_the_words_after_the_generation_prompt_are_trained() -> None:
    """The stop token is among them."""
    text = rendered(CHATML).whole.plain.text
    spans = trained_spans(rendered(CHATML), TALK.roles)
    assert not isinstance(spans, Unknown)
    assert [text[start:end] for start, end in spans] == ["Yo<end>"]


def test_spans_of_the_generation_tag_come_first() -> None:
    """A template that says what is trained is believed."""
    template = CHATML.replace("{{ m.content }}", "{% if m.role == 'assistant' %}{% generation %}{{ m.content }}{% endgeneration %}{% else %}{{ m.content }}{% endif %}")  # fmt: skip
    text = rendered(template).whole.plain.text
    spans = trained_spans(rendered(template), TALK.roles)
    assert not isinstance(spans, Unknown)
    assert [text[start:end] for start, end in spans] == ["Yo"]


def test_without_a_generation_prompt_the_whole_turn_is_the_assistants() -> None:
    """Nothing says where the opening ends."""
    found = segments(rendered(CHATML.partition("{% if")[0]), TALK.roles)
    assert not isinstance(found, Unknown)
    assert found[1].opening == found[1].start


def test_where_earlier_turns_change_there_are_no_segments() -> None:
    """What changes is named, with the message that changes it."""
    template = CHATML.replace("<end>", "{{ m.thought if loop.last }}<end>")
    found = segments(rendered(template), TALK.roles)
    assert isinstance(found, Unknown)
    assert (found.message, found.reason) == (
        2,
        "with message 3 (user) the template writes message 2 (assistant) differently: "
        "'Yohm<end>' becomes 'Yo<end><user>Bye<end>'",
    )


def test_segments_before_the_change_are_known() -> None:
    """The whole text begins with them, so that they hold for it too."""
    template = CHATML.replace("<end>", "{{ m.thought if loop.last }}<end>")
    found = segments(rendered(template), TALK.roles)
    assert isinstance(found, Unknown)
    assert found.known == (Segment(0, 13, "user", 0, 13),)


def test_a_message_that_is_refused_by_itself_leaves_the_ones_before_it_known() -> None:
    refuse = "{% if messages|length == 2 %}{{ raise_exception('even') }}{% endif %}"
    found = segments(rendered(refuse + CHATML), TALK.roles)
    assert isinstance(found, Unknown)
    assert found.reason == "the first 2 messages: even"
    assert [one.role for one in found.known] == ["user"]


def test_an_end_that_a_later_message_takes_back_belongs_to_no_turn() -> None:
    """The tool's message is not rendered; the end after the whole text was there before it."""
    template = (
        "{% for m in messages if m.role != 'tool' %}<{{ m.role }}>{{ m.content }}<end>{% endfor %}"
        "{% if add_generation_prompt %}<assistant>{% else %}<endoftext>{% endif %}"
    )
    roles = ("user", "assistant", "tool", "assistant")
    messages = tuple({"role": role, "content": role[0]} for role in roles)
    talk = Conversation("tool", messages)
    chat = render(RenderRequest(template, (talk,))).conversations[0]
    text, spans = chat.whole.plain.text, trained_spans(chat, roles)
    assert not isinstance(spans, Unknown)
    assert [text[start:end] for start, end in spans] == ["a<end>", "a<end><endoftext>"]
