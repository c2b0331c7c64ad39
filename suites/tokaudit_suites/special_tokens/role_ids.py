"""Special ids in configs that contradict the tokenizer's special tokens."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

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
from tokaudit.subject.effective.text_ends import ends_of_file
from tokaudit.subject.formats.common.settings import setting
from tokaudit.subject.upstream.loading_class import defaults_of
from tokaudit.subject.upstream.model_class import Does, model_classes, one_of
from tokaudit.subject.upstream.model_type import treatment
from tokaudit.subject.upstream.published.spellings import turn_ends
from tokaudit_reference.spec import ModelType, TokenizerSpec, TokenType
from tokaudit_suites.shared.repairs import either, person_decides, removed, repaired, set_to
from tokaudit_suites.shared.stated_roles import (
    ROLES,
    content_of,
    from_generation,
    ids_in,
    place_of,
    role_ids,
    role_tokens,
)
from tokaudit_suites.shared.vocab_entries import id_of, is_special, looks_like_marker, name_of
from tokaudit_suites.shared.wording import about, plural, quote, some
from tokaudit_suites.shared.written_tokens import LONGEST, with_roles, written_tokens
from tokaudit_suites.special_tokens._role_repairs import corrected, exchanged_roles, with_id
from tokaudit_suites.special_tokens._role_spelling import by_library, by_spelling, misnamed

WORTH = {"bos": Severity.ERROR, "eos": Severity.ERROR}  # other roles do not enter generation
ALSO = ("decoder_start", "forced_bos", "forced_eos")
MODEL_FILE, TEKKEN = ".gguf", "tekken"
HIGHEST = "highest id"  # in what a class does with an id, by which it finds the end of a text
LISTS = ("suppress_tokens", "begin_suppress_tokens")


@check(
    "special_tokens/role-ids",
    title="The configs' role ids are the tokenizer's",
    why="Generation stops at the EOS id in the config, not at the EOS token that the tokenizer "
    "names. If the config and the tokenizer name different BOS or EOS tokens, the model never "
    "stops, or starts with another token than the tokenizer says.",
    remedy="Correct {pointer|the id} in {file|the file named}; generation_config.json must list "
    "every id that ends an answer.",
    repair=person_decides("no file says which token plays the role"),
    severity=Severity.ERROR,
    harm=Harm.OTHER_PROMPT,
    basis=Basis.CROSS_FILE,
    left_to_code=True,
    incident="Llama-1 conversions had bos 0, eos 1, pad -1 in config.json, and fine-tunes never "
    "stopped (tloen/alpaca-lora #279); CLIP says eos 2 (huggingface/transformers #24650).",
)
def role_ids_agree(spec: TokenizerSpec, subject: Subject) -> Iterator[Finding]:
    """Check that each id exists, and that each role's ids name the role's token."""
    stated, crossed = 0, list[Fact]()
    for finding, facts in exchanged_roles(spec, subject):
        yield finding
        crossed += facts
    for role in (*ROLES, *ALSO):
        named = role_ids(subject, role)
        stated += len(named)
        usable = []
        for fact, ids in named:
            wrong = [id for id in ids if not 0 <= id < spec.size()]
            if wrong:
                yield _softened(spec, subject, fact, _no_token(spec, subject, fact, role, wrong))
            else:
                usable.append((fact, ids))
        own = [each for each in usable if each[0] not in crossed]
        yield from _against_token(spec, subject, role, own)
        yield from misnamed(spec, subject, role)
    yield from _tokens_disagree(spec, subject)
    yield from _lists(spec, subject)
    if not stated and not any(role_tokens(subject, role) for role in ROLES):
        raise NotApplicable("no config next to the tokenizer states a special id")


def _no_token(
    spec: TokenizerSpec, subject: Subject, fact: Fact, role: str, wrong: list[int]
) -> Finding:
    own = next((id_of(spec, content) for _, content in role_tokens(subject, role)), None)
    return Finding(
        Severity.ERROR,
        f"{fact.file} gives {role} id {wrong[0]}, but the tokenizer's ids go from 0 to "
        f"{spec.size() - 1}.",
        (place_of(fact, "special_roles"),),
        cause=f"{role} range",
        repair=with_id(fact, own) if own is not None else _without(fact, wrong),
    )


def _against_token(
    spec: TokenizerSpec, subject: Subject, role: str, named: list[tuple[Fact, list[int]]]
) -> Iterator[Finding]:
    tokens = role_tokens(subject, role)
    wanted = {id_of(spec, content): (fact, content) for fact, content in tokens}
    wanted.pop(None, None)  # tokens without an id
    if not wanted and spec.format == TEKKEN and role in WORTH:
        yield from by_library(spec, role, named)
        return
    if not wanted:
        own = _of_the_class(spec, subject, role)
        plain = [(fact, ids) for fact, ids in named if _plain(spec, ids) and own not in ids]
        found = ((fact, _unnamed(spec, role, fact, ids)) for fact, ids in plain)
        yield from (_softened(spec, subject, fact, each) for fact, each in found)
        yield from by_spelling(spec, role, named)
        return
    generation = [ids for fact, ids in named if from_generation(fact)]
    for fact, ids in named:
        if set(ids) & wanted.keys():
            yield from _among_ends(spec, role, fact, ids)
            continue
        if _in_model(fact) and _converted(spec, role, ids):
            continue
        right = any(set(ids) & wanted.keys() for ids in generation)
        if _in_model(fact) and not any(set(ids) <= set(each) for each in generation):
            right = False  # engines take it from there, and read no file of settings
        if not from_generation(fact) and right and not _exchanged(spec, subject, role, ids):
            harm = _shadowed_harm(spec, subject, role, ids)
            if harm and not treatment(subject, fact):
                unread = _shadowed(spec, role, fact, ids, next(iter(wanted.values())), harm)
                yield replace(unread, repair=with_id(fact, next(iter(wanted))))
            elif _in_model(fact) and role == "eos" and _ends_turns(spec, subject, ids, wanted):
                id, token = next(iter(wanted.items()))
                yield _unlike_converted(_mismatch(spec, role, fact, ids, id, token))
            continue  # generation follows generation_config.json, and that one is right
        id, token = next(iter(wanted.items()))
        repair = None if id is None else corrected(spec, subject, role, fact, id)
        other = replace(_mismatch(spec, role, fact, ids, id, token), repair=repair)
        if role == "eos" and _ends_labels(spec, subject, ids, wanted):
            yield _of_labels(other, quote(name_of(spec, ids[0]) or ""))
            continue
        written = _writes(spec, subject, ids, wanted) if role == "eos" else ""
        yield _softened(spec, subject, fact, _meant(other, written))


def _ends_turns(
    spec: TokenizerSpec, subject: Subject, ids: list[int], wanted: Collection[int | None]
) -> bool:
    """Return whether chat templates write the settings' end, and not the model file's.

    A model file that names the end of a turn, where settings name that of a text, is right. The
    converter takes the settings' token unless the post-processor appends another (`_converted`).
    """
    if ends_of_file(spec)[1]:
        return False
    templates = [str(fact.value)[:LONGEST] for fact in subject.facts_named("chat_template")]
    written = written_tokens(spec, subject)
    by_role = any("eos_token" in template for template in templates)
    return written.isdisjoint(ids) and (by_role or not written.isdisjoint(wanted))


def _unlike_converted(found: Finding) -> Finding:
    """Lower to a warning, as an engine may stop at more tokens than the file's end of text."""
    says = "with which the chat template ends turns; the converter of llama.cpp writes the latter, "
    message = f"{found.message[:-1]}, {says}and an engine that stops at this id alone goes on."
    return replace(found, severity=Severity.WARNING, message=message, cause="eos of conversion")


