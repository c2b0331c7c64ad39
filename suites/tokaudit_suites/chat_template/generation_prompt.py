"""Generation prompts that do not open the assistant's turn."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tokaudit.engine.options import Options
from tokaudit.plugin import Basis, Finding, Harm, NotApplicable, Severity, check
from tokaudit.products.chat.rendering.rendering import RenderedConversation
from tokaudit.products.chat.rendering.templates import DEFAULT
from tokaudit.products.chat.work.part_renderings import PartRendering, PartRenderings
from tokaudit.products.chat.work.renderings import ChatIds, ChatRendering, ChatRenderings
from tokaudit.subject.upstream.published.spellings import ends_inside_reasoning
from tokaudit_suites.chat_template._openings import (
    SEVERAL,
    answer_at,
    begins_in_turns,
    opened_before,
)
from tokaudit_suites.chat_template._parts import (
    ANSWER,
    RESULT,
    part_finding,
    with_parts,
    writes_calls,
)
from tokaudit_suites.shared.rendered_chats import QUESTIONS, named, place_of, plain_chat, shown
from tokaudit_suites.shared.repairs import TEMPLATE_AS_TRAINED
from tokaudit_suites.shared.uses import for_use

WORD = re.compile(r"\w")
MARKER_AT_END = re.compile(r"<[^<>\s]+>\s*$")
CHANGES = "changes what is before the generation prompt"
OTHER_OPENING = "other opening"
BEGINNINGS = ("The answer is blue.", "It depends.", "I can do that.", "We can try it again.")
"""Answers in plain words; a prompt's ids must begin those of the prompt with most of them."""
REASONING = re.compile(r"<\W?\w*(?:think|thought|reason|analysis|channel)", re.IGNORECASE)


@check(
    "chat_template/generation-prompt",
    title="The generation prompt opens the assistant's turn",
    why="If a prompt does not end with the opening of the assistant's turn, the model continues "
    "the user's text instead of answering. If a template writes the opening of the assistant's "
    "turn even with add_generation_prompt=false, or opens this turn in another way than in "
    "finished conversations, the model gets a form of turn that it does not know.",
    remedy="In the chat template, write the opening of the assistant's turn under "
    "`{% if add_generation_prompt %}`.",
    repair=TEMPLATE_AS_TRAINED,
    severity=Severity.ERROR,
    harm=Harm.OTHER_PROMPT,
    basis=(Basis.INTRINSIC,),
    incident="instructlab/training #233, huggingface/transformers #30893.",
)
def generation_prompt(
    renderings: ChatRenderings, parts: PartRenderings, ids: ChatIds | None, options: Options
) -> Iterator[Finding]:
    """Compare a question with a prompt, without a prompt, and with its answer, in text and ids."""
    chats = [
        (one, chat)
        for one in renderings.usable
        if one.template.name == DEFAULT and (chat := plain_chat(one)) is not None
    ]
    if not chats:
        raise NotApplicable("no chat template renders a plain chat")
    for one, chat in chats:
        bos, eos = (renderings.special_tokens.get(f"{role}_token", "") for role in ("bos", "eos"))
        for finding in list(_judged(one, chat, eos)) or [*_later(one, eos), *_seam(one, chat, ids)]:
            if finding.cause == OTHER_OPENING and begins_in_turns(one, bos, eos):
                continue  # chat_template/bos reports it
            raised = {} if finding.cause != "reasoning" else {"sft": Severity.WARNING}
            yield for_use(finding, options, raised)
    for part in with_parts(renderings, parts):
        yield from _after_results(part)
        yield from _opens_result(part)


def _judged(one: ChatRendering, chat: RenderedConversation, eos: str) -> Iterator[Finding]:
    question, answer = chat.steps[-2:]
    assert question.prompted is not None
    plain, prompted, trained = question.plain.text, question.prompted.text, answer.plain.text
    if not prompted.startswith(plain):
        plain = _unended(plain, trained, eos)
    if not prompted.startswith(plain):
        yield _finding(one, chat, CHANGES, prompted)
    elif prompted == plain:
        if opened_before(plain, trained):
            yield _finding(one, chat, "opens the assistant's turn whether asked or not", trained)
        elif _has_opening(plain, trained):
            yield _finding(one, chat, "adds no generation prompt", prompted)
    elif not trained.startswith(prompted):
        yield from _other_opening(one, chat, (plain, prompted, trained))
    elif lines := _line_ends(prompted, trained[len(prompted) : answer_at(trained)]):
        yield _line_end(one, chat, prompted, lines)


