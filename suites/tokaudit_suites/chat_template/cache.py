"""Cacheable prefix of a prompt after changes of the date, tool order or thinking."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tokaudit.engine.options import Options
from tokaudit.plugin import (
    Basis,
    Finding,
    Harm,
    Measured,
    Measurement,
    Severity,
    Worse,
    check,
    text_evidence,
    token_names,
)
from tokaudit.products.chat.rendering.rendering import Rendering
from tokaudit.products.chat.work.cache_renderings import QUESTION, TOOLS, CacheRenderings
from tokaudit.products.chat.work.masks import shared
from tokaudit.products.chat.work.part_renderings import PartRendering, PartRenderings
from tokaudit.products.chat.work.renderings import ChatIds, ChatRenderings
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.chat_template._parts import part_named, with_parts
from tokaudit_suites.shared.rendered_chats import place_of
from tokaudit_suites.shared.repairs import TEMPLATE_AS_TRAINED
from tokaudit_suites.shared.uses import for_use

KEPT = "chat_template/prompt_kept"


@check(
    "chat_template/cache",
    title="Repeated text stays in the prompt cache",
    why="Servers cache the beginning of a prompt and reuse it for later prompts that begin with "
    "the same tokens. If a template writes a date, a switch or a list of tools near the start of "
    "the prompt, prompts differ early, and the server can reuse little of its cache.",
    remedy="In the chat template, write the parts of a prompt that stay the same first, and the "
    "parts that change last.",
    repair=TEMPLATE_AS_TRAINED,
    severity=Severity.WARNING,
    harm=Harm.COST,
    basis=(Basis.INTRINSIC,),
    left_to_code=True,
    incident="A time of day at the start of prompts (Mintplex-Labs/anything-llm #6398, "
    "HKUDS/nanobot #226).",
    measures=(Measured(KEPT, Worse.LOWER),),
)
def cache(
    renderings: ChatRenderings,
    parts: PartRenderings,
    later: CacheRenderings,
    spec: TokenizerSpec,
    ids: ChatIds,
    options: Options,
) -> Iterator[Finding | Measurement]:
    """Compare the ids of a prompt with those of the same prompt later."""
    for one in with_parts(renderings, parts):
        for change in _changes(one, later):
            if not (change.before.ok and change.after.ok):
                continue
            first, second = (tuple(each.ids) for each in ids.of(change.texts))
            yield _measured(change, shared(first, second), len(first))
            if not change.loses:
                continue
            finding = _finding(one, change, (first, second[: len(first)]), spec)
            raised = {"serving": Severity.WARNING} if change.raised else {}
            yield for_use(finding, options, raised)


@dataclass(frozen=True)
class _Change:
    """A difference in the second prompt, and its remedy.

    `apart` is the text that both have to begin with, where what comes after it may differ.
    """

    cause: str
    what: str
    remedy: str
    conversation: str
    before: Rendering
    after: Rendering
    apart: str | None = None
    raised: bool = True

    @property
    def texts(self) -> list[str]:
        """Return both prompts."""
        return [self.before.text, self.after.text]

    @property
    def loses(self) -> bool:
        """Return whether a change invalidates cached text without need."""
        if self.apart is not None and all(each.startswith(self.apart) for each in self.texts):
            return False
        return self.before.text != self.after.text


def _changes(one: PartRendering, later: CacheRenderings) -> Iterator[_Change]:
    found = later.by_text[one.template.text]
    asked = one.prompted(QUESTION)
    remedy = (
        "Write the date into the last message, or pass a fixed date to the template as a variable."
    )
    if found.minute.text != asked.text:
        what = "writes the time of day, so a prompt a minute later"
        yield _Change("each minute", what, remedy, QUESTION, asked, found.minute)
    else:
        what = "writes the date, so the same prompt on the next day"
        yield _Change("each day", what, remedy, QUESTION, asked, found.day)
    what = "writes tools in the order given, so a prompt with the same tools in another order"
    remedy = "Always send tools in the same order, such as the order of their names."
    offered = one.prompted(TOOLS)
    yield _Change("order of tools", what, remedy, TOOLS, offered, found.turned, raised=False)
    on, off = one.prompted("thinking-on"), one.prompted("thinking-off")
    what = "writes the thinking switch before the question, so a prompt with the other setting"
    remedy = "Keep the thinking switch unchanged for a whole conversation."
    asking = one.plain("thinking-on").text
    yield _Change("thinking", what, remedy, "thinking-on", on, off, asking)


def _measured(change: _Change, kept: int, count: int) -> Measurement:
    return Measurement(
        KEPT,
        "Prompt ids reusable from a prefix cache",
        round(100 * kept / max(1, count), 1),
        "%",
        count,
        f"the conversation {change.conversation}, rendered twice",
        dimensions={"change": change.cause},
    )


def _finding(
    one: PartRendering,
    change: _Change,
    ids: tuple[tuple[int, ...], tuple[int, ...]],
    spec: TokenizerSpec,
) -> Finding:
    first, second = ids
    kept = shared(first, second)
    shares = f"reuses only {kept:,} of {len(first):,} cached tokens"
    if kept == len(first):  # as with a tokenizer that has no entries for what changes
        shares = f"is another text, though its first {kept:,} tokens are the same"
    evidence = text_evidence(
        change.after.text,
        first,
        second,
        token_names(spec),
        ("before", "after"),
        f"conversation {change.conversation}",
    )
    return Finding(
        Severity.INFO,
        f"{part_named(one)} {change.what} {shares}.",
        (place_of(one.template),),
        (evidence,),
        remedy=change.remedy,
        cause=change.cause,
    )
