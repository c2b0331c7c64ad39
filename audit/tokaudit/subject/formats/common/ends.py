"""The post-processor that a class implies for files without one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from tokaudit.subject.formats.common.implied import stated_in
from tokaudit.subject.formats.common.settings import setting
from tokaudit.subject.material import SourceFile, Subject
from tokaudit.subject.upstream.ends import TextLayout, text_layout
from tokaudit.subject.upstream.loading_class import NamedClass, class_of
from tokaudit_reference.spec import UNSTATED, AddedToken, Component, Standing
from tokaudit_reference.steps.post_processors.roberta_processing import RobertaProcessing
from tokaudit_reference.steps.post_processors.template_processing import (
    Piece,
    Template,
    TemplateProcessing,
)
from tokaudit_reference.steps.step import Added, Step

Named = Mapping[str, Added]
"""Role -> its token, with its id."""
IdOf = Callable[[str], int | None]


def in_either(vocab: Mapping[str, int], added: Iterable[AddedToken]) -> IdOf:
    """Return a lookup of ids by added token, or else by vocabulary entry."""
    return {**vocab, **{token.content: token.id for token in added}}.get


def implied_ends(subject: Subject, file: SourceFile, id_of: IdOf) -> Component:
    """Return the tokens that the named class adds around texts, if it reads this file.

    Unstated where the vocabulary lacks a token that the class would put there.
    """
    named = class_of(subject)
    if named is None or named.known is None or file.base not in named.known.files:
        return UNSTATED
    return ends_of_class(subject, named, id_of)


def ends_of_class(subject: Subject, named: NamedClass, id_of: IdOf) -> Component:
    """Return the tokens that a class adds around the texts of a subject."""
    known = named.known
    layout = None if known is None else text_layout(known, stated_in(subject))
    if layout is None:
        return UNSTATED
    found = dict(_tokens(subject, named, layout, id_of))
    if found.keys() != set(layout.roles):
        return UNSTATED
    return Component(_options(layout, found), Standing.IMPLIED, _rule(subject, named, layout))


def _tokens(
    subject: Subject, named: NamedClass, layout: TextLayout, id_of: IdOf
) -> Iterator[tuple[str, Added]]:
    """Yield the tokens of the roles that have an id, with the id."""
    for role in layout.roles:
        token = _token(subject, named, role)
        id = None if token is None else id_of(token)
        if token is not None and id is not None:
            yield role, Added.one(token, id)


def _token(subject: Subject, named: NamedClass, role: str) -> str | None:
    """Return a role's token by a file, or else by the class."""
    fact = setting(subject, f"{role}_token")
    if fact is not None:
        return fact.value if isinstance(fact.value, str) else None
    return None if named.known is None else (named.known.tokens or {}).get(role)


def _rule(subject: Subject, named: NamedClass, layout: TextLayout) -> str:
    facts = [fact for key in layout.switches if (fact := setting(subject, key)) is not None]
    return "; ".join([named.rule, *(f"{fact.file} states {fact.name}" for fact in facts)])


def _options(layout: TextLayout, tokens: Named) -> Mapping[str, object] | None:
    step = _step(layout, tokens)
    return None if step is None else step.to_json()


def _step(layout: TextLayout, tokens: Named) -> Step | None:
    """Return the step for the layout; None if it has only texts."""
    if not tokens:
        return None
    if layout.trimming is not None:
        first, last = (tokens[layout.one[at].name] for at in (0, -1))
        trims, prefixed = layout.trimming
        return RobertaProcessing(
            (first.name, first.ids[0]), (last.name, last.ids[0]), trims, prefixed
        )
    return TemplateProcessing(
        _with_tokens(layout.one, tokens),
        _with_tokens(layout.two, tokens),
        tuple({token.name: token for token in tokens.values()}.values()),
    )


def _with_tokens(template: Template, tokens: Named) -> Template:
    return tuple(
        piece if piece.is_text else Piece(tokens[piece.name].name, type_id=piece.type_id)
        for piece in template
    )
