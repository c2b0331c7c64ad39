"""Languages in settings without a token in the tokenizer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from tokaudit.plugin import Basis, Finding, Harm, Severity, check
from tokaudit.subject.upstream.loading_class import class_of
from tokaudit.subject.upstream.tokenizer_class import input_of
from tokaudit_suites.config._compared_keys import ComparedKeys, Rule, RuleContext
from tokaudit_suites.shared.repairs import person_decides
from tokaudit_suites.shared.stated_key import StatedKey
from tokaudit_suites.shared.stated_roles import (
    ROLES,
    from_generation,
    place_of,
    role_ids,
    role_tokens,
)
from tokaudit_suites.shared.vocab_entries import added_by_content, id_of, name_of
from tokaudit_suites.shared.wording import quote

GENERATION, TARGET = "generation_config.json", "tgt_lang"
IDS, TASKS = "lang_to_id", "task_to_id"
AS_IT_IS, SPEECH = "{}", "<|{}|>"
CODE = re.compile(r"(<\|)?[a-z]{2}(\|>)?")


@check(
    "config/languages",
    title="Languages in settings have a token",
    why="Translation models expect a language token before every text or answer. If the tokenizer "
    "lacks a language token, loaders write the unknown token instead of it, or stop with an error. "
    "If two settings name different languages, answers are in a language that nobody asked for.",
    remedy="Correct or delete {pointer|the key} in {file|the file named}.",
    repair=person_decides("which language is meant is not in the files"),
    severity=Severity.ERROR,
    harm=Harm.OTHER_PROMPT,
    basis=Basis.CROSS_FILE,
    left_to_code=True,
    incident="The language is looked up by convert_tokens_to_ids, which gives the unknown id "
    "without an error (transformers, models/nllb/tokenization_nllb.py "
    "set_src_lang_special_tokens).",
)
def languages(compared: ComparedKeys) -> Iterator[Finding]:
    """Look up the token of each language, in the class's spelling."""
    for stated in compared.of("config/languages"):
        yield from RULES.get(stated.key, known_language)(compared.context, stated)


def known_language(context: RuleContext, stated: StatedKey) -> Iterator[Finding]:
    """Report a language without a token, and answers that begin with the token of another."""
    if stated.base == GENERATION and isinstance(context.stated(GENERATION, IDS), dict):
        yield from _generated(context, stated, IDS)
        return
    named = class_of(context.subject)
    form = "" if named is None else input_of(named.name).language
    if not form or not isinstance(stated.value, str) or not stated.value:
        return
    if form == SPEECH and not CODE.fullmatch(stated.value):
        return  # written out, as "hindi"
    token = stated.value if form == AS_IT_IS else form.format(stated.value.strip("_<|>"))
    # A type of model is of several families: M2M100's writes marks around a code, NLLB's does not.
    of_another = stated.value in added_by_content(context.spec)
    id = id_of(context.spec, stated.value if of_another else token)
    if id is not None:
        yield from _forced(context, stated, id)
    else:
        message = (
            f"{stated.key} in {stated.file} is {stated.value[:40]!r}, but the tokenizer has no "
            f"token {quote(token)}: loaders use the unknown token instead, or stop with an error."
        )
        yield stated.reported(Severity.ERROR, message)


def _forced(context: RuleContext, stated: StatedKey, id: int) -> Iterator[Finding]:
    """Report a target language whose token is not the one that answers begin with."""
    facts = sorted(role_ids(context.subject, "forced_bos"), key=lambda f: not from_generation(f[0]))
    if stated.key != TARGET or not facts or id in facts[0][1]:
        return
    fact, ids = facts[0]
    begun = name_of(context.spec, ids[0])
    named = {token for role in ROLES for _, token in role_tokens(context.subject, role)}
    if begun is not None and begun not in named:  # a start or an end says nothing of a language
        message = (
            f"{stated.key} in {stated.file} is {stated.value[:40]!r}, but {fact.name} in "
            f"{fact.file} begins every answer with {quote(begun)} (id {ids[0]}): answers are in "
            "the latter language where a user names none, and labels are in the former."
        )
        found = stated.reported(Severity.WARNING, message)
        yield replace(found, places=(*found.places, place_of(fact, "config")), cause="forced")


def _generated(context: RuleContext, stated: StatedKey, listed: str) -> Iterator[Finding]:
    """Report a language or task of Whisper that `generate` refuses, as its map lacks it.

    Source: `_retrieve_init_tokens` in transformers 4.57 and 5.24, whisper/generation_whisper.py.
    """
    known = context.stated(GENERATION, listed)
    several = stated.value if isinstance(stated.value, list) else [stated.value]
    for value in (each for each in several if isinstance(each, str)):
        low = value.lower() if listed == IDS else value
        written_out = listed == IDS and not CODE.fullmatch(low) and not low.startswith("<|")
        if not written_out and not {low, SPEECH.format(low)} & known.keys():
            message = (
                f"{stated.key} in {stated.file} is {value[:40]!r}, which {listed} lacks: generate "
                "stops with an error where no other one is asked for."
            )
            yield stated.reported(Severity.ERROR, message, stated.left_out())


def known_task(context: RuleContext, stated: StatedKey) -> Iterator[Finding]:
    """Report a task of Whisper's generation without an id."""
    if stated.base == GENERATION and isinstance(context.stated(GENERATION, TASKS), dict):
        yield from _generated(context, stated, TASKS)


def as_many_languages(context: RuleContext, stated: StatedKey) -> Iterator[Finding]:
    """Report Whisper settings with language ids but no language, or the reverse."""
    listed = isinstance(context.stated(GENERATION, IDS), dict)
    if isinstance(stated.value, bool) and stated.value != listed:
        has = "lang_to_id is there" if listed else "there is no lang_to_id"
        message = (
            f"{stated.key} in {stated.file} is {stated.value}, but {has}: calls that ask for a "
            "language are refused."
        )
        yield stated.reported(Severity.WARNING, message, stated.as_it_should_be(listed))


RULES: Mapping[str, Rule] = {"is_multilingual": as_many_languages, "task": known_task}
