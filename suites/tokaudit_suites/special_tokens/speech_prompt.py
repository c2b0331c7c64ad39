"""Whisper prompt keys whose ids are not the intended tokens."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tokaudit.plugin import Basis, Fact, Finding, Harm, NotApplicable, Severity, Subject, check
from tokaudit.subject.upstream.published.speech_prompt import BEFORE, ORDER, kind_of, tokens_of
from tokaudit.subject.upstream.versions import FIVE, FOUR
from tokaudit_reference.spec import AddedToken, TokenizerSpec
from tokaudit_suites.shared.repairs import person_decides, removed, repaired, set_to, setting
from tokaudit_suites.shared.stated_roles import place_of
from tokaudit_suites.shared.vocab_entries import added_by_content, name_of
from tokaudit_suites.shared.wording import quote
from tokaudit_suites.special_tokens._speech_prompts import writes_speech

GENERATION = "generation_config.json"


@check(
    "special_tokens/speech-prompt",
    title="Whisper's prompt has language, task and timestamps mark",
    why="Whisper begins every answer with the ids of the language and the task, which a settings "
    "file states. An id from another version of Whisper's vocabulary means another language "
    "or the other task: speech is translated instead of transcribed.",
    remedy="In {file|generation_config.json}, write the ids that this tokenizer gives the prompt's "
    "tokens, or delete forced_decoder_ids so that lang_to_id and task_to_id decide.",
    repair=person_decides("the task and language that are wanted are a decision"),
    severity=Severity.ERROR,
    harm=Harm.OTHER_PROMPT,
    basis=Basis.CROSS_FILE,
    left_to_code=True,
    incident="forced_decoder_ids that do not follow the order of the prompt are refused or "
    "passed over (whisper/generation_whisper.py _retrieve_init_tokens in transformers 4.57.6).",
)
def speech_prompt(spec: TokenizerSpec, subject: Subject) -> Iterator[Finding]:
    """Look up the token before earlier text, and each forced token by position."""
    if not writes_speech(spec):
        raise NotApplicable("the tokenizer is not Whisper's")
    [text] = tokens_of(BEFORE)
    before = added_by_content(spec).get(text)
    for fact in subject.facts_named("prev_sot_token_id"):
        if before is not None and fact.value != before.id:
            yield Finding(
                Severity.ERROR,
                f"{fact.file} gives prev_sot_token_id {fact.value}, {_shown(spec, fact.value)}, "
                f"but {quote(text)} is id {before.id}: the model takes an earlier text in the "
                "prompt for speech.",
                (place_of(fact, "special_roles"),),
                cause="before",
                repair=repaired(set_to(place_of(fact, "special_roles"), before.id)),
            )
    if before is not None and not subject.facts_named("prev_sot_token_id"):
        yield from _guessed(spec, subject, before)
    for fact in subject.facts_named("forced_decoder_ids"):
        yield from _forced(spec, fact)


def _guessed(spec: TokenizerSpec, subject: Subject, before: AddedToken) -> Iterator[Finding]:
    """Check the second-to-last suppressed id, which replaces a missing key.

    Source: `_prepare_decoder_input_ids` of both versions, models/whisper/generation_whisper.py.
    """
    for fact in subject.facts_named("suppress_tokens"):
        ids = fact.value if isinstance(fact.value, list) else []
        taken = ids[-2] if len(ids) > 1 else None
        if fact.file.endswith(GENERATION) and taken != before.id:
            what = "no token" if taken is None else f"id {taken}, {_shown(spec, taken)}"
            yield Finding(
                Severity.WARNING,
                f"{fact.file} has no prev_sot_token_id, and transformers {FOUR} and {FIVE} use the "
                f"last but one id of suppress_tokens instead, {what}: a prompt, and speech that "
                f"goes on from an earlier text, begin without {quote(before.content)} (id "
                f"{before.id}).",
                (place_of(fact, "special_roles"),),
                cause="guessed",
                repair=repaired(setting(fact.file, "prev_sot_token_id", before.id)),
            )


def _forced(spec: TokenizerSpec, fact: Fact) -> Iterator[Finding]:
    """Report the first forced token of no kind, or out of order."""
    last = -1
    for entry in fact.value:
        place, id = entry if isinstance(entry, list) and len(entry) == 2 else (None, None)
        if not isinstance(id, int) or isinstance(id, bool):
            continue
        kind = kind_of(str(name_of(spec, id) or ""))
        rank = ORDER.index(kind) if kind else -1
        if rank <= last:
            why = f"after the {ORDER[last]}" if kind else "which is none of the prompt"
            yield Finding(
                Severity.ERROR,
                f"{fact.file} forces id {id}, {_shown(spec, id)}, at position {place} of every "
                f"answer, {why}: the order after the start token is {', '.join(ORDER[:2])}, "
                f"{ORDER[2]}.",
                (place_of(fact, "special_roles"),),
                cause="forced",
                repair=repaired(removed(place_of(fact, "special_roles"))),
            )
            return
        last = rank


def _shown(spec: TokenizerSpec, id: Any) -> str:
    name = name_of(spec, id) if isinstance(id, int) else None
    return "no token" if name is None else quote(name)