def _in_model(fact: Fact) -> bool:
    return fact.file.endswith(MODEL_FILE)


def _converted(spec: TokenizerSpec, role: str, ids: Sequence[int]) -> bool:
    """Return whether a model file's end is the token appended by the post-processor.

    Its converter takes that one for EOS, whatever the settings name, and theirs for EOT.

    Source: ggml-org/llama.cpp at 0c1c9d33a805, gguf-py/gguf/vocab.py.
    """
    after = {id_of(spec, token) for token in ends_of_file(spec)[1]}
    return role == "eos" and not spec.files[0].endswith(MODEL_FILE) and {*ids} <= after


def _without(fact: Fact, wrong: Sequence[int]) -> Repair | None:
    """Remove some ids from a list, or the key if none is left."""
    left = [id for id in ids_in(fact.value) if id not in wrong]
    place = place_of(fact, "special_roles")
    listed = isinstance(fact.value, list) and left
    return repaired(set_to(place, left) if listed else removed(place))


def _one_of_them(tokens: Sequence[tuple[Fact, str]]) -> Repair | None:
    """Offer each named token, for a model that expects it."""
    contents = dict.fromkeys(content for _, content in tokens)
    return either(
        *(
            (f"a model that expects {quote(content)}", list(_all_name(tokens, content)))
            for content in contents
        ),
        warns_of="ids that configs state for the role may be another token's then",
    )


