"""The pooling of sentence-transformers compared with tokenizer and model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from tokaudit.plugin import (
    Basis,
    Change,
    Finding,
    Harm,
    NotApplicable,
    Options,
    Severity,
    Subject,
    check,
)
from tokaudit.subject.effective.text_ends import text_ends
from tokaudit.subject.formats.common.settings import setting, tokenizer_class
from tokaudit.subject.upstream.model_class import Does, endings
from tokaudit.subject.upstream.sentence_encoders import pooling_switches
from tokaudit.subject.upstream.tokenizer_class import input_of
from tokaudit.subject.upstream.versions import SENTENCE_TRANSFORMERS
from tokaudit_reference.spec import Standing, TokenizerSpec
from tokaudit_suites.config._pooling_keys import FIRST, LAST, MEAN, MODE, MODELS, POOLING, SWITCH
from tokaudit_suites.shared.repairs import person_decides, repaired, set_to
from tokaudit_suites.shared.stated_key import StatedKey
from tokaudit_suites.shared.stated_keys import StatedKeys
from tokaudit_suites.shared.stated_roles import place_of, role_tokens
from tokaudit_suites.shared.vocab_entries import id_of
from tokaudit_suites.shared.wording import quote, stage

USE = "embedding"
Keys = Mapping[str, StatedKey]


@check(
    "config/pooling",
    title="Pooling fits the tokenizer",
    why="A sentence encoder pools the token vectors of a text into one vector. If pooling uses "
    "the vector of the class token (CLS) but the tokenizer writes no class token, the first "
    "word's vector is used for the whole text.",
    remedy="Correct {pointer|the key} in {file|the file named}.",
    repair=person_decides("no file says how the vectors of the model were meant to be pooled"),
    severity=Severity.ERROR,
    harm=Harm.OTHER_PROMPT,
    harms={MODE: Harm.CRASH},
    basis=Basis.CROSS_FILE,
    incident="word_embedding_dimension is used as the length of the vectors "
    "(huggingface/sentence-transformers #1518).",
)
def pooling(
    spec: TokenizerSpec, subject: Subject, keys: StatedKeys, options: Options
) -> Iterator[Finding]:
    """Check the pooling mode, and the tokens written before and after a text.

    Of a folder that is said to be an encoder, look whether it says how texts are pooled, too.
    """
    own = {key.key: key for key in keys.all if key.file.endswith(POOLING)}
    if not own:
        if options.use == USE and (found := _without_pooling(subject, keys)):
            yield found
            return
        raise NotApplicable("no file says how texts are pooled")
    yield from _no_mode(own)
    yield from _unknown_mode(own)
    yield from _two_ways(own)
    if first := _switch(own, FIRST):
        yield from _no_first(spec, subject, first)
    if last := _switch(own, LAST):
        yield from _no_last(spec, subject, last, options)


def _switch(own: Keys, name: str) -> StatedKey | None:
    """Return the key that turns a mode on, in the form of either version."""
    if (stated := own.get(MODE)) is not None:
        return stated if pooling_switches()[name] in _modes(stated) else None
    old = own.get(name)
    return old if old is not None and old.value is True else None


def _modes(stated: StatedKey) -> list[Any]:
    return stated.value if isinstance(stated.value, list) else [stated.value]


def _unknown_mode(own: Keys) -> Iterator[Finding]:
    """Report an unknown mode: `Pooling` of sentence-transformers 5.7.0 raises."""
    stated, known = own.get(MODE), pooling_switches().values()
    if stated is not None and (odd := [m for m in _modes(stated) if m not in known]):
        message = f"{stated.key} in {stated.file} is {odd[0]!r}, which is not a way to pool."
        yield stated.reported(Severity.ERROR, message)


def _two_ways(own: Keys) -> Iterator[Finding]:
    """Report a mode and a switch for another: `_convert_legacy_pooling_kwargs` drops switches."""
    stated = own.get(MODE)
    others = [name for name in pooling_switches() if name in own and own[name].value is True]
    if stated is None or set(_modes(stated)) & {pooling_switches()[name] for name in others}:
        return
    for name in others[:1]:
        message = (
            f"{MODE} in {stated.file} is {stated.value!r}, and {name} is true, which "
            f"sentence-transformers {SENTENCE_TRANSFORMERS} drops."
        )
        found = stated.reported(Severity.WARNING, message)
        yield replace(found, cause="two ways", places=(*found.places, own[name].place()))


def _without_pooling(subject: Subject, keys: StatedKeys) -> Finding | None:
    """Report a generative model without a module list: versions pool it differently.

    Source: sentence-transformers 3.0.1, SentenceTransformer.py, and 5.7.0,
    sentence_transformer/model.py.
    """
    stated = [key for key in keys.all if key.base == MODELS[0] and key.key == "architectures"]
    if not stated or any(file.base == "modules.json" for file in subject.files):
        return None
    names = stated[0].value if isinstance(stated[0].value, list) else []
    if not any(str(name).endswith(endings(Does.DECODES_ALONE)) for name in names):
        return None
    message = (
        f"No file says how texts are pooled, and {stated[0].file} is of a model that writes: "
        "sentence-transformers 3.0.1 takes the mean of all vectors and 5.7.0 the last one."
    )
    return replace(stated[0].reported(Severity.WARNING, message), cause="no pooling")


def _no_mode(own: Keys) -> Iterator[Finding]:
    """Report that every mode is off: there is nothing to join to a vector.

    A mode that is left out is off, but the mean.  Source: `Pooling.forward` in
    sentence-transformers, models/Pooling.py, which joins an empty list of tensors.
    """
    modes = [key for name, key in own.items() if name.startswith(MODE)]
    if MEAN in own and not any(key.value for key in modes):
        message = f"{own[MEAN].file} switches every pooling mode off, so a text gets no vector."
        found = own[MEAN].reported(Severity.ERROR, message, own[MEAN].as_it_should_be(True))
        yield replace(found, cause=MODE)


def _no_first(spec: TokenizerSpec, subject: Subject, stated: StatedKey) -> Iterator[Finding]:
    """Report pooling of a class token that the stated post-processor does not write.

    What a named class writes around texts special_tokens/post-processor asks for.
    """
    named = tokenizer_class(subject)
    of_class = input_of("" if named is None else str(named.value))
    if spec.post_processor.standing is not Standing.STATED or of_class.around:
        return
    if of_class.begins_with_bos or _writes_first(spec):
        return
    tokens = [(f, t) for f, t in role_tokens(subject, "cls") if id_of(spec, t) is not None][:1]
    says = "".join(f", and {f.file} names {quote(t)} for it" for f, t in tokens)
    message = (
        f"{stated.key} in {stated.file} takes the vector of the class token{says}, but the "
        "post-processor writes no token before a text: the vector is that of the first word."
    )
    severity = Severity.ERROR if tokens else Severity.WARNING
    places = (stated.place(), stage(spec, "post_processor"))
    named_by = tuple(place_of(fact, "special_roles") for fact, _ in tokens)
    yield Finding(severity, message, (*places, *named_by), cause=FIRST)


def _no_last(
    spec: TokenizerSpec, subject: Subject, stated: StatedKey, options: Options
) -> Iterator[Finding]:
    """Report pooling of the last token with an EOS switch that one version ignores."""
    switch, tokens = setting(subject, SWITCH), role_tokens(subject, "eos")
    if not tokens:
        return
    token = tokens[0][1]
    if switch is None or switch.value is not True or not switch.file.endswith(".json"):
        if options.use == USE:
            yield from _no_end(spec, subject, stated)
        return
    ends = text_ends(subject, spec)
    lacking = [each.by for each in ends if token not in each.after]
    writing = [each.by for each in ends if token in each.after]
    if not lacking:
        return
    does = f" {' and '.join(writing)} writes the token." if writing else ""
    yield Finding(
        Severity.ERROR,
        f"{stated.key} in {stated.file} takes the vector of the last token, and {switch.file} "
        f"asks for {quote(token)} there, but {' and '.join(lacking)} "
        f"{'do' if len(lacking) > 1 else 'does'} not write this token: the vector is that of the "
        f"last word.{does} Both versions read the token from the post-processor.",
        (stated.place(), stage(spec, "post_processor"), place_of(switch, "config")),
        cause=LAST,
        repair=repaired(*_ending_with(spec, token)),
    )


def _no_end(spec: TokenizerSpec, subject: Subject, stated: StatedKey) -> Iterator[Finding]:
    """Report pooling of the last token if no version appends a token to a text."""
    ends = text_ends(subject, spec)
    if ends and not any(each.after for each in ends):
        message = (
            f"{stated.key} in {stated.file} takes the vector of the last token, and "
            f"{' and '.join(each.by for each in ends)} write no token after a text: the vector is "
            "that of the last word, or of the punctuation after the word."
        )
        places = (stated.place(), stage(spec, "post_processor"))
        yield Finding(Severity.WARNING, message, places, cause=LAST)


def _ending_with(spec: TokenizerSpec, token: str) -> Iterator[Change]:
    """Add a token after each text to the post-processor's template."""
    id, stated = id_of(spec, token), spec.post_processor.options or {}
    one, two = stated.get("single"), stated.get("pair")
    if id is not None and isinstance(one, list) and isinstance(two, list) and two:
        ends = [{"SpecialToken": {"id": token, "type_id": at}} for at in (0, _last_type(two))]
        known = {**stated["special_tokens"], token: {"id": token, "ids": [id], "tokens": [token]}}
        made = {**stated, "single": [*one, ends[0]], "pair": [*two, ends[1]]}
        yield set_to(stage(spec, "post_processor"), {**made, "special_tokens": known})


def _last_type(template: list[Any]) -> int:
    """Return the type id of the last piece of a template."""
    last: Mapping[str, Any] = next(iter(template[-1].values()))
    return int(last.get("type_id", 0))


def _writes_first(spec: TokenizerSpec) -> bool:
    """Return whether any step prepends a token to a single text."""
    for step in spec.post_processor.steps:
        one, around = step.effects.one_text or (), step.effects.around
        if (one and not one[0].is_text) or (around is not None and around[0]):
            return True
    return False
