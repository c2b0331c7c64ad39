"""Tokens that begin or end texts or mark a gap, but are not special."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from tokaudit.plugin import (
    Basis,
    Fact,
    Finding,
    Harm,
    NotApplicable,
    Repair,
    Severity,
    Subject,
    check,
)
from tokaudit.subject.upstream.own_code import own_class
from tokaudit.subject.upstream.versions import VERSIONS
from tokaudit_reference.spec import ModelType, TokenizerSpec
from tokaudit_suites.shared.foreign_configs import ForeignConfigs
from tokaudit_suites.shared.near_names import markers_of, nearest
from tokaudit_suites.shared.repairs import person_decides, repaired, set_to
from tokaudit_suites.shared.stated_roles import ROLES, place_of, role_tokens, stated_added
from tokaudit_suites.shared.vocab_entries import (
    added_by_content,
    id_of,
    is_special,
    is_whole,
    looks_like_marker,
    taken_whole,
)
from tokaudit_suites.shared.wording import in_added, main_file, quote, some

WHOLE_FILE = "tokenizer.json"  # lists its added tokens; other files leave them to the class
BOTH = " and ".join(VERSIONS)
ABSENT = (
    "Name the token of this tokenizer that plays the role, or add the token and a row for its id."
)
PLAIN = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
Named = tuple[str, Fact, str]  # a role, who names its token, and the token


@check(
    "special_tokens/eos-is-special",
    title="End, begin and mask tokens are special tokens",
    why="If EOS, BOS or the mask token is not marked as special, a template that writes the token "
    "gets several pieces instead of one id, and decoding with skip_special_tokens=True still "
    "shows the token.",
    remedy="In {file|tokenizer.json}, add the token to added_tokens with the id that the token has "
    "now, and set special to true.",
    repair=person_decides("whether a text becomes one token is what the model expects"),
    severity=Severity.ERROR,
    harm=Harm.OTHER_PROMPT,
    basis=Basis.CROSS_FILE,
    left_to_code=True,
    incident="T5's sentinels stopped being special after one token was added "
    "(fms-hf-tuning PR#517).",
)
def eos_is_special(
    spec: TokenizerSpec, subject: Subject, configs: ForeignConfigs
) -> Iterator[Finding]:
    """Look up the named role tokens among the added tokens.

    Loaders that lay tokenizer_config.json over the tokenizer take the mark from there.
    """
    named = [(role, *stated) for role in ("eos", "bos") for stated in role_tokens(subject, role)]
    if not named and not role_tokens(subject, "mask"):
        raise NotApplicable("no file names an eos, bos or mask token")
    # Report the empty list as one cause, not each of its tokens.
    if named and not spec.added_tokens:
        yield from _none_listed(spec, subject, named)
        return
    reported = set()
    marked = {id for _, _, id, flags in stated_added(subject) if flags.get("special") is True}
    for role, fact, content in named:
        # Leave out configs of another tokenizer, and a token that was reported.
        if content in reported or not configs.own(fact):
            continue
        reported.add(content)
        alone = overlaid = whole = False
        own, id = added_by_content(spec).get(content), id_of(spec, content)
        near = nearest(content, markers_of(spec)) if id is None else None
        # Prefer a misspelling: it explains the missing token, and has a repair.
        if near is not None:
            yield _misspelled(subject, fact, role, content, near)
            continue
        if id is None:
            problem = f"but the tokenizer has no such token: {BOTH} add it with a new id"
        elif alone := role == "bos" and own is not None and own.single_word:
            problem = "but with single_word it is found only where no letter touches it"
        elif is_special(spec, id) and (own is None or own.special):
            continue
        elif own is None and is_whole(spec, id):
            continue  # the engine never cuts it; special_tokens/piece-types judges its type
        elif whole := own is None and taken_whole(spec, id):
            problem = (
                f"but id {id} is not an added token: engines that read only {main_file(spec)} show "
                "it even where special tokens are skipped"
            )
        elif own is None:
            problem = f"but id {id} is not an added token, so in text it is cut into pieces"
        elif overlaid := id in marked:
            problem = (
                "and marks it special, but engines that read only tokenizer.json do not see this"
            )
        else:
            problem = "but this added token is not marked special"
        yield Finding(
            Severity.WARNING if overlaid or alone or whole else Severity.ERROR,
            f"{fact.file} names {quote(content)} as the {role} token, {problem}.",
            (in_added(spec, content), place_of(fact, "special_roles")),
            cause="eos",
            remedy=ABSENT if id is None else "",
            repair=_marked(spec, content, id, alone=alone),
        )
    yield from _mask(spec, subject)


def _misspelled(subject: Subject, fact: Fact, role: str, content: str, near: str) -> Finding:
    """Report a name one edit away from a token, in each file that has it."""
    named = [
        each for name in ROLES for each, stated in role_tokens(subject, name) if stated == content
    ]
    return Finding(
        Severity.ERROR,
        f"{fact.file} names {quote(content)} as the {role} token, but no token of that name "
        f"exists; did you mean {quote(near)}?",
        tuple(place_of(each, "special_roles") for each in named),
        remedy=f"In {fact.file}, write {quote(near)}.",
        cause="misspelled",
        repair=repaired(*(set_to(place_of(each, "special_roles"), near) for each in named)),
    )


def _mask(spec: TokenizerSpec, subject: Subject) -> Iterator[Finding]:
    """Report a mask token that loaders of settings alone do not know."""
    masks = (named for named in role_tokens(subject, "mask") if looks_like_marker(named[1]))
    for fact, content in islice(masks, 1):
        id = id_of(spec, content)
        listed = content in added_by_content(spec)
        if spec.format == WHOLE_FILE and spec.added_tokens and id is not None and not listed:
            yield Finding(
                Severity.WARNING,
                f"{fact.file} names {quote(content)} as the mask token, but id {id} is not an "
                "added token: engines that read only tokenizer.json split it into pieces.",
                (in_added(spec, content), place_of(fact, "special_roles")),
                cause="mask",
                repair=_marked(spec, content, id, alone=False),
            )


def _marked(spec: TokenizerSpec, content: str, id: int | None, *, alone: bool) -> Repair | None:
    """Mark the added token as special, or add an entry for a vocabulary token."""
    own = added_by_content(spec).get(content)
    place = in_added(spec, content if own is not None else None)
    if own is None and id is not None and spec.format == WHOLE_FILE and spec.added_tokens:
        entry = {"id": id, "content": content, **PLAIN, "special": True}
        return repaired(set_to(replace(place, pointer=f"{place.pointer}/-"), entry))
    flag, wanted = ("single_word", False) if alone else ("special", True)
    if own is None or not place.pointer:
        return None
    return repaired(set_to(replace(place, pointer=f"{place.pointer}/{flag}"), wanted))


def _none_listed(
    spec: TokenizerSpec, subject: Subject, named: Sequence[Named]
) -> Iterator[Finding]:
    """Report role tokens that no merge builds, if the file lists no added tokens.

    A Unigram takes an entry whole; code of the checkpoint may add what it likes.
    """
    lost = {content: role for role, _, content in named if id_of(spec, content) is not None}
    if spec.format != WHOLE_FILE or spec.model_type is not ModelType.BPE or not lost:
        raise NotApplicable("the file lists no added tokens, so its loader supplies them")
    fact = named[0][1]
    shown = [f"{quote(content)} as the {role} token" for content, role in lost.items()]
    yield Finding(
        Severity.INFO if own_class(subject) else Severity.WARNING,
        f"{fact.file} names {some(shown)}, but {spec.files[0]} lists no added tokens: engines that "
        "read only this file split these tokens into pieces.",
        (in_added(spec), place_of(fact, "special_roles")),
        cause="none listed",
    )
