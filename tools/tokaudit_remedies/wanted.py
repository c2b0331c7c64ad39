"""Whether loaders read the value that a repair wants, and not merely another one than before."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum, auto
from pathlib import Path
from typing import Any

from tokaudit.report.repair import Change, ChangeKind
from tokaudit.subject.editing.json_text import ABSENT, value_at

READ_AS_IT_IS = {"config.json": "config_of", "generation_config.json": "generation_of"}
"""Files whose keys a loader gives back under the same names, with the reading that has them."""
LISTED, ADDED, TEMPLATES = "tokenizer.json", "/added_tokens", ".jinja"
Reading = Mapping[str, Any]


class Read(Enum):
    """What a loader makes of a value that a repair wants."""

    WANTED = auto()
    ANOTHER = auto()
    UNSEEN = auto()  # no reading shows the value


def read_of(changes: Iterable[Change], repaired: Path, after: Reading, *, changed: bool) -> Read:
    """What a reading of the repaired folder makes of all changes together.

    `changed` says whether the loader reads anything else than before: what is removed is seen so.
    """
    found = [_of_one(each, repaired, after, changed=changed) for each in changes]
    if Read.ANOTHER in found:
        return Read.ANOTHER
    return Read.WANTED if found and Read.UNSEEN not in found else Read.UNSEEN


def _of_one(change: Change, repaired: Path, after: Reading, *, changed: bool) -> Read:
    seen = Read.WANTED if changed else Read.UNSEEN
    if change.kind in (ChangeKind.RUN, ChangeKind.REMOVE):
        return seen
    now = _now(repaired / change.file, change.pointer)
    if change.kind is ChangeKind.TAKE:
        wanted = now
    elif not change.pointer.endswith("/-") and now is not ABSENT and now != change.wanted:
        return Read.ANOTHER  # the file itself does not have it
    else:
        wanted = change.wanted
    if change.file == LISTED and change.pointer.startswith(ADDED):
        return _of_added_tokens(repaired, after, seen)
    if change.file.endswith(TEMPLATES) or change.pointer == "/chat_template":
        return _of_template(wanted, after, seen)
    reading = after.get(READ_AS_IT_IS.get(change.file, ""))
    if isinstance(reading, dict) and not change.pointer:  # the whole file, key by key
        stated = _value(repaired / change.file)
        another = isinstance(stated, dict) and any(
            key in reading and reading[key] != value for key, value in stated.items()
        )
        return Read.ANOTHER if another else seen
    if isinstance(reading, dict) and not change.pointer.endswith("/-"):
        shown = value_at(reading, change.pointer)
        if shown is not ABSENT:
            return Read.WANTED if shown == wanted else Read.ANOTHER
    if isinstance(wanted, dict | list):
        return seen
    texts = {str(each) for each in _leaves(after.get("tokenizer_of"))}
    return seen if str(wanted) in texts else Read.UNSEEN


def _of_added_tokens(repaired: Path, after: Reading, seen: Read) -> Read:
    """Return whether the loader gives each token of the list the id of the repaired file."""
    given = _of_tokenizer(after, "added")
    listed = _now(repaired / LISTED, ADDED)
    if not isinstance(given, dict) or not isinstance(listed, list):
        return Read.UNSEEN
    wrong = [each for each in listed if given.get(str(each["id"])) != each["content"]]
    return Read.ANOTHER if wrong else seen


def _of_template(wanted: Any, after: Reading, seen: Read) -> Read:
    """Return whether the loader renders a conversation and a prompt by the wanted template."""
    renders = bool(_of_tokenizer(after, "chat")) and bool(_of_tokenizer(after, "prompt"))
    if not renders:
        return Read.UNSEEN
    return seen if _of_tokenizer(after, "template") == wanted else Read.ANOTHER


def _of_tokenizer(after: Reading, key: str) -> Any:
    found = after.get("tokenizer_of")
    return found.get(key) if isinstance(found, dict) else None


def _now(file: Path, pointer: str) -> Any:
    """What the file holds at a JSON pointer; `ABSENT` where it is of another form."""
    return value_at(_value(file), pointer) if pointer.startswith("/") else ABSENT


def _value(file: Path) -> Any:
    try:
        return json.loads(file.read_bytes())
    except (OSError, ValueError):
        return None


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for key, each in value.items():
            yield key
            yield from _leaves(each)
    elif isinstance(value, list):
        for each in value:
            yield from _leaves(each)
    else:
        yield value
