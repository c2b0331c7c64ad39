"""Files that disagree on an added token's id or flags."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from tokaudit.plugin import (
    Basis,
    Change,
    ChangeKind,
    Decider,
    Fact,
    Finding,
    Harm,
    NotApplicable,
    Repair,
    Severity,
    Subject,
    changing,
    check,
    decision,
)
from tokaudit.subject.formats.common.settings import LISTS
from tokaudit.subject.safe_json import pointer
from tokaudit.subject.upstream.own_code import own_class
from tokaudit_reference.spec import AddedToken, TokenizerSpec
from tokaudit_suites.agreement._added_lists import role_flags, unlisted
from tokaudit_suites.shared.exchanges import EXCHANGED, Moved, exchanged_pairs
from tokaudit_suites.shared.foreign_configs import ForeignConfigs
from tokaudit_suites.shared.listed_tokens import LISTED, listed_anew
from tokaudit_suites.shared.repairs import either, person_decides, removed, repaired, set_to
from tokaudit_suites.shared.stated_roles import (
    ROLES,
    content_of,
    place_of,
    role_tokens,
    stated_added,
)
from tokaudit_suites.shared.vocab_entries import added_by_content, id_of, looks_like_marker, name_of
from tokaudit_suites.shared.wording import about, does, in_added, plural, quote, some
from tokaudit_suites.shared.written_tokens import LONGEST, with_roles

SPACE_FLAGS = ("lstrip", "rstrip", "single_word")  # they change the ids of the text around
MANY = 4  # of one file; fewer are named one by one
OTHER_FLAGS = ("special", "normalized")
FLAGS = (*SPACE_FLAGS, *OTHER_FLAGS)
NOT_NUMBERED_SO = (
    "the weights have a row at one of the two ids; loaders number added tokens in the order of the "
    "list, so that tokenizer.json gives the other id only after another token"
)
NOT_LISTED_SO = "loaders number added tokens as they are listed, and no order gives these ids"
PLAIN = dict.fromkeys(FLAGS, False)
DECODER = "added_tokens_decoder"
ROLE_FLAGS = tuple(f"{role}_token_flags" for role in ROLES)


@check(
    "agreement/added-tokens",
    title="All files agree on every added token",
    why="Some loaders read added tokens only from tokenizer.json; in other loaders, "
    "tokenizer_config.json overrides tokenizer.json. Where tokenizer.json and "
    "tokenizer_config.json list different added tokens, two loaders produce different ids for the "
    "same text.",
    remedy="Save all files of the tokenizer again from one source: the tokenizer whose ids match "
    "the embedding rows.",
    repair=person_decides(
        "the id belongs to one of the two tokens, by the row that the model has for it"
    ),
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.CROSS_FILE,
    left_to_code=True,
    incident="Tokens flipped their flags on every save (huggingface/transformers #26773); "
    "added_tokens.json gave ids below the vocabulary's end (huggingface/transformers #9246).",
)
def collision_in_files(
    spec: TokenizerSpec, subject: Subject, configs: ForeignConfigs
) -> Iterator[Finding]:
    """Compare added_tokens.json and tokenizer_config.json with the tokenizer's own list."""
    yield from _additional(spec, subject)
    yield from role_flags(spec, subject, SPACE_FLAGS)
    stated = [each for each in stated_added(subject) if configs.own(each[0])]
    if not stated and not subject.facts_named(*LISTS, *ROLE_FLAGS):
        raise NotApplicable("no other file states added tokens")
    own = added_by_content(spec)
    unknown: dict[int, list[tuple[str, int]]] = {}
    clashes: dict[tuple[int, str], list[Finding]] = {}
    moved: dict[int, list[Moved[str]]] = {}
    flags: dict[tuple[int, str], list[tuple[str, Any, Any]]] = {}
    facts = {id(fact): fact for fact, *_ in stated}
    for fact, content, number, entry in stated:
        here = id_of(spec, content) if content not in own else own[content].id
        if here is not None and here != number:
            # Collect moved tokens first: two that changed places are one fault.
            moved.setdefault(id(fact), []).append((content, number, here))
        elif here is None and name_of(spec, number) is not None:
            taken = _taken(spec, subject, fact, content, number)
            clashes.setdefault((id(fact), "taken"), []).append(taken)
        elif here is None or (content not in own and spec.format == LISTED):
            # Collect what the tokenizer does not list: it is cut where a text holds it.
            unknown.setdefault(id(fact), []).append((content, number))
        if spec.format != LISTED:
            continue  # other formats state no flags of their own
        for flag, theirs, mine in _flags(entry, own.get(content)):
            flags.setdefault((id(fact), flag), []).append((content, theirs, mine))
    for key, rows in moved.items():
        pairs = exchanged_pairs(rows)
        yield from (_exchanged(spec, facts[key], pair) for pair in pairs)
        others = [row for row in rows if not any(row in pair for pair in pairs)]
        if others:
            yield from _said_once([_moved(spec, subject, facts[key], *row) for row in others])
    for found_here in clashes.values():
        yield from _said_once(found_here)
    # A list may have been emptied; code of the checkpoint adds to an empty one what it likes.
    listed = own or (spec.format == LISTED and not own_class(subject))
    used = _used(spec, subject)
    yield from (_unknown(spec, facts[key], lost, used) for key, lost in unknown.items() if listed)
    yield from _left_out(spec, subject)
    yield from unlisted(spec, subject)
    yield from (_flag(spec, facts[key], flag, found) for (key, flag), found in flags.items())


