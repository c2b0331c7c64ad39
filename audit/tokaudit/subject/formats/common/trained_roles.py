"""The roles that the trainer of a SentencePiece model gave to pieces, next to the types they have.

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
DEFAULTS = {"unk": (0, "<unk>"), "bos": (1, "<s>"), "eos": (2, "</s>"), "pad": (-1, "<pad>")}
ID_FIELDS = {40: "unk", 41: "bos", 42: "eos", 43: "pad"}
PIECE_FIELDS = {45: "unk", 46: "bos", 47: "eos", 48: "pad"}


@dataclass(frozen=True, slots=True)
class TrainedRole:
    """A piece at the place where the trainer put a role, and the type that it has now."""

    role: str
    id: int
    piece: str
    type: int


def trained_roles(data: bytes, file: str) -> Iterator[TrainedRole]:
    """Each role whose piece is still at its place; a list that was rearranged states none."""
    pieces: list[tuple[str, int]] = []
    ids = {role: id for role, (id, _) in DEFAULTS.items()}
    names = {role: name for role, (_, name) in DEFAULTS.items()}
    for number, value in fields(data, file):
        if number == PIECES:
            pieces.append(_piece(_message(value, file), file))
        elif number == TRAINER:
            for key, setting in fields(_message(value, file), file):
                if key in ID_FIELDS and isinstance(setting, int):
                    ids[ID_FIELDS[key]] = -1 if setting >= NEGATIVE else setting
                elif key in PIECE_FIELDS and isinstance(setting, bytes):
                    names[PIECE_FIELDS[key]] = setting.decode("utf-8", "replace")
    for role, id in ids.items():
        if 0 <= id < len(pieces) and pieces[id][0] == names[role]:
            yield TrainedRole(role, id, *pieces[id])


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
