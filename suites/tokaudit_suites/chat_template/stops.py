"""Turns whose end token is in no list of stop tokens."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import takewhile

from tokaudit.plugin import (
    Basis,
    Fact,
    Finding,
    Harm,
    NotApplicable,
    Repair,
    Severity,
    Skip,
    Subject,
    check,
    token_names,
)
from tokaudit.products.chat.rendering.rendering import RenderedConversation
from tokaudit.products.chat.rendering.segments import Unknown
from tokaudit.products.chat.rendering.templates import DEFAULT
from tokaudit.products.chat.work.part_renderings import PartRendering, PartRenderings
from tokaudit.products.chat.work.renderings import ChatIds, ChatRendering, ChatRenderings, mask
from tokaudit.subject.upstream.published.spellings import turn_ends
from tokaudit.subject.upstream.versions import FIVE, FOUR
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.chat_template._parts import (
    RESULT,
    VALUE,
    after_last,
    part_finding,
    writes_calls,
)
from tokaudit_suites.shared import stated_roles
from tokaudit_suites.shared.rendered_chats import (
    ANSWERS,
    QUESTIONS,
    named,
    outside_tags,
    place_of,
    plain_chat,
    shown,
)
from tokaudit_suites.shared.repairs import person_decides, repaired, set_to
from tokaudit_suites.shared.wording import about, plural, quote, some

TWO_TURNS, SECOND_QUESTION = "turns-2", "Name a colour."


@check(
    "chat_template/stops",
    title="The end-of-turn token is learned and stops generation",
    why="A model learns to end its turn with the end-of-turn token that its chat template writes. "
    "If no list of stop tokens contains the template's end-of-turn token, generation goes on "
    "after the answer, and the model writes the user's next turn too.",
    remedy="Add the id of the end-of-turn token to eos_token_id in generation_config.json, or let "
    "the template end the assistant's turn with the eos token.",
    repair=person_decides("which token ends an answer is what the model expects"),
    severity=Severity.ERROR,
    harm=Harm.OTHER_PROMPT,
    basis=(Basis.CROSS_FILE,),
    left_to_code=True,
    incident="Llama-3-Instruct as first released (vllm-project/vllm #4180), Gemma-3 QAT "
    "(lmstudio-ai/mlx-engine #142).",
)
def stops(
    renderings: ChatRenderings,
    parts: PartRenderings,
    spec: TokenizerSpec,
    subject: Subject,
    ids: ChatIds,
) -> Iterator[Finding]:
    """Look up the added tokens after an answer and after a call among the stop ids."""
    stated = stated_roles.role_ids(subject, "eos")
    if not stated:
        raise Skip("no config states the ids that end generation")
    pairs = zip(renderings.usable, parts.all, strict=True)
    chats = [(one, plain_chat(one), part) for one, part in pairs if one.template.name == DEFAULT]
    if not any(chat for _, chat, _ in chats):
        raise NotApplicable("no chat template renders a plain chat")
    judge = _Judge(spec, subject, ids, stated)
    for one, chat, part in chats:
        if chat is not None:
            yield from list(_judged(one, chat, renderings, judge)) or _after_call(part, judge)


@dataclass(frozen=True)
class _Judge:
    """The files and the tokenizer to look up the end of a turn in."""

    spec: TokenizerSpec
    subject: Subject
    ids: ChatIds
    stated: list[tuple[Fact, list[int]]]

    @cached_property
    def known(self) -> set[int]:
        """Return every id that some file calls an end."""
        return _known(self.spec, self.subject, self.stated)

    @cached_property
    def generation(self) -> tuple[Fact, list[int]] | None:
        """Return the stop list that transformers generates with, if its file exists."""
        return next((e for e in self.stated if stated_roles.from_generation(e[0])), None)

    def is_only_in_generation(self, end: int) -> bool:
        """Return whether only the generation config names this end, and others name other ends."""
        others = [ids for fact, ids in self.stated if not stated_roles.from_generation(fact)]
        named = {content for _, content in stated_roles.role_tokens(self.subject, "eos")}
        known = {token.id for token in self.spec.added_tokens if token.content in named}
        stated = known.union(*others)
        return self.generation is not None and bool(named and stated) and end not in stated

    @cached_property
    def added(self) -> set[int]:
        """Return the ids that plain text does not produce."""
        return {token.id for token in self.spec.added_tokens} | self.known

    @cached_property
    def beginnings(self) -> set[int]:
        """Return the ids that begin a text, and so open no turn."""
        tokens = {content for _, content in stated_roles.role_tokens(self.subject, "bos")}
        return {token.id for token in self.spec.added_tokens if token.content in tokens}

    @cached_property
    def pads(self) -> set[int]:
        """Return every id that some file calls padding."""
        by_content = {token.content: token.id for token in self.spec.added_tokens}
        tokens = {content for _, content in stated_roles.role_tokens(self.subject, "pad")}
        named = {by_content[content] for content in tokens if content in by_content}
        return named.union(*(ids for _, ids in stated_roles.role_ids(self.subject, "pad")))

    def added_in(self, text: str) -> list[int]:
        """Return the added tokens of a text, in order."""
        return [id for id in self.ids.one(text).ids if id in self.added]


def _known(spec: TokenizerSpec, subject: Subject, stated: list[tuple[Fact, list[int]]]) -> set[int]:
    """Return every id that some file calls an end."""
    by_content = {token.content: token.id for token in spec.added_tokens}
    tokens = {content for _, content in stated_roles.role_tokens(subject, "eos")}
    named = {by_content[content] for content in tokens if content in by_content}
    if all(fact.file.endswith(".gguf") for fact, _ in stated):
        named |= {token.id for token in spec.added_tokens if token.content in turn_ends()}
    return named.union(*(ids for _, ids in stated))


def _judged(
    one: ChatRendering, chat: RenderedConversation, renderings: ChatRenderings, judge: _Judge
) -> Iterator[Finding]:
    text = chat.whole.plain.text
    at = max(text.rfind(answer) + len(answer) for answer in ANSWERS if answer in text)
    end = _end_of(text[at:], judge)
    if end is None:
        yield _unended(one, chat, at, judge)
    elif end not in judge.known:
        yield _unknown(one, chat, end, judge)
    elif judge.generation is not None and end not in judge.generation[1]:
        words = {token.id for token in judge.spec.added_tokens}.isdisjoint(judge.generation[1])
        if not words:  # which special_tokens/role-ids reports
            yield _elsewhere(one, chat, end, judge)
    else:
        if judge.is_only_in_generation(end):
            yield _only_in_generation(one, chat, end, judge)
        if end in judge.pads:
            yield _padding(one, chat, end, judge)
        conversation = next(c for c in renderings.conversations if c.id == chat.id)
        tagged = chat.whole.plain.assistant
        if tagged and not _is_trained(mask(conversation, one, judge.ids), text, at, (end, judge)):
            yield _untrained(one, chat, end, judge)


def _end_of(after: str, judge: _Judge) -> int | None:
    """Return the token that ends an answer: among adjacent ones, the first that is a stop.

    A model writes them one after the other, as Cohere2 does `<|END_RESPONSE|>` before its stop.  A
    token after a line end is not one of them: what ends a whole conversation may follow there.
    """
    ids = list(judge.ids.one(after).ids)
    first = next((at for at, id in enumerate(ids) if id in judge.added), None)
    if first is None:
        return None
    run = list(takewhile(judge.added.__contains__, ids[first:]))
    names = token_names(judge.spec)
    joined = [id for n, id in enumerate(run) if "".join(names[i] for i in run[: n + 1]) in after]
    return next((id for id in joined if id in judge.known), run[0])


def _is_trained(
    trained: tuple[bool, ...] | Unknown, text: str, at: int, ended: tuple[int, _Judge]
) -> bool:
    """Return whether the model is trained on the first such token after the answer."""
    end, judge = ended
    encoding = judge.ids.one(text)
    if isinstance(trained, Unknown) or encoding.offsets is None:
        return True  # nobody can say
    rows = zip(encoding.ids, encoding.offsets, trained, strict=True)
    return next((learned for id, (start, _), learned in rows if id == end and start >= at), True)


def _finding(
    one: ChatRendering,
    chat: RenderedConversation,
    judge: _Judge,
    said: tuple[str, str, str, str],
    *ends: int,
) -> Finding:
    """Report the tokens of `ends`, with the conversation and its ids."""
    severity, cause, what, remedy = said
    names = token_names(judge.spec)
    ids = judge.ids.one(chat.whole.plain.text).ids
    return Finding(
        Severity(severity),
        f"{named(one.template)} {what}.",
        (place_of(one.template),),
        (shown(chat.id, chat.whole.plain.text, ids, names),),
        remedy=remedy,
        cause=cause,
        about=about(*(names[end] for end in ends if names.get(end)), ids=ends),
    )


def _name(id: int, judge: _Judge) -> str:
    name = token_names(judge.spec).get(id)
    return f"id {id}" if name is None else f"{quote(name)} (id {id})"


def _unknown(one: ChatRendering, chat: RenderedConversation, end: int, judge: _Judge) -> Finding:
    lists = some(
        [f"{fact.file} (which lists {plural(len(ids), 'id')})" for fact, ids in judge.stated]
    )
    what = f"ends an assistant's turn with {_name(end, judge)}, but generation does not stop there"
    why = f"this id is not among the stop ids of {lists}"
    fact, _ = judge.generation or judge.stated[0]
    fix = f"Add {end} to eos_token_id in {fact.file}, or let the template end the assistant's turn "
    fix += "with the eos token."
    found = _finding(one, chat, judge, ("error", "not a stop", f"{what}: {why}", fix), end)
    places = (stated_roles.place_of(fact, "eos") for fact, _ in judge.stated)
    return replace(found, places=(*places, *found.places), repair=_stopping(end, judge))


def _elsewhere(one: ChatRendering, chat: RenderedConversation, end: int, judge: _Judge) -> Finding:
    """Report an end that the generation config lacks, and another file has."""
    fact, ids = judge.generation or judge.stated[0]
    others = [other.file for other, listed in judge.stated if end in listed] or ["the tokenizer"]
    what = f"ends an assistant's turn with {_name(end, judge)}, but generation does not stop there"
    why = (
        f"{fact.file} has {some([str(id) for id in ids])}, and transformers {FOUR} and {FIVE} read "
        f"no other list where it is there; {some(others)} has it (vLLM adds the tokenizer's eos "
        "to that list, and a conversion to GGUF reads neither)"
    )
    fix = f"Add {end} to eos_token_id in {fact.file}."
    found = _finding(one, chat, judge, ("error", "not a stop", f"{what}: {why}", fix), end)
    places = (stated_roles.place_of(each, "eos") for each, _ in judge.stated)
    repair = repaired(set_to(stated_roles.place_of(fact, "eos"), [*ids, end]))
    return replace(found, places=(*places, *found.places), repair=repair)


def _only_in_generation(
    one: ChatRendering, chat: RenderedConversation, end: int, judge: _Judge
) -> Finding:
    """Report an end at which transformers stops, but engines reading tokenizer settings do not."""
    (fact, _), tokens = judge.generation or judge.stated[0], _eos_tokens(judge)
    what = f"ends an assistant's turn with {_name(end, judge)}, which {fact.file} alone lists"
    why = f"an engine that stops at the tokenizer's eos_token, {some(tokens)}, goes on"
    fix = "Make it the eos_token in tokenizer_config.json, unless engines read the list."
    found = _finding(
        one, chat, judge, ("warning", "only in generation", f"{what}: {why}", fix), end
    )
    named = (f for f, _ in stated_roles.role_tokens(judge.subject, "eos"))
    places = (stated_roles.place_of(each, "eos") for each in (fact, *named))
    return replace(found, places=(*places, *found.places))


def _eos_tokens(judge: _Judge) -> list[str]:
    found = (content for _, content in stated_roles.role_tokens(judge.subject, "eos"))
    return [quote(content) for content in dict.fromkeys(found)]


def _stopping(end: int, judge: _Judge) -> Repair | None:
    """Add the token to the stops of the generation config, if it is spelled like an end.

    Any other one shows that the template, and not the list of stops, may be wrong.
    """
    fact, ids = judge.generation or judge.stated[0]
    name = token_names(judge.spec).get(end)
    text = name.decode(errors="replace") if isinstance(name, bytes) else name or ""
    if text not in turn_ends() or end in judge.pads:
        return None
    return repaired(set_to(stated_roles.place_of(fact, "eos"), [*ids, end]))


def _after_call(part: PartRendering, judge: _Judge) -> Iterator[Finding]:
    """Report a call without a token before its result that stops generation."""
    found = part.plain("call", 3)
    if not (found.ok and RESULT in found.text and writes_calls(part)):
        return  # chat_template/results reports these
    between = after_last(found.text.partition(RESULT)[0], VALUE)
    tokens = judge.added_in(between)
    if tokens and judge.known.isdisjoint(tokens):
        names = some([_name(id, judge) for id in dict.fromkeys(tokens)])
        what = f"writes {names} between a call and its result, but generation stops at none of them"
        said = ("no stop after a call", f"{what}: the model goes on and writes the result itself")
        fact, _ = judge.generation or judge.stated[0]
        remedy = f"Add the id of the token that ends a call to eos_token_id in {fact.file}."
        yield part_finding(part, Severity.WARNING, said, ("call", found), remedy)


def _padding(one: ChatRendering, chat: RenderedConversation, end: int, judge: _Judge) -> Finding:
    what = f"ends an assistant's turn with {_name(end, judge)}, which is the pad token as well"
    why = "so a trainer that leaves padding out of the loss does not teach a model to stop"
    remedy = "Take a pad token that no text holds."
    return _finding(one, chat, judge, ("warning", "padding", f"{what}, {why}", remedy), end)


def _untrained(one: ChatRendering, chat: RenderedConversation, end: int, judge: _Judge) -> Finding:
    what = f"ends an assistant's turn with {_name(end, judge)}, which its generation tags leave out"
    remedy = "Enclose the end of the assistant's turn in the generation tags."
    why = "so a model trained with them does not learn to stop"
    found = _finding(one, chat, judge, ("error", "not trained", f"{what}, {why}", remedy), end)
    return replace(found, evidence=(*found.evidence, outside_tags(chat)))


def _unended(one: ChatRendering, chat: RenderedConversation, at: int, judge: _Judge) -> Finding:
    """Report an answer without an end: its marker is no token, or a new turn just begins.

    An error where an end was meant to be a token, as turns are opened by tokens or it is written
    as one; a warning where the next turn's opening is a stop, or where roles are plain words.
    """
    tail = chat.whole.plain.text[at:].strip()
    what = f"{tail!r}, which is not an added token" if tail else "nothing"
    openers = _openers(chat, judge)
    later = [id for id in _between_turns(one, judge) if id in judge.known and id not in openers]
    if later:
        what += f" where {_name(later[0], judge)} ends the turns before"
    known = openers & judge.known
    meant = later or ((openers or tail in turn_ends()) and not known)
    severity = Severity.ERROR if meant else Severity.WARNING
    text = (
        f"ends an assistant's turn with {what}, so a model trained with it does not learn to stop"
    )
    remedy = "Let the template write the eos token after every answer, the last one included."
    return _finding(one, chat, judge, (severity, "unended", text, remedy), *later[:1])


def _openers(chat: RenderedConversation, judge: _Judge) -> set[int]:
    """Return the added tokens before a question, except at the very start of the text."""
    text = chat.whole.plain.text
    at = max(text.rfind(question) for question in QUESTIONS)
    return {id for id in judge.added_in(text[:at]) if id not in judge.beginnings}


def _between_turns(one: ChatRendering, judge: _Judge) -> list[int]:
    """Return the added tokens between an answer and the next question."""
    chat = one.rendered.conversation(TWO_TURNS)
    text = chat.whole.plain.text if chat is not None else ""
    start = text.find(ANSWERS[0]) + len(ANSWERS[0])
    return (
        judge.added_in(text[start : text.find(SECOND_QUESTION)]) if SECOND_QUESTION in text else []
    )
