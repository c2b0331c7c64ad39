"""A declared maximum length beyond the model's positions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tokaudit.plugin import (
    Basis,
    Fact,
    Finding,
    Harm,
    NotApplicable,
    Options,
    Representations,
    Severity,
    Subject,
    check,
)
from tokaudit.subject.effective.settings_object import settings_object
from tokaudit.subject.upstream.model_class import generates
from tokaudit.subject.upstream.precedence import first_of
from tokaudit_suites.shared.repairs import person_decides, repaired, set_to
from tokaudit_suites.shared.rows_and_positions import UNSET, ModelSizes, Table
from tokaudit_suites.shared.stated_roles import place_of
from tokaudit_suites.shared.uses import for_use

TOO_SHORT = 32  # tokens; no model is served with so few
SHARE = 64  # of the positions; published checkpoints declare more
SETTINGS = "tokenizer_config.json"
OF_ENCODERS = {"embedding": Severity.WARNING, "classification": Severity.WARNING}
"""Uses that get texts of any length, and hand them on as they are."""


@check(
    "padding/position-budget",
    title="The model has positions for the maximum length",
    why="If the tokenizer's maximum length exceeds the model's number of positions, a text of "
    "that length fails with an index error, or makes the model read invalid positions.",
    remedy="Set model_max_length in {file|tokenizer_config.json} to the number of usable "
    "positions.",
    repair=person_decides("no file says how long the texts are that the model is served with"),
    severity=Severity.ERROR,
    harm=Harm.CRASH,
    basis=(Basis.CROSS_FILE, Basis.WEIGHTS),
    incident="RoBERTa counts positions from the pad id, so 514 positions hold 512 tokens "
    "(huggingface/transformers #14243).",
)
def position_budget(
    subject: Subject, representations: Representations, sizes: ModelSizes, options: Options
) -> Iterator[Finding]:
    """Compare model_max_length with the config's positions, and with their table."""
    length = _whole(subject, "model_max_length")
    positions = sizes.positions
    # Trust the table before the config: its rows are the positions that exist.
    if length is not None and sizes.table is not None and sizes.table.rows < length.value < UNSET:
        yield _beyond(length, sizes.table)
        return
    open_length = length is None and positions is not None and positions.value > 0
    # Miss a length only where that hurts: positions end, and nothing cuts the text.
    if open_length and sizes.learned and not _is_cut(subject, representations):
        stated = [file for file in subject.files if file.base == SETTINGS]
        if stated and positions is not None:
            yield _open(_unstated(stated[0].name, positions), subject, options)
            return
    if length is None or positions is None or positions.value <= 0:
        raise NotApplicable("no file states both a maximum length and a number of positions")
    # Read a huge number as no length: libraries write it where none is set.
    if length.value >= UNSET:
        if not sizes.learned or _is_cut(subject, representations):
            raise NotApplicable("the maximum length is left open, and nothing here needs one")
        yield _open(_left_open(length, positions), subject, options)
        return
    yield from _too_short(length, positions)
    if length.value > sizes.usable:
        yield Finding(
            Severity.ERROR if sizes.learned else Severity.WARNING,  # others can be scaled up
            f"{length.file} allows {length.value:,} tokens, but {positions.file} has "
            f"{sizes.usable:,} usable positions.",
            (place_of(length, "config"), place_of(positions, "config")),
            cause="too long",
            repair=repaired(set_to(place_of(length, "config"), sizes.usable)),
        )


def _beyond(length: Fact, table: Table) -> Finding:
    return Finding(
        Severity.ERROR,
        f"{length.file} allows {length.value:,} tokens, but {table.place.pointer} has "
        f"{table.rows:,} positions: a text of that length stops with an index error.",
        (place_of(length, "config"), table.place),
        cause="too long",
        repair=repaired(set_to(place_of(length, "config"), table.rows)),
    )


def _is_cut(subject: Subject, representations: Representations) -> bool:
    """Return whether another setting truncates texts."""
    cut = any(spec.truncation.options for _, spec in representations.parsed)
    cut = cut or not settings_object(subject, SETTINGS).keys().isdisjoint(first_of("length")[1:])
    return cut or subject.fact("max_seq_length") is not None


def _open(finding: Finding, subject: Subject, options: Options) -> Finding:
    """Raise an open length to a warning for models that get texts of any length.

    Generation warns of a text beyond the positions; a model of vectors or labels does not.
    """
    if options.use is None and generates(subject) is False:
        return replace(finding, severity=Severity.WARNING)
    return for_use(finding, options, OF_ENCODERS)


def _left_open(length: Fact, positions: Fact) -> Finding:
    """Note an unset length: published repositories leave it open, and users truncate."""
    return Finding(
        Severity.INFO,
        f"{length.file} sets no maximum length ({length.value:.0e}), but the model has "
        f"{positions.value:,} learned positions ({positions.file}): a longer text is not cut, and "
        "stops with an index error.",
        (place_of(length, "config"), place_of(positions, "config")),
        cause="open",
    )


def _unstated(file: str, positions: Fact) -> Finding:
    """Note a missing length: loaders then assume no limit."""
    return Finding(
        Severity.INFO,
        f"{file} states no maximum length, so loaders take none, but the model has "
        f"{positions.value:,} learned positions ({positions.file}): a longer text is not cut, and "
        "stops with an index error.",
        (place_of(positions, "config"),),
        cause="open",
    )


def _too_short(length: Fact, positions: Fact) -> Iterator[Finding]:
    """Report a length that truncates texts far below the model's limit."""
    served = length.value >= TOO_SHORT
    if length.value > 0 and length.value * SHARE < positions.value:
        yield Finding(
            Severity.WARNING if served else Severity.ERROR,
            f"{length.file} allows {length.value:,} tokens, where {positions.file} has "
            f"{positions.value:,} positions: with truncation nearly all of a text is cut off.",
            (place_of(length, "config"), place_of(positions, "config")),
            remedy=f"Set model_max_length in {length.file} to the length of the texts that the "
            "model is served with.",
            cause="short",
        )


def _whole(subject: Subject, *names: str) -> Fact | None:
    facts = subject.facts_named(*names)
    return next((fact for fact in facts if isinstance(fact.value, int)), None)
