"""Tokens that generation inserts itself: the decoder's start, and forced tokens."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import Basis, Fact, Finding, Harm, NotApplicable, Severity, Subject, check
from tokaudit.subject.upstream.model_type import DecoderStart, start_of
from tokaudit.subject.upstream.versions import VERSIONS
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.repairs import person_decides, removed, repaired, set_to, setting
from tokaudit_suites.shared.stated_roles import place_of, role_ids, role_tokens
from tokaudit_suites.shared.vocab_entries import id_of, name_of
from tokaudit_suites.shared.wording import quote

START, FIRST, LAST = "decoder_start", "forced_bos", "forced_eos"
MODEL, GENERATION = "config.json", "generation_config.json"


@check(
    "special_tokens/decoder-start",
    title="A decoder begins with its class's start token",
    why="Generation reads the first token of every answer from the config; an encoder-decoder "
    "model does not choose this token. With the start token of another model family, the model "
    "answers as if the text were over, or in another language, without an error.",
    remedy="In config.json and in generation_config.json, set decoder_start_token_id to the id of "
    "the start token that the model expects.",
    repair=person_decides("the token that the decoder expects first is not in the files"),
    severity=Severity.ERROR,
    harm=Harm.OTHER_PROMPT,
    basis=Basis.CROSS_FILE,
    left_to_code=True,
    incident="T5 begins with its pad token and BART with its end (huggingface/transformers #7986, "
    "VinAIResearch/BARTpho #4); a converter that took one for all broke MADLAD-400 "
    "(OpenNMT/CTranslate2 PR#1552). With the language in config.json alone, translations were in "
    "another one (huggingface/transformers PR#41521).",
)
def decoder_start(spec: TokenizerSpec, subject: Subject) -> Iterator[Finding]:
    """Compare the start with the class's, and look for forced tokens that end at once."""
    start = start_of(subject)
    named = [(role, role_ids(subject, role)) for role in (START, FIRST, LAST)]
    if not any(stated for _, stated in named):
        raise NotApplicable("no config says what a decoder begins with")
    ends = _ids_of(spec, subject, "eos")
    for role, stated in named:
        for fact, ids in stated:
            if role == START and start is not None:
                yield from _begun(spec, subject, fact, ids, start)
            elif role == FIRST and set(ids) <= ends:
                yield _ended(spec, fact, ids[0])
            elif role == LAST and ends and not {*ids} & {*ends, *_stated_ids(subject, "eos")}:
                yield _not_ended(spec, fact, ids[0], min(ends))
    yield from _two_first(spec, subject)


def _two_first(spec: TokenizerSpec, subject: Subject) -> Iterator[Finding]:
    """Report a first token that config.json forces and generation_config.json does not.

    Source: generation/utils.py of transformers: config.json is read for it only where there is no
    generation_config.json.
    """
    top = [each for each in role_ids(subject, FIRST) if each[0].pointer == f"/{FIRST}_token_id"]
    forced = {fact.file: (fact, ids) for fact, ids in top}
    if MODEL not in forced or all(file.name != GENERATION for file in subject.files):
        return
    (fact, ids), other = forced[MODEL], forced.get(GENERATION)
    if other is not None and set(other[1]) == set(ids):
        return
    theirs = "none" if other is None else f"{_shown(spec, other[1][0])}, id {other[1][0]}"
    places = (place_of(fact, "special_roles"),) + (
        () if other is None else (place_of(other[0], "special_roles"),)
    )
    yield Finding(
        Severity.WARNING if other is None else Severity.ERROR,
        f"Answers begin with another token than {MODEL} says, such as another language: {MODEL} "
        f"forces {_shown(spec, ids[0])}, id {ids[0]}, but {GENERATION} forces {theirs}, and "
        f"{' and '.join(VERSIONS)} read only {GENERATION} when they generate.",
        places,
        cause="two first",
        repair=repaired(setting(GENERATION, "forced_bos_token_id", ids[0]))
        if other is None
        else None,
    )


def _ids_of(spec: TokenizerSpec, subject: Subject, role: str) -> set[int]:
    """Return the ids of a role, by the tokens in files or else the configs."""
    named = {id_of(spec, content) for _, content in role_tokens(subject, role)}
    return {id for id in named if id is not None} or _stated_ids(subject, role)


def _stated_ids(subject: Subject, role: str) -> set[int]:
    """Return the ids that configs state for a role, which generation uses."""
    return {id for _, ids in role_ids(subject, role) for id in ids}


def _begun(
    spec: TokenizerSpec, subject: Subject, fact: Fact, ids: list[int], start: DecoderStart
) -> Iterator[Finding]:
    """Report a start that differs from the class's."""
    if start.is_role:
        # the classes shift labels by the ids of the config, whatever token the tokenizer names
        wanted = _stated_ids(subject, start.begins_with) or _ids_of(
            spec, subject, start.begins_with
        )
    else:
        own = id_of(spec, start.begins_with)
        wanted = set() if own is None else {own}
    if not wanted or set(ids) & wanted:
        return
    known = start.otherwise in ("error", "warning")
    if not known and not set(ids) & _ids_of(spec, subject, start.otherwise):
        return
    token = name_of(spec, min(wanted))
    yield Finding(
        Severity.WARNING if start.otherwise == "warning" else Severity.ERROR,
        f"{fact.file} makes the decoder begin with id {ids[0]}, {_shown(spec, ids[0])}, but the "
        f"decoder of a model of the type '{start.kind}' begins with {quote(token or '')}, id "
        f"{min(wanted)}.",
        (place_of(fact, "special_roles"),),
        cause="start",
        repair=repaired(set_to(place_of(fact, "special_roles"), min(wanted))),
    )


def _ended(spec: TokenizerSpec, fact: Fact, id: int) -> Finding:
    return Finding(
        Severity.ERROR,
        f"{fact.file} forces {_shown(spec, id)}, id {id}, as the first token of every answer, "
        "and that is the end of text: every answer is empty.",
        (place_of(fact, "special_roles"),),
        cause="forced end",
        repair=repaired(removed(place_of(fact, "special_roles"))),
    )


def _not_ended(spec: TokenizerSpec, fact: Fact, id: int, end: int) -> Finding:
    return Finding(
        Severity.WARNING,
        f"{fact.file} forces {_shown(spec, id)}, id {id}, when an answer reaches its maximum "
        f"length, but the end of text is {_shown(spec, end)}, id {end}.",
        (place_of(fact, "special_roles"),),
        cause="forced other",
        repair=repaired(set_to(place_of(fact, "special_roles"), end)),
    )


def _shown(spec: TokenizerSpec, id: int) -> str:
    name = name_of(spec, id)
    return "no token" if name is None else quote(name)
