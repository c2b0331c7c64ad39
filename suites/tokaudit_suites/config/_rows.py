"""The table of settings that decide ids, text, lengths, inputs or files, each with its source.

`rules.tsv` has a row for each: what it means, what is taken where it is left out, who compares it
(a rule of `_judges.py`, or the check that does), and as JSON one value that keeps the rule and one
that breaks it, for the tests.  A row without a rule
and without a check is a key that is known and decides nothing that the files could contradict.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from tokaudit.engine.resolver import need
from tokaudit_suites.config import (
    _judges,
    _judges_of_generation,
    _judges_of_inputs,
    _judges_of_text,
)
from tokaudit_suites.config._row import Decides, Judge, Row

TABLE = "rules.tsv"
TOKENIZER, ADDED, MODEL = "tokenizer_config.json", "added_tokens.json", "config.json"

JUDGES: Mapping[str, Judge] = {
    rule.__name__: rule
    for rules in (_judges, _judges_of_inputs, _judges_of_generation, _judges_of_text)
    for rule in rules.JUDGES
}
"""The rules by the names that the table has for them."""


@dataclass(frozen=True)
class Rules:
    """The rows of the table by the settings file, in the order of the table."""

    by_file: Mapping[str, tuple[Row, ...]]


@need
def rules_of_settings() -> Rules:
    """The table, read once."""
    return Rules({row.file: tuple(rows_of(row.file)) for row in all_rows()})


@cache
def all_rows() -> tuple[Row, ...]:
    """Every row of the table, read once."""
    text = resources.files(__package__).joinpath(TABLE).read_text("utf-8")
    _, *lines = text.splitlines()
    return tuple(_row(*line.split("\t")) for line in lines)


def rows_of(base: str) -> Iterator[Row]:
    """The rows of a settings file, by the last part of the name that it is known by."""
    return (row for row in all_rows() if row.file == base)


def _row(*cells: str) -> Row:
    file, key, decides, meaning, default, rule, check, base, beside, keeps, breaks, source = cells
    return Row(
        file,
        key,
        Decides(decides),
        meaning,
        default,
        source,
        JUDGES[rule] if rule else None,
        check,
        base,
        json.loads(beside or "{}"),
        json.loads(keeps),
        json.loads(breaks),
    )
