"""What an installed version has and no record knows: classes, and arguments of classes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tokaudit.subject.upstream.model_type import every_type
from tokaudit.subject.upstream.setting_key import TOKENIZER, known_keys
from tokaudit.subject.upstream.tokenizer_class import ANY, every_class
from tokaudit_upstream.answers import Answers

WITHOUT_RECORD: Mapping[str, str] = {
    "ParakeetCTCTokenizer": "is the name that version 4 has for a type, and not a class of it",
    "RagTokenizer": "loads two tokenizers from folders below, each of a class of its own",
}
"""Classes that a model type has and that have no record, with the reason."""
NO_SETTINGS: Mapping[str, str] = {
    **dict.fromkeys(("vocab", "merges", "entity_vocab"), "what a file holds, already read"),
    "_spm_precompiled_charsmap": "the map of a model that is converted",
}
"""Arguments that no settings file states, with the reason."""


def unrecorded_classes() -> set[str]:
    """The tokenizer classes that the records of model types name, and that have no record."""
    named = {name for kind in every_type().values() for name in kind.tokenizers if name}
    return named - every_class().keys() - set(ANY)


def unknown_classes(answers: Answers) -> set[str]:
    """The classes that a version has for a model type, and that have no record."""
    return answers.others() - set(ANY) - WITHOUT_RECORD.keys()


def unknown_arguments(answers: Answers) -> dict[str, set[str]]:
    """The classes by each argument that no record of settings knows."""
    known = known_keys()[TOKENIZER] | NO_SETTINGS.keys()
    return {name: of for name, of in answers.arguments().items() if name not in known}


def report(answers: Answers) -> Iterator[str]:
    """A line for each class and each argument that a record is to be written for."""
    for name in sorted(unknown_classes(answers)):
        yield f"{name}: a model type has it, and it has no record"
    for argument, classes in sorted(unknown_arguments(answers).items()):
        yield f"{argument}: no record of settings knows what {', '.join(sorted(classes))} takes"
