"""A post-processor that adds missing tokens, or contradicts the flags."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from tokaudit.plugin import (
    Basis,
    Change,
    Fact,
    Finding,
    Harm,
    NotApplicable,
    Place,
    Repair,
    Severity,
    Subject,
    check,
)
from tokaudit.subject.effective.text_ends import TextEnds, text_ends
from tokaudit.subject.safe_json import pointer
from tokaudit_reference.spec import Standing, TokenizerSpec
from tokaudit_reference.steps.step import Added
from tokaudit_suites.shared.repairs import base_decides, repaired, set_to
from tokaudit_suites.shared.stated_roles import ROLES, place_of, role_tokens, stated_added
from tokaudit_suites.shared.vocab_entries import added_by_content, id_of, name_of
from tokaudit_suites.shared.wording import about, in_added, quote, stage
from tokaudit_suites.special_tokens._lost_ends import lost_ends

INSTEAD = {"bos": "cls", "eos": "sep"}  # roles that classes give the same token and the same place


@check(
    "special_tokens/post-processor",
    title="The post-processor adds the tokens that it names",
    why="The post-processor in tokenizer.json adds special tokens by id, not by name. A "
    "post-processor with a wrong id puts another token before every text. If a flag such as "
    "add_bos_token contradicts the post-processor, some loaders follow the flag and others follow "
    "the post-processor.",
    remedy="In the post_processor of {file|tokenizer.json}, write the ids that the tokenizer gives "
    "these tokens. In tokenizer_config.json, set add_bos_token and add_eos_token to what the "
    "post-processor does.",
    repair=base_decides("no file says how the model expects texts to be laid out"),
    severity=Severity.ERROR,
    harm=Harm.OTHER_PROMPT,
    basis=(Basis.INTRINSIC, Basis.CROSS_FILE),
    left_to_code=True,
    incident="OLMo appended its end token against the flag, and generation broke "
    "(huggingface/transformers PR#47988).",
)
def post_processor(spec: TokenizerSpec, subject: Subject) -> Iterator[Finding]:
    """Look up every token and id of the post-processor, then compare the flags."""
    steps = spec.post_processor.steps
    lost = list(lost_ends(spec, subject))
    if not steps and not lost and spec.post_processor.standing is not Standing.STATED:
        raise NotApplicable("there is no post-processor")
    yield from lost
    for step in steps:
        place = stage(spec, "post_processor", step.to_json())
        for token in step.effects.adds:
            named = about(token.name, *(each for each in token.tokens if isinstance(each, str)))
            for problem in _wrong(spec, token):
                repair = repaired(*_right_ids(spec, spec.post_processor.options, place))
                error = Finding(Severity.ERROR, problem, (place,), cause="token", repair=repair)
                yield replace(error, about=named)
        yield from _twice(step.effects.around, place)
    yield from _unknown(spec, subject)
    yield from _shown(spec, subject)
    yield from _flags(spec, subject)


def _put(spec: TokenizerSpec) -> Iterator[str]:
    """Yield every token that is added around one text or between two."""
    for step in spec.post_processor.steps:
        laid = (*(step.effects.one_text or ()), *(step.effects.two_texts or ()))
        used = {piece.name for piece in laid}
        tokens = (t for each in step.effects.adds if each.name in used for t in each.tokens)
        yield from (token for token in tokens if isinstance(token, str))


def _unknown(spec: TokenizerSpec, subject: Subject) -> Iterator[Finding]:
    """Report the unknown token in place of a mark, such as an unset language."""
    others = {
        t for role in ROLES if role not in ("unk", "pad") for _, t in role_tokens(subject, role)
    }
    unknown = {t for _, t in role_tokens(subject, "unk")} - others
    for token in dict.fromkeys(t for t in _put(spec) if t in unknown):
        yield Finding(
            Severity.ERROR,
            f"The post-processor adds the unknown token, {quote(token)}, to every text, where it "
            "stands for a token that was not found, such as a language token.",
            (stage(spec, "post_processor"),),
            cause="unknown",
        )


def _shown(spec: TokenizerSpec, subject: Subject) -> Iterator[Finding]:
    """Report added tokens that are not special; another check covers bos and eos."""
    named = {token for role in ("bos", "eos") for _, token in role_tokens(subject, role)}
    marked = {id for _, _, id, flags in stated_added(subject) if flags.get("special") is True}
    for token in _put(spec):
        own = added_by_content(spec).get(token)
        if own is None or own.special or own.id in marked or token in named:
            continue
        yield Finding(
            Severity.ERROR,
            f"The post-processor adds {quote(token)} to texts, but its added token is not marked "
            "special: decoding with skip_special_tokens still shows it.",
            (in_added(spec, token), stage(spec, "post_processor")),
            cause="not special",
            repair=_marked(in_added(spec, token)),
        )


def _marked(entry: Place) -> Repair | None:
    """Mark the added token as special."""
    return repaired(set_to(replace(entry, pointer=f"{entry.pointer}/special"), True))


def _twice(around: tuple[Sequence[str], Sequence[str]] | None, place: Place) -> Iterator[Finding]:
    """Report a token twice in a row, as if two tools each added it."""
    for side in around or ():
        for token in dict.fromkeys(one for one, other in pairwise(side) if one == other):
            yield Finding(
                Severity.ERROR,
                f"The post-processor adds {quote(token)} twice in a row to every text.",
                (place,),
                cause="twice",
            )


def _right_ids(spec: TokenizerSpec, options: Any, place: Place) -> Iterator[Change]:
    """Set the tokenizer's own ids wherever the stage pairs a token with a wrong one."""
    if isinstance(options, Mapping) and "ids" in options:
        tokens = options.get("tokens") or ()
        own = [id_of(spec, token) if isinstance(token, str) else None for token in tokens]
        if own and None not in own and own != list(options["ids"]):
            yield set_to(replace(place, pointer=f"{place.pointer}/ids"), own)
    elif isinstance(options, Mapping):
        for key, inner in options.items():
            below = replace(place, pointer=place.pointer + pointer(key))
            yield from _right_ids(spec, inner, below)
    elif isinstance(options, list | tuple) and [type(o) for o in options] == [str, int]:
        have = id_of(spec, options[0])
        if have not in (None, options[1]):
            yield set_to(replace(place, pointer=f"{place.pointer}/1"), have)
    elif isinstance(options, list | tuple):
        for number, inner in enumerate(options):
            below = replace(place, pointer=f"{place.pointer}/{number}")
            yield from _right_ids(spec, inner, below)