def _seam(one: ChatRendering, chat: RenderedConversation, ids: ChatIds | None) -> Iterator[Finding]:
    """Report a prompt whose last tokens are others than in finished chats, for its white space.

    The tokens before that white space are the same, so that nothing else is to blame.
    """
    question, answer = chat.steps[-2:]
    prompted = question.prompted.text if question.prompted is not None else ""
    bare = prompted.rstrip()
    if ids is None or bare in ("", prompted) or answer_at(answer.plain.text) != len(prompted):
        return
    texts = (bare, prompted, *(prompted + words for words in BEGINNINGS))
    before, prompt, *answered = (encoding.ids for encoding in ids.of(texts))
    same = all(each[: len(before)] == before for each in (prompt, *answered))
    others = [each for each in answered if each[: len(prompt)] != prompt]
    if same and 2 * len(others) > len(answered):
        space, word = prompted[len(bare) :], BEGINNINGS[answered.index(others[0])].split()[0]
        yield Finding(
            Severity.WARNING,
            f"{named(one.template)} ends the generation prompt with {space!r} after "
            f"{bare[-12:]!r}. In finished chats, other tokens write that white space, as before "
            f"{word!r}: the model begins answers after a token that it never saw there.",
            (place_of(one.template),),
            (shown(chat.id, prompted, prompt),),
            remedy=f"End the generation prompt with {bare[-12:]!r}, so that the model writes the "
            "white space together with the first word.",
            cause="space at the end",
        )


def _later(one: ChatRendering, eos: str) -> Iterator[Finding]:
    """Report a generation prompt that is added after earlier turns too."""
    chat = one.rendered.conversation(SEVERAL)
    if chat is None or not all(step.plain.ok for step in chat.steps):
        return
    question, answer = chat.steps[-2:]
    prompted, plain = question.prompted, question.plain.text
    if prompted is None or not prompted.ok or prompted.text.startswith(plain):
        return
    if not prompted.text.startswith(_unended(plain, answer.plain.text, eos)):
        yield _finding(one, chat, CHANGES, prompted.text)


def _unended(plain: str, trained: str, eos: str) -> str:
    """Remove the marker that some templates write at the end of any unprompted text.

    It is not that of the turn, which is still there where an answer follows.
    """
    if eos and plain.endswith(eos):
        return plain.removesuffix(eos)
    shorter = MARKER_AT_END.sub("", plain)
    ended = trained.startswith(shorter) and not trained.startswith(plain)
    return shorter if ended else plain


def _question_at(plain: str) -> int:
    return max(plain.rfind(question) for question in QUESTIONS)


def _has_opening(plain: str, trained: str) -> bool:
    """Return whether an answer starts with words that the question alone does not end in."""
    at = answer_at(trained)
    return trained.startswith(plain) and WORD.search(trained[len(plain) : at]) is not None


def _other_opening(
    one: ChatRendering, chat: RenderedConversation, texts: tuple[str, str, str]
) -> Iterator[Finding]:
    """Report a prompt that differs from an answered turn's opening; open reasoning is allowed."""
    plain, prompted, trained = texts
    same = next(
        (i for i, (a, b) in enumerate(zip(prompted, trained, strict=False)) if a != b),
        min(len(prompted), len(trained)),
    )
    opening = prompted[len(plain) :]
    if WORD.search(opening) and plain[: _question_at(plain)].endswith(opening):
        yield _finding(one, chat, "prompts with what opens the user's turn", prompted)
        return
    reasoning = _reasons_at(same, prompted[len(plain) :], len(plain)) or _reasons_at(
        same, trained[len(plain) : answer_at(trained)], len(plain)
    )
    yield Finding(
        Severity.INFO if reasoning else Severity.WARNING,
        f"{named(one.template)} prompts with {opening!r}, but an answered turn goes on with "
        f"{trained[same : same + 20]!r} after {prompted[same - 12 : same]!r}.",
        (place_of(one.template),),
        (shown(chat.id, prompted), shown(chat.id, trained)),
        remedy="In the chat template, open the assistant's turn with the same text in the "
        "generation prompt and in an answered turn.",
        cause="reasoning" if reasoning else OTHER_OPENING,
    )


