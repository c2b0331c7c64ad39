"""What a side's class takes for a setting that no file states, where its versions take the same."""

from __future__ import annotations

from tokaudit.comparison.sides.side import Side
from tokaudit.subject.formats.common.settings import setting
from tokaudit.subject.material import Subject
from tokaudit.subject.upstream.loading_class import NamedClass, class_of
from tokaudit.subject.upstream.setting_key import defaults_of
from tokaudit.subject.upstream.tokenizer_class import ANY, TokenizerClass
from tokaudit.subject.upstream.versions import ABSENT, NO_ARGUMENT
from tokaudit_reference.spec import Standing, TokenizerSpec

BOS, EOS = "add_bos_token", "add_eos_token"
CLEANS_UP, CUT_SIDE = "clean_up_tokenization_spaces", "truncation_side"
PAD_SIDE = "padding_side"
VALUES: dict[str, bool | str] = {"true": True, "false": False, "left": "left", "right": "right"}
NOBODY = ("", "")


def takes(known: TokenizerClass | None, key: str) -> bool:
    """Whether a class is known to take a key, in one of its versions at least."""
    own = None if known is None else known.settings.get(key)
    return own is not None and not {own.four, own.five} <= {NO_ARGUMENT, ABSENT}


def loader_of(subject: Subject) -> NamedClass | None:
    """The class that a file names, one that stands for any tokenizer too; else by model or file."""
    named = setting(subject, "tokenizer_class")
    name = "" if named is None else str(named.value).removesuffix("Fast")
    if named is None or name not in ANY:
        return class_of(subject)
    return NamedClass(name, None, named)


def taken_by_loader(side: Side, loader: NamedClass, key: str) -> bool | str | None:
    """What every version of a class takes; None where they differ, or nobody knows.

    For a class that no file names, version 5 may take the one that stands for any tokenizer.
    """
    if (loader.known is None and loader.name not in ANY) or _is_in_the_block(side.spec, key):
        return None
    own = None if loader.known is None else loader.known.settings.get(key)
    stated = (NO_ARGUMENT, NO_ARGUMENT) if own is None else (own.four, own.five)
    of_all = _of_every_class(side.spec, key)
    pairs = zip(stated, of_all, strict=True)
    found = {default if each == NO_ARGUMENT else each for each, default in pairs}
    if side.subject is None or loader.fact not in side.subject.facts_named("tokenizer_class"):
        found |= set(filter(None, of_all))
    return VALUES.get(found.pop()) if len(found) == 1 else None


def _is_in_the_block(spec: TokenizerSpec, key: str) -> bool:
    """Whether tokenizer.json leaves truncation or padding on, and so says which side."""
    block = {CUT_SIDE: spec.truncation, PAD_SIDE: spec.padding}.get(key)
    return block is not None and bool(block.options)


def _of_every_class(spec: TokenizerSpec, key: str) -> tuple[str, str]:
    """What both versions take by default; a post-processor that is stated may stay as it is."""
    stated = spec.post_processor.standing is Standing.STATED
    return NOBODY if key in (BOS, EOS) and stated else defaults_of(key)
