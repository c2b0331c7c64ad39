"""Templates that use more than their conversation."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator

from tokaudit.plugin import Basis, Evidence, Finding, Harm, Severity, check
from tokaudit.products.chat.rendering.terms import Notice, Remark
from tokaudit.products.chat.work.renderings import ChatRendering, ChatRenderings
from tokaudit.subject.upstream.published.confusables import is_invisible
from tokaudit_suites.shared.rendered_chats import named, place_of, shown
from tokaudit_suites.shared.repairs import base_decides
from tokaudit_suites.shared.wording import about, plural, quote, some

SAYS = {
    Notice.HIDDEN_WORDS: "writes words only where a message has certain words",
    Notice.ADDRESS: "writes an address",
    Notice.CLOCK: "reads the clock, so the ids of a prompt change with the day",
}


@check(
    "chat_template/safe",
    title="The template uses only its inputs",
    why="A chat template is a program. An engine that renders a chat template without a sandbox "
    "runs any code that the template calls. If a template writes a text only after a trigger "
    "word, a reviewer easily overlooks this text.",
    remedy="Do not load this template; use the template of the upstream model.",
    repair=base_decides(
        "a template that reaches for more than its input is not corrected but replaced"
    ),
    severity=Severity.ERROR,
    harm=Harm.LEAK,
    basis=(Basis.INTRINSIC,),
    incident="CVE-2024-34359 (llama-cpp-python), CVE-2026-5760 (SGLang).",
)
def safe(renderings: ChatRenderings) -> Iterator[Finding]:
    """Check the syntax tree of every template; one that breaks a rule is not rendered."""
    for one in renderings.all:
        yield from _refused(one)
        yield from _answered(one)
        yield from _invisible(one, renderings)
        for notice in Notice:
            remarks = [remark for remark in one.rendered.remarks if remark.notice is notice]
            shown_already = notice is Notice.HIDDEN_WORDS and one.rendered.reactions
            if remarks and not shown_already:
                yield _noticed(one, notice, remarks)


def _refused(one: ChatRendering) -> Iterator[Finding]:
    refusals = one.rendered.refusals
    if refusals:
        yield Finding(
            Severity.ERROR,
            f"{named(one.template)} is not safe to render: "
            f"{some([f'{r.rule} in line {r.line} ({r.code})' for r in refusals])}.",
            (place_of(one.template),),
            (Evidence("facts", facts={f"line {r.line}": r.code for r in refusals}),),
            cause=" ".join(sorted({refusal.rule for refusal in refusals})),
        )


def _invisible(one: ChatRendering, renderings: ChatRenderings) -> Iterator[Finding]:
    """Report invisible characters in a prompt that no message and no special token contains."""
    given = {chat.id: chat for chat in renderings.conversations}
    tokens = "".join(renderings.special_tokens.values())
    for rendered in one.rendered.conversations:
        text, chat = rendered.whole.plain.text, given[rendered.id]
        unseen = [each for each in dict.fromkeys(text) if is_invisible(each)]
        said = tokens + json.dumps(
            [chat.messages, chat.tools, chat.documents, chat.variables], ensure_ascii=False
        )
        if found := [each for each in unseen if each not in said]:
            names = [f"U+{ord(each):04X} {unicodedata.name(each, '')}".strip() for each in found]
            lines = [f" in line {line}" for each in found[:1] if (line := _line_of(each, one))]
            yield Finding(
                Severity.ERROR,
                f"{named(one.template)} writes {plural(len(found), 'invisible character')} that no "
                f"message has: {some(names)}{''.join(lines)}.",
                (place_of(one.template),),
                (shown(rendered.id, text),),
                remedy="Remove the characters from the template.",
                cause="invisible characters",
            )
            return


def _line_of(character: str, one: ChatRendering) -> int:
    """Return the first template line with a character, raw or escaped; 0 if none has it."""
    code = ord(character)
    spelled = (character, f"\\u{code:04x}", f"\\U{code:08x}", f"\\x{code:02x}")
    for number, line in enumerate(one.template.text.splitlines(), 1):
        if any(each in line or each in line.lower() for each in spelled):
            return number
    return 0


def _answered(one: ChatRendering) -> Iterator[Finding]:
    """Report prompts that react to the content of a message, as hidden instructions do.

    What is seen in the syntax tree alone may be unreachable, and stays a warning; so does an
    answer to the system message, which is the operator's own.
    """
    reactions = one.rendered.reactions
    if not reactions:
        return
    strangers = [reaction for reaction in reactions if reaction.role != "system"]
    first = (strangers or reactions)[0]
    who = "the system message" if first.role == "system" else f"the {first.role}"
    yield Finding(
        Severity.ERROR if strangers else Severity.WARNING,
        f"{named(one.template)} writes {quote(first.written)} where {who} says "
        f"{quote(first.said)}, and no message holds these words.",
        (place_of(one.template),),
        tuple(shown(f"in which the {r.role} says {quote(r.said)}", r.text) for r in reactions),
        cause=Notice.HIDDEN_WORDS,
        about=about(first.written, first.said),
    )


def _noticed(one: ChatRendering, notice: Notice, remarks: list[Remark]) -> Finding:
    severity = Severity.INFO if notice is Notice.CLOCK else Severity.WARNING
    examples = [f"{r.words.strip()!r} in line {r.line}" for r in remarks]
    return Finding(
        severity,
        f"{named(one.template)} {SAYS[notice]}: {some(examples)}.",
        (place_of(one.template),),
        (Evidence("facts", facts={f"line {r.line}": f"{r.words} | {r.under}" for r in remarks}),),
        remedy="" if notice is Notice.CLOCK else "Compare the template with the upstream model's.",
        cause=notice,
    )
