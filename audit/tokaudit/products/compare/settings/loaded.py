"""Effect of settings next to two tokenizers on loaders: one facet per difference.

A setting is what a file states, or else what the class takes that loads the side, by its record.
Where neither is known the setting is unknown, and left to the facet about files.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tokaudit.engine.facet_names import (
    CLASS_OPTIONS,
    CLEAN_UP,
    MAX_LENGTH,
    PREFIX_SPACE,
    SPECIAL_MASK,
    SPLITS_SPECIAL,
    SWITCHES,
    TOKEN_FLAGS,
    TOKENIZER_CLASS,
    TOKENS_AROUND,
    TRUNCATION_SIDE,
)
from tokaudit.engine.sides.side import Side
from tokaudit.engine.sides.trial import Trial
from tokaudit.products.compare.settings.around import tokens_around
from tokaudit.products.compare.settings.defaults import (
    ACCENTS,
    BOS,
    CLEANS_UP,
    CUT_SIDE,
    EOS,
    LOWERS,
    acting,
    loader_of,
    taken_by_loader,
    takes,
)
from tokaudit.products.compare.settings.groups import DifferingGroup, token_group
from tokaudit.products.compare.settings.loader_tokens import naming_facts
from tokaudit.products.compare.settings.masks import marked_by_one, masked_tokens
from tokaudit.products.compare.settings.setting import UNBOUNDED, Setting
from tokaudit.report.comparison import Facet, Outcome
from tokaudit.report.model import Place
from tokaudit.subject.formats.common.settings import setting
from tokaudit.subject.material import Fact, Subject
from tokaudit.subject.upstream.loading_class import NamedClass, class_of
from tokaudit.subject.upstream.tokenizer_class import ANY

KEYS = {
    SWITCHES: (BOS, EOS),
    TOKENIZER_CLASS: ("tokenizer_class",),
    CLEAN_UP: (CLEANS_UP,),
    PREFIX_SPACE: ("add_prefix_space",),
    MAX_LENGTH: ("model_max_length",),
    TRUNCATION_SIDE: (CUT_SIDE,),
    TOKEN_FLAGS: ("added_tokens_decoder", "added_tokens"),
    SPLITS_SPECIAL: ("split_special_tokens",),
    CLASS_OPTIONS: (LOWERS, ACCENTS, "tokenize_chinese_chars", "legacy"),
}
LONGEST_CUT = 10**20  # above which loaders cut no text
OF_SOME_CLASSES = (*KEYS[SWITCHES], *KEYS[PREFIX_SPACE])
"""The settings that not every class takes; one that a class does not take does nothing."""
FLAGS = {"lstrip": False, "rstrip": False, "single_word": False, "special": False}
"""The flags of a token that an entry may leave out, and what loaders take then."""


def loaded_facets(trial: Trial) -> Iterator[Facet]:
    """Yield a facet for each differing group of settings, with a text if possible."""
    for each in differing_settings(trial):
        places = each.places(trial.left, trial.right)
        yield Facet(each.name, Outcome.DIFFERS, each.why, places, each.evidence(trial))


def differing_settings(trial: Trial) -> Iterator[DifferingGroup]:
    """Yield the groups with a setting that is known on both sides, and differs."""
    left, right = trial.left, trial.right
    tokens = token_group(left, right)
    for name in KEYS:
        if name == TOKEN_FLAGS and tokens is not None:
            yield from (tokens,) if tokens.pairs else ()
            continue
        differing = {
            key: (one, other)
            for key, one, other in _known(left, right, name)
            if one.value != other.value
        }
        if differing:
            yield DifferingGroup(name, differing)
    yield from _differing_around(left, right)
    yield from _differing_masks(left, right)


def agreeing_places(left: Side, right: Side) -> Iterator[Place]:
    """Yield a side's places of values on which both agree, perhaps by class."""
    known = token_group(left, right) is not None
    for side in (left, right) if known else ():
        for fact in naming_facts(side):
            yield side.stated(TOKEN_FLAGS, fact.file, fact.pointer, None)
    for name in KEYS:
        for _, one, other in _known(left, right, name):
            if one.value == other.value:
                yield from (
                    side.stated(name, each.place.file, each.place.pointer, None)
                    for side, each in ((left, one), (right, other))
                    if not each.place.implied_by
                )