def _all_name(tokens: Sequence[tuple[Fact, str]], content: str) -> Iterator[Change]:
    for fact, stated in tokens:
        place = place_of(fact, "special_roles")
        if stated != content and isinstance(fact.value, dict):
            yield set_to(replace(place, pointer=f"{place.pointer}/content"), content)
        elif stated != content:
            yield set_to(place, content)


def _among_ends(spec: TokenizerSpec, role: str, fact: Fact, ids: list[int]) -> Iterator[Finding]:
    """Report words in a list of ends that also has the right one; a line end is allowed."""
    words = [id for id in ids if role == "eos" and _plain(spec, [id]) and _learned(spec, id)]
    if words:
        shown = some([f"{id} ({quote(name_of(spec, id) or '')})" for id in words])
        yield Finding(
            Severity.ERROR,
            f"{fact.file} lists ordinary tokens among the ends of text: {shown}; every answer "
            "stops at the first of them.",
            (place_of(fact, "special_roles"),),
            cause="eos words",
            about=about(*(name_of(spec, id) or "" for id in words), ids=words),
            repair=_without(fact, words),
        )


def _of_the_class(spec: TokenizerSpec, subject: Subject, role: str) -> int | None:
    """Return the id of the class's default token for a role that no file names."""
    found = defaults_of(subject)
    token = found[1].get(role) if found is not None else None
    return None if token is None else id_of(spec, token)


def _exchanged(spec: TokenizerSpec, subject: Subject, role: str, ids: list[int]) -> bool:
    """Return whether an end id is the beginning's, or the other way round."""
    other = {"bos": "eos", "eos": "bos"}.get(role, "")
    return any(id_of(spec, content) in ids for _, content in role_tokens(subject, other))


def _softened(spec: TokenizerSpec, subject: Subject, fact: Fact, found: Finding) -> Finding:
    """Lower a finding to information if nothing reads the id as stated."""
    does = treatment(subject, fact)
    if HIGHEST in does and (higher := _above_the_end(spec, subject)):
        message = (
            f"{found.message[:-1]}; the class of this model {does}, so a text with "
            f"{some([f'{quote(name)} (id {id})' for id, name in higher])} ends there for it."
        )
        return replace(found, severity=Severity.WARNING, message=message, cause="eos not highest")
    if does:
        unread = f"the class of this model {does}"
    elif _has_no_decoder_start(subject, fact):
        unread = "a model that decodes alone begins with the prompt, and reads no such id"
    elif start := _starts_otherwise(subject, fact):
        unread = f"{start.file} lets answers begin with id {start.value}, and nothing reads this"
    else:
        return found
    return replace(found, severity=Severity.INFO, message=f"{found.message[:-1]}; {unread}.")


def _above_the_end(spec: TokenizerSpec, subject: Subject) -> list[tuple[int, str]]:
    """Return the added tokens with a higher id than every named end."""
    ends = [id_of(spec, content) for _, content in role_tokens(subject, "eos")]
    last = max((id for id in ends if id is not None), default=spec.size())
    return [(token.id, token.content) for token in spec.added_tokens if token.id > last]


def _starts_otherwise(subject: Subject, fact: Fact) -> Fact | None:
    """Return the fact read instead of an unnamed bos id: a decoder's own start.

    Configs of encoder-decoders keep a default there, Marian's 0, which may be any piece.

    Source: `_get_decoder_start_token_id` in transformers 4.57, generation/utils.py.
    """
    if fact.name != "bos_token_id" or role_tokens(subject, "bos"):
        return None
    return next((start for start, ids in role_ids(subject, ALSO[0]) if ids), None)


def _has_no_decoder_start(subject: Subject, fact: Fact) -> bool:
    """Return whether a decoder start is stated for a model without an encoder.

    Source: `_prepare_special_tokens` and `generate` in transformers 4.57, generation/utils.py.
    """
    alone = one_of(model_classes(subject), Does.DECODES_ALONE)
    return alone and fact.name == f"{ALSO[0]}_token_id"


def _shadowed_harm(spec: TokenizerSpec, subject: Subject, role: str, ids: list[int]) -> str:
    """Explain what still reads an id that generation ignores, if its token is wrong."""
    if role in WORTH and (_plain(spec, ids) or spec.unk_id in ids):
        return "generation reads generation_config.json, but pooling and other engines read this"
    if role == "pad" and _plain(spec, ids):
        return "training pads with it, and classifiers look for the end of a text by it"
    if role == "pad" and _begins_turns(spec, subject, ids[0]):
        return "the model's class learns no row for it, and classifiers end a text before it"
    return ""


