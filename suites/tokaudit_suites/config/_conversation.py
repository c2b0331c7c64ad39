"""Compare another engine's chat template with the tokenizer.

Its language is not run here. Its literal texts, and the text around an answer, are enough to find
a template of another family and an answer without an end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tokaudit.plugin import Finding, Severity
from tokaudit.subject.upstream.published.spellings import turn_ends
from tokaudit_suites.config._engine_statements import Stated, Tokenizer
from tokaudit_suites.shared.wording import quote, some

ACTION = re.compile(r"\{\{((?:(?!\{\{|\}\}).)*)\}\}", re.DOTALL)
MARKER = re.compile(r"<\|[^|<>\s]{1,40}\|>|</?[a-z]+(?:_[a-z]+)+>|</?s>")
ANSWER, WORDS, ROLE, ASSISTANT = ".Response", ".Content", ".Role", '"assistant"'


@dataclass(frozen=True)
class Around:
    """Literal text before and after the words of an answer; None if unknown."""

    before: str | None = None
    after: str | None = None


def conversation(tokenizer: Tokenizer, stated: Stated) -> Iterator[Finding]:
    """Report markers that are no tokens, a repeated BOS, and answers without a proper end."""
    template, stops = stated.value.get("template"), stated.value.get("stop") or []
    if not isinstance(template, str):
        return
    own = [fact.value for fact in tokenizer.subject.facts_named("chat_template")]
    written = "".join(text for text in own if isinstance(text, str))
    markers = dict.fromkeys(MARKER.findall(ACTION.sub("", template)))
    foreign = [m for m in markers if tokenizer.ids.of(m) is None and m not in written]
    if foreign:
        shown = some([quote(text) for text in foreign], 3)
        problem = f"writes {shown}, which are not tokens: the model reads these as ordinary text"
        yield _said(stated, problem, "no token")
        return
    begins = ACTION.sub("", template).lstrip()
    if twice := [token for token in _before_a_text(tokenizer) if begins.startswith(token)]:
        problem = f"begins with {quote(twice[0])}, which the tokenizer also puts before every text"
        yield _said(stated, problem, "two beginnings", Severity.WARNING)
    around = words_of_an_answer(template)
    ends = MARKER.search(around.after or "")
    if ends is not None and not _ended(tokenizer, ends.group(), stops):
        end = quote(ends.group())
        problem = f"ends an answer with {end}, which is neither a stop nor an end-of-text token"
        yield _said(stated, problem, "no end")
    early = [stop for stop in stops if stop and around.before and stop in around.before]
    if early:
        problem = f"expects each answer to begin with {quote(early[0])}, and stops at this token"
        yield _said(stated, problem, "at once")


def words_of_an_answer(template: str) -> Around:
    """Return the literals around an answer; before it, only what the prompt leaves to the model.

    >>> words_of_an_answer("<|a|>{{ .Response }}<|e|>").after
    '<|e|>'
    >>> words_of_an_answer("{{ range .M }}<s>{{ .Role }}<|m|>{{ .Content }}<e>{{ end }}<s>x").before
    '<|m|>'
    """
    parts = ACTION.split(template)  # literals and actions by turns
    literals, actions = parts[0::2], [action.strip("- \t\r\n") for action in parts[1::2]]
    prompt = next((text for text in reversed(literals) if text.strip()), "")
    for at, action in enumerate(actions):
        before = actions[at - 1] if at else ""
        if action == ANSWER:
            return Around(None, literals[at + 1])
        if action == WORDS and (before.endswith(ROLE) or ASSISTANT in before):
            left = literals[at].strip()
            return Around(None if left in prompt else left, literals[at + 1])
    return Around()


def _ended(tokenizer: Tokenizer, text: str, stops: list[str]) -> bool:
    id = tokenizer.ids.of(text)
    return (
        any(stop and stop in text for stop in stops) or id in tokenizer.ends or text in turn_ends()
    )


def _before_a_text(tokenizer: Tokenizer) -> list[str]:
    """Return the tokens that the engine prepends to a text by the tokenizer's own settings."""
    around = (step.effects.around for step in tokenizer.spec.post_processor.steps)
    return [token for each in around if each is not None for token in each[0]]


def _said(stated: Stated, problem: str, cause: str, severity: Severity = Severity.ERROR) -> Finding:
    message = f"The template in {stated.file} {problem}. {stated.row.engine} {stated.row.does}."
    return Finding(severity, message, (stated.place(),), cause=cause)
