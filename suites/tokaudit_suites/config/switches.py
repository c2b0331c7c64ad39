"""Switches in settings that the tokenizer lacks or contradicts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from tokaudit.plugin import Basis, Finding, Harm, Severity, check
from tokaudit.subject.upstream.loading_class import class_of
from tokaudit.subject.upstream.setting_key import MODEL, TOKENIZER
from tokaudit.subject.upstream.tokenizer_class import ClassSetting, setting_of
from tokaudit.subject.upstream.versions import BOTH, FIVE, FOUR, VERSIONS
from tokaudit_suites.config._compared_keys import ComparedKeys, Rule, RuleContext
from tokaudit_suites.shared.repairs import repaired, setting
from tokaudit_suites.shared.stated_key import StatedKey
from tokaudit_suites.shared.vocab_entries import ordinary, text_of
from tokaudit_suites.shared.wording import plural, stage

WHOLE = "tokenizer.json"
OF_TEXT = ("do_lower_case", "strip_accents", "tokenize_chinese_chars", "keep_accents")
CASED = 0.05  # of the entries; a vocabulary of lower case has a few names at most


@check(
    "config/switches",
    title="Switches in settings fit the tokenizer",
    why="Some loaders apply switches in tokenizer_config.json, such as add_prefix_space, on top "
    "of tokenizer.json. If a switch contradicts tokenizer.json, libraries that read the switch "
    "produce other ids than engines that ignore the switch.",
    remedy="Correct or delete {pointer|the key} in {file|the file named}.",
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.CROSS_FILE,
    left_to_code=True,
    incident="transformers writes a stated add_prefix_space over the one of tokenizer.json "
    "(huggingface/transformers, tokenization_utils_fast.py), so that engines that read the file "
    "alone begin a text with another token.",
)
def switches(compared: ComparedKeys) -> Iterator[Finding]:
    """Compare each switch with the behaviour of the tokenizer."""
    yield from _unread(compared.context)
    for stated in compared.of("config/switches"):
        yield from RULES[stated.key](compared.context, stated)


def _unread(context: RuleContext) -> Iterator[Finding]:
    """Report a tokenizer switch in the model's config, where no version reads it."""
    for stated in context.keys:
        wanted = stated.base == MODEL and stated.key in OF_TEXT and isinstance(stated.value, bool)
        if wanted and context.stated(TOKENIZER, stated.key) is None:
            named = class_of(context.subject)
            own = None if named is None else setting_of(named.name, stated.key)
            taken = _taken(own) & {"true", "false"}
            if taken and str(stated.value).lower() not in taken and not _is_whole(context):
                both = " and ".join(VERSIONS)
                message = (
                    f"{stated.key} in {stated.file} is {stated.value}, but {both} read this "
                    f"setting only in {TOKENIZER}, and use {taken.pop()} here."
                )
                yield replace(
                    stated.reported(Severity.WARNING, message),
                    repair=repaired(setting(_next_to(stated.file), stated.key, stated.value)),
                )


def _taken(own: ClassSetting | None) -> set[str]:
    return set() if own is None else {own.taken(FOUR), own.taken(FIVE)}


def _is_whole(context: RuleContext) -> bool:
    """Return whether a tokenizer.json defines the processing of text."""
    return context.spec.format == WHOLE


def _next_to(file: str) -> str:
    folder = file.rpartition("/")[0]
    return f"{folder}/{TOKENIZER}" if folder else TOKENIZER


def no_sampling(context: RuleContext, stated: StatedKey) -> Iterator[Finding]:
    """Report SentencePiece sampling, which changes the tokens from call to call."""
    if isinstance(stated.value, dict) and stated.value.get("enable_sampling"):
        message = (
            f"{stated.key} in {stated.file} switches sampling on: a loader that reads the "
            "SentencePiece model gets different ids for the same text at each call."
        )
        quiet = {**stated.value, "enable_sampling": False}
        yield stated.reported(Severity.ERROR, message, stated.as_it_should_be(quiet))


def off(context: RuleContext, stated: StatedKey) -> Iterator[Finding]:
    """Report a switch that stops special tokens from being matched in text."""
    if stated.value is True:
        message = (
            f"{stated.key} in {stated.file} is on: special tokens in a text are split into pieces, "
            "even in a rendered chat."
        )
        yield stated.reported(Severity.WARNING, message, stated.as_it_should_be(False))


def a_side(context: RuleContext, stated: StatedKey) -> Iterator[Finding]:
    """Report a side that is invalid, or differs from the tokenizer's own truncation side."""
    block = context.spec.truncation.options or {}
    own = str(block.get("direction", "")).lower()
    if isinstance(stated.value, str) and stated.value not in ("left", "right"):
        message = f"{stated.key} in {stated.file} is {stated.value[:40]!r}, not 'left' or 'right'."
        yield stated.reported(Severity.ERROR, message, stated.left_out())
    elif own and stated.value in ("left", "right") and stated.value != own:
        message = (
            f"{stated.key} in {stated.file} is {stated.value}, but the truncation block of the "
            f"tokenizer cuts texts on the {own}: {BOTH} keep one end of a long text, but engines "
            "that read only tokenizer.json keep the other end."
        )
        found = stated.reported(Severity.WARNING, message, stated.as_it_should_be(own))
        at = stage(context.spec, "truncation", block.get("direction"))
        yield replace(found, places=(*found.places, at))


def prefix_space(context: RuleContext, stated: StatedKey) -> Iterator[Finding]:
    """Report a prefix space switch that contradicts the pre-tokenizer: loaders overwrite it."""
    steps = context.spec.pre_tokenizer.steps
    if len(steps) == 1 and isinstance(stated.value, bool):
        own = steps[0].effects.prefix_space
        if own not in (None, stated.value):
            message = (
                f"{stated.key} in {stated.file} is {stated.value}, but the pre_tokenizer in "
                f"tokenizer.json says {own}: engines that read only tokenizer.json get different "
                f"ids for the first word. transformers {FOUR} follows {stated.file}, and "
                f"transformers {FIVE} does where the class builds its own pipeline."
            )
            yield stated.reported(Severity.WARNING, message, stated.as_it_should_be(own))


def cased_too(context: RuleContext, stated: StatedKey) -> Iterator[Finding]:
    """Report lower-casing with a cased vocabulary."""
    lowers = any(step.effects.lower_cases for step in context.spec.normalizer.steps)
    if stated.value is not True or lowers:
        return
    texts = [text_of(piece) or "" for _, piece in ordinary(context.spec)]
    cased = sum(text != text.lower() for text in texts)
    if cased > CASED * len(texts):
        message = (
            f"{stated.key} in {stated.file} lower-cases text before the tokenizer reads it, but "
            f"{plural(cased, 'entry')} of the vocabulary have capital letters."
        )
        yield stated.reported(Severity.WARNING, message, stated.as_it_should_be(False))


RULES: Mapping[str, Rule] = {
    "add_prefix_space": prefix_space,
    "do_lower_case": cased_too,
    "sp_model_kwargs": no_sampling,
    "split_special_tokens": off,
    "truncation_side": a_side,
}
