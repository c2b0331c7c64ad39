"""Lists the parts that a class implies for a bare vocabulary file.

A `vocab.json` or a `vocab.txt` states pieces and no pipeline.  A class whose record names no family
of pipelines implies nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tokaudit.subject.formats.common.settings import setting, tokenizer_class
from tokaudit.subject.material import Subject
from tokaudit.subject.upstream.class_reading import OwnVocabulary
from tokaudit.subject.upstream.loading_class import class_of
from tokaudit.subject.upstream.pipeline import Family, Stages, family, is_unless, of_files
from tokaudit.subject.upstream.tokenizer_class import TokenizerClass, class_named

MASK, TABLE = "mask_token", "added_tokens_decoder"


@dataclass(frozen=True, slots=True)
class Implied:
    """A family, its stages here, and the tokens that are special without being named."""

    family: Family
    stages: Stages
    unknown: str | None
    special: tuple[str, ...]
    is_open: bool  # no known step does what the class does
    rule: str


def implied_by_class(subject: Subject) -> Implied | None:
    """Return what the named class implies; None without a class or family."""
    fact = tokenizer_class(subject)
    known = None if fact is None else class_named(str(fact.value))
    if fact is None or known is None or not known.pipelines.of_files:
        return None
    found = family(known.pipelines.of_files)
    return implied_by(found, known, subject, f"{fact.file} names {fact.value}")


def implied_by(found: Family, known: TokenizerClass | None, subject: Subject, rule: str) -> Implied:
    """Return what a family implies, with the subject's settings and a class's defaults."""
    stated, own = stated_in(subject), OwnVocabulary() if known is None else known.vocabulary
    return Implied(
        family=found,
        stages=of_files(found, known, stated),
        unknown=own.unknown,
        special=own.special or found.special,
        is_open=found.is_open or is_unless(found, known, stated),
        rule=rule,
    )


def tokens_of_class(subject: Subject, base: str) -> dict[str, bool]:
    """Return the class's own tokens with whether they strip, unless a file names them.

    Those of roles that a file names are that file's; a mask that it names by its text alone strips
    as the class's own does.
    """
    named, stated = class_of(subject), stated_in(subject)
    if named is None or named.known is None or base not in named.known.files:
        return {}
    roles, own = (named.known.tokens or {}).items(), named.known.vocabulary
    found = {token: False for role, token in roles if stated(f"{role}_token") is None}
    mask = stated(MASK) or (named.known.tokens or {}).get("mask")
    flagged = stated(f"{MASK}_flags") is not None or stated(TABLE) is not None
    if own.mask_strips and isinstance(mask, str) and not flagged:
        found[mask] = True
    return found


def stated_in(subject: Subject) -> Callable[[str], Any]:
    """Return a lookup of settings in the subject's files; None if unstated."""

    def stated(key: str) -> Any:
        fact = setting(subject, key)
        return None if fact is None else fact.value

    return stated