def _said_once(found: list[Finding]) -> list[Finding]:
    """Merge the findings if many tokens of one file have other ids elsewhere: the cause is one."""
    first = found[0]
    if len(found) < MANY:
        return found
    severity = min((each.severity for each in found), key=lambda severity: severity.rank)
    listed = some([each.message.rstrip(".") for each in found], 3)
    message = f"{does(len(found), 'added token', 'has')} another id in {first.places[0].file} than "
    message += f"in the tokenizer itself: {listed}."
    repair = changing(
        change for each in found for change in (each.repair.changes if each.repair else ())
    )
    return [
        replace(
            first, severity=severity, message=message, cause=f"many {first.cause}", repair=repair
        )
    ]


def _flags(entry: dict[str, Any], own: AddedToken | None) -> Iterator[tuple[str, Any, Any]]:
    for flag in (*SPACE_FLAGS, *OTHER_FLAGS):
        stated = entry.get(flag)
        if own is not None and isinstance(stated, bool) and stated != getattr(own, flag):
            yield flag, stated, getattr(own, flag)


def _exchanged(spec: TokenizerSpec, fact: Fact, pair: tuple[Moved[str], Moved[str]]) -> Finding:
    """Report two tokens with swapped ids: nothing in the folder says which file is right."""
    (one, number, here), (other, *_) = pair
    listed = [change for row in pair for change in _relisted(fact, *row)]
    own = _as_listed(spec, pair)
    return Finding(
        Severity.ERROR,
        f"{quote(one)} and {quote(other)} have each other's id: {number} and {here} in "
        f"{fact.file}, {here} and {number} in the tokenizer itself.",
        (place_of(fact, "added_tokens"), in_added(spec, one, here)),
        cause=EXCHANGED,
        about=about(one, other, ids=(number, here)),
        repair=either(
            (f"a model that expects {in_added(spec, one).file}", _kept(listed)),
            (f"a model that expects {fact.file}", own),
            warns_of="lists of a third file may differ then: write all from the same one",
        ),
    )


def _kept(changes: list[Change]) -> list[Change]:
    """Drop removals of a path that another change sets."""
    wanted = {change.pointer for change in changes if change.kind is not ChangeKind.REMOVE}
    return [c for c in changes if c.kind is not ChangeKind.REMOVE or c.pointer not in wanted]


def _moved(
    spec: TokenizerSpec, subject: Subject, fact: Fact, content: str, number: int, here: int
) -> Finding:
    at = place_of(fact, "added_tokens")
    return Finding(
        Severity.ERROR,
        f"{quote(content)} has id {number} in {fact.file}, but id {here} in the tokenizer itself.",
        (at, in_added(spec, content, here)),
        cause="id",
        about=about(content, ids=(number, here)),
        repair=_renumbered(spec, subject, fact, (content, number, here)),
    )


def _renumbered(
    spec: TokenizerSpec, subject: Subject, fact: Fact, row: Moved[str]
) -> Repair | None:
    """Set the tokenizer's own id, if the other id is taken by another token or has no row.

    Else it is a choice, or a person's where no order of the list gives the other id.
    """
    listed, own = _relisted(fact, *row), _as_listed(spec, [row])
    rows = subject.fact("vocab_size")
    beyond = rows is not None and isinstance(rows.value, int) and row[1] >= rows.value
    its_own = spec.format == LISTED and row[0] in added_by_content(spec)
    if name_of(spec, row[1]) is not None or beyond or not its_own:
        return repaired(*listed)
    if not own:
        return decision(Decider.PERSON, NOT_NUMBERED_SO)
    return either(
        (f"a model that expects {in_added(spec, row[0]).file}", listed),
        (f"a model that expects {fact.file}", own),
        warns_of="a token beyond the rows of the model, or a third list, is reported then",
    )


