"""Changes of the padding side, and of stored truncation and padding, since the base model."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.engine.facet_names import PADDING
from tokaudit.plugin import Base, BaseTrial, Basis, Finding, Harm, Options, Outcome, Severity, check
from tokaudit.products.compare.facets.batch import batch_settings, settings_of
from tokaudit.products.compare.settings.defaults import PAD_SIDE
from tokaudit.products.compare.settings.loaded import loader_setting
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.base_facets import of_base
from tokaudit_suites.shared.repairs import person_decides, repaired, taken
from tokaudit_suites.shared.uses import unless_unasked
from tokaudit_suites.shared.wording import stage

BLOCKS = ("truncation", "padding")


@check(
    "baseline/padding",
    title="Padding and truncation are the base model's",
    why="With padding on the wrong side, the model gives a batch of texts other answers than the "
    "same texts one by one. If truncation is left on in a saved tokenizer, loaders silently cut "
    "long texts.",
    remedy="Copy the settings of padding and truncation from {other|the base model's files}, "
    "unless the difference is intended.",
    repair=person_decides("whether this model's batches should be like its base's"),
    severity=Severity.WARNING,
    harm=Harm.OTHER_IDS,
    milder="learning and generation want padding on different sides, and no file says for which "
    "of the two a folder is.",
    basis=Basis.BASELINE,
    incident="An engine took truncation to 128 tokens from a tokenizer.json, where the model takes "
    "256 (martin-conur/quackformers PR#83).",
)
def padding(spec: TokenizerSpec, base: Base, by: BaseTrial, options: Options) -> Iterator[Finding]:
    """Compare the side that each loader pads on, then the blocks of tokenizer.json."""
    for found in (*_sides(base, by), *_blocks(spec, base, by)):
        yield unless_unasked(found, options, PADDING)


def _sides(base: Base, by: BaseTrial) -> Iterator[Finding]:
    """Report loaders that pad on another side than with the base."""
    left, right = by.trial.left, by.trial.right
    mine, theirs = (loader_setting(side, PADDING, PAD_SIDE) for side in (right, left))
    if mine is not None and theirs is not None and mine.value != theirs.value:
        yield Finding(
            Severity.WARNING,
            f"Loaders pad batches on the {mine.value} here (from {mine.who}), but on the "
            f"{theirs.value} in {base.called}.",
            (mine.place, of_base(base, theirs.place)),
            cause=PADDING,
        )


def _blocks(spec: TokenizerSpec, base: Base, by: BaseTrial) -> Iterator[Finding]:
    """Report truncation and padding blocks that differ between the files."""
    ours, theirs = settings_of(spec), settings_of(base.spec)
    changed = [name for name in BLOCKS if ours.get(name) != theirs.get(name)]
    if not changed:
        return
    facet = batch_settings(by.trial.left, by.trial.right, by.trial)
    shown = facet.outcome is Outcome.DIFFERS
    for name in changed:
        here, there = stage(spec, name), of_base(base, stage(base.spec, name))
        yield Finding(
            Severity.WARNING if shown else Severity.INFO,
            f"{name} is {_block(ours.get(name))} here, and {_block(theirs.get(name))} in "
            f"{base.called}; users who load tokenizer.json alone get different ids for a text.",
            (here, there),
            facet.evidence,
            cause=name,
            repair=repaired(taken(here, there, from_base=True)) if shown else None,
        )


def _block(options: object) -> str:
    if not isinstance(options, dict):
        return "off"
    told = {key: options[key] for key in ("max_length", "strategy", "direction") if key in options}
    return f"on ({', '.join(f'{key} {value}' for key, value in told.items())})"
