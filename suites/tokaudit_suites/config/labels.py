"""Label names and numbers that differ between two maps of a config."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tokaudit.plugin import Basis, Finding, Harm, NotApplicable, Severity, check
from tokaudit_suites.shared.repairs import person_decides
from tokaudit_suites.shared.stated_key import StatedKey
from tokaudit_suites.shared.stated_keys import StatedKeys
from tokaudit_suites.shared.wording import does, plural, quote, some

CONFIG, NAMES, NUMBERS = "config.json", "id2label", "label2id"
NUMBER = re.compile(r"[0-9]{1,9}")


@check(
    "config/labels",
    title="Every label has one number",
    why="Pipelines look up a score's label in id2label; dataset code and zero-shot classification "
    "look up a label's row in label2id. Where id2label and label2id disagree, a label gets "
    "another label's score without an error. If id2label has no label for a row, a pipeline that "
    "looks up this row's label stops with an error.",
    remedy="In {file|the config}, write label2id as the inverse of id2label, with numbers from 0 "
    "up.",
    repair=person_decides("no file says which of the two maps the rows of the head follow"),
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    harms={"rows": Harm.CRASH},
    basis=Basis.CROSS_FILE,
    incident="With a third label a config kept the maps of two (huggingface/transformers #3093).",
)
def labels(keys: StatedKeys) -> Iterator[Finding]:
    """Compare both maps with each other, and the numbers with the rows of the head."""
    stated = {key.key: key for key in keys.all if key.base == CONFIG}
    names = stated.get(NAMES)
    if names is None or not (named := _named(names)):
        raise NotApplicable("no config names its labels")
    yield from _rows(names, named)
    if (numbers := stated.get(NUMBERS)) is not None and isinstance(numbers.value, dict):
        yield from _otherwise(names, named, numbers)


def _named(stated: StatedKey) -> dict[int, str]:
    """Map numbers to labels; empty if a key is not a number or a label not a text."""
    value = stated.value if isinstance(stated.value, dict) else {}
    whole = all(NUMBER.fullmatch(key) and isinstance(text, str) for key, text in value.items())
    return {int(key): text for key, text in value.items()} if whole else {}


def _rows(stated: StatedKey, named: dict[int, str]) -> Iterator[Finding]:
    """Report rows of the head without a label: there is one row for each label."""
    lost = [at for at in range(len(named)) if at not in named]
    if lost:
        beyond = [f"{quote(named[at])} ({at})" for at in sorted(named) if at >= len(named)]
        message = (
            f"A call stops if row {lost[0]} has the highest score: {stated.key} in {stated.file} "
            f"has {plural(len(named), 'label')}, so the head has rows 0 to {len(named) - 1}, but "
            f"{does(len(beyond), 'label', 'has')} a higher number: {some(beyond, 3)}."
        )
        yield Finding(Severity.ERROR, message, (stated.place(),), cause="rows")


def _otherwise(names: StatedKey, named: dict[int, str], numbers: StatedKey) -> Iterator[Finding]:
    """Report labels with another number in each map; a repeated label may have either."""
    own = {text: {at for at, each in named.items() if each == text} for text in named.values()}
    other = [
        f"{quote(text)} has {number} instead of {min(own[text])}"
        for text, number in numbers.value.items()
        if text in own and type(number) is int and number not in own[text]
    ]
    if other:
        message = (
            f"{plural(len(other), 'label')} {'has' if len(other) == 1 else 'have'} another number "
            f"in {numbers.key} than in {names.key} of {names.file}: {some(other, 3)}. Code that "
            f"looks up a label in {numbers.key} gets another label's score."
        )
        yield Finding(Severity.ERROR, message, (numbers.place(), names.place()), cause="two maps")
