"""Laws of rendered conversations that keep ids equal in training, rollouts and serving.

A law is a function over one conversation that gives a claim for each place where it may be broken,
the first of them first.  `needed_by` are the uses that cannot live with a break; for the others it
is information, because templates do it by design.  What is needed `ALWAYS` keeps what was said.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from tokaudit.engine.options import CHAT_USES, USES
from tokaudit.products.chat.rendering.messages import REASONING
from tokaudit.products.chat.rendering.rendering import Rendering, Step
from tokaudit.products.chat.work.claims import Claim, RenderedChat
from tokaudit.products.chat.work.masks import Trainer, shared
from tokaudit.runtimes.protocol import Continuation
from tokaudit.subject.conversations.conversation import Conversation
from tokaudit.subject.upstream.published.spellings import opens_reasoning

ROLLOUTS, SFT, _ = CHAT_USES
END_MARKER = re.compile(r"(?:<[^<>\s]{1,40}>|\[[^\[\]\s]{1,40}\])\Z")
ALWAYS = (*USES, "")
Judged = Callable[[RenderedChat], Iterator[Claim]]


@dataclass(frozen=True, slots=True)
class Law:
    """One law: its id, its statement, its remedy, and the function that checks it.

    A law `of_tags` says nothing of a template without generation tags.
    """

    id: str
    says: str
    remedy: str
    needed_by: tuple[str, ...]
    judged: Judged
    of_tags: bool = False


def _renders(chat: RenderedChat) -> Iterator[Claim]:
    whole = chat.rendered.whole.plain
    if not whole.ok:
        yield Claim(f"{whole.error}{_advice(chat.given)}")


def _advice(given: Conversation) -> str:
    """Hint at inputs that templates often reject with an unhelpful error."""
    calls = [call for message in given.messages for call in message.get("tool_calls") or ()]
    functions = [call.get("function") for call in calls if isinstance(call, Mapping)]
    if any(isinstance(one, Mapping) and isinstance(one.get("arguments"), str) for one in functions):
        return "; the arguments of its calls are JSON in a text: try objects"
    if any(isinstance(message.get("content"), list) for message in given.messages):
        return "; the content of a message is a list of parts: try a text"
    return ""


def _written(chat: RenderedChat) -> Iterator[Claim]:
    """Check that the words of each message are in the text, ignoring white space."""
    for lost in lost_messages(chat.given, chat.text):
        yield Claim(f"{lost} is not in the text")


def lost_messages(given: Conversation, text: str) -> Iterator[str]:
    """Yield the messages whose words or calls are missing from a text.

    >>> call = {"function": {"name": "look", "arguments": {"at": "rain"}}}
    >>> said = {"role": "assistant", "content": "Wait.", "tool_calls": [call]}
    >>> list(lost_messages(Conversation("a", (said,)), "Wait. look"))
    ['the call of look in message 1 (assistant)']
    """
    bare = ""
    for index, message in enumerate(given.messages):
        whose = f"message {index + 1} ({message['role']})"
        for said in _texts(message):
            if said in text or (message["role"] == "tool" and _is_encoded(said, text)):
                continue
            bare = bare or _bare(text)
            if _bare(said) not in bare:
                yield whose
        for name, words in _called(message):
            if not all(any(form in text for form in _forms(word)) for word in words):
                yield f"the call of {name} in {whose}"


def _called(message: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """Yield the name of each called tool, with the texts of its arguments."""
    for call in message.get("tool_calls") or ():
        function = call.get("function", call) if isinstance(call, Mapping) else None
        if isinstance(function, Mapping) and isinstance(name := function.get("name"), str):
            given = function.get("arguments")
            values = given.values() if isinstance(given, Mapping) else ()
            yield name, [name, *(value for value in values if isinstance(value, str))]


def _forms(word: str) -> Iterator[str]:
    """Yield a text unchanged, and in JSON escapes."""
    yield word
    yield from (json.dumps(word, ensure_ascii=each)[1:-1] for each in (False, True))


def _texts(message: Mapping[str, Any]) -> Iterator[str]:
    """Yield the texts of a message that templates write unchanged."""
    said = message.get("content")
    parts = said if isinstance(said, list) else [said]
    for part in parts:
        text = part.get("text") if isinstance(part, Mapping) else part
        if isinstance(text, str) and not opens_reasoning(text):
            yield text


def _is_encoded(result: str, text: str) -> bool:
    """Return whether a tool's result is present in JSON form, or re-encoded."""
    if any(form in text for form in _forms(result.strip())):
        return True
    return result.lstrip()[:1] in ("{", "[")