def _relisted(fact: Fact, content: str, number: int, here: int) -> list[Change]:
    """Set the id of a token in the list to the id that loaders of the tokenizer give it."""
    at = place_of(fact, "added_tokens")
    if fact.name != DECODER:
        return [set_to(replace(at, pointer=at.pointer + pointer(content)), here)]
    entry = fact.value.get(str(number))
    old, new = (replace(at, pointer=f"{at.pointer}/{id}") for id in (number, here))
    return [removed(old), set_to(new, entry)]


def _as_listed(spec: TokenizerSpec, rows: Sequence[Moved[str]]) -> list[Change]:
    """Set the ids in tokenizer.json to those of the list; return nothing if it cannot hold them."""
    added = added_by_content(spec)
    if spec.format != LISTED or any(content not in added for content, *_ in rows):
        return []
    entries = [row for row in rows if row[2] in spec.pieces]
    if not entries:
        return listed_anew(spec, [replace(added[each], id=number) for each, number, _ in rows])
    if len(entries) < len(rows):
        return []
    return [change for row in entries for change in _of_entry(spec, *row)]


def _of_entry(spec: TokenizerSpec, content: str, number: int, here: int) -> Iterator[Change]:
    """Set the id of a token that the model's own vocabulary lists too, where it is read."""
    entry = in_added(spec, content)
    yield set_to(replace(entry, pointer=f"{entry.pointer}/id", value=here), number)
    listed = pointer("model", "vocab", content)
    yield set_to(replace(entry, pointer=listed, value=here), number)


def _taken(spec: TokenizerSpec, subject: Subject, fact: Fact, content: str, number: int) -> Finding:
    """Report a placeholder that classes based on SentencePiece, or a custom class, rename.

    The library's classes around tokenizer.json rename none.
    """
    other = name_of(spec, number) or ""
    renames = spec.format != LISTED or own_class(subject)
    renamed = renames and looks_like_marker(other)
    return Finding(
        Severity.WARNING if renamed else Severity.ERROR,
        f"{fact.file} puts {quote(content)} on id {number}, which the tokenizer gives to "
        f"{quote(other)}.",
        (place_of(fact, "added_tokens"), in_added(spec, None, number)),
        cause="taken",
        about=about(content, other),
    )


def _used(spec: TokenizerSpec, subject: Subject) -> Callable[[str], bool]:
    """Return a test for tokens that are in every prompt, by a role or the chat template."""
    roles = {content for role in ("bos", "eos") for _, content in role_tokens(subject, role)}
    templates = [str(fact.value)[:LONGEST] for fact in subject.facts_named("chat_template")]
    texts = [text for template in templates for text in with_roles(template)]
    return lambda content: (
        id_of(spec, content) is None
        and (
            content in roles
            or (looks_like_marker(content) and any(content in text for text in texts))
        )
    )


def _unknown(
    spec: TokenizerSpec, fact: Fact, lost: list[tuple[str, int]], used: Callable[[str], bool]
) -> Finding:
    """Report listed tokens that the tokenizer splits; more severe if every prompt has one."""
    in_use = [content for content, _ in lost if used(content)]
    names = [f"{quote(content)} ({number})" for content, number in lost]
    prompts = f"; prompts hold {some(list(map(quote, in_use)))}" if in_use else ""
    return Finding(
        Severity.ERROR if in_use else Severity.WARNING,
        f"{fact.file} adds {plural(len(names), 'token')} that the tokenizer's own list does not "
        f"have: {some(names)}; loaders that read only that list split these tokens into "
        f"pieces{prompts}.",
        (place_of(fact, "added_tokens"),),
        cause="unknown",
        about=about(*(content for content, _ in lost)),
        repair=_in_one_list(spec, fact, lost),
    )


def _in_one_list(spec: TokenizerSpec, fact: Fact, lost: list[tuple[str, int]]) -> Repair | None:
    """Add the tokens to both lists or remove them from both; a person decides what is left."""
    at, own = place_of(fact, "added_tokens"), in_added(spec)
    keys = [pointer(n if fact.name == DECODER else c) for c, n in lost]
    listed = listed_anew(spec, [_as_stated(fact, content, number) for content, number in lost])
    if not listed:
        return decision(Decider.PERSON, NOT_LISTED_SO) if spec.format == LISTED else None
    return either(
        (
            f"a model that expects {own.file or fact.file}",
            [removed(replace(at, pointer=at.pointer + key)) for key in keys],
        ),
        (f"a model that expects {fact.file}", listed),
        warns_of="a token that has no row in the embedding is reported then",
    )


def _as_stated(fact: Fact, content: str, number: int) -> AddedToken:
    """Return a token with only the flags that the file states for it."""
    entry = fact.value.get(str(number))
    flags = {flag: entry.get(flag) is True for flag in FLAGS} if isinstance(entry, dict) else PLAIN
    return AddedToken(number, content, **flags)


