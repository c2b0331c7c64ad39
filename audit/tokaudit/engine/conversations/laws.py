"""What holds of a rendered conversation where training, rollouts and serving see the same ids.

A law is a function over one conversation that gives nothing, or what breaks it.  `needed_by` are
the uses that cannot live with a break; for the others it is information, because templates do it
by design.  What is needed `ALWAYS` keeps what was said.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile
from typing import Any

from tokaudit.engine.chat import ChatIds
from tokaudit.engine.options import USES
from tokaudit.runtimes.chat.conversations import Conversation
from tokaudit.runtimes.chat.messages import REASONING
from tokaudit.runtimes.chat.rendering import RenderedConversation, Rendering

ROLLOUTS, SFT, _ = USES
ALWAYS = (*USES, "")
Judged = Callable[[Conversation, RenderedConversation, ChatIds], str]


@dataclass(frozen=True, slots=True)
class Law:
    """One law: its id, what it says, what to do where it breaks, and the function that judges."""

    id: str
    says: str
    remedy: str
    needed_by: tuple[str, ...]
    judged: Judged


def _renders(given: Conversation, rendered: RenderedConversation, ids: ChatIds) -> str:
    return rendered.whole.plain.error if not rendered.whole.plain.ok else ""


def _written(given: Conversation, rendered: RenderedConversation, ids: ChatIds) -> str:
    """The words of each message are in the text, whatever the space around them."""
    text = _bare(rendered.whole.plain.text)
    for index, message in enumerate(given.messages):
        said = message.get("content")
        plain = isinstance(said, str) and "<think>" not in said and message["role"] != "tool"
        if plain and _bare(str(said)) not in text:
            return f"message {index + 1} ({message['role']}) is not in the text"
    return ""


def _bare(text: str) -> str:
    return "".join(text.split())


def _concatenated(given: Conversation, rendered: RenderedConversation, ids: ChatIds) -> str:
    """The ids of the prompt and those of the rest are the ids of the whole."""
    for before, step in pairwise(rendered.steps):
        if given.roles[step.messages - 1] != "assistant" or before.prompted is None:
            continue
        prompt, whole = before.prompted, step.plain
        if not (prompt.ok and whole.ok):
            continue
        if not whole.text.startswith(prompt.text):
            return f"the prompt is not a prefix of the text with message {step.messages}"
        rest = whole.text[len(prompt.text) :]
        parts, together = ids.of([prompt.text, rest]), ids.one(whole.text)
        if (*parts[0].ids, *parts[1].ids) != tuple(together.ids):
            return f"a token spans the end of the prompt and message {step.messages}"
    return ""


def _kept(given: Conversation, rendered: RenderedConversation, ids: ChatIds) -> str:
    """A result or a question that is appended keeps every earlier id."""
    for before, step in pairwise(rendered.steps):
        if given.roles[step.messages - 1] == "assistant" or not (before.plain.ok and step.plain.ok):
            continue
        earlier, later = ids.one(before.plain.text).ids, ids.one(step.plain.text).ids
        same = next((n for n, (a, b) in enumerate(zip(earlier, later, strict=False)) if a != b), -1)
        if same >= 0:
            role = given.roles[step.messages - 1]
            return f"message {step.messages} ({role}) changes the ids from token {same} on"
    return ""


def _marked(given: Conversation, rendered: RenderedConversation, ids: ChatIds) -> str:
    """The generation tags hold every answer and nothing that somebody else said."""
    found, at = rendered.whole.plain, 0
    if not found.assistant:
        return ""
    for index, message in enumerate(given.messages):
        said = str(message.get("content") or "").strip()
        place = found.text.find(said, at) if said else -1
        if place < 0:
            continue
        at, own = place + len(said), message["role"] == "assistant"
        if own != _inside(found, place):
            does = "outside" if own else "inside"
            return f"message {index + 1} ({message['role']}) is {does} of the generation tags"
    return ""


def _stopped(given: Conversation, rendered: RenderedConversation, ids: ChatIds) -> str:
    """The tags hold what ends the last answer, and nothing that comes after it."""
    found, last = rendered.whole.plain, given.messages[-1]
    said = str(last.get("content") or "").strip()
    if last["role"] != "assistant" or not (found.assistant and said and said in found.text):
        return ""
    end = found.assistant[-1][1]
    if not found.text[found.text.rindex(said) + len(said) : end].strip():
        return f"nothing that ends message {len(given.messages)} is inside of the generation tags"
    return ""


def _verbatim(given: Conversation, rendered: RenderedConversation, ids: ChatIds) -> str:
    """An answer that was sampled with space around it, and is rendered again, has that space."""
    text = rendered.whole.plain.text
    for index, message in enumerate(given.messages):
        said = message.get("content")
        if message["role"] != "assistant" or not isinstance(said, str):
            continue
        if said.strip() in text and said not in text:
            return f"message {index + 1} (assistant) is written without the space around it"
    return ""


def _again(given: Conversation, rendered: RenderedConversation, ids: ChatIds) -> str:
    """The ids that a model sampled for an answer are those of the answer that is rendered again."""
    for before, step in pairwise(rendered.steps):
        sampled = sampled_ids(given, step.messages - 1, ids)
        if sampled is None or before.prompted is None or not (before.prompted.ok and step.plain.ok):
            continue
        expected = (*ids.one(before.prompted.text).ids, *sampled)
        found = tuple(ids.one(step.plain.text).ids)
        if found[: len(expected)] != expected:
            same = shared(found, expected)
            return f"message {step.messages} (assistant) has other ids from token {same} on"
    return ""


def sampled_ids(given: Conversation, index: int, ids: ChatIds) -> Sequence[int] | None:
    """What a model sampled: the ids that came with the data, else those of the words of an answer.

    None where nothing says in which form a model wrote the message.
    """
    if given.completion_ids is not None and index == len(given.messages) - 1:
        return given.completion_ids
    words = sampled_words(given.messages[index])
    return ids.one(words).ids if words else None


def sampled_words(message: Mapping[str, Any]) -> str:
    """The words of an answer that is nothing but words; "" for any other message.

    >>> sampled_words({"role": "assistant", "content": "Yes "})
    'Yes '
    """
    said = message.get("content")
    more = any(message.get(key) for key in (*REASONING, "tool_calls"))
    plain = message["role"] == "assistant" and isinstance(said, str) and not more
    return str(said) if plain else ""


def _begun_once(given: Conversation, rendered: RenderedConversation, ids: ChatIds) -> str:
    """The first token of the text is not written twice in a row."""
    first = ids.one(rendered.whole.plain.text).ids[:2]
    return "the first token is there twice" if len(first) == 2 and first[0] == first[1] else ""


def shared(one: Sequence[int], other: Sequence[int]) -> int:
    """How many ids both begin with.

    >>> shared([1, 2, 3], [1, 2]), shared([1, 2, 3], [4])
    (2, 0)
    """
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _inside(found: Rendering, at: int) -> bool:
    return any(start <= at < end for start, end in found.assistant)


LAWS: Sequence[Law] = (
    Law(
        "renders",
        "Each conversation is rendered",
        "Leave it out of the data, or correct the template.",
        ALWAYS,
        _renders,
    ),
    Law(
        "written",
        "Each message is in the text",
        "Take a template with a branch for the role.",
        ALWAYS,
        _written,
    ),
    Law(
        "marked",
        "The generation tags hold the answers alone",
        "Train with a template that is made for it (TRL: chat_template_path).",
        (SFT,),
        _marked,
    ),
    Law(
        "stopped",
        "The end of an answer is learned",
        "Put the end of the turn into the generation tags.",
        (SFT,),
        _stopped,
    ),
    Law(
        "begun",
        "The beginning of text is there once",
        "Render without special tokens added (vLLM and lm-eval: add_special_tokens=False).",
        USES,
        _begun_once,
    ),
    Law(
        "concatenated",
        "The ids of prompt and completion are those of the whole",
        "Tokenize both together (TRL: messages in place of prompt and completion).",
        (SFT, ROLLOUTS),
        _concatenated,
    ),
    Law(
        "verbatim",
        "Answers are written with the space that they were sampled with",
        "Keep sampled ids, or take a template that does not trim contents.",
        (ROLLOUTS,),
        _verbatim,
    ),
    Law(
        "again",
        "Sampled ids, decoded and rendered again, are the same ids",
        "Train on the sampled ids and never on rendered text (verl: token-in token-out; vLLM: "
        "return_token_ids).",
        (ROLLOUTS,),
        _again,
    ),
    Law(
        "kept",
        "What is appended keeps the earlier ids",
        "Pass ids on in place of messages (verl: token-in token-out; vLLM: return_token_ids), or "
        "take a template that keeps reasoning.",
        (ROLLOUTS,),
        _kept,
    ),
)
