"""Find out from rendered texts if a template opens the assistant's turn."""

from __future__ import annotations

import re

from tokaudit.products.chat.rendering.templates import DEFAULT
from tokaudit.products.chat.work.renderings import ChatRendering
from tokaudit_suites.shared.rendered_chats import ANSWERS, QUESTIONS, plain_chat

WORD = re.compile(r"\w")
SEVERAL = "turns-2"  # a chat of two questions and two answers


def begins_in_turns(one: ChatRendering, bos: str, eos: str) -> int:
    """Count BOS before the markers of turns in a chat; 0 unless there is one for each message.

    Some templates open each turn with BOS and a role, or each question with BOS: that is a format.
    """
    chat = one.rendered.conversation(SEVERAL)
    if chat is None or not bos or bos == eos:
        return 0
    found = re.findall(re.escape(bos) + r"\s*(?=<[^<>\s]+>|\[[^\[\]\s]+\])", chat.whole.plain.text)
    return len(found) if len(found) >= chat.whole.messages else 0


def always_opened(one: ChatRendering) -> bool:
    """Return whether the assistant's turn is always opened, even after its own answer."""
    chat = plain_chat(one) if one.template.name == DEFAULT else None
    if chat is None or (prompted := chat.steps[-2].prompted) is None:
        return False
    plain, trained = (step.plain.text for step in chat.steps[-2:])
    return prompted.text == plain and opened_before(plain, trained)


def opened_before(plain: str, trained: str) -> bool:
    """Return whether the same words, with an opening, follow the question and the answer.

    Both end in the end of their turn as well.  So what ends the question must be what the answer
    is opened with, and what ends the answer must be more than one marker.
    """
    between = text_after(trained[: answer_at(trained)], QUESTIONS)
    tail, last = text_after(plain, QUESTIONS), text_after(trained, ANSWERS)
    opens = between.strip().startswith(tail.strip())
    more = last.count("<") > 1 or "\n" in last.strip()
    return opens and more and WORD.search(_common_end(tail, last)) is not None


def text_after(text: str, contents: tuple[str, ...]) -> str:
    """Return the text after the last of these contents."""
    ends = [text.rfind(content) + len(content) for content in contents if content in text]
    return text[max(ends, default=0) :]


def answer_at(trained: str) -> int:
    return max(trained.rfind(answer) for answer in ANSWERS)


def _common_end(one: str, other: str) -> str:
    count = 0
    while count < min(len(one), len(other)) and one[-1 - count] == other[-1 - count]:
        count += 1
    return one[len(one) - count :]
