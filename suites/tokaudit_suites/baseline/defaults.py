"""Settings that no file states, and whose defaults differ from the base."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tokaudit.plugin import (
    Base,
    Basis,
    Finding,
    Harm,
    NotApplicable,
    Place,
    Representations,
    Severity,
    Subject,
    check,
)
from tokaudit.report.recorded import LoaderValue, SaidBy, values_by_key
from tokaudit.subject.configs import ROLE_TOKENS
from tokaudit.subject.effective.loaders import CURRENT, Loader
from tokaudit.subject.effective.value_table import CLASS, value_table
from tokaudit_suites.shared.base_facets import of_base
from tokaudit_suites.shared.repairs import base_decides
from tokaudit_suites.shared.wording import some

LESS = ("pad_token", "unk_token")  # which people give a model that has none
ROLES = ("bos_token", "eos_token", "pad_token")
SIDES = ("padding_side", "truncation_side")
NAMED = "/tokenizer_class"
Row = Mapping[str, LoaderValue]


@check(
    "baseline/defaults",
    title="Loaders' defaults are those of the base",
    why="A tokenizer class has defaults for settings that no file states. If this folder is "
    "loaded by another tokenizer class than the base model's folder, batches may be padded on the "
    "other side, or EOS may be another token, although the files of both folders agree.",
    remedy="Copy tokenizer_class from {other|the base model's files}, or write each setting that "
    "is different into tokenizer_config.json.",
    repair=base_decides("which class loads the model it was made from, its files say"),
    severity=Severity.WARNING,
    harm=Harm.OTHER_PROMPT,
    milder="A model may be meant to be loaded by another class than its base.",
    basis=Basis.BASELINE,
    incident="Both versions pad on the left for some classes of models, and on the right for one "
    "that stands for any (padding_side in transformers/models of 4.57.6 and 5.24.0).",
)
def defaults(subject: Subject, found: Representations, base: Base) -> Iterator[Finding]:
    """Compare, version by version, the defaults that a class sets on either side."""
    theirs = [(base.representation, base.spec)] if base.representation is not None else []
    mine_rows = values_by_key(value_table(subject, found.parsed))
    their_rows = values_by_key(value_table(base.subject, theirs))
    names = {f"{loader.name} (emulated)" for loader in CURRENT}
    if not names <= mine_rows.get(CLASS, {}).keys() & their_rows.get(CLASS, {}).keys():
        raise NotApplicable(f"{some(sorted(names))} take one of both by no class that is known")
    said, places = [], list[Place]()
    for loader in CURRENT:
        named = _place(mine_rows, loader).pointer == NAMED  # baseline/padding compares its sides
        for key in ROLES if named else (*ROLES, *SIDES):
            pair = _differing(mine_rows.get(key, {}), their_rows.get(key, {}), loader)
            if pair is not None:
                mine, other = pair
                said.append(f"{key} in {loader.name} is {_told(mine)}, not {_told(other)}")
                places += [_place(mine_rows, loader), of_base(base, _place(their_rows, loader))]
    yield from _gained(base, mine_rows, their_rows)
    if said:
        yield Finding(
            Severity.WARNING,
            "Loaders (emulated) choose other values here than in "
            f"{base.called} for settings that no file states: {some(said)}.",
            tuple(dict.fromkeys(places)),
            cause="class",
        )


def _gained(base: Base, mine: Mapping[str, Row], theirs: Mapping[str, Row]) -> Iterator[Finding]:
    """Report special tokens that a file states here, but that loaders of the base do not take."""
    for loader in CURRENT:
        name = f"{loader.name} (emulated)"
        cells = {
            key: (mine[key][name], theirs[key][name])
            for key in ROLE_TOKENS
            if name in mine.get(key, {}) and name in theirs.get(key, {})
        }
        gained = {
            key: (here, there)
            for key, (here, there) in cells.items()
            if here.said_by is SaidBy.FILE and None is not here.value != there.value
            if there.said_by is not SaidBy.FILE or there.value is None
        }
        for key, (here, there) in gained.items():
            yield Finding(
                Severity.INFO if key in LESS else Severity.WARNING,
                f"{key} is {_told(here)}; no file of {base.called} states a token for it, and "
                f"{loader.name} (emulated) takes {_told(there)}.",
                (Place("special_roles", here.file, here.pointer),),
                cause=f"{key} gained",
            )
        if gained:
            return  # by the other version too


def _differing(mine: Row, theirs: Row, loader: Loader) -> tuple[LoaderValue, LoaderValue] | None:
    """Return the values of one version, if they differ and no file states them."""
    name = f"{loader.name} (emulated)"
    here, there = mine.get(name), theirs.get(name)
    if here is None or there is None or here.value == there.value:
        return None
    stated = SaidBy.FILE in (here.said_by, there.said_by)
    return None if stated else (here, there)


def _told(cell: LoaderValue) -> str:
    return f"{cell.shown()} ({cell.source})"


def _place(rows: Mapping[str, Row], loader: Loader) -> Place:
    """Return the statement by which the version chose its class."""
    cell = rows[CLASS][f"{loader.name} (emulated)"]
    return Place("config", cell.file, cell.pointer)
