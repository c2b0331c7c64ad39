"""Extra tokenizers in a folder that loaders do not use, as separate parts.

Of two files of one format loaders take the one with the usual name.  The other is audited without
config and weights, because nothing says that they are its own.  Where both are GGUF, which people
load by their names, the second is held to the first like any copy, if it lists the same ids.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tokaudit.subject.effective.class_choice import TOKENIZER
from tokaudit.subject.effective.settings_object import settings_object
from tokaudit.subject.effective.tokenizer_file import LISTED, TOKENIZER_JSON, VERSIONED
from tokaudit.subject.facts import collect
from tokaudit.subject.formats import Format, all_formats
from tokaudit.subject.material import GONE, LARGEST_READ, WHOLE, SourceFile, Subject
from tokaudit.subject.repository.bounded_tree import MOST_PARTS
from tokaudit.subject.repository.tree import READ, Part, Tree
from tokaudit.subject.representations import in_order, parse_all
from tokaudit.subject.upstream.loading_class import class_of
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_reference.text.bytes_or_text import bytes_of

SECOND = "a second tokenizer here, audited as {}"
SAME = "the same bytes as {}"
UNREAD = f"a second tokenizer here, not audited: at most {MOST_PARTS} are, name it to audit it"
OF_VERSIONS = "a tokenizer.json that some versions of transformers take in place of the first"
SETTINGS = "settings"  # the role of those in which checks read and no facts are
OF_THE_FIRST = "of the tokenizer that loaders take here"
MOSTLY, NEARLY = 0.5, 0.9  # how many entries one shares with another that it is a form, a copy of

Named = tuple[Format, SourceFile]


def is_second(file: SourceFile) -> bool:
    """Return whether a file was set aside as an extra tokenizer."""
    return file.role.startswith((SECOND.partition(",")[0], SAME.partition("{")[0]))


def with_extra_tokenizers(tree: Tree) -> Tree:
    """Make each extra tokenizer of a folder a part, as far as the limit allows."""
    parts: list[Part] = []
    left = MOST_PARTS - len(tree.parts)
    for part in tree.parts:
        found = list(_split(part, left))
        left -= len(found) - 1
        parts += found
    firsts = [part for part in parts if part.label not in _labels(parts, tree)]
    beyond = (file.name for part in parts for file in part.files if file.role == UNREAD)
    return replace(
        tree,
        parts=(*firsts, *(part for part in parts if part not in firsts)),
        beyond=(*tree.beyond, *beyond),
    )


def _labels(parts: Sequence[Part], tree: Tree) -> set[str]:
    """Return the labels of the new parts."""
    return {part.label for part in parts} - {part.label for part in tree.parts}


def _split(part: Part, left: int) -> Iterator[Part]:
    """Yield the part with the main tokenizer, then one for each extra tokenizer."""
    part = _with_files_of_versions(part)
    seconds = _seconds(part) if part.side == WHOLE else []
    if not seconds:
        yield part
        return
    first, others = seconds[0], seconds[1:]
    apart: dict[str, str] = {}
    for number, (_, file) in enumerate(others):
        again = next((f for _, f in seconds[: number + 1] if _same_bytes(f, file)), None)
        taken = sum(role == SECOND.format(name) for name, role in apart.items())
        role = SECOND.format(file.name) if taken < left else UNREAD
        apart[file.name] = role if again is None else SAME.format(again.name)
    yield replace(part, files=tuple(_put_aside(file, apart) for file in part.files))
    for format, file in others:
        if apart[file.name] == SECOND.format(file.name):
            copy = format.name == first[0].name == "gguf" and _is_copy(first[1], file)
            yield Part(file.name, tuple(_of_second(part, file)), part.label if copy else None)


def _with_files_of_versions(part: Part) -> Part:
    """Return a part whose versioned tokenizer files do not count as extra tokenizers."""
    listed = settings_object(Subject("", part.files[0].path, part.files), TOKENIZER).get(LISTED)
    if not isinstance(listed, list) or not any(f.base == TOKENIZER_JSON for f in part.files):
        return part
    names = {name for name in listed if isinstance(name, str) and VERSIONED.search(name)}
    mine = (replace(f, role=OF_VERSIONS) if f.base in names else f for f in part.files)
    return replace(part, files=tuple(mine))


def _seconds(part: Part) -> list[Named]:
    """Return the file that loaders use, then those of other tokenizers; empty for one alone."""
    subject = Subject("", part.files[0].path, part.files, collect(part.files))
    mine = [each for each in in_order(subject) if _folder(each[1]) == part.label]
    if len(mine) < 2:
        return []
    named = class_of(subject)
    of_class = named.known.files if named is not None and named.known is not None else ()
    first, formats, found = mine[0], {mine[0][0].name}, list[Named]()
    for format, file in mine[1:]:
        if file.base in of_class or file.impostor:
            continue
        if format.name in formats or _is_another(subject, first, (format, file)):
            found.append((format, file))
        else:
            formats.add(format.name)
    return [first, *found] if found else []


def _is_another(subject: Subject, first: Named, other: Named) -> bool:
    """Return whether a file of another format belongs to another tokenizer."""
    format, file = other
    if format.takes_name(file.base):
        return False
    one, two = (_spec(replace(subject, files=tuple(_alone(subject, f)))) for _, f in (first, other))
    if one is None or two is None:
        return False
    known = {bytes_of(value) for value in one.ids_by_surface}
    entries = {text for value in two.ids_by_surface if len(text := bytes_of(value)) > 1}
    return len(entries & known) < MOSTLY * len(entries)


def _is_copy(first: SourceFile, other: SourceFile) -> bool:
    one, two = (_spec(Subject("", file.path, (file,))) for file in (first, other))
    if one is None or two is None:
        return False
    here, there = one.ids_by_surface, two.ids_by_surface
    return sum(there.get(value) == id for value, id in here.items()) >= NEARLY * len(here)


def _spec(subject: Subject) -> TokenizerSpec | None:
    return next((spec for _, spec in parse_all(subject).parsed), None)


def _alone(subject: Subject, file: SourceFile) -> Iterator[SourceFile]:
    """Yield a subject's files without the main files of other tokenizers."""
    formats = {format.name for format in all_formats()}
    return (each for each in subject.files if each == file or each.role not in formats)


def _of_second(part: Part, file: SourceFile) -> Iterator[SourceFile]:
    """Yield the files of an extra tokenizer: its own, and those shared with it.

    Settings and weights are the first's, so that no reader finds them by their names.
    """
    formats = {format.name for format in all_formats()}
    for each in part.files:
        if each == file:
            yield each
        elif each.role not in formats and _folder(each) == part.label:
            aside = each.role in (*READ, SETTINGS)
            known = each.name + GONE
            yield replace(each, role=OF_THE_FIRST, read_as=known) if aside else each


def _put_aside(file: SourceFile, apart: dict[str, str]) -> SourceFile:
    """Rename a file so that no reader of this part finds it."""
    if file.name not in apart:
        return file
    return replace(file, role=apart[file.name], read_as=file.name + GONE)


def _same_bytes(one: SourceFile, other: SourceFile) -> bool:
    if one.size != other.size or one.size > LARGEST_READ:
        return False
    return one.content.digest_of_all() == other.content.digest_of_all()


def _folder(file: SourceFile) -> str:
    return file.name.rpartition("/")[0]