def _reasons_at(same: int, opening: str, begin: int) -> bool:
    """Return whether texts first differ at a reasoning tag: inside, or with only space after."""
    tags = [tag.span() for tag in REASONING.finditer(opening)]
    return any(
        start <= same - begin or not WORD.search(opening[max(same - begin, 0) : start])
        for start, _ in tags
    )


def _line_ends(prompted: str, rest: str) -> str:
    """Return the line ends between prompt and answer, or after a role without other end."""
    lines = rest[: len(rest) - len(rest.lstrip("\n"))]
    return lines if lines == rest or prompted[-1].isalnum() else ""


def _line_end(one: ChatRendering, chat: RenderedConversation, prompted: str, rest: str) -> Finding:
    """Report a prompt without the line ends that precede every answer in training.

    A space after them is left to the model: it is part of the answer's first token.
    """
    return Finding(
        Severity.WARNING,
        f"{named(one.template)} ends the generation prompt with {prompted[-12:]!r}, and an answer "
        f"comes after {rest!r}: the model has to write this first, but a trainer that uses only "
        "answers never teaches it.",
        (place_of(one.template),),
        (shown(chat.id, prompted),),
        remedy=f"End the generation prompt with {rest!r} as well.",
        cause="no line end",
    )


def _finding(one: ChatRendering, chat: RenderedConversation, what: str, text: str) -> Finding:
    message = f"{named(one.template)} {what}."
    return Finding(
        Severity.ERROR, message, (place_of(one.template),), (shown(chat.id, text),), cause=what
    )


def _after_results(one: PartRendering) -> Iterator[Finding]:
    """Report an answer after a tool result that is opened unlike an answer to a question."""
    plain, prompted, answered = one.plain("call", 3), one.prompted("call", 3), one.plain("call", 4)
    if not (writes_calls(one) and plain.ok and prompted.ok and answered.ok):
        return
    opening = prompted.text.removeprefix(plain.text)
    if RESULT not in plain.text or ANSWER not in answered.text or opening == prompted.text:
        return
    usual = _after_question(one)
    if not usual:
        return  # nothing opens the answer to a question either
    if not opening and _opens(plain.text, answered.text):
        said = ("none after a result", "adds no generation prompt after the result of a tool")
        yield part_finding(one, Severity.WARNING, said, ("call", prompted))
    elif opening and ends_inside_reasoning(usual) != ends_inside_reasoning(opening):
        what = (
            f"writes the generation prompt {opening!r} after the result of a tool, but {usual!r} "
            "after a "
        )
        what += "question: only one of these prompts opens the reasoning, so a parser takes "
        what += "reasoning for "
        said = ("reasoning after a result", f"{what}an answer, or the reverse")
        yield part_finding(one, Severity.WARNING, said, ("call", prompted))
    elif opening not in ("", usual) and not answered.text.startswith(prompted.text):
        what = (
            f"writes the generation prompt {opening!r} after the result of a tool, but {usual!r} "
            "after "
        )
        said = ("other after a result", f"{what}a question")
        yield part_finding(one, Severity.WARNING, said, ("call", prompted))


def _opens(plain: str, answered: str) -> bool:
    """Return whether the template writes words between a result and the answer to it."""
    if not answered.startswith(plain):
        return False
    return WORD.search(answered[len(plain) : answered.rfind(ANSWER)]) is not None


def _after_question(one: PartRendering) -> str:
    for id in ("call", "answers"):
        plain, prompted = one.plain(id, 1).text, one.prompted(id, 1).text
        if plain and prompted.startswith(plain):
            return prompted.removeprefix(plain)
    return ""


def _opens_result(one: PartRendering) -> Iterator[Finding]:
    """Report a prompt after a call that opens the result, so that the model invents it."""
    plain, prompted, result = one.plain("call", 2), one.prompted("call", 2), one.plain("call", 3)
    if not (writes_calls(one) and plain.ok and prompted.ok and result.ok):
        return
    opening = prompted.text.removeprefix(plain.text).strip()
    before, found, _ = result.text.partition(RESULT)
    begun = found and before.startswith(plain.text) and opening not in ("", prompted.text)
    opens = begun and opening in before[len(plain.text) :]
    if opens and opening != _after_question(one).strip():
        what = (
            f"writes the generation prompt {opening!r} after a call, which opens the call's result"
        )
        said = ("opens a result", f"{what}: the model then writes the tool result itself")
        yield part_finding(one, Severity.INFO, said, ("call", prompted))
