"""Whisper files of one model that name different tasks or languages."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import Basis, Change, Finding, Harm, NotApplicable, Severity, check
from tokaudit.subject.upstream.published.speech_prompt import TASK, kind_of, translation
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.repairs import either, person_decides, removed
from tokaudit_suites.shared.stated_keys import StatedKeys
from tokaudit_suites.shared.wording import quote, stage
from tokaudit_suites.special_tokens._speech_prompts import (
    KINDS,
    WhisperPrompt,
    said_of,
    writes_speech,
)

GENERATION = "generation_config.json"
OLD = "config.json"  # read by transformers 4 and 5 only where nothing else names a prompt


@check(
    "special_tokens/speech-task",
    title="All files give Whisper the same task",
    why="Whisper begins every answer with tokens for the language and the task. If a "
    "transcription model is set to translate, it answers in English without an error. Which "
    "settings file decides the task depends on the version of transformers.",
    remedy="Write task and language into generation_config.json, and delete forced_decoder_ids "
    "there and in config.json.",
    repair=person_decides("the task and language that are wanted are a decision"),
    severity=Severity.ERROR,
    harm=Harm.OTHER_PROMPT,
    basis=Basis.CROSS_FILE,
    left_to_code=True,
    incident="Versions of transformers follow forced_decoder_ids or the task, whichever the files "
    "have both of; who wanted translations got transcripts (huggingface/transformers PR#28687).",
)
def speech_task(spec: TokenizerSpec, keys: StatedKeys) -> Iterator[Finding]:
    """Compare each file's task and language with those of the generation config."""
    if not writes_speech(spec):
        raise NotApplicable("the tokenizer is not Whisper's")
    said = [each for key in keys.all for each in said_of(spec, key)]
    said += list(_of_the_post_processor(spec))
    if not said:
        raise NotApplicable("no file names a task or a language")
    for kind in KINDS:
        named = sorted((s for s in said if s.kind == kind), key=_rank)
        for other in named[1:]:
            if other.token != named[0].token:
                yield _finding(named[0], other)
                break
        if named and all(s.token == translation() for s in named):
            yield _translates(named[0])


def _of_the_post_processor(spec: TokenizerSpec) -> Iterator[WhisperPrompt]:
    """Yield the task and language that the post-processor adds before training labels."""
    for step in spec.post_processor.steps:
        for token in (t for added in step.effects.adds for t in added.tokens):
            if (kind := kind_of(token)) in KINDS:
                yield WhisperPrompt(kind, token, stage(spec, "post_processor"))


def _rank(said: WhisperPrompt) -> tuple[bool, bool]:
    """Sort the generation config first, and config.json, which is read last, to the end."""
    return _base(said) != GENERATION, _is_old(said)


def _is_old(said: WhisperPrompt) -> bool:
    return _base(said) == OLD


def _base(said: WhisperPrompt) -> str:
    return (said.place.file or "").rpartition("/")[2]


def _finding(first: WhisperPrompt, other: WhisperPrompt) -> Finding:
    severity = Severity.ERROR if first.kind == TASK else Severity.WARNING
    if first.kind != TASK and _is_old(other):
        severity = Severity.INFO  # of the model that this one was made from
    return Finding(
        severity,
        f"{_shown(first)} names the {first.kind} {quote(first.token)}, but {_shown(other)} names "
        f"{quote(other.token)}: the library and its version decide which of the two applies.",
        (first.place, other.place),
        cause=first.kind,
        repair=either(
            (f"a user who wants {first.token}", _without(other)),
            (f"a user who wants {other.token}", _without(first)),
        ),
    )


def _without(other: WhisperPrompt) -> list[Change]:
    """Remove the setting that names the other token, if there is one."""
    return [removed(other.place)] if _base(other).endswith("config.json") else []


def _shown(said: WhisperPrompt) -> str:
    key = (said.place.pointer or "").strip("/")
    return f"{key or 'the post_processor'} of {said.place.file}"


def _translates(said: WhisperPrompt) -> Finding:
    return Finding(
        Severity.INFO,
        f"{_shown(said)} lets every answer be a translation into English; no file shows whether "
        "that is meant.",
        (said.place,),
        cause="translates",
    )
