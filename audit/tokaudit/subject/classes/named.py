"""Which class loads a subject's tokenizer, and who says so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tokaudit.subject.classes.row import ClassRow
from tokaudit.subject.classes.table import ANY, class_of_type, row_of
from tokaudit.subject.material import Fact, Subject

FIRST = "tokenizer_config.json"
BY_NAME: Mapping[str, str] = {
    "source.spm": "MarianTokenizer",
    "sentencepiece.bpe.model": "XLMRobertaTokenizer",
}
"""What a file is taken for where nothing names a class, because it belongs to that one mostly."""


@dataclass(frozen=True, slots=True)
class NamedClass:
    """A class, slow or fast, the row of it, and the file and place that name it."""

    name: str
    row: ClassRow | None
    fact: Fact

    @property
    def rule(self) -> str:
        """Who names the class, as reports say it."""
        return f"{self.fact.file} {'names' if self.fact.pointer else 'is a file of'} {self.name}"


def class_of(subject: Subject) -> NamedClass | None:
    """The class that `AutoTokenizer` would take; None where nothing names one that says anything.

    `tokenizer_config.json` goes before `config.json`, the name of a class before the type of the
    model, and a file's name comes last.
    """
    for fact in (*_named(subject), *_typed(subject), *_by_file(subject)):
        name = str(fact.value).removesuffix("Fast")
        if name not in ANY:
            return NamedClass(name, row_of(name), fact)
    return None


def _named(subject: Subject) -> list[Fact]:
    stated = [f for f in subject.facts_named("tokenizer_class") if isinstance(f.value, str)]
    return sorted(stated, key=lambda fact: subject.base_of(fact) != FIRST)[:1]


def _typed(subject: Subject) -> list[Fact]:
    types = [f for f in subject.facts_named("model_type") if f.pointer == "/model_type"]
    return [
        Fact("tokenizer_class", name, fact.file, fact.pointer)
        for fact in types
        if (name := class_of_type().get(fact.value))
    ][:1]


def _by_file(subject: Subject) -> list[Fact]:
    return [
        Fact("tokenizer_class", BY_NAME[base], file.name, "")
        for file in subject.files
        if (base := file.base) in BY_NAME
    ][:1]
