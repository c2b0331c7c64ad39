"""Turn markers in the chat template that are no tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from tokaudit.engine.check import check
from tokaudit.errors import NotApplicable
from tokaudit.report.model import Basis, Finding, Place, Severity
from tokaudit.subject.material import Fact, Subject
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.stated_roles import stated_added
from tokaudit_suites.vocab_entries import added_by_content
from tokaudit_suites.wording import in_added, plural, quote, some

MARKER = re.compile(r"<[|｜][\w▁./:-]{1,60}[|｜]>|<(?:start|end)_of_\w{1,20}>")


@check(
    "special_tokens/template-markers",
    title="Every marker in the chat template is one token",
    why="A marker that is no added token is cut into three to six pieces, and the model sees "
    "punctuation where it should see a turn.",
    remedy="Add the markers as special tokens and train their embeddings, or use the template of "
    "the model that this tokenizer belongs to.",
    severity=Severity.WARNING,
    basis=Basis.CROSS_FILE,
    incident="ChatML templates on base vocabularies (foundation-model-stack/fms-hf-tuning #470).",
)
def template_markers(spec: TokenizerSpec, subject: Subject) -> Iterator[Finding]:
    """Look every literal <|marker|> of the templates up among the added tokens."""
    facts = subject.facts_named("chat_template")
    if not facts:
        raise NotApplicable("there is no chat template")
    known = {*added_by_content(spec), *(content for _, content, _, _ in stated_added(subject))}
    told: set[str] = set()
    for fact in facts:
        found = dict.fromkeys(MARKER.findall(_text(fact.value)))
        missing = [marker for marker in found if marker not in known and marker not in told]
        told.update(missing)
        if missing:
            yield Finding(
                Severity.WARNING,
                f"The chat template in {fact.file} writes {plural(len(missing), 'marker')} that "
                f"the tokenizer does not know as tokens: {some([quote(m) for m in missing])}.",
                (_place(fact), in_added(spec, None, missing[:20])),
                cause=" ".join(missing),
            )


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(_text(item.get("template")) for item in value if isinstance(item, dict))
    if isinstance(value, dict):
        return "\n".join(_text(item) for item in value.values())
    return ""


def _place(fact: Fact) -> Place:
    return Place("chat_template", fact.file, fact.pointer)
