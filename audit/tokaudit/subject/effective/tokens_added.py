"""Find the tokens that a transformers version adds because settings name them.

A special token that settings name and the tokenizer does not have is no error: the version adds it
after the last id, where no row of the model was meant for it.

Source: `_from_pretrained` and the constructor of fast tokenizers in both versions.
"""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.subject.configs import ROLE_TOKENS
from tokaudit.subject.effective.class_choice import TOKENIZER, class_choice
from tokaudit.subject.effective.class_settings import VersionReader, version_reader
from tokaudit.subject.effective.handed_settings import extra_tokens
from tokaudit.subject.effective.loaders import Loader
from tokaudit.subject.effective.refused import refusals
from tokaudit.subject.effective.settings_object import settings_object
from tokaudit.subject.effective.tokenizer_file import chosen_tokenizer_file
from tokaudit.subject.material import Subject
from tokaudit_reference.spec import TokenizerSpec


def tokens_added(
    subject: Subject, spec: TokenizerSpec, loader: Loader, by_class: bool = False
) -> tuple[str, ...]:
    """Return the tokens that a version adds to a tokenizer.json, unordered; none if unknown.

    `by_class` counts those that no file names, and the class takes for a role.
    """
    choice = class_choice(subject, loader.version)
    if choice is None or not choice.is_fast or refusals(subject, loader.version):
        return ()
    file = chosen_tokenizer_file(subject, loader.version, settings_object(subject, TOKENIZER))
    if file is None or file.name not in spec.files:
        return ()
    reader = version_reader(subject, loader, choice, spec)
    named = dict.fromkeys(_named(reader, by_class)) if spec.pieces else {}
    known: set[bytes | str] = {token.content for token in spec.added_tokens}
    if any(each not in known for each in named):
        known |= {piece.value for piece in spec.every_piece()}
    return tuple(
        each for each in named if known.isdisjoint((each, each.encode("utf-8", "replace")))
    )


def _named(reader: VersionReader, by_class: bool) -> Iterator[str]:
    """Yield the tokens of roles and lists in files."""
    for key in ROLE_TOKENS:
        cell = reader.role(key)
        if cell is not None and (cell.file or by_class) and isinstance(cell.value, str):
            yield cell.value
    yield from extra_tokens(reader.subject, reader.version)
