"""Trained roles of SentencePiece pieces, compared with the pieces' types.

The library asks for both: `bos_id()` is -1 where the piece of that role is not a control piece.

Source: `sentencepiece_model.proto`, and `bos_id` in `sentencepiece_processor.cc`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tokaudit.subject.formats.common.protobuf import Value, fields
from tokaudit_reference.spec import SpecError

ORDINARY, UNKNOWN, CONTROL, USER_DEFINED = 1, 2, 3, 4
NEGATIVE = 1 << 63  # numbers are written in two's complement
PIECES, TRAINER = 1, 2
ASKED_FOR = 4  # the field vocab_size of the trainer's settings
DEFAULTS = {"unk": (0, "<unk>"), "bos": (1, "<s>"), "eos": (2, "</s>"), "pad": (-1, "<pad>")}
ID_FIELDS = {40: "unk", 41: "bos", 42: "eos", 43: "pad"}
PIECE_FIELDS = {45: "unk", 46: "bos", 47: "eos", 48: "pad"}


@dataclass(frozen=True, slots=True)
class TrainedRole:
    """A piece that a trainer gave a role, and its current type."""

    role: str
    id: int
    piece: str
    type: int


@dataclass(frozen=True, slots=True)
class LostRole:
    """A role whose stated piece the library does not find by name."""

    role: str
    id: int
    name: str
    shares: str = ""  # the other role that has the same name and another id


@dataclass(slots=True)
class _Stated:
    """The pieces, and the ids and names of roles, some of which may be missing."""

    pieces: list[tuple[str, int]]
    ids: dict[str, int]
    names: dict[str, str]
    is_of_trainer: bool = False


def roles_of(data: bytes, file: str) -> tuple[list[TrainedRole], list[LostRole]]:
    """Return the roles of a model, by position and by name."""
    stated = _read(data, file)
    return list(_trained(stated)), list(_lost(stated))


def _trained(stated: _Stated) -> Iterator[TrainedRole]:
    """Yield each role whose piece is still in its place; none for a rearranged list."""
    for role, id in stated.ids.items():
        name = stated.names.get(role, DEFAULTS[role][1])
        if 0 <= id < len(stated.pieces) and stated.pieces[id][0] == name:
            yield TrainedRole(role, id, *stated.pieces[id])


def _lost(stated: _Stated) -> Iterator[LostRole]:
    """Yield each role whose name is not a piece of its type, or is another role's.

    A list that was rearranged still has its pieces, under their names.  A name that is left out is
    the default in a trainer's own file, which says how many pieces were asked for.
    """
    seen: dict[str, str] = {}
    for role, (usual, default) in DEFAULTS.items():
        id, name = stated.ids[role], stated.names.get(role, default)
        of_trainer = role in stated.names or (stated.is_of_trainer and id == usual)
        if not (of_trainer and 0 <= id < len(stated.pieces)):
            continue
        other = seen.setdefault(name, role)
        if stated.ids[other] != id:
            yield LostRole(role, id, name, other)
        elif stated.pieces[id][0] != name and (name, type_of(role)) not in stated.pieces:
            yield LostRole(role, id, name)


def type_of(role: str) -> int:
    """Return the type that a role's piece should have."""
    return UNKNOWN if role == "unk" else CONTROL


def _read(data: bytes, file: str) -> _Stated:
    found = _Stated([], {role: id for role, (id, _) in DEFAULTS.items()}, {})
    for number, value in fields(data, file):
        if number == PIECES:
            found.pieces.append(_piece(_message(value, file), file))
        elif number == TRAINER:
            for key, setting in fields(_message(value, file), file):
                found.is_of_trainer |= key == ASKED_FOR
                if key in ID_FIELDS and isinstance(setting, int):
                    found.ids[ID_FIELDS[key]] = -1 if setting >= NEGATIVE else setting
                elif key in PIECE_FIELDS and isinstance(setting, bytes):
                    found.names[PIECE_FIELDS[key]] = setting.decode("utf-8", "replace")
    return found


def _piece(data: bytes, file: str) -> tuple[str, int]:
    text, type = b"", ORDINARY
    for number, value in fields(data, file):
        if number == 1 and isinstance(value, bytes):
            text = value
        elif number == 3 and isinstance(value, int):
            type = value
    return text.decode("utf-8", "replace"), type


def _message(value: Value, file: str) -> bytes:
    if not isinstance(value, bytes):
        raise SpecError("is not a SentencePiece model: a number where a message is", file=file)
    return value
