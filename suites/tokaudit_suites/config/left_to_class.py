"""Ids and sizes that a config leaves to the model's class."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import (
    Basis,
    Decider,
    Fact,
    Finding,
    Harm,
    NotApplicable,
    Place,
    Severity,
    Subject,
    check,
    decision,
)
from tokaudit.subject.sniff import is_weights
from tokaudit.subject.upstream.model_class import generates
from tokaudit.subject.upstream.model_type import start_of, value_of
from tokaudit.subject.upstream.setting_key import needed_by
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.config._left_open import (
    GENERATION,
    SIZE,
    LeftOpen,
    is_whole,
    kind_of,
    left_open,
)
from tokaudit_suites.shared.repairs import person_decides, repaired, setting
from tokaudit_suites.shared.stated_keys import StatedKeys
from tokaudit_suites.shared.stated_roles import place_of, role_ids, role_tokens
from tokaudit_suites.shared.vocab_entries import id_of, name_of
from tokaudit_suites.shared.wording import in_vocab, quote

END, START, BEGIN = "eos", "decoder_start", "bos"
TWO_SIDES = "is_encoder_decoder"


@check(
    "config/left-to-class",
    title="Defaults of the model class fit the tokenizer",
    why="If a config leaves out a key such as eos_token_id, the model class uses its own default, "
    "which fits the first model of that class. If the default id of a special token does not fit "
    "the tokenizer, generation may begin with an ordinary token, or wait for an ordinary token as "
    "its end. If the class has no default start token, generation stops with an error.",
    remedy="Write the id that is missing, such as eos_token_id, into config.json and into "
    "generation_config.json.",
    repair=person_decides("how many rows the model has is in its weights"),
    severity=Severity.ERROR,
    harm=Harm.OTHER_PROMPT,
    basis=Basis.CROSS_FILE,
    incident="The configurations of transformers have values for the ids of special tokens "
    "(transformers 4.57.6, models/llama/configuration_llama.py: bos 1, eos 2), and a decoder "
    "without any is refused (generation/utils.py _prepare_special_tokens).",
)
def left_to_class(spec: TokenizerSpec, subject: Subject, keys: StatedKeys) -> Iterator[Finding]:
    """Compare the end, the start and the size that the class assumes with the tokenizer."""
    kind = kind_of(subject)
    if kind is None or not generates(subject):
        raise NotApplicable("no config of a model that generates, and is of one part, is here")
    worth = Severity.ERROR if is_whole(keys) else Severity.WARNING
    if (end := left_open(subject, keys, END, kind)) is not None:
        yield from _ends(spec, subject, end, worth)
    both = value_of(str(kind.value), TWO_SIDES)
    if both is not None and both.is_true():
        start, begin = (left_open(subject, keys, role, kind) for role in (START, BEGIN))
        if start is not None:
            yield from _begins(spec, subject, start, begin)
    yield from _size(spec, subject, kind, worth)
    yield from _needed(subject, keys, kind)


def _needed(subject: Subject, keys: StatedKeys, kind: Fact) -> Iterator[Finding]:
    """Report keys that generation of this model type needs and no file states."""
    own = [key for key in keys.all if key.base == GENERATION]
    if not own and not any(is_weights(file.role) for file in subject.files):
        return  # a tokenizer alone is no checkpoint
    for needed, fails in needed_by(str(kind.value)).items():
        if not any(key.key == needed.key and key.value is not None for key in own):
            place = Place("config", own[0].file) if own else place_of(kind, "config")
            lacks = f"{own[0].file} states no" if own else f"The folder has no {GENERATION} with"
            yield Finding(
                Severity.WARNING,
                f"{lacks} {needed.key}: {fails} ({needed.source}).",
                (place,),
                cause=f"no {needed.key}",
                repair=decision(Decider.BASE, "the file of the model that it was made from has it"),
            )


def _ends(
    spec: TokenizerSpec, subject: Subject, end: LeftOpen, worth: Severity
) -> Iterator[Finding]:
    named = {id: t for _, t in role_tokens(subject, END) if (id := id_of(spec, t)) is not None}
    if not named or named.keys() & end.ids:
        return
    id, token = next(iter(named.items()))
    taken = f"{end.versions} stop only at {_shown(spec, min(end.ids))}" if end.ids else ""
    yield Finding(
        worth if taken else Severity.WARNING,
        f"{end.fact.file} states no eos_token_id, so {taken or 'generation stops at no token'}; "
        f"the end-of-text token of the tokenizer is {quote(token)}, id {id}.",
        (place_of(end.fact, "special_roles"),),
        cause="end",
        repair=repaired(setting(end.fact.file, "eos_token_id", id)),
    )


def _begins(
    spec: TokenizerSpec, subject: Subject, start: LeftOpen, begin: LeftOpen | None
) -> Iterator[Finding]:
    """Report a missing start id: generation starts with BOS, if there is one."""
    if not start.ids:
        if begin is not None and not begin.ids:
            yield _reported(
                start,
                "states no decoder_start_token_id and no bos_token_id, and the class of the model "
                "has none: generation stops with an error",
                _wanted(spec, subject),
            )
        return
    wanted = _wanted(spec, subject)
    if (wanted and not wanted & start.ids) or min(start.ids) >= spec.size():
        right = f", and not with {_shown(spec, min(wanted))}" if wanted else ""
        yield _reported(
            start,
            f"states no decoder_start_token_id, so {start.versions} begin every answer with "
            f"{_shown(spec, min(start.ids))}{right}",
            wanted,
        )


def _wanted(spec: TokenizerSpec, subject: Subject) -> set[int]:
    """Return the ids that a decoder of this type starts with."""
    start = start_of(subject)
    if start is None:
        return set()
    if not start.is_role:
        return {id for id in (id_of(spec, start.begins_with),) if id is not None}
    named = {id_of(spec, token) for _, token in role_tokens(subject, start.begins_with)}
    stated = {id for _, ids in role_ids(subject, start.begins_with) for id in ids}
    return {id for id in named if id is not None} or stated


def _reported(start: LeftOpen, problem: str, wanted: set[int]) -> Finding:
    return Finding(
        Severity.ERROR,
        f"{start.fact.file} {problem}.",
        (place_of(start.fact, "special_roles"),),
        cause="start",
        repair=repaired(setting(start.fact.file, "decoder_start_token_id", min(wanted)))
        if wanted
        else decision(Decider.PERSON, "no file says what a decoder of this kind begins with"),
    )


def _size(spec: TokenizerSpec, subject: Subject, kind: Fact, worth: Severity) -> Iterator[Finding]:
    """Report an unstated vocabulary size that exceeds the class's default."""
    found = value_of(str(kind.value), SIZE)
    sizes = {n for ns in (found.by_version() if found else {}).values() for n in ns}
    if sizes and not subject.facts_named(SIZE) and max(sizes) < spec.size():
        yield Finding(
            worth,
            f"{kind.file} states no vocab_size, so the model is built with {max(sizes):,} rows; "
            f"the tokenizer has {spec.size():,} ids.",
            (place_of(kind, "config"), in_vocab(spec)),
            cause="size",
        )


def _shown(spec: TokenizerSpec, id: int) -> str:
    name = name_of(spec, id)
    return f"id {id}, {'no token' if name is None else quote(name)}"
