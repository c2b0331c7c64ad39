"""The map from the vocabulary of a draft model to that of its target."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from tokaudit.plugin import (
    Basis,
    Finding,
    Harm,
    NotApplicable,
    Place,
    Severity,
    Skip,
    Subject,
    Tensor,
    check,
)
from tokaudit.subject.numbers import whole
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.embeddings._draft_head import IN_TARGET, TO_TARGET, DraftHead
from tokaudit_suites.shared.repairs import ROWS_AS_TRAINED

LARGEST = 16_000_000  # bytes; two million numbers
FORMATS = {"I64": "<q", "I32": "<i", "BOOL": "<?", "U8": "<B"}


@check(
    "embeddings/draft-map",
    title="The draft vocabulary maps into the target's",
    why="The head of a draft model has rows for only some ids of the target model, and the tensor "
    "d2t maps rows to ids. If an entry of d2t points beyond the target's vocabulary, or two "
    "entries point to one id, the draft model proposes wrong tokens. Without the tensor d2t, all "
    "tokens that the draft model proposes are wrong.",
    remedy="Write the tensors d2t and t2d again from the list of ids that the draft head was made "
    "for.",
    repair=ROWS_AS_TRAINED,
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.WEIGHTS,
    incident="A draft head with a vocabulary of its own needs its map to the target's ids "
    "(SafeAILab/EAGLE #222).",
    no_example="The map is a tensor of 64-bit integers, which examples cannot write.",
)
def draft_map(spec: TokenizerSpec, subject: Subject, head: DraftHead) -> Iterator[Finding]:
    """Report map entries beyond the vocabulary, and two entries for one id."""
    if head.rows is None:
        raise NotApplicable("no draft vocabulary is stated")
    stated = (whole(fact.value) or 0 for fact in subject.facts_named("vocab_size"))
    most = max(spec.size(), *stated, 0)
    if TO_TARGET not in head.maps:
        if head.rows < most and head.key is not None:
            message = (
                f"{head.key.file} states a draft vocabulary of {head.rows:,} entries for "
                f"{most:,} ids, and no tensor d2t says which ids they are; unless the map is given "
                "at serving, the draft proposes a wrong token each time."
            )
            yield Finding(Severity.ERROR, message, (head.key.place(),), cause="no map")
        return
    name, tensor = head.maps[TO_TARGET]
    place = Place("embeddings", tensor.file, name, list(tensor.shape))
    ids = [at + offset for at, offset in enumerate(_numbers(subject, tensor))]
    if wrong := [id for id in ids if not 0 <= id < most]:
        message = f"{name} leads to {len(wrong):,} ids beyond {most:,}, the first {wrong[0]:,}."
        yield Finding(Severity.ERROR, message, (place,), cause="beyond")
    if twice := len(ids) - len(set(ids)):
        message = f"{name} leads {twice:,} more times to an id that another entry leads to."
        yield Finding(Severity.ERROR, message, (place,), cause="one id")
    if IN_TARGET in head.maps:
        other, flags = head.maps[IN_TARGET]
        inside = {at for at, flag in enumerate(_numbers(subject, flags)) if flag}
        if odd := inside ^ set(ids):
            message = f"{name} and {other} disagree about {len(odd):,} ids, the first {min(odd):,}."
            places = (place, Place("embeddings", flags.file, other, list(flags.shape)))
            yield Finding(Severity.ERROR, message, places, cause="two maps")


def _numbers(subject: Subject, tensor: Tensor) -> list[int]:
    """Read the whole numbers of a map, one for each vocabulary entry."""
    file = next((file for file in subject.files if file.name == tensor.file), None)
    letter = FORMATS.get(tensor.dtype)
    if file is None or letter is None or tensor.start is None or tensor.nbytes > LARGEST:
        raise Skip(f"the numbers of a map in {tensor.file} are not read")
    data = file.content.elsewhere(tensor.start, tensor.nbytes)
    return [number for (number,) in struct.iter_unpack(letter, data)]
