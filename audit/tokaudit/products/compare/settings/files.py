"""Compare the settings and templates next to two tokenizers, file by file.

Loaders act on them. Those that a facet speaks of are left out here; of the rest nobody says what it
does, so a file that differs in it leaves it unknown whether the two are the same. Which files
count, the roles of files say.
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tokaudit.engine.sides.side import Side
from tokaudit.foundation.errors import UnreadableError
from tokaudit.products.compare.settings.key_effects import decides, is_unread
from tokaudit.report.comparison import Facet, Outcome
from tokaudit.report.model import Place
from tokaudit.report.wording import located
from tokaudit.subject.configs import LARGEST_CONFIG
from tokaudit.subject.facts import MODEL
from tokaudit.subject.material import SourceFile, read_bytes
from tokaudit.subject.naming.locate import locate
from tokaudit.subject.safe_json import parse, pointer
from tokaudit.subject.upstream.setting_key import Decides

SETTINGS = "settings files"
COUNTED = ("config", "settings", "template")  # roles of files next to a tokenizer
OF_MODEL = ("model_type", "tokenizer_class", "auto_map")
OF_IDS = ("_token_id", "_token_ids", "_tokens", "_decoder_ids")  # ends of keys
MOST_NAMED = 4  # keys of a file
PROCESSOR, OF_INPUTS = "processor_config.json", "preprocessor_config.json"
NESTED = ("image_processor", "feature_extractor")
"""Objects of the first that version 5 of transformers writes for the second, and reads before it.

Source: transformers 5.24.0, `get_image_processor_dict` in image_processing_base.py.
"""


@dataclass(frozen=True)
class SettingsFile:
    """A settings file of one side, and its statements: pointers with plain JSON.

    `below` is the object of another file that stands for it.
    """

    side: Side
    file: SourceFile
    statements: Mapping[str, str]
    below: str = ""

    def place(self, key: str) -> Place:
        """Return the place of a statement."""
        return self.side.stated(SETTINGS, self.file.name, self.below + key, None)


@dataclass(frozen=True)
class DifferingFile:
    """A settings file that differs between the sides, in words, and where.

    `keys` are the pointers of what only one side has a file for; of a file that both have,
    `values` are the statements by pointer, None where a side has none.
    """

    name: str
    why: str
    places: tuple[Place, ...]
    keys: tuple[str, ...] = ()
    values: Mapping[str, tuple[str | None, str | None]] = field(default_factory=dict)


def settings_facet(differing: Sequence[DifferingFile]) -> Facet:
    """Return a facet that is unknown because settings files differ."""
    why = "; ".join(f"{each.name} {each.why}" for each in differing)
    places = tuple(place for each in differing for place in each.places)
    why += "; how loaders use it was not compared"
    return Facet(SETTINGS, Outcome.UNKNOWN, why, places)


def differing_files(
    left: Side, right: Side, spoken_of: Container[str] = ()
) -> Iterator[DifferingFile]:
    """Yield each settings file that differs, or that only one of two folders has.

    `spoken_of` are the places, as a facet names them, that a facet of the comparison is about.
    """
    if is_bare(left) or is_bare(right):
        return
    ours, theirs = (
        {name: _read(name, each, left, right) for name, each in _files(side, spoken_of).items()}
        for side in (left, right)
    )
    for name in sorted(ours.keys() | theirs.keys()):
        both = [each[name] for each in (ours, theirs) if name in each]
        if len(both) == 2:
            yield from _differing(name, both[0], both[1])
        elif both[0].statements:
            why, keys = f"is only in {both[0].side.name}", tuple(both[0].statements)
            yield DifferingFile(name, why, (both[0].place(""),), keys)


def not_compared(left: Side, right: Side) -> tuple[str, ...]:
    """Name the settings files not compared because the other side is a single file."""
    if is_bare(left) == is_bare(right):
        return ()
    found = {**_files(left), **_files(right)}
    return tuple(sorted(name for name, each in found.items() if each.statements))


def is_bare(side: Side) -> bool:
    """Return whether a side is a single file, without settings next to it."""
    subject = side.subject
    if subject is None:
        return True
    try:
        return len(subject.files) == 1 and not locate(subject.name).path.is_dir()
    except UnreadableError:  # it has gone meanwhile
        return False


def _files(side: Side, spoken_of: Container[str] = ()) -> dict[str, SettingsFile]:
    """Return the settings files of a side by their standard names."""
    files = side.subject.files if side.subject else ()
    found = {
        each.known: SettingsFile(side, each, _left(side, each, spoken_of))
        for each in files
        if each.role in COUNTED
    }
    return {**found, **dict(_of_inputs(found.get(PROCESSOR)))}


def _of_inputs(processor: SettingsFile | None) -> Iterator[tuple[str, SettingsFile]]:
    """A processor's file in two: its own settings, and those of the inputs that it has inside."""
    statements = {} if processor is None else processor.statements
    below = next((key for key in map(pointer, NESTED) if key in statements), None)
    if processor is None or below is None:
        return
    inner = json.loads(statements[below])
    if isinstance(inner, dict):
        own = {key: value for key, value in statements.items() if key != below}
        yield PROCESSOR, replace(processor, statements=own)
        inputs = {pointer(key): _plain(value) for key, value in inner.items()}
        yield OF_INPUTS, replace(processor, statements=inputs, below=below)


