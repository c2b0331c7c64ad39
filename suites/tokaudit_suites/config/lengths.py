"""Lengths of texts and answers that the model cannot handle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tokaudit.plugin import Basis, Finding, Harm, Severity, check
from tokaudit_suites.config._compared_keys import ComparedKeys, Rule, RuleContext
from tokaudit_suites.shared.rows_and_positions import UNSET
from tokaudit_suites.shared.stated_key import StatedKey

NO_LENGTH = 10**18  # what transformers writes for no length is larger
SHORTEST = 16  # tokens; every published tokenizer for texts allows more
GENERATION, MODEL = "generation_config.json", "config.json"
CEILING: Mapping[str, str] = {"min_length": "max_length", "min_new_tokens": "max_new_tokens"}
DECODER = "max_target_positions"


@check(
    "config/lengths",
    title="Lengths in settings fit the model",
    why="Settings files limit the length of a text or an answer. A text with more tokens than the "
    "model has positions fails or is misread. A minimum length above the maximum length blocks "
    "the end of every answer.",
    remedy="Correct or delete {pointer|the key} in {file|the file named}.",
    severity=Severity.ERROR,
    harm=Harm.CRASH,
    basis=Basis.CROSS_FILE,
    left_to_code=True,
    incident="Whisper refuses max_new_tokens that do not fit max_target_positions with the prompt "
    "(transformers, models/whisper/generation_whisper.py).",
)
def lengths(compared: ComparedKeys) -> Iterator[Finding]:
    """Compare each length with the model's positions, and each minimum with its maximum."""
    for stated in compared.of("config/lengths"):
        yield from RULES[stated.key](compared.context, stated)


def a_length(context: RuleContext, stated: StatedKey) -> Iterator[Finding]:
    """Report a length that is not a positive whole number."""
    value = stated.value
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if number and not _is_length(value):
        message = (
            f"{stated.key} in {stated.file} is {value}: a length that is not a whole number above "
            "zero stops every call that truncates texts."
        )
        yield stated.reported(Severity.ERROR, message, stated.left_out())
    else:
        yield from a_room(context, stated)


def a_room(context: RuleContext, stated: StatedKey) -> Iterator[Finding]:
    """Report a length that leaves no room for a sentence next to the special tokens."""
    if _whole(stated.value) and 0 < stated.value < SHORTEST:
        message = (
            f"{stated.key} in {stated.file} is {stated.value}: wherever texts are truncated to "
            "this length, only a few words of each are left."
        )
        yield stated.reported(Severity.WARNING, message)


def a_sentence(context: RuleContext, stated: StatedKey) -> Iterator[Finding]:
    """Report a length that exceeds the positions, or leaves no room for a sentence."""
    yield from within_positions(context, stated)
    yield from a_room(context, stated)


def _is_length(value: float) -> bool:
    """Return whether a number is positive and whole; a very large one means no limit."""
    whole = isinstance(value, int) or float(value).is_integer()
    return value >= NO_LENGTH or (value >= 1 and whole)


def a_ceiling(context: RuleContext, stated: StatedKey) -> Iterator[Finding]:
    """Report a maximum that leaves no room for a token, or exceeds the positions."""
    length = stated.value
    if not _whole(length):
        return
    room = context.stated(MODEL, DECODER)
    if length <= 0:
        message = f"{stated.key} in {stated.file} is {length}: the model may not write any token."
        yield stated.reported(Severity.ERROR, message, stated.left_out())
    elif _whole(room) and room < length < UNSET:
        message = (
            f"{stated.key} in {stated.file} is {length:,}, but the decoder has {room:,} positions: "
            "a longer answer stops with an error."
        )
        yield stated.reported(Severity.ERROR, message, stated.as_it_should_be(room))
    else:
        yield from within_positions(context, stated)


def a_floor(context: RuleContext, stated: StatedKey) -> Iterator[Finding]:
    """Report a minimum above the maximum."""
    most = context.stated(GENERATION, CEILING[stated.key])
    if _whole(most) and _whole(stated.value) and stated.value > most:
        message = (
            f"{stated.key} in {stated.file} is {stated.value:,}, above {CEILING[stated.key]}, "
            f"{most:,}: the end-of-text token is blocked for the whole answer."
        )
        yield stated.reported(Severity.ERROR, message, stated.left_out())
    else:
        yield from within_positions(context, stated)


def within_positions(context: RuleContext, stated: StatedKey) -> Iterator[Finding]:
    """Report a length that exceeds the model's positions."""
    sizes, length = context.sizes, stated.value
    positions = sizes.positions if sizes is not None else None
    if sizes is None or positions is None or positions.value <= 0 or not _whole(length):
        return
    if positions.value < length < UNSET:
        message = (
            f"{stated.key} in {stated.file} is {length:,}, but {positions.file} has "
            f"{positions.value:,} positions."
        )
        severity = Severity.ERROR if sizes.learned else Severity.WARNING
        yield stated.reported(severity, message, stated.as_it_should_be(positions.value))


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


RULES: Mapping[str, Rule] = {
    "max_length": a_ceiling,
    "max_new_tokens": a_ceiling,
    "max_seq_length": a_sentence,
    "min_length": a_floor,
    "min_new_tokens": a_floor,
    "model_max_length": a_length,
}
