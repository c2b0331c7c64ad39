"""The leaves of records, and the room of what is known upstream without one of them."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any

import pytest
import recorded_answers
import records_by_hand
from records_by_hand import IN_NO_LIBRARY
from upstream_room import ROOM, forget

from tokaudit.subject.upstream import model_type, pipeline, records, setting_key, tokenizer_class

Path = tuple[str | int, ...]
REFUSED = (KeyError, TypeError, ValueError, IndexError)
"""What a record raises that lacks what every record of its kind states."""
OURS: Mapping[str, str] = {
    "source": "where somebody read it; of what is drawn it is an answer",
    "compared_by": "which checks of ours compare the key; their own tests hold it",
}
"""Keys of records that say nothing of other people's code."""
LISTS_OF_WORDS = ("keys", "of_other_vocabularies")
"""Keys of records whose text is a list, with a space between its words."""
DRAWN = ("class", "type")
"""Kinds of records that a digest holds, except for what is written by hand."""


@dataclass(frozen=True)
class Recorded:
    """Records of one kind: who reads them, and what is lost of each without a leaf."""

    names: Callable[[], Iterable[str]]
    module: ModuleType
    read: str  # the function of the module that reads a record
    lost: Callable[[str, Path], list[str]]


def leaves(record: Any, above: Path = ()) -> Iterator[Path]:
    """Every place of a record that has a value of its own, the entries of lists too.

    What a record has none of it may say at its top, or leave out: nothing is lost by that.
    """
    places = record.items() if isinstance(record, Mapping) else enumerate(record)
    for key, value in places:
        if key in OURS or (not above and value in ("", [])):
            continue
        if not (isinstance(value, Mapping) and value):
            yield (*above, key)
        if isinstance(value, Mapping | list):
            yield from leaves(value, (*above, key))
        elif key in LISTS_OF_WORDS:
            yield from ((*above, key, word) for word in value.split())


def without_leaf(record: Mapping[str, Any], path: Path) -> Mapping[str, Any]:
    """A record without one of its leaves."""
    key, *below = path
    if not below:
        return {other: value for other, value in record.items() if other != key}
    return {**record, str(key): _less(copy.deepcopy(record[str(key)]), below)}


def _less(value: Any, path: Sequence[str | int]) -> Any:
    key, *below = path
    if isinstance(value, str):
        return " ".join(word for word in value.split() if word != key)
    if below:
        value[key] = _less(value[key], below)
    else:
        del value[key]
    return value


def silent(monkeypatch: pytest.MonkeyPatch, kind: str) -> tuple[list[str], int]:
    """The leaves without which no answer is lost, and how many there are."""
    of_kind, found, count = KINDS[kind], [], 0
    real = cache(getattr(of_kind.module, of_kind.read))
    for name in list(of_kind.names()):
        record = real(name)
        for path in leaves(record):
            if kind in DRAWN and path[0] != records.BY_HAND and name not in IN_NO_LIBRARY:
                continue
            count += 1
            forget()
            less = without_leaf(record, path)
            with monkeypatch.context() as patched:
                patched.setattr(
                    of_kind.module,
                    of_kind.read,
                    lambda asked, name=name, less=less: less if asked == name else real(asked),
                )
                if not _lost(of_kind, name, path):
                    found.append(f"{name}: {'/'.join(map(str, path))}")
    return found, count


def _lost(of_kind: Recorded, name: str, path: Path) -> list[str]:
    try:
        return of_kind.lost(name, path)
    except REFUSED as error:
        return [f"{name}: {error!r}"]


def _of_class(name: str, path: Path) -> list[str]:
    of_stages = recorded_answers.recorded("classes").keys() & {name}
    found = recorded_answers.lost("classes", of_stages)
    for kind in ("reading of", "class", "files of"):
        found += records_by_hand.lost(kind, name)
    return found


def _of_type(name: str, path: Path) -> list[str]:
    return records_by_hand.lost("model type", name)


def _of_setting(file: str, path: Path) -> list[str]:
    if path[:2] == (setting_key.LISTED, "keys"):
        return recorded_answers.lost("settings", [recorded_answers.list_of(file)])
    if path[0] == setting_key.LISTED:
        return _all_lost("other setting") + _all_lost("sound of")
    name = f"{file}: {path[0]}"
    return recorded_answers.lost("settings", [name]) + records_by_hand.lost("setting", name)


def _of_hand(file: str, path: Path) -> list[str]:
    kinds = (
        kind
        for kind, each in records_by_hand.KINDS.items()
        if (file, path[0]) in (*each.sections, *each.lists)
    )
    named = str(path[1]) if len(path) > 1 else ""
    return [line for kind in kinds for line in _lost_of(kind, named)]


def _lost_of(kind: str, name: str) -> list[str]:
    """What is lost of the record of a name, or of all of the kind where none has it."""
    is_one = f"{kind} {name}" in records_by_hand.recorded()
    return records_by_hand.lost(kind, name) if is_one else _all_lost(kind)


def _all_lost(kind: str) -> list[str]:
    """What is lost of the records of a kind, whose names may be fewer than the recorded ones."""
    named = (key for key in records_by_hand.recorded() if key.startswith(f"{kind} "))
    return [
        line for key in named for line in records_by_hand.lost(kind, key.removeprefix(f"{kind} "))
    ]


def _written_by_hand() -> list[str]:
    drawn = ("refusals.toml", "piece_pipelines.toml")
    of_their_own = (records.CLASSES, records.TYPES, records.PIPELINES, records.SETTINGS, *drawn)
    files = (path.relative_to(ROOM).as_posix() for path in sorted(ROOM.rglob("*.toml")))
    return [file for file in files if file.partition("/")[0] not in of_their_own]


KINDS: Mapping[str, Recorded] = {
    "class": Recorded(records.class_names, tokenizer_class, "class_record", _of_class),
    "type": Recorded(records.type_names, model_type, "type_record", _of_type),
    "family": Recorded(
        lambda: sorted(path.stem for path in (ROOM / records.PIPELINES).iterdir()),
        pipeline,
        "pipeline_record",
        lambda name, path: records_by_hand.lost("family", name),
    ),
    "setting": Recorded(records.settings_files, setting_key, "settings_record", _of_setting),
    "by hand": Recorded(_written_by_hand, records, "_written_by_hand", _of_hand),
}
