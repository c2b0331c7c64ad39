"""Configs next to a tokenizer that name another tokenizer's tokens.

A config that was copied from another model contradicts the tokenizer in every token that it names.
That is one cause, so one check tells it, and the others pass over such a file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tokaudit.plugin import Fact, Subject, need
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.stated_roles import ROLES, role_tokens
from tokaudit_suites.shared.vocab_entries import id_of

FEWEST = 2  # tokens that do not exist; one may be a slip


@dataclass(frozen=True)
class ForeignConfigs:
    """Files whose role tokens are mostly missing from the tokenizer, with these roles."""

    lost: Mapping[str, Mapping[str, str]]

    def own(self, fact: Fact) -> bool:
        """Return whether a fact comes from a file that belongs to this tokenizer."""
        return fact.file not in self.lost


@need
def foreign_configs(spec: TokenizerSpec, subject: Subject) -> ForeignConfigs:
    """Look up every token that a file assigns a role."""
    named: dict[str, dict[str, str]] = {}
    for role in ROLES:
        for fact, content in role_tokens(subject, role):
            named.setdefault(fact.file, {})[role] = content
    known = {
        text: id_of(spec, text) is not None for roles in named.values() for text in roles.values()
    }
    found = {}
    for file, roles in named.items():
        lost = {role: content for role, content in roles.items() if not known[content]}
        texts = set(lost.values())
        if len(texts) >= FEWEST and 2 * len(texts) > len(set(roles.values())):
            found[file] = lost
    return ForeignConfigs(found)