def _known(left: Side, right: Side, name: str) -> Iterator[tuple[str, Setting, Setting]]:
    """Yield the settings of a group that are known on both sides."""
    for key in KEYS[name]:
        one, other = loader_setting(left, name, key), loader_setting(right, name, key)
        if one is not None and other is not None:
            yield key, one, other


def _differing_around(left: Side, right: Side) -> Iterator[DifferingGroup]:
    """Yield the tokens that loaders add around texts, by role, if they differ."""
    ours, theirs = tokens_around(left), tokens_around(right)
    if ours is None or theirs is None:
        return
    roles = (role for role in ours.tokens if role in theirs.tokens)
    both = {f"{role}_token": (ours.tokens[role], theirs.tokens[role]) for role in roles}
    pairs = {role: pair for role, pair in both.items() if pair[0].value != pair[1].value}
    if pairs:
        yield DifferingGroup(TOKENS_AROUND, pairs)


def _differing_masks(left: Side, right: Side) -> Iterator[DifferingGroup]:
    """Yield the tokens that only one loader's mask marks as special."""
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


def loader_setting(side: Side, name: str, key: str) -> Setting | None:
    """Return the value that a side's loader uses: a file's, else the class's, else None."""
    if side.subject is None:
        return None
    versions = acting(side, key)
    if not any(versions or ()) and (versions is not None or not _counts(side.subject, key)):
        return None
    fact = setting(side.subject, key)
    if fact is not None:
        place = Place(name, fact.file, fact.pointer, _brief(fact))
        return Setting(_meant(key, fact.value), fact.file, place)
    loader = loader_of(side.subject)
    if loader is None:
        return None
    value = taken_by_loader(side, loader, key, versions or (True, True))
    if value is None and key == ACCENTS:  # which go where text is lower-cased
        lowers = loader_setting(side, name, LOWERS)
        value = None if lowers is None else lowers.value
    return None if value is None else _of_class(loader, name, value)


def _counts(subject: Subject, key: str) -> bool:
    """Return whether a setting may have an effect if the reading versions are unknown."""
    named = class_of(subject)
    if key in OF_SOME_CLASSES:
        return takes(None if named is None else named.known, key)
    return key not in KEYS[CLASS_OPTIONS]  # which the pipeline of bare files has by itself


def _of_class(named: NamedClass, name: str, value: bool | str | int) -> Setting:
    """Return the class's setting for an unstated key."""
    place = Place(name, named.fact.file, named.fact.pointer, None, implied_by=named.rule)
    return Setting(value, f"{named.name}, which takes it where no file states it", place)


def _meant(key: str, value: Any) -> Any:
    """Normalize a value as loaders read it: class names by kind, tokens by flags."""
    if key == "tokenizer_class":
        name = str(value).removesuffix("Fast")
        return ANY[0] if name in ANY else name
    if key == "added_tokens_decoder" and isinstance(value, dict):
        return {id: _token(token) for id, token in value.items()}
    if key in KEYS[MAX_LENGTH] and isinstance(value, int | float) and value > LONGEST_CUT:
        return UNBOUNDED
    return value


def _token(stated: Any) -> Any:
    if not isinstance(stated, dict):
        return stated
    filled = {**FLAGS, "normalized": not stated.get("special", False), **stated}
    return {key: each for key, each in filled.items() if key != "__type"}


def _brief(fact: Fact) -> Any:
    """Return a value for a place; a table of tokens stays in the file."""
    return None if isinstance(fact.value, dict) else fact.value
