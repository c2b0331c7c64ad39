"""SentencePiece pieces whose type does not suit their role."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import (
    Basis,
    Contents,
    Finding,
    Harm,
    NotApplicable,
    Place,
    Severity,
    SourceFile,
    Subject,
    UnreadableError,
    check,
)
from tokaudit.subject.formats.common.trained_roles import (
    CONTROL,
    ORDINARY,
    UNKNOWN,
    USER_DEFINED,
    LostRole,
    TrainedRole,
    roles_of,
    type_of,
)
from tokaudit.subject.formats.sentencepiece_model import FORMAT
from tokaudit_reference.spec import SpecError
from tokaudit_suites.shared.repairs import person_decides
from tokaudit_suites.shared.wording import quote

NAMED = {ORDINARY: "ordinary text", UNKNOWN: "the unknown piece", CONTROL: "a control piece"}
NAMED |= {USER_DEFINED: "a user-defined symbol", 5: "an unused piece", 6: "a byte"}


@check(
    "special_tokens/piece-types",
    title="Control pieces have the type of control pieces",
    why="SentencePiece finds the BOS and EOS tokens by the type of their pieces. If the BOS or "
    "EOS piece has the wrong type, bos_id() or eos_id() returns -1, loaders add no BOS, and users "
    "can end a prompt by writing </s> in it.",
    remedy="With sentencepiece_model_pb2, change the type of the piece in {file|the model} to "
    "CONTROL, or to UNKNOWN if the piece is the unknown piece.",
    repair=person_decides(
        "a SentencePiece model is rewritten by its trainer, or changed with sentencepiece_model_pb2"
    ),
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.INTRINSIC,
    incident="bos_id() is -1 where the piece is not a control piece (google/sentencepiece, "
    "src/sentencepiece_processor.cc).",
)
def piece_types(subject: Subject, contents: Contents) -> Iterator[Finding]:
    """Compare the type of each role's piece with the type that the role needs.

    Then look for roles whose piece the library, which goes by the name, does not find.
    """
    files = [file for file in subject.files if file.role == FORMAT.name]
    if not files:
        raise NotApplicable("no SentencePiece model is here")
    for file in files:
        found, lost = _roles(file, contents)
        yield from (_finding(file, each) for each in found if each.type != type_of(each.role))
        yield from (_no_piece(file, each) for each in lost)


def _roles(file: SourceFile, contents: Contents) -> tuple[list[TrainedRole], list[LostRole]]:
    """Return the found and lost roles of a file; files/parse reports what does not parse."""
    try:
        return roles_of(contents.whole(file), file.name)
    except (SpecError, UnreadableError):
        return [], []


def _no_piece(file: SourceFile, lost: LostRole) -> Finding:
    said = f"{file.name} states {quote(lost.name)}, id {lost.id}, as the {lost.role} piece"
    if lost.shares:
        why = f"gives that name to the {lost.shares} piece too: the library takes its id for both"
    else:
        wanted = NAMED[type_of(lost.role)]
        why = f"has none of that name that is {wanted}: the library knows no {lost.role} id"
    return Finding(
        Severity.WARNING if lost.role == "pad" else Severity.ERROR,
        f"{said}, and {why}.",
        (Place("vocab", file.name, f"trainer_spec.{lost.role}_piece", lost.name),),
        cause=f"{lost.role} name",
    )


def _finding(file: SourceFile, found: TrainedRole) -> Finding:
    wanted = NAMED[type_of(found.role)]
    chosen = found.type == USER_DEFINED or (found.role == "pad" and found.type != ORDINARY)
    return Finding(
        Severity.WARNING if chosen else Severity.ERROR,
        f"trainer_spec of {file.name} names {quote(found.piece)}, id {found.id}, as the "
        f"{found.role} piece, but the piece has the type of "
        f"{NAMED.get(found.type, 'nothing known')}, not of {wanted}: SentencePiece then has no "
        f"{found.role} id, and finds the piece in ordinary text.",
        (Place("vocab", file.name, f"pieces/{found.id}/type", found.type),),
        cause=f"{found.role} type",
    )