def _begins_turns(spec: TokenizerSpec, subject: Subject, id: int) -> bool:
    """Return whether a template writes the token and it is not an end."""
    token = name_of(spec, id)
    ends = [ids for role in ("eos", "pad") for _, ids in role_ids(subject, role)]
    named = {content for _, content in role_tokens(subject, "eos")}
    if not isinstance(token, str) or token in named or sum(id in ids for ids in ends) > 1:
        return False
    templates = (str(fact.value)[:LONGEST] for fact in subject.facts_named("chat_template"))
    return any(token in text for template in templates for text in with_roles(template))


def _shadowed(
    spec: TokenizerSpec,
    role: str,
    fact: Fact,
    ids: list[int],
    wanted: tuple[Fact, str],
    harm: str,
) -> Finding:
    """Report a wrong id that generation ignores but others read, as classifiers do eos."""
    named, content = wanted
    kind = "ordinary" if _plain(spec, ids) else "unknown" if spec.unk_id in ids else "other"
    return Finding(
        Severity.WARNING,
        f"{fact.file} gives {role} id {ids[0]}, the {kind} token "
        f"{quote(name_of(spec, ids[0]) or '')}, where {named.file} says {quote(content)}; {harm}.",
        (place_of(fact, "special_roles"), place_of(named, "special_roles")),
        cause=f"{role} {kind}",
    )


def _plain(spec: TokenizerSpec, ids: list[int]) -> bool:
    added = {token.id for token in spec.added_tokens}
    return not any(id in added or is_special(spec, id) for id in ids)


def _learned(spec: TokenizerSpec, id: int) -> bool:
    """Return whether a token is used in text: no marker, space or line end."""
    token, piece = name_of(spec, id) or "", spec.pieces.get(id)
    is_byte = piece is not None and piece.token_type is TokenType.BYTE
    text = token if isinstance(token, bytes) else token.replace("▁", " ")
    return is_byte or (not looks_like_marker(token) and bool(text.strip()))


def _unnamed(spec: TokenizerSpec, role: str, fact: Fact, ids: list[int]) -> Finding:
    """Report a role's id without a named token: an unused one, or an ordinary token."""
    if name_of(spec, ids[0]) is not None:
        return _ordinary(spec, role, fact, ids)
    reserved = spec.model_type is ModelType.TRIE and ids[0] == 0  # RWKV's end of text
    return Finding(
        Severity.INFO if reserved else Severity.WARNING,
        f"{fact.file} gives {role} id {ids[0]}, which no token has: no text becomes it, and it "
        "decodes to nothing.",
        (place_of(fact, "special_roles"),),
        cause=f"{role} free",
    )


def _ordinary(spec: TokenizerSpec, role: str, fact: Fact, ids: list[int]) -> Finding:
    """Report an ordinary token in a role; used in text, it ends answers early."""
    token = name_of(spec, ids[0]) or ""
    learned = _learned(spec, ids[0])
    marked = any(is_special(spec, id) for id in spec.pieces) or bool(spec.added_tokens)
    worth = Severity.WARNING if role not in ALSO or learned else Severity.INFO
    return Finding(
        WORTH.get(role, worth) if learned and marked else worth,
        f"{fact.file} gives {role} id {ids[0]}, which is the ordinary token "
        f"{quote(token)}, and no file names a {role} token.",
        (place_of(fact, "special_roles"),),
        cause=role,
        about=about(token, ids=ids[:1]),
    )


def _mismatch(
    spec: TokenizerSpec,
    role: str,
    fact: Fact,
    ids: list[int],
    wanted: int | None,
    token: tuple[Fact, str],
) -> Finding:
    shown = " and ".join(f"{id} ({quote(name_of(spec, id) or '')})" for id in ids[:4])
    filled = role == "pad" and from_generation(fact) and _plain(spec, ids)
    printed = filled and _learned(spec, ids[0])  # after every answer of a batch but the longest
    return Finding(
        Severity.ERROR if printed else WORTH.get(role, Severity.WARNING),
        f"{fact.file} gives {role} id {shown}, but {token[0].file} says that {role} is "
        f"{quote(token[1])}, id {wanted}.",
        (place_of(fact, "special_roles"), place_of(token[0], "special_roles")),
        cause=role,
        about=about(*(name_of(spec, id) or "" for id in ids[:4]), token[1], ids=ids[:4]),
    )


