"""What loaders make of the settings next to two tokenizers: one facet for each that differs.

A setting is what a file states, or else what the class takes that loads the side, by its record.
Where neither is known the setting is unknown, and left to the facet about files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tokaudit.comparison.facet_names import (
    CLEAN_UP,
    MAX_LENGTH,
    PREFIX_SPACE,
    SPECIAL_MASK,
    SWITCHES,
    TOKEN_FLAGS,
    TOKENIZER_CLASS,
    TRUNCATION_SIDE,
)
from tokaudit.comparison.facets.side import Side
from tokaudit.comparison.facets.trial import Trial
from tokaudit.comparison.settings.masks import marked_by_one, masked_tokens
from tokaudit.comparison.settings.shown import shown_by_text
from tokaudit.report.comparison import Facet, Outcome
from tokaudit.report.model import Evidence, Place
from tokaudit.subject.formats.common.settings import setting
from tokaudit.subject.material import Fact
from tokaudit.subject.upstream.loading_class import NamedClass, class_of
from tokaudit.subject.upstream.tokenizer_class import ANY, ClassSetting
from tokaudit.subject.upstream.versions import ABSENT, NO_ARGUMENT

KEYS = {
    SWITCHES: ("add_bos_token", "add_eos_token"),
    TOKENIZER_CLASS: ("tokenizer_class",),
    CLEAN_UP: ("clean_up_tokenization_spaces",),
    PREFIX_SPACE: ("add_prefix_space",),
    MAX_LENGTH: ("model_max_length",),
    TRUNCATION_SIDE: ("truncation_side",),
    TOKEN_FLAGS: ("added_tokens_decoder", "added_tokens"),
}
OF_SOME_CLASSES = (*KEYS[SWITCHES], *KEYS[PREFIX_SPACE])
"""The settings that not every class takes; one that a class does not take does nothing."""
FLAGS = {"lstrip": False, "rstrip": False, "single_word": False, "special": False}
"""The flags of a token that an entry may leave out, and what loaders take then."""


@dataclass(frozen=True)
class Setting:
    """The value of a setting on one side, the file or class that says so, and its place there."""

    value: Any
    who: str
    place: Place


@dataclass(frozen=True)
class DifferingGroup:
    """The settings of one group that differ: key -> what each side takes."""

    name: str
    pairs: Mapping[str, tuple[Setting, Setting]]

    @property
    def why(self) -> str:
        """What each side takes, and who says so."""
        return "; ".join(
            f"{key} is {_short(one.value)} by {one.who}, {_short(other.value)} by {other.who}"
            for key, (one, other) in self.pairs.items()
        )

    def evidence(self, trial: Trial) -> tuple[Evidence, ...]:
        """A text that shows the difference, where one does."""
        values = {key: (one.value, other.value) for key, (one, other) in self.pairs.items()}
        return tuple(shown_by_text(self.name, values, trial))


def loaded_facets(trial: Trial) -> Iterator[Facet]:
    """A facet for each group of settings of which one differs, with a text where text shows it."""
    sides = trial.left, trial.right
    for each in differing_settings(trial):
        places = tuple(
            side.stated(each.name, at.file, at.pointer, at.value, at.implied_by)
            for pair in each.pairs.values()
            for side, at in zip(sides, (one.place for one in pair), strict=True)
        )
        yield Facet(each.name, Outcome.DIFFERS, each.why, places, each.evidence(trial))


def differing_settings(trial: Trial) -> Iterator[DifferingGroup]:
    """The groups of settings of which one is known on both sides, and differs."""
    left, right = trial.left, trial.right
    for name, keys in KEYS.items():
        pairs = {key: (_setting(left, name, key), _setting(right, name, key)) for key in keys}
        differing = {
            key: (one, other)
            for key, (one, other) in pairs.items()
            if one is not None and other is not None and one.value != other.value
        }
        if differing:
            yield DifferingGroup(name, differing)
    yield from _differing_masks(left, right)


def _differing_masks(left: Side, right: Side) -> Iterator[DifferingGroup]:
    """The tokens that only one loader's mask marks as special."""
    ours, theirs = masked_tokens(left), masked_tokens(right)
    if ours is None or theirs is None:
        return
    pairs = {
        f"the mask of {token!r}": (
            Setting(ours.marks(token), ours.who(token), ours.place(token)),
            Setting(theirs.marks(token), theirs.who(token), theirs.place(token)),
        )
        for token in marked_by_one(ours, theirs)
    }
    if pairs:
        yield DifferingGroup(SPECIAL_MASK, pairs)


def _setting(side: Side, name: str, key: str) -> Setting | None:
    fact = setting(side.subject, key) if side.subject is not None else None
    named = class_of(side.subject) if side.subject is not None else None
    if key in OF_SOME_CLASSES and not _takes(named, key):
        return None
    if fact is not None:
        place = Place(name, fact.file, fact.pointer, _brief(fact))
        return Setting(_meant(key, fact.value), fact.file, place)
    return None if named is None else _of_class(named, name, key)


def _takes(named: NamedClass | None, key: str) -> bool:
    """Whether a class is known to take a key, in one of its versions at least."""
    known = named.known.settings.get(key) if named is not None and named.known is not None else None
    return known is not None and not {known.four, known.five} <= {NO_ARGUMENT, ABSENT}


def _of_class(named: NamedClass, name: str, key: str) -> Setting | None:
    """What the class takes where no file states it, if both of its versions take the same."""
    known = named.known.settings.get(key) if named.known is not None else None
    value = None if known is None else _switch(known)
    if value is None:
        return None
    place = Place(name, named.fact.file, named.fact.pointer, None, implied_by=named.rule)
    return Setting(value, f"{named.name}, which takes it where no file states it", place)


def _switch(known: ClassSetting) -> bool | None:
    """A switch that all of a class' versions leave on, or off."""
    values = {"true": True, "false": False}
    return values.get(known.four) if known.four == known.five else None


def _meant(key: str, value: Any) -> Any:
    """A value as loaders take it: classes of one kind by one name, tokens by their flags."""
    if key == "tokenizer_class":
        name = str(value).removesuffix("Fast")
        return ANY[0] if name in ANY else name
    if key == "added_tokens_decoder" and isinstance(value, dict):
        return {id: _token(token) for id, token in value.items()}
    return value


def _token(stated: Any) -> Any:
    if not isinstance(stated, dict):
        return stated
    filled = {**FLAGS, "normalized": not stated.get("special", False), **stated}
    return {key: each for key, each in filled.items() if key != "__type"}


def _brief(fact: Fact) -> Any:
    """A value for a place; a table of tokens is in the file."""
    return None if isinstance(fact.value, dict) else fact.value


def _short(value: Any) -> str:
    if isinstance(value, dict):
        return f"a table of {len(value):,} tokens"
    return str(value).lower() if isinstance(value, bool) else str(value)