def _bare(text: str) -> str:
    return "".join(text.split())


def _concatenated(chat: RenderedChat) -> Iterator[Claim]:
    """Check that the ids of the prompt and of the rest are those of the whole."""
    for step, prompt in _answers(chat):
        if not step.plain.text.startswith(prompt):
            begin = max(shared(prompt, step.plain.text) - 12, 0)
            has, wants = (text[begin : begin + 24] for text in (prompt, step.plain.text))
            where = f"the prompt is not a prefix of the text with message {step.messages}"
            yield Claim(f"{where}: it has {has!r}, and that has {wants!r}")
            continue
        text, size = step.plain.text, len(prompt)
        words = f"a token spans the end of the prompt and message {step.messages}"
        yield Claim(words, Continuation((size, len(text) - size), text, whole=True))


def _answers(chat: RenderedChat) -> Iterator[tuple[Step, str]]:
    """Yield each answer to a generation prompt, with the prompt."""
    roles = chat.given.roles
    for before, step in pairwise(chat.rendered.steps):
        prompt = before.prompted
        answers = roles[step.messages - 1] == "assistant"
        if answers and prompt is not None and prompt.ok and step.plain.ok:
            yield step, prompt.text


def _kept(chat: RenderedChat) -> Iterator[Claim]:
    """Check that appending a result or a question keeps every earlier id."""
    roles = chat.given.roles
    for before, step in pairwise(chat.rendered.steps):
        role = roles[step.messages - 1]
        if role == "assistant" or not (before.plain.ok and step.plain.ok):
            continue
        words = f"message {step.messages} ({role}) changes the ids from token {{token}} on"
        yield Claim(words, _continued(step.plain.text, before.plain.text))


def _marked(chat: RenderedChat) -> Iterator[Claim]:
    """Check that the generation tags contain exactly the answers."""
    found, at = chat.rendered.whole.plain, 0
    if not found.assistant:
        return
    for index, message in enumerate(chat.given.messages):
        said = str(message.get("content") or "").strip()
        place = found.text.find(said, at) if said else -1
        if place < 0 or _said_by_another(chat.given, index, said):
            continue
        at, own = place + len(said), message["role"] == "assistant"
        if own != _inside(found, place):
            does = "outside" if own else "inside"
            words = f"message {index + 1} ({message['role']}) is {does} of the generation tags"
            yield Claim(words)


def _said_by_another(given: Conversation, index: int, said: str) -> bool:
    """Return whether another message has the same words, so that they are ambiguous."""
    others = (each for place, each in enumerate(given.messages) if place != index)
    return any(said in str(each.get("content") or "") for each in others)


def _learned(chat: RenderedChat) -> Iterator[Claim]:
    """Check that the trainer learns every answer and nothing else."""
    given, trainer = chat.given, chat.trainer
    whole = trainer is Trainer.TRL_COMPLETION and not given.prompted
    for index, role in enumerate(given.roles):
        own, message = role == "assistant", f"message {index + 1} ({role})"
        if own and index < given.prompted and trainer.startswith("trl-"):
            yield Claim(f"{message} is in the prompt, which {trainer} does not train")
        elif not own and (trainer is Trainer.ALL or whole):
            yield Claim(f"{message} counts too: {trainer} masks nothing of this row")


def _stopped(chat: RenderedChat) -> Iterator[Claim]:
    """Check that the tags contain the last answer's end, and nothing after it."""
    found, last = chat.rendered.whole.plain, chat.given.messages[-1]
    said = str(last.get("content") or "").strip()
    if last["role"] != "assistant" or not (found.assistant and said and said in found.text):
        return
    end = found.assistant[-1][1]
    if not found.text[found.text.rindex(said) + len(said) : end].strip():
        count = len(chat.given.messages)
        yield Claim(f"nothing that ends message {count} is inside of the generation tags")


