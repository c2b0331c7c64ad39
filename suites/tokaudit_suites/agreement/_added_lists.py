"""Tokens that added_tokens.json leaves out, and flags that roles state otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from tokaudit.plugin import Fact, Finding, Severity, Subject
from tokaudit.subject.safe_json import pointer
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.repairs import repaired, set_to
from tokaudit_suites.shared.stated_roles import ROLES, place_of, role_tokens, stated_added
from tokaudit_suites.shared.vocab_entries import added_by_content
from tokaudit_suites.shared.wording import in_added, plural, quote, some

LIST, DECODER, WHOLE_FILE = "added_tokens", "added_tokens_decoder", "tokenizer.json"
EFFECTS = {"single_word": "find the token in other places of a text"}  # in classes in plain Python
ON_SPACE = "keep other white space around the token"
Differing = Sequence[tuple[Fact, str, bool, bool]]  # who states a flag, of what, and both values


def unlisted(spec: TokenizerSpec, subject: Subject) -> Iterator[Finding]:
    """Report tokens past the model's own entries that an incomplete added_tokens.json lacks.

    Savers write every such token there, special or not.  Where tokenizer_config.json has a list of
    its own, loaders read that, and this one may be a part.

    Source: `_from_pretrained` and `save_pretrained` in transformers 4.57,
    tokenization_utils_base.py.
    """
    fact = next(iter(subject.facts_named(LIST)), None)
    listed = fact.value if fact is not None and isinstance(fact.value, dict) else {}
    if fact is None or spec.format != WHOLE_FILE or subject.facts_named(DECODER):
        return
    beyond = {t.content: t.id for t in spec.added_tokens if t.id not in spec.pieces}
    lacking = {text: id for text, id in beyond.items() if text not in listed}
    if lacking and any(listed.get(text) == id for text, id in beyond.items()):
        yield _unlisted(spec, fact, lacking)


def _unlisted(spec: TokenizerSpec, fact: Fact, lacking: Mapping[str, int]) -> Finding:
    at = place_of(fact, "added_tokens")
    shown = some([f"{quote(text)} ({id})" for text, id in lacking.items()])
    keys = ((replace(at, pointer=at.pointer + pointer(text)), id) for text, id in lacking.items())
    return Finding(
        Severity.WARNING,
        f"{fact.file} lacks {plural(len(lacking), 'added token')} that the tokenizer has: {shown}; "
        "loaders and converters that read this list split these tokens into pieces.",
        (at, in_added(spec, next(iter(lacking)))),
        cause="unlisted",
        repair=repaired(*(set_to(place, id) for place, id in keys)),
    )


def role_flags(spec: TokenizerSpec, subject: Subject, flags: Sequence[str]) -> Iterator[Finding]:
    """Report role tokens whose flags in a settings file contradict tokenizer.json.

    Where added_tokens_decoder lists the token, no loader takes its flags from the role.
    """
    own = added_by_content(spec) if spec.format == WHOLE_FILE else {}
    listed = {text for fact, text, *_ in stated_added(subject) if fact.name != LIST}
    found: dict[str, list[tuple[Fact, str, bool, bool]]] = {}
    for fact, content, stated in _of_roles(subject):
        token = None if content in listed else own.get(content)
        for flag in flags if token is not None else ():
            mine, theirs = getattr(token, flag), stated.get(flag)
            if theirs is not None and theirs != mine:
                found.setdefault(flag, []).append((fact, content, theirs, mine))
    yield from (_flag(spec, flag, differing) for flag, differing in found.items())


def _of_roles(subject: Subject) -> Iterator[tuple[Fact, str, Mapping[str, bool]]]:
    """Yield the flags of each role's token, with the fact that states them."""
    for role in ROLES:
        tokens = {fact.file: content for fact, content in role_tokens(subject, role)}
        for fact in subject.facts_named(f"{role}_token_flags"):
            if fact.file in tokens:
                yield fact, tokens[fact.file], fact.value


def _flag(spec: TokenizerSpec, flag: str, differing: Differing) -> Finding:
    fact, content, theirs, mine = differing[0]
    named = list(dict.fromkeys(quote(each[1]) for each in differing))
    return Finding(
        Severity.WARNING,
        f"{flag} of {some(named)} is {str(theirs).lower()} in {fact.file}, but {str(mine).lower()} "
        f"in the tokenizer itself: classes in plain Python {EFFECTS.get(flag, ON_SPACE)}.",
        (place_of(fact, "added_tokens"), in_added(spec, content, {flag: mine})),
        cause=f"{flag} of a role",
        repair=repaired(
            *(
                set_to(replace(place_of(f, "added_tokens"), pointer=f"{f.pointer}/{flag}"), own)
                for f, _, _, own in differing
            )
        ),
    )
