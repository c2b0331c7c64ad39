"""Find the class that loads a subject's tokenizer, and the statement that names it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tokaudit.subject.material import Fact, Subject
from tokaudit.subject.upstream.model_type import known_type
from tokaudit.subject.upstream.tokenizer_class import (
    ANY,
    ROLES,
    TokenizerClass,
    class_named,
    meant_by_files,
)

FIRST = "tokenizer_config.json"


@dataclass(frozen=True, slots=True)
class NamedClass:
    """A class, slow or fast, its record, and the file and place that name it."""

    name: str
    known: TokenizerClass | None
    fact: Fact

    @property
    def rule(self) -> str:
        """Return the source of the class's name, as reports cite it."""
        return f"{self.fact.file} {'names' if self.fact.pointer else 'is a file of'} {self.name}"


def class_of(subject: Subject) -> NamedClass | None:
    """Return the class that `AutoTokenizer` would choose; None without a useful name.

    `tokenizer_config.json` goes before `config.json`, the name of a class before the type of the
    model, and a file's name comes last.
    """
    for fact in (*_named(subject), *_typed(subject), *_by_file(subject)):
        name = str(fact.value).removesuffix("Fast")
        if name not in ANY:
            return NamedClass(name, class_named(name), fact)
    return None


def defaults_of(subject: Subject) -> tuple[NamedClass, Mapping[str, str]] | None:
    """Return the class of a subject and its default tokens that no file overrides.

    A class that is used for any tokenizer, if a file names one, has no defaults.
    """
    named = class_of(subject)
    if named is None or named.known is None or named.known.tokens is None:
        return None
    classes = subject.facts_named("tokenizer_class")
    if classes and named.fact not in classes:
        return None
    stated = {role for role in ROLES if subject.facts_named(f"{role}_token")}
    return named, {role: t for role, t in named.known.tokens.items() if role not in stated}


def _named(subject: Subject) -> list[Fact]:
    stated = [f for f in subject.facts_named("tokenizer_class") if isinstance(f.value, str)]
    return sorted(stated, key=lambda fact: subject.base_of(fact) != FIRST)[:1]


def _typed(subject: Subject) -> list[Fact]:
    types = [f for f in subject.facts_named("model_type") if f.pointer == "/model_type"]
    known = ((f, known_type(f.value)) for f in types if isinstance(f.value, str))
    return [
        Fact("tokenizer_class", kind.tokenizer, fact.file, fact.pointer)
        for fact, kind in known
        if kind is not None and kind.tokenizer
    ][:1]


def _by_file(subject: Subject) -> list[Fact]:
    return [
        Fact("tokenizer_class", meant_by_files()[base], file.name, "")
        for file in subject.files
        if (base := file.base) in meant_by_files()
    ][:1]
