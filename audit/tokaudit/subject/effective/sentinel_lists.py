"""Detect lists of tokens that a class refuses because sentinels are missing.

Classes of T5 take `extra_ids` sentinels, and count those that a list has.  Version 5 hands the list
of tokenizer_config.json on as extra tokens, unless there are such by then, and counts no others.
Where version 5 builds the class from the folder's own pieces, it refuses no list.

Source: the tokenizers of models/t5, models/byt5 and models/myt5 in 4.57.6 and 5.24.0.
"""

from __future__ import annotations

from collections.abc import Mapping

from tokaudit.subject.effective.class_choice import FAST, TOKENIZER, ClassChoice
from tokaudit.subject.effective.handed_settings import EXTRA, LISTED, MAP, HandedSetting
from tokaudit.subject.effective.settings_object import settings_object
from tokaudit.subject.material import Subject
from tokaudit.subject.upstream.tokenizer_class import TokenizerClass
from tokaudit.subject.upstream.versions import ABSENT, FOUR, NO_ARGUMENT

COUNT, SENTINEL = "extra_ids", "extra_id"
OF_PIECES = ".model"


def missed_sentinels(
    subject: Subject,
    version: str,
    choice: ClassChoice,
    known: TokenizerClass | None,
    handed: Mapping[str, HandedSetting],
    of_own_file: bool,
) -> str:
    """Return the class's error for the folder's list; empty if it accepts the list."""
    listed, own = handed.get(LISTED), None if known is None else known.settings.get(COUNT)
    taken = ABSENT if own is None else own.taken(version, choice.is_fast)
    if listed is None or not isinstance(listed.value, list) or taken in (ABSENT, NO_ARGUMENT):
        return ""
    of_pieces = known is not None and any(file.endswith(OF_PIECES) for file in known.files)
    if version != FOUR and of_pieces and of_own_file:
        return ""
    of_map = listed.file.endswith(MAP)
    if version != FOUR and not of_map and not settings_object(subject, TOKENIZER).get(EXTRA):
        return ""
    stated = handed.get(COUNT)
    wanted = int(taken) if stated is None else stated.value
    found = {str(each) for each in listed.value if SENTINEL in str(each)}
    if not isinstance(wanted, int) or wanted <= 0 or len(found) == wanted:
        return ""
    # Classes of pieces put theirs behind a list that has none; those of bytes miss them.
    if not found and (not listed.value or of_pieces):
        return ""
    return (
        f"ValueError: Both extra_ids ({wanted}) and additional_special_tokens are provided to "
        f"{choice.name.removesuffix(FAST)}, which has {len(found):,} of its sentinels in the list"
    )
