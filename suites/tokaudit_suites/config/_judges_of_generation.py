"""The rules of settings for answers: how long they may be, and what Whisper is given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tokaudit.report.model import Finding, Severity
from tokaudit_suites.config._judges import UNSET, within_positions
from tokaudit_suites.config._row import Ground, Judge
from tokaudit_suites.shared.stated_key import StatedKey

GENERATION, MODEL = "generation_config.json", "config.json"
CEILING: Mapping[str, str] = {"min_length": "max_length", "min_new_tokens": "max_new_tokens"}
DECODER = "max_target_positions"


def a_ceiling(ground: Ground, stated: StatedKey) -> Iterator[Finding]:
    """A most leaves room for a token, and is one that the model has positions for."""
    length = stated.value
    if not _whole(length):
        return
    room = ground.stated(MODEL, DECODER)
    if length <= 0:
        message = f"{stated.key} in {stated.file} is {length}: no token may be written."
        yield stated.reported(Severity.ERROR, message)
    elif _whole(room) and room < length < UNSET:
        message = (
            f"{stated.key} in {stated.file} is {length:,}, but the decoder has {room:,} positions: "
            "a longer answer stops with an error."
        )
        yield stated.reported(Severity.WARNING, message)
    else:
        yield from within_positions(ground, stated)


def a_floor(ground: Ground, stated: StatedKey) -> Iterator[Finding]:
    """A least is not above the most."""
    most = ground.stated(GENERATION, CEILING[stated.key])
    if _whole(most) and _whole(stated.value) and stated.value > most:
        message = (
            f"{stated.key} in {stated.file} is {stated.value:,}, above {CEILING[stated.key]}, "
            f"{most:,}: the end is forbidden as long as anything is written."
        )
        yield stated.reported(Severity.ERROR, message)
    else:
        yield from within_positions(ground, stated)


def as_many_languages(ground: Ground, stated: StatedKey) -> Iterator[Finding]:
    """Whisper has ids of languages if and only if it is given one."""
    listed = isinstance(ground.stated(GENERATION, "lang_to_id"), dict)
    if isinstance(stated.value, bool) and stated.value != listed:
        has = "lang_to_id is there" if listed else "there is no lang_to_id"
        message = (
            f"{stated.key} in {stated.file} is {stated.value}, but {has}: a language that is "
            "asked for is refused."
        )
        yield stated.reported(Severity.WARNING, message)


def heads_there(ground: Ground, stated: StatedKey) -> Iterator[Finding]:
    """The heads that times of words are read from are heads of the decoder."""
    sizes = [ground.stated(MODEL, f"decoder_{name}") for name in ("layers", "attention_heads")]
    pairs = stated.value if isinstance(stated.value, list) else []
    for pair in pairs:
        if not isinstance(pair, list) or len(pair) != 2 or not all(map(_whole, pair)):
            continue
        if any(_whole(size) and at >= size for at, size in zip(pair, sizes, strict=True)):
            message = (
                f"{stated.key} in {stated.file} names head {pair[1]} of layer {pair[0]}, but the "
                f"decoder has {sizes[0]} layers with {sizes[1]} heads: it is of another model."
            )
            yield stated.reported(Severity.ERROR, message)
            return


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


JUDGES: Sequence[Judge] = (a_ceiling, a_floor, as_many_languages, heads_there)
