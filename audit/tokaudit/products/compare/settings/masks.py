"""Tokens that a special-token mask marks, if a side's class is an encoder's.

Training by masks leaves special tokens alone: those that a file or the class names, by role or in
a list.  What is special to one loader and a word to the other is then learned by one model only.

Source: `get_special_tokens_mask` and `all_special_ids` of transformers, as the collator of
data/data_collator.py that masks tokens asks for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tokaudit.engine.facet_names import SPECIAL_MASK
from tokaudit.engine.sides.side import Side
from tokaudit.report.model import Place
from tokaudit.subject.configs import ROLE_TOKENS
from tokaudit.subject.formats.common.settings import LISTS, setting
from tokaudit.subject.material import Fact
from tokaudit.subject.upstream.loading_class import NamedClass, class_of
from tokaudit.subject.upstream.published.spellings import spelled


@dataclass(frozen=True)
class MaskedTokens:
    """The tokens that one side's mask marks, and their sources."""

    side: Side
    named: NamedClass
    listed: Mapping[str, Fact]
    of_roles: frozenset[str]  # by a file, or by the class where no file names one

    def marks(self, content: str) -> bool:
        """Return whether this side's loader treats a token as special."""
        return content in self.listed or content in self.of_roles

    def who(self, content: str) -> str:
        """Describe the source that makes a token special."""
        fact = self.listed.get(content)
        return f"{self.named.name}, for which no file lists it" if fact is None else fact.file

    def place(self, content: str) -> Place:
        """Return the place of the list that names a token, or of the class."""
        fact = self.listed.get(content)
        if fact is not None:
            return Place(SPECIAL_MASK, fact.file, fact.pointer, None)
        at, rule = self.named.fact, self.named.rule
        return Place(SPECIAL_MASK, at.file, at.pointer, None, implied_by=rule)

    def mask(self, ids: Sequence[int]) -> list[int]:
        """Return the mask of a row of ids.

        Source: `get_special_tokens_mask` with `already_has_special_tokens=True`.
        """
        return [int(self.marks(self.side.names.get(id, ""))) for id in ids]


def masked_tokens(side: Side) -> MaskedTokens | None:
    """Return the tokens that a side's mask marks; None without a class for masks."""
    subject = side.subject
    named = class_of(subject) if subject is not None else None
    if subject is None or named is None or named.known is None or not named.known.fills_masks:
        return None
    roles = {f"{role}_token": token for role, token in (named.known.tokens or {}).items()}
    facts = (fact for role in ROLE_TOKENS if (fact := setting(subject, role)) is not None)
    roles |= {fact.name: fact.value for fact in facts if isinstance(fact.value, str)}
    unknown = () if "unk_token" in roles else spelled("unk")  # by the class, where no file names it
    marked = frozenset((*roles.values(), *unknown))
    return MaskedTokens(side, named, dict(_listed(side)), marked)


def marked_by_one(ours: MaskedTokens, theirs: MaskedTokens) -> list[str]:
    """Return shared tokens that a list of one side marks and the other side does not.

    Those that a role alone gives are what the facet about roles tells.
    """
    known = {*ours.side.names.values()} & {*theirs.side.names.values()}
    listed = dict.fromkeys((*ours.listed, *theirs.listed))
    return [each for each in listed if each in known and ours.marks(each) != theirs.marks(each)]


def _listed(side: Side) -> Iterator[tuple[str, Fact]]:
    for fact in side.subject.facts_named(*LISTS) if side.subject is not None else ():
        if fact.expected or not fact.value:
            continue
        values = fact.value.values() if isinstance(fact.value, dict) else fact.value
        for each in values:
            content = each.get("content") if isinstance(each, dict) else each
            if isinstance(content, str):
                yield content, fact