def _entry(token: AddedToken) -> dict[str, Any]:
    """Return an added token in the form of tokenizer_config.json."""
    return {"content": token.content, **{flag: getattr(token, flag) for flag in FLAGS}}


def _left_out(spec: TokenizerSpec, subject: Subject) -> Iterator[Finding]:
    """Report the tokenizer's own added tokens that the list in tokenizer_config.json lacks.

    Classes in plain Python take their added tokens from there.  added_tokens.json may hold some
    alone: it is read where no such list is, and special tokens are named elsewhere.

    Source: `from_pretrained` in transformers 4.57, tokenization_utils_base.py.
    """
    fact = next(iter(subject.facts_named(DECODER)), None)
    if spec.format != LISTED or fact is None or not isinstance(fact.value, dict):
        return
    listed = {content_of(entry) for entry in fact.value.values()}
    own = added_by_content(spec)
    lacking = [text for text in own if text not in listed]
    if listed and lacking and listed & own.keys():
        yield Finding(
            Severity.WARNING,
            f"{DECODER} in {fact.file} lacks {plural(len(lacking), 'added token')} of the "
            f"tokenizer itself: {some([quote(text) for text in lacking])}; classes that read added "
            "tokens from this file split these tokens into pieces.",
            (place_of(fact, "added_tokens"), in_added(spec, lacking[0])),
            cause="left out",
            repair=repaired(
                *(
                    set_to(
                        replace(
                            place_of(fact, "added_tokens"), pointer=f"{fact.pointer}/{own[text].id}"
                        ),
                        _entry(own[text]),
                    )
                    for text in lacking
                )
            ),
        )


def _flag(spec: TokenizerSpec, fact: Fact, flag: str, found: list[tuple[str, Any, Any]]) -> Finding:
    content, theirs, mine = found[0]
    return Finding(
        Severity.ERROR if flag in SPACE_FLAGS else Severity.WARNING,
        f"{flag} of {plural(len(found), 'added token')} differs between {fact.file} and the "
        f"tokenizer itself ({theirs} against {mine}): {some([quote(item[0]) for item in found])}.",
        (in_added(spec, content, {flag: mine}), place_of(fact, "added_tokens")),
        cause=flag,
        repair=_one_flag(spec, fact, flag, found),
    )


def _one_flag(
    spec: TokenizerSpec, fact: Fact, flag: str, found: list[tuple[str, Any, Any]]
) -> Repair | None:
    """Copy a flag from one file to the other; no file says which the model was trained with."""
    stated = {content_of(entry): key for key, entry in fact.value.items()}
    at = place_of(fact, "added_tokens")
    theirs = [(c, value, f"{at.pointer}/{stated[c]}/{flag}") for c, _, value in found]
    ours = [(c, value, f"{in_added(spec, c).pointer}/{flag}") for c, value, _ in found]
    own = in_added(spec, found[0][0])
    return either(
        (
            f"a model that expects {own.file}",
            [set_to(replace(at, pointer=pointer), value) for _, value, pointer in theirs],
        ),
        (
            f"a model that expects {fact.file}",
            [set_to(replace(own, pointer=pointer), value) for _, value, pointer in ours],
        ),
    )


def _marked(spec: TokenizerSpec, contents: list[str]) -> Repair | None:
    """Mark the added tokens as special."""
    entries = (in_added(spec, content) for content in contents)
    return repaired(*(set_to(replace(e, pointer=f"{e.pointer}/special"), True) for e in entries))


def _additional(spec: TokenizerSpec, subject: Subject) -> Iterator[Finding]:
    """Report tokens that a config lists as special but the tokenizer does not add or mark so."""
    if spec.format != LISTED:
        return
    own = added_by_content(spec)
    elsewhere = {content for _, content, _, _ in stated_added(subject)}  # said by their ids
    for fact in subject.facts_named(*LISTS):
        values = fact.value.values() if isinstance(fact.value, dict) else fact.value or ()
        named = [c for c in map(content_of, values) if c and (c in own or c not in elsewhere)]
        for problem, found in (
            ("does not have", [c for c in named if c not in own]),
            ("does not mark special", [c for c in named if c in own and not own[c].special]),
        ):
            if found:
                yield Finding(
                    Severity.WARNING,
                    f"{fact.file} lists {plural(len(found), 'special token')} that the "
                    f"tokenizer's own list {problem}: {some([quote(c) for c in found])}.",
                    (in_added(spec, found[0]), place_of(fact, "added_tokens")),
                    cause=problem,
                    repair=_marked(spec, found) if found[0] in own else None,
                )
