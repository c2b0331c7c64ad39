"""Added tokens that were lost or moved since the base model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from tokaudit.engine.canonical_steps import numbered_anew
from tokaudit.engine.facet_names import ADDED
from tokaudit.plugin import (
    Base,
    Basis,
    Change,
    Fact,
    Finding,
    Harm,
    Place,
    Repair,
    Severity,
    Subject,
    check,
)
from tokaudit.subject.safe_json import pointer
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.base_facets import BaseFacets, claimed_of_ids, of_base
from tokaudit_suites.shared.exchanges import cause_of
from tokaudit_suites.shared.listed_tokens import LISTED, listed_anew
from tokaudit_suites.shared.repairs import base_decides, removed, repaired, set_to
from tokaudit_suites.shared.stated_roles import stated_added
from tokaudit_suites.shared.vocab_entries import added_by_content, id_of, looks_like_marker, name_of
from tokaudit_suites.shared.wording import does, ids_evidence, in_added, quote, some

BY_ID = "added_tokens_decoder"


@check(
    "baseline/added-tokens",
    title="The base's added tokens keep their ids",
    why="A turn marker that the tokenizer lacks is split into pieces. A turn marker with another "
    "id than in the base model gets another token's embedding.",
    remedy="In the list of added tokens, give each token of the base model its id in the base, and "
    "give new tokens higher ids.",
    repair=base_decides(
        "the id belongs to one of the two tokens, by the row that the model has for it"
    ),
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.BASELINE,
    incident="A loader appended sparse special tokens instead of keeping their ids "
    "(huggingface/transformers PR#48446).",
)
def added_tokens_base(
    spec: TokenizerSpec, base: Base, facets: BaseFacets, subject: Subject
) -> Iterator[Finding]:
    """Compare added tokens by content, and new ones by the id they take."""
    mine, theirs = added_by_content(spec), added_by_content(base.spec)
    gone = [content for content in theirs if content not in mine]
    moved = [c for c, token in theirs.items() if c in mine and mine[c].id != token.id]
    taken = [
        content
        for content, token in mine.items()
        if content not in theirs
        and id_of(base.spec, content) != token.id
        and name_of(base.spec, token.id) is not None
    ]
    ids = [(content, mine[content].id, theirs[content].id) for content in moved]
    for verb, what, contents, cause in (
        ("is", "in the base, but missing here", gone, "gone"),
        ("has", "another id here than in the base", moved, cause_of(ids, "moved")),
        ("has", "the id that another token has in the base", taken, "taken"),
    ):
        if contents:
            finding = _finding(spec, base, (verb, what), contents, cause)
            if cause != "taken":
                finding = replace(finding, repair=_as_there(spec, base, subject, gone, moved))
            yield claimed_of_ids(finding, facets, ADDED, finding.evidence[0].ids)
    new = [c for c in mine if c not in theirs and c not in taken]
    text = [c for c in new if id_of(base.spec, c) is not None and not looks_like_marker(c)]
    for severity, found, what in (
        (Severity.WARNING, text, "split off from text first, but an ordinary entry in the base"),
        (Severity.INFO, [c for c in new if c not in text], "not in the base"),
    ):
        if found:
            yield Finding(
                severity,
                f"{does(len(found), 'added token', 'is')} {what}: "
                f"{some([f'{quote(c)} (id {mine[c].id})' for c in found])}.",
                (in_added(spec, found[0]),),
                cause=f"new {severity}",
            )


def _finding(
    spec: TokenizerSpec, base: Base, what: tuple[str, str], contents: list[str], cause: str
) -> Finding:
    mine, theirs = added_by_content(spec), added_by_content(base.spec)
    ids = [(theirs.get(content) or mine[content]).id for content in contents]
    shown = [f"{quote(content)} (id {id})" for content, id in zip(contents, ids, strict=True)]
    return Finding(
        Severity.ERROR,
        f"{does(len(contents), 'added token', what[0])} {what[1]}: {some(shown)}.",
        (in_added(spec, contents[0]), of_base(base, in_added(base.spec, contents[0]))),
        (ids_evidence(ids),),
        cause=cause,
    )


def _as_there(
    spec: TokenizerSpec, base: Base, subject: Subject, gone: list[str], moved: list[str]
) -> Repair | None:
    """Restore the base's tokens at their ids, and keep tokens that only this tokenizer has."""
    mine, theirs = added_by_content(spec), added_by_content(base.spec)
    in_settings = renumbered(subject, {each: theirs[each].id for each in (*gone, *moved)})
    if spec.format != LISTED:
        return None if gone else repaired(*in_settings)
    if numbered_anew(base.spec):
        return None  # loaders give the base's own tokens other ids than it states
    tokens = [replace(mine[each], id=theirs[each].id) for each in moved]
    listed = listed_anew(spec, [*tokens, *(theirs[each] for each in gone)])
    return repaired(*listed, *in_settings) if listed else None


def renumbered(subject: Subject, wanted: Mapping[str, int]) -> Iterator[Change]:
    """Move each listed token to its wanted id, without losing a token that holds the place."""
    lists: dict[str, list[tuple[Fact, str, int]]] = {}
    for fact, content, id, _ in stated_added(subject):
        if wanted.get(content, id) != id:
            lists.setdefault(f"{fact.file} {fact.pointer}", []).append((fact, content, id))
    for moved in lists.values():
        taken = {wanted[content] for _, content, _ in moved}
        for fact, content, id in moved:
            if fact.name != BY_ID:
                yield set_to(_inside(fact, content), wanted[content])
                continue
            yield set_to(_inside(fact, str(wanted[content])), fact.value[str(id)])
            if id not in taken:
                yield removed(_inside(fact, str(id)))


def _inside(fact: Fact, key: str) -> Place:
    return Place("added_tokens", fact.file, fact.pointer + pointer(key))
