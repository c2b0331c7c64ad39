"""Languages in settings without a token in the tokenizer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from tokaudit.plugin import Basis, Finding, Harm, Severity, check
from tokaudit.subject.upstream.loading_class import class_of
from tokaudit.subject.upstream.tokenizer_class import input_of
from tokaudit_suites.config._compared_keys import ComparedKeys, Rule, RuleContext
from tokaudit_suites.shared.repairs import person_decides
from tokaudit_suites.shared.stated_key import StatedKey
from tokaudit_suites.shared.vocab_entries import added_by_content, id_of
from tokaudit_suites.shared.wording import quote

GENERATION = "generation_config.json"
AS_IT_IS, SPEECH = "{}", "<|{}|>"
CODE = re.compile(r"(<\|)?[a-z]{2}(\|>)?")


@check(
    "config/languages",
    title="Languages in settings have a token",
    why="Translation models expect a language token before every text or answer. If the tokenizer "
    "lacks a language token, loaders write the unknown token instead of it, or stop with an error.",
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
    """Report a language without a token."""
    named = class_of(context.subject)
    form = "" if named is None else input_of(named.name).language
    if not form or not isinstance(stated.value, str) or not stated.value:
        return
    if form == SPEECH and not CODE.fullmatch(stated.value):
        return  # written out, as "hindi"
    token = stated.value if form == AS_IT_IS else form.format(stated.value.strip("_<|>"))
    # A type of model is of several families: M2M100's writes marks around a code, NLLB's does not.
    of_another = stated.value in added_by_content(context.spec)
    if not of_another and id_of(context.spec, token) is None:
        message = (
            f"{stated.key} in {stated.file} is {stated.value[:40]!r}, but the tokenizer has no "
            f"token {quote(token)}: loaders use the unknown token instead, or stop with an error."
        )
        yield stated.reported(Severity.ERROR, message)


def as_many_languages(context: RuleContext, stated: StatedKey) -> Iterator[Finding]:
    """Report Whisper settings with language ids but no language, or the reverse."""
    listed = isinstance(context.stated(GENERATION, "lang_to_id"), dict)
    if isinstance(stated.value, bool) and stated.value != listed:
        has = "lang_to_id is there" if listed else "there is no lang_to_id"
        message = (
            f"{stated.key} in {stated.file} is {stated.value}, but {has}: calls that ask for a "
            "language are refused."
        )
        yield stated.reported(Severity.WARNING, message, stated.as_it_should_be(listed))


RULES: Mapping[str, Rule] = {"is_multilingual": as_many_languages}
