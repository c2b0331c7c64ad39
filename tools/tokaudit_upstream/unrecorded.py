"""What a version has and no record knows: classes, their arguments and files, and keys."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tokaudit.subject.upstream.model_type import every_type
from tokaudit.subject.upstream.setting_key import MODEL, TOKENIZER, known_keys, sounds_like_ids
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
    "height": "of a size, which is no setting by itself",
}
"""Arguments that no settings file states, with the reason."""


WHOLLY_LISTED = ("generation_config.json", "preprocessor_config.json")
"""Files of which every key that a version has is listed."""


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


def unknown_keys(answers: Answers) -> dict[str, set[str]]:
    """The keys that a version's own classes have and no record knows, by their settings file.

    Of a model's config they are those that sound as if they decided ids.
    """
    found = {file: answers.keys_of(file) - known_keys()[file] for file in (MODEL, *WHOLLY_LISTED)}
    found[MODEL] = {key for key in found[MODEL] if sounds_like_ids(key)}
    return {file: keys - NO_SETTINGS.keys() for file, keys in found.items()}


def other_files(answers: Answers) -> dict[str, list[str]]:
    """The files that version 5 names for a class where its record names those of version 4."""
    return {name: files for name in every_class() if (files := answers.other_files(name))}


def report(answers: Answers) -> Iterator[str]:
    """A line for each class, argument, key and file that a record is to be written for."""
    for name in sorted(unknown_classes(answers)):
        yield f"{name}: a version has it, and it has no record"
    for name, files in sorted(other_files(answers).items()):
        yield f"{name}: version 5 names {', '.join(files)}, and its record does not"
    for file, keys in unknown_keys(answers).items():
        for key in sorted(keys):
            yield f"{key}: no record of {file} knows it"
    for argument, classes in sorted(unknown_arguments(answers).items()):
        yield f"{argument}: no record of settings knows what {', '.join(sorted(classes))} takes"
