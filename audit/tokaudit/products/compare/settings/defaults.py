"""Defaults of a side's class for unstated settings, if its versions agree."""

from __future__ import annotations

from itertools import compress

from tokaudit.engine.sides.side import Side
from tokaudit.products.compare.settings.setting import UNBOUNDED
from tokaudit.subject.formats.common.settings import setting
from tokaudit.subject.material import Subject
from tokaudit.subject.upstream.ends import PREFIX
from tokaudit.subject.upstream.loading_class import NamedClass, class_of
from tokaudit.subject.upstream.over_tokenizer_json import Acts, acts_on, reads_tokenizer_json
from tokaudit.subject.upstream.own_code import own_class
from tokaudit.subject.upstream.setting_key import defaults_of
from tokaudit.subject.upstream.tokenizer_class import ANY, TokenizerClass
from tokaudit.subject.upstream.versions import ABSENT, FIVE, FOUR, NO_ARGUMENT
from tokaudit_reference.spec import Standing, TokenizerSpec

BOS, EOS = "add_bos_token", "add_eos_token"
CLEANS_UP, CUT_SIDE = "clean_up_tokenization_spaces", "truncation_side"
PAD_SIDE = "padding_side"
TOKENIZER_JSON, OFF = "tokenizer.json", "false"
VALUES: dict[str, bool | str | int] = {
    "true": True,
    OFF: False,
    "left": "left",
    "right": "right",
    "10^30": UNBOUNDED,
}
ACCENTS, LOWERS = "strip_accents", "do_lower_case"
NOBODY = ("", "")


def takes(known: TokenizerClass | None, key: str) -> bool:
    """Return whether a class is known to read a key, in at least one version."""
    own = None if known is None else known.settings.get(key)
    return own is not None and not {own.four, own.five} <= {NO_ARGUMENT, ABSENT}


def loader_of(subject: Subject) -> NamedClass | None:
    """Return the class that a file names, even a generic one; else by model or file."""
    named = setting(subject, "tokenizer_class")
    name = "" if named is None else str(named.value).removesuffix("Fast")
    if named is None or name not in ANY:
        return class_of(subject)
    return NamedClass(name, None, named)


def loader_over_file(side: Side) -> NamedClass | None:
    """Return the class that reads a side's tokenizer.json in both versions, or None."""
    if side.subject is None or side.spec.format != TOKENIZER_JSON or own_class(side.subject):
        return None
    loader = loader_of(side.subject)
    if loader is None or (loader.known is None and loader.name not in ANY):
        return None
    return loader if loader.known is None or reads_tokenizer_json(loader.known) else None


def acting(side: Side, key: str) -> Acts | None:
    """Return whether each version acts on a key next to a tokenizer.json; None if unknown."""
    loader = loader_over_file(side)
    steps = side.spec.pre_tokenizer.options or {}
    return None if loader is None else acts_on(loader.known, key, PREFIX in steps)


def taken_by_loader(
    side: Side, loader: NamedClass, key: str, versions: Acts = (True, True)
) -> bool | str | int | None:
    """Return the default of the relevant versions; None if they differ or are unknown.

    For a class that no file names, version 5 may take the one that stands for any tokenizer.
    """
    if (loader.known is None and loader.name not in ANY) or _is_in_the_block(side.spec, key):
        return None
    own = None if loader.known is None else loader.known.settings.get(key)
    over_file = side.spec.format == TOKENIZER_JSON
    stated = [
        NO_ARGUMENT if own is None else own.taken(version, over_file=over_file)
        for version in (FOUR, FIVE)
    ]
    of_all = [*compress(_of_every_class(side.spec, key), versions)]
    pairs = zip(compress(stated, versions), of_all, strict=True)
    found = {default if each == NO_ARGUMENT else each for each, default in pairs}
    if side.subject is None or loader.fact not in side.subject.facts_named("tokenizer_class"):
        found |= set(filter(None, of_all))
    if len(found) != 1:
        return None
    return VALUES.get(found.pop())


def _is_in_the_block(spec: TokenizerSpec, key: str) -> bool:
    """Return whether tokenizer.json stores truncation or padding, and thus the side."""
    block = {CUT_SIDE: spec.truncation, PAD_SIDE: spec.padding}.get(key)
    return block is not None and bool(block.options)


def _of_every_class(spec: TokenizerSpec, key: str) -> tuple[str, str]:
    """Return both versions' defaults; a stated post-processor may stay unchanged."""
    if key == PREFIX and spec.format == TOKENIZER_JSON:
        return OFF, ""
    stated = spec.post_processor.standing is Standing.STATED
    return NOBODY if key in (BOS, EOS) and stated else defaults_of(key)