def _wrong(spec: TokenizerSpec, added: Added) -> Iterator[str]:
    name = quote(added.name)
    if not added.defined:
        yield f"The template adds {name}, but states neither tokens nor ids for {name}."
    elif len(added.tokens) != len(added.ids):
        many = f"{len(added.tokens)} tokens but {len(added.ids)} ids"
        yield f"The template names {many} for {name}."
    else:
        for token, id in zip(added.tokens, added.ids, strict=True):
            yield from _wrong_id(spec, token, id)


def _wrong_id(spec: TokenizerSpec, token: Any, id: Any) -> Iterator[str]:
    have = id_of(spec, token) if isinstance(token, str) else None
    if have is None:
        yield f"The post-processor adds {token!r}, which is not a token."
    elif have != id:
        there = quote(name_of(spec, id) or "") if isinstance(id, int) else "nothing"
        yield (
            f"The post-processor adds {quote(token)} as id {id} ({there}), but the id of the token "
            f"is {have}."
        )


def _is_for_another(subject: Subject, role: str, token: str) -> bool:
    """Return whether the class adds the token for another role, as DeBERTa does `[CLS]`.

    Its flag is one of the class that it is made from, and no loader asks it.
    """
    return any(token == other for _, other in role_tokens(subject, INSTEAD[role]))


def _is_own(spec: TokenizerSpec, flag: Fact) -> bool:
    """Return whether a flag belongs to this tokenizer; special_tokens/gguf-ends has others."""
    return flag.file.endswith(".json") or flag.file in spec.files


def _flags(spec: TokenizerSpec, subject: Subject) -> Iterator[Finding]:
    """Compare each switch with the post-processor, and name the versions that follow each."""
    steps = (step.effects.around for step in spec.post_processor.steps)
    around = next((around for around in steps if around is not None), None)
    by_version = text_ends(subject, spec)
    for role, side in (("bos", 0), ("eos", 1)):
        stated = (f for f in subject.facts_named(f"add_{role}_token") if _is_own(spec, f))
        flag, tokens = next(stated, None), role_tokens(subject, role)
        if flag is None or not isinstance(flag.value, bool) or not tokens:
            continue
        token = tokens[0][1]
        adds = around is not None and token in around[side]
        if adds == flag.value or (adds and _is_for_another(subject, role, token)):
            continue
        does = "adds" if adds else "does not add"
        severity = Severity.ERROR if adds else Severity.WARNING  # a class may add by its flags
        blamed: Place = place_of(flag, "post_processor")
        yield Finding(
            severity,
            f"{flag.file} says add_{role}_token is {flag.value}, but the post-processor {does} "
            f"{quote(token)}; {_who_follows(by_version, token, side)}",
            (blamed, stage(spec, "post_processor")),
            cause=f"add_{role}_token",
            repair=repaired(set_to(blamed, adds)),
        )


def _who_follows(by_version: Sequence[TextEnds], token: str, side: int) -> str:
    """Name the versions that add the token, and those that do not."""
    if not by_version:
        return "loaders follow the one or the other."
    verb = ("begins", "ends")[side]
    puts = [each.by for each in by_version if token in (each.before, each.after)[side]]
    rest = [each.by for each in by_version if each.by not in puts]
    said = [f"{who} {verb} every text with it" for who in puts]
    return "; ".join((*said, *(f"{who} does not" for who in rest))) + "."
