"""Render chat templates by engines other than Jinja, each in its own worker."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct

from tokaudit.products.chat.engines.engine import TemplateEngine, installed_engines
from tokaudit.products.chat.rendering.bounds import LONGEST_TEXT
from tokaudit.products.chat.rendering.environment import PINNED
from tokaudit.products.chat.rendering.jobs import RENDER_BY_ENGINE
from tokaudit.products.chat.rendering.messages import as_given
from tokaudit.products.chat.rendering.terms import Dialect
from tokaudit.products.chat.rendering.tool_shapes import shaped
from tokaudit.runtimes.worker.allowance import WorkerLimits
from tokaudit.runtimes.worker.answers import LARGEST, LONGEST_WORDS, Shape, clean
from tokaudit.runtimes.worker.deaths import WorkerDied
from tokaudit.runtimes.worker.process import WorkerProcess
from tokaudit.runtimes.worker.questions import Do
from tokaudit.subject.conversations.conversation import Conversation

SECONDS = 60.0


class EngineText(Struct, forbid_unknown_fields=True, frozen=True):
    """A text from an engine, or its error.

    An engine that gave no answer at all has not run, and says nothing about the template.
    """

    text: Annotated[str, Meta(max_length=LONGEST_TEXT)] | None = None
    error: Annotated[str, Meta(max_length=LONGEST_WORDS)] = ""
    ran: bool = True


@dataclass
class EngineRenderer:
    """One engine; its process ends with each template, whatever happened to it."""

    engine: TemplateEngine
    limits: WorkerLimits = field(default_factory=lambda: WorkerLimits(SECONDS))

    def render(self, template: str, contexts: Sequence[Mapping[str, Any]]) -> list[EngineText]:
        """Render each context; an engine that crashes has rendered none."""
        request = {
            "engine": self.engine.name,
            "folder": self.engine.folder,
            "template": template,
            "contexts": list(contexts),
            "clock": PINNED.isoformat(),
        }
        shape: Shape[list[EngineText]] = Shape(
            list[EngineText], LARGEST, lambda found: len(found) == len(contexts)
        )
        with ExitStack() as stack:
            process = WorkerProcess(
                self.engine.memory or self.limits.budget.of_one,
                self.limits.deadline,
                budget=self.limits.budget,
                with_children=bool(self.engine.folder),
            )
            stack.callback(process.close)
            try:
                question = Do(RENDER_BY_ENGINE.name, request)
                answer = process.ask(question, shape, self.limits.question, self.limits.processor)
            except WorkerDied as error:
                return [EngineText(error=str(error), ran=False)] * len(contexts)
        if answer.result is UNSET:
            return [EngineText(error=clean(answer.error or ""), ran=False)] * len(contexts)
        return answer.result


@dataclass(frozen=True)
class EngineRenderings:
    """Texts of every usable template by every installed engine.

    By the text of the template, then by engine, then by the id of the conversation.
    """

    by_text: Mapping[str, Mapping[TemplateEngine, Mapping[str, EngineText]]]

    @property
    def engines(self) -> frozenset[str]:
        """Return the names of the engines that ran."""
        return frozenset(
            engine.name
            for by_engine in self.by_text.values()
            for engine, texts in by_engine.items()
            if any(text.ran for text in texts.values())
        )


def render_by_engines(
    templates: Sequence[str],
    conversations: Sequence[Conversation],
    special_tokens: Mapping[str, str],
    limits: WorkerLimits,
) -> EngineRenderings:
    """Render each template over the conversations, by every installed engine."""
    found: dict[str, dict[TemplateEngine, dict[str, EngineText]]] = {}
    for engine in installed_engines():
        for template in dict.fromkeys(templates):
            given = list(contexts_of(template, conversations, special_tokens))
            texts = EngineRenderer(engine, limits).render(template, [each for _, each in given])
            by_id = {one.id: text for (one, _), text in zip(given, texts, strict=True)}
            found.setdefault(template, {})[engine] = by_id
    return EngineRenderings(found)


def contexts_of(
    template: str,
    conversations: Sequence[Conversation],
    special_tokens: Mapping[str, str],
) -> Iterator[tuple[Conversation, dict[str, Any]]]:
    """Yield each conversation with its variables, as a transformers 5 client sends them.

    A message that is to be continued is left out: its text is cut by who asks for it.
    """
    for one in conversations:
        if not one.continue_final:
            yield (
                one,
                {
                    **special_tokens,
                    **one.variables,
                    "messages": as_given(one.messages, Dialect.TRANSFORMERS_5),
                    "tools": None if one.tools is None else shaped(one.tools, template),
                    "documents": None if one.documents is None else list(one.documents),
                    "add_generation_prompt": one.messages[-1].get("role") != "assistant",
                },
            )
