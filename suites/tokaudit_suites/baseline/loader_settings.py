"""Settings next to the tokenizer that make loaders act differently from the base model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tokaudit.engine.facet_names import MAX_LENGTH, SPECIAL_MASK, TOKEN_FLAGS
from tokaudit.plugin import Base, BaseTrial, Basis, Finding, Harm, Options, Severity, check
from tokaudit.products.compare.settings.groups import DifferingGroup
from tokaudit.products.compare.settings.loaded import differing_settings
from tokaudit.products.compare.settings.setting import UNBOUNDED, worded
from tokaudit_suites.shared.base_facets import of_base
from tokaudit_suites.shared.repairs import person_decides
from tokaudit_suites.shared.uses import unless_unasked


@check(
    "baseline/loader-settings",
    title="Loader settings are those of the base",
    why="tokenizer.json can be identical to the base model's, while a setting in "
    "tokenizer_config.json puts another token before each text, or removes spaces from what the "
    "model writes.",
    remedy="Copy the setting that is different from {other|the base model's "
    "tokenizer_config.json}, unless the difference is intended.",
    repair=person_decides("no file says which of the two settings the model expects"),
    severity=Severity.WARNING,
    harm=Harm.OTHER_IDS,
    milder="a model may be meant to take another setting than its base, and no file says so.",
    basis=Basis.BASELINE,
    incident="Copies of Gemma 4's base models lost `add_bos_token` and repeated themselves without "
    "end (unslothai/unsloth #7903).",
)
def loader_settings(base: Base, by: BaseTrial, options: Options) -> Iterator[Finding]:
    """Report each group of settings that differs; warn if a text shows it or is cut."""
    for differing in differing_settings(by.trial):
        if differing.name == TOKEN_FLAGS:  # baseline/added-token-flags reports these
            continue
        if differing.name == MAX_LENGTH and _cuts_nothing(differing):
            continue  # a length of one's own takes none of the base's away
        yield unless_unasked(_finding(differing, base, by), options, differing.name)


def _cuts_nothing(differing: DifferingGroup) -> bool:
    return any(theirs.value == UNBOUNDED for theirs, _ in differing.pairs.values())


def _cuts_more(differing: DifferingGroup) -> bool:
    """Return whether long texts are cut that the base takes whole."""
    pairs = [(theirs.value, mine.value) for theirs, mine in differing.pairs.values()]
    numbers = all(isinstance(each, int | float) for pair in pairs for each in pair)
    return differing.name == MAX_LENGTH and numbers and any(mine < most for most, mine in pairs)


def _finding(differing: DifferingGroup, base: Base, by: BaseTrial) -> Finding:
    evidence = differing.evidence(by.trial)
    changes_ids = bool(evidence) and differing.name != SPECIAL_MASK  # which training alone asks for
    differences = "; ".join(
        f"{key} is {worded(mine.value)} (from {mine.who}), but {worded(theirs.value)} in "
        f"{base.called}"
        for key, (theirs, mine) in differing.pairs.items()
    )
    places = [
        replace(place, pointer="") if place.implied_by else place
        for theirs, mine in differing.pairs.values()
        for place in (mine.place, of_base(base, theirs.place))
    ]
    return Finding(
        Severity.WARNING if changes_ids or _cuts_more(differing) else Severity.INFO,
        f"{differences}.",
        tuple(places),
        evidence=evidence,
        cause=differing.name,
    )