def _left(side: Side, file: SourceFile, spoken_of: Container[str]) -> Mapping[str, str]:
    """Return the statements of a file without those that a facet covers."""
    at = located(side.name, file.name)
    found = _statements(file)
    return {key: value for key, value in found.items() if f"{at}#{key}" not in spoken_of}


def _read(name: str, file: SettingsFile, left: Side, right: Side) -> SettingsFile:
    """Return a file without unread keys, those that decide ids first."""
    base, stated = name.rpartition("/")[2], file.statements.items()
    read = {key: value for key, value in stated if not is_unread(base, key[1:], left, right)}
    ordered = sorted(read, key=lambda key: decides(base, key[1:]) is not Decides.IDS)
    return replace(file, statements={key: read[key] for key in ordered})


def _statements(file: SourceFile) -> Mapping[str, str]:
    """Map pointers to statements, as JSON without order and white space.

    Of the config of a model only what tokenizers and their ids are about. A file that is not an
    object of JSON is one statement.
    """
    value = None if file.base.endswith(".jinja") else _value(file)
    if not isinstance(value, dict):
        return {"": file.content.digest_of_all() if value is None else _plain(value)}
    if file.base == MODEL:
        value = {k: v for k, v in value.items() if k in OF_MODEL or k.endswith(OF_IDS)}
    elif not value:
        return {"": "{}"}
    return {pointer(key): _plain(each) for key, each in value.items()}


def _value(file: SourceFile) -> Any:
    try:
        return parse(read_bytes(file, LARGEST_CONFIG), file.name)
    except UnreadableError:
        return None


def _plain(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def _differing(name: str, one: SettingsFile, other: SettingsFile) -> Iterator[DifferingFile]:
    """Yield the file with the pointers that differ; an unstated one has no place."""
    ours, theirs = one.statements, other.statements
    keys = [key for key in {**ours, **theirs} if ours.get(key) != theirs.get(key)]
    if not keys:
        return
    named = [key for key in keys if key][:MOST_NAMED]
    more = f" and {len(keys) - len(named):,} more" if len(keys) > MOST_NAMED else ""
    places = (
        each.place(key)
        for key in keys[:MOST_NAMED]
        for each in (one, other)
        if key in each.statements
    )
    why = f"differs in {', '.join(named)}{more}" if named else "differs"
    values = {key: (ours.get(key), theirs.get(key)) for key in keys}
    yield DifferingFile(name, why, tuple(places), values=values)