def _verbatim(chat: RenderedChat) -> Iterator[Claim]:
    """Check that white space around a sampled answer is kept when it is rendered again."""
    text = chat.text
    for index, message in enumerate(chat.given.messages):
        said = message.get("content")
        if message["role"] != "assistant" or not isinstance(said, str) or said in text:
            continue
        if said.strip() in text:
            yield Claim(f"message {index + 1} (assistant) is written without the space around it")


def _again(chat: RenderedChat) -> Iterator[Claim]:
    """Check that an answer's sampled ids are kept when it is rendered again."""
    for step, prompt in _answers(chat):
        sampled = _sampled(chat, step.messages - 1)
        if sampled is not None:
            words = f"message {step.messages} (assistant) has other ids from token {{token}} on"
            yield Claim(words, _continued(step.plain.text, prompt, sampled))


def _continued(text: str, *parts: str | tuple[int, ...]) -> Continuation:
    """Build a continuation of parts, by size if the text begins with their characters."""
    sizes: list[str | int | tuple[int, ...]] = []
    at = 0
    for place, part in enumerate(parts):
        if not isinstance(part, str) or not text.startswith(part, at):
            return Continuation((*sizes, *parts[place:]), text)
        sizes.append(len(part))
        at += len(part)
    return Continuation(tuple(sizes), text)


def _sampled(chat: RenderedChat, index: int) -> str | tuple[int, ...] | None:
    """Return what a model sampled: the data's ids, or else the words of an answer.

    None where nothing says in which form a model wrote the message.
    """
    given = chat.given
    if given.completion_ids is not None and index == len(given.messages) - 1:
        return given.completion_ids
    return sampled_words(given.messages[index]) or None


def sampled_words(message: Mapping[str, Any]) -> str:
    """Return the words of an answer of words alone; "" for any other message.

    >>> sampled_words({"role": "assistant", "content": "Yes "})
    'Yes '
    """
    said = message.get("content")
    more = any(message.get(key) for key in (*REASONING, "tool_calls"))
    plain = message["role"] == "assistant" and isinstance(said, str) and not more
    return str(said) if plain else ""


def _begun_once(chat: RenderedChat) -> Iterator[Claim]:
    """Check that the text's first added token is not written twice in a row."""
    if chat.added.begin_twice(chat.text):
        yield Claim("the first token is there twice")


def _ended_once(chat: RenderedChat) -> Iterator[Claim]:
    """Check that an answer that contains the end marker does not get it twice."""
    text = chat.text
    for index, message in enumerate(chat.given.messages):
        said = str(message.get("content") or "").rstrip()
        marker = END_MARKER.search(said) if message["role"] == "assistant" else None
        if marker is None or said not in text:
            continue
        if text[text.index(said) + len(said) :].lstrip().startswith(marker[0]):
            words = f"message {index + 1} (assistant) ends in {marker[0]!r}, which is written again"
            yield Claim(words)


def _cached(chat: RenderedChat) -> Iterator[Claim]:
    """Check that the last prompt begins with the ids of the earlier prompt."""
    for one in chat.later:
        if one.loses:
            words = f"the prompt for message {one.message}, {one.change}, "
            words += "shares only its first {token} tokens"
            yield Claim(words, Continuation((one.before,), one.after))


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
        "Write it in the branch of its role, or take a template that has one.",
        ALWAYS,
        _written,
    ),
    Law(
        "marked",
        "The generation tags hold the answers alone",
        "Train with a template that is made for it (TRL: chat_template_path).",
        (SFT,),
        _marked,
        of_tags=True,
    ),
    Law(
        "stopped",
        "The end of an answer is learned",
        "Put the end of the turn into the generation tags.",
        (SFT,),
        _stopped,
        of_tags=True,
    ),
    Law(
        "learned",
        "The mask holds every answer, and no one else's words",
        "Write rows of messages, and train with generation tags; or name another --trainer.",
        (),
        _learned,
    ),
    Law(
        "begun",
        "The beginning of text is there once",
        "Render without special tokens added (vLLM and lm-eval: add_special_tokens=False).",
        CHAT_USES,
        _begun_once,
    ),
    Law(
        "ended",
        "The end of an answer is there once",
        "Remove the end of the turn from the answers of the data.",
        (SFT, ROLLOUTS),
        _ended_once,
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
    Law(
        "cached",
        "A prompt cache keeps a prompt on another day, with tools or thinking changed",
        "Pass the date in the last message, send tools in one order, and leave the switch alone.",
        (),
        _cached,
    ),
)