def _meant(found: Finding, written: str) -> Finding:
    """Lower to a warning if the chat template ends turns with the id."""
    if not written:
        return found
    says = f"the chat template writes {quote(written)}, so the end of text that engines take from "
    message = f"{found.message[:-1]}; {says}the tokenizer's settings is not that of a turn."
    return replace(found, severity=Severity.WARNING, message=message)


def _of_labels(found: Finding, token: str) -> Finding:
    """Lower to a warning about the name: generation stops where labels end."""
    message = (
        f"{found.message[:-1]}; the tokenizer too ends every text, and so every label, with "
        f"{token}."
    )
    places = found.places[::-1]
    return replace(found, severity=Severity.WARNING, message=message, places=places, repair=None)


def _ends_labels(
    spec: TokenizerSpec, subject: Subject, ids: Sequence[int], wanted: Collection[int | None]
) -> bool:
    """Return whether an encoder-decoder's tokenizer appends an id, not the role's token."""
    after = {id_of(spec, token) for token in ends_of_file(spec)[1]}
    return bool(role_ids(subject, ALSO[0]) and after & {*ids} and not after & {*wanted})


def _writes(
    spec: TokenizerSpec, subject: Subject, ids: Sequence[int], wanted: Collection[int | None]
) -> str:
    """Return the token that ends turns in the template, if the role's token does not."""
    templates = [str(fact.value) for fact in subject.facts_named("chat_template")]
    texts = [text for template in templates for text in with_roles(template[:LONGEST])]
    named = [str(name_of(spec, id) or "") for id in wanted if id is not None]
    if any(each in text for each in (*named, "eos_token") for text in texts):
        return ""
    tokens = [str(name_of(spec, id) or "") for id in ids]
    found = (t for t in tokens if t in turn_ends() and any(t in text for text in texts))
    return next(found, "")


def _tokens_disagree(spec: TokenizerSpec, subject: Subject) -> Iterator[Finding]:
    for role in ROLES:
        tokens = role_tokens(subject, role)
        if len({content for _, content in tokens}) > 1:
            if taken := _confirmed(spec, subject, role):
                yield _passed_over(role, tokens, taken)
                continue
            said = " and ".join(f"{quote(content)} ({fact.file})" for fact, content in tokens)
            places: tuple[Place, ...] = tuple(place_of(f, "special_roles") for f, _ in tokens)
            yield Finding(
                WORTH.get(role, Severity.WARNING),
                f"The files name different {role} tokens: {said}.",
                places,
                cause=f"{role} tokens",
                repair=_one_of_them(tokens),
            )


def _confirmed(spec: TokenizerSpec, subject: Subject, role: str) -> tuple[Fact, str] | None:
    """Return a role's token by loaders, if it agrees with each stated id."""
    fact = setting(subject, f"{role}_token")
    content = None if fact is None else content_of(fact.value)
    if fact is None or content is None:
        return None
    ids, own = [ids for _, ids in role_ids(subject, role)], id_of(spec, content)
    return (fact, content) if ids and all(own in each for each in ids) else None


def _passed_over(role: str, tokens: Sequence[tuple[Fact, str]], taken: tuple[Fact, str]) -> Finding:
    """Report a token that loaders ignore and that matches no id."""
    fact, content = taken
    others = [(other, stated) for other, stated in tokens if stated != content]
    said = " and ".join(f"{quote(stated)} ({other.file})" for other, stated in others)
    return Finding(
        Severity.WARNING,
        f"The files name different {role} tokens: loaders take {quote(content)} from {fact.file}, "
        f"as the ids in the configs do, and what reads only the other file takes {said}.",
        tuple(place_of(each, "special_roles") for each, _ in (*others, taken)),
        cause=f"{role} tokens",
        repair=repaired(*_all_name(others, content)),
    )


def _lists(spec: TokenizerSpec, subject: Subject) -> Iterator[Finding]:
    for fact in subject.facts_named(*LISTS):
        wrong = [id for id in ids_in(fact.value) if name_of(spec, id) is None and id != -1]
        if wrong:
            yield Finding(
                Severity.WARNING,
                f"{fact.file} lists {plural(len(wrong), 'id')} in {fact.name} that no token has: "
                f"{some([str(id) for id in wrong])}.",
                (place_of(fact, "special_roles"),),
                cause=fact.name,
                repair=_without(fact, wrong),
            )
