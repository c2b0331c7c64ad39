"""Added tokens that a chat template writes, including those built from a role."""

from __future__ import annotations

import re

from tokaudit.plugin import Subject
from tokaudit_reference.spec import TokenizerSpec

ROLES = ("system", "user", "assistant", "tool")
OF_MESSAGE = r"\w*(?:\.role|\[['\"]role['\"]\]|\.get\(['\"]role['\"]\))"
CHANGED = r"(?:\s*\|\s*(?:trim|lower|string)|\.(?:strip|lower)\(\))*"
KEPT = re.compile(r"\bset\s+(\w{1,40})\s*=\s*" + OF_MESSAGE)
LONGEST = 100_000  # characters of a template


def written_tokens(spec: TokenizerSpec, subject: Subject) -> frozenset[int]:
    """Return the ids of added tokens that the subject's templates write for usual roles."""
    templates = [str(fact.value)[:LONGEST] for fact in subject.facts_named("chat_template")]
    texts = [text for template in templates for text in with_roles(template)]
    return frozenset(
        token.id
        for token in spec.added_tokens
        if token.content and any(token.content in text for text in texts)
    )


def with_roles(template: str) -> list[str]:
    """Return the template, and a copy for each role with the role inserted.

    >>> with_roles("<|{{ m.role }}|>")[2]
    '<|user|>'
    >>> with_roles("{{ '<|' + message['role'] + '|>' }}")[3]
    "{{ '<|assistant|>' }}"
    >>> with_roles("{% set r = m.role %}{{ '<|' + r | trim + '|>' }}")[2]
    "{% set r = m.role %}{{ '<|user|>' }}"
    """
    if "role" not in template:
        return [template]
    names = "|".join((OF_MESSAGE, *(rf"\b{name}\b" for name in set(KEPT.findall(template)))))
    role_of = rf"\(?\s*(?:{names}){CHANGED}\s*\)?"
    printed = re.compile(r"\{\{[-+]?\s*" + role_of + r"\s*-?\}\}")
    joined = re.compile(r"['\"]\s*[+~]\s*" + role_of + r"\s*[+~]\s*['\"]")
    return [template, *(joined.sub(role, printed.sub(role, template)) for role in ROLES)]
