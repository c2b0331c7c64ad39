"""Tokens that a class adds around every text, but the post-processor does not.

A slow class builds its model's input itself; the fast one takes the post-processor that
`tokenizer.json` states.  Where that was dropped, versions of one library give other ids.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tokaudit.plugin import Fact, Finding, Severity, Subject
from tokaudit.subject.effective.class_choice import loaded_as_it_is
from tokaudit.subject.formats.common.settings import tokenizer_class
from tokaudit.subject.upstream.model_class import Does, model_classes, one_of
from tokaudit.subject.upstream.model_type import known_type
from tokaudit.subject.upstream.tokenizer_class import input_of
from tokaudit.subject.upstream.versions import VERSIONS
from tokaudit_reference.spec import Standing, TokenizerSpec
from tokaudit_suites.shared.stated_roles import place_of, role_tokens
from tokaudit_suites.shared.vocab_entries import id_of
from tokaudit_suites.shared.wording import quote, stage

WHOLE = "tokenizer.json"
Sides = tuple[Sequence[str], Sequence[str]]


def lost_ends(spec: TokenizerSpec, subject: Subject) -> Iterator[Finding]:
    """Report tokens that the named class adds and the stated post-processor does not."""
    named = tokenizer_class(subject)
    # Leave out files that state none: the class decides then, and nothing is lost.
    if spec.post_processor.standing is not Standing.STATED:
        return
    # Follow loaders that take the whole file: no class adds to it.
    if spec.format == WHOLE and loaded_as_it_is(subject):
        yield from _as_it_is(spec, subject, named)
        return
    of_class = input_of("" if named is None else str(named.value))
    added = {t for s in spec.post_processor.steps for each in s.effects.adds for t in each.tokens}
    around = next((s.effects.around for s in spec.post_processor.steps if s.effects.around), None)
    yield from _moved(spec, subject, around)
    # Ask the kind of model where neither file nor class has ends: encoders need both.
    if not added and not of_class.around:
        yield from _of_an_encoder(spec, subject)
    if not of_class.begins_with_bos:
        yield from _of_a_family(spec, subject, added)
    if named is None:
        return
    known = of_class.around
    ends = [token for token in known if id_of(spec, token) is not None]
    if ends and not added:
        yield _around(spec, named, ends)
    # Name a swap as such: both ends are there, so that none seems lost.
    if around and len(ends) == 2 and around[0] == (ends[1],) and around[1] == (ends[0],):
        yield _exchanged(spec, named, ends)
    elif around and added and ends and len(ends) == len(known):
        yield from _of_one_side(spec, named, ends, around)
    # Take a file's own word: add_bos_token states whether BOS is wanted.
    bos = role_tokens(subject, "bos") if of_class.begins_with_bos else []
    silent = spec.byte_level or subject.fact("add_bos_token") is not None
    if bos and not silent and bos[0][1] not in added:
        yield _begin(spec, named, bos[0][1])


def _as_it_is(spec: TokenizerSpec, subject: Subject, named: Fact | None) -> Iterator[Finding]:
    """Report ends that no loader adds because all load the file unchanged."""
    steps = spec.post_processor.steps
    around = next((s.effects.around for s in steps if s.effects.around), None)
    yield from _moved(spec, subject, around)
    added = [token for step in steps for each in step.effects.adds for token in each.tokens]
    of_class = input_of("" if named is None else str(named.value))
    known = of_class.around or (("bos",) if of_class.begins_with_bos else ())
    if not added:
        yield from _of_an_encoder(spec, subject)
    if named is not None and known and not added and named.pointer == "/model_type":
        kind = next(f for f in subject.facts_named("model_type") if f.pointer == named.pointer)
        yield Finding(
            Severity.INFO,
            f"{' and '.join(VERSIONS)} load {spec.files[0]} as it is and add no special tokens "
            f"to a text; models of the type {kind.value} mostly have some.",
            (stage(spec, "post_processor"), place_of(kind, "config")),
            cause="as it is",
        )


def _moved(spec: TokenizerSpec, subject: Subject, around: Sides | None) -> Iterator[Finding]:
    """Report a token with a beginning role that is only appended."""
    if around is None:
        return
    before, after = around
    ends = {token for role in ("eos", "sep") for _, token in role_tokens(subject, role)}
    for role in ("bos",) if _ends_with_cls(subject) else ("bos", "cls"):
        for fact, token in role_tokens(subject, role)[:1]:
            if token in after and token not in (*before, *ends):
                yield Finding(
                    Severity.ERROR,
                    f"{fact.file} names {quote(token)} as the {role} token, which begins a text, "
                    "but the post-processor adds it after every text.",
                    (stage(spec, "post_processor"), place_of(fact, "special_roles")),
                    cause="moved",
                )
                return


def _ends_with_cls(subject: Subject) -> bool:
    """Return whether the class token comes last in the model's input, as in XLNet."""
    named, kinds = tokenizer_class(subject), subject.facts_named("model_type")
    types = (known_type(fact.value) for fact in kinds if isinstance(fact.value, str))
    names = [kind.tokenizer for kind in types if kind is not None]
    names += [] if named is None else [str(named.value)]
    return any(input_of(name).ends_with_cls for name in names)


def _of_a_family(spec: TokenizerSpec, subject: Subject, added: set[str]) -> Iterator[Finding]:
    """Report a model type that starts with BOS, if its class is a generic one."""
    types = [f for f in subject.facts_named("model_type") if _begins(f.value)]
    bos = role_tokens(subject, "bos")
    if not types or not bos or spec.byte_level or subject.fact("add_bos_token") is not None:
        return
    if bos[0][1] not in added and id_of(spec, bos[0][1]) is not None:
        family = replace(types[0], value=f"A model of the type {types[0].value}")
        yield _begin(spec, family, bos[0][1])


def _begins(kind: object) -> bool:
    known = known_type(kind) if isinstance(kind, str) else None
    return known is not None and known.begins_with_bos


def _of_an_encoder(spec: TokenizerSpec, subject: Subject) -> Iterator[Finding]:
    """Report a masked language model without the end tokens that its settings name."""
    names = model_classes(subject)
    pairs = (("cls", "bos"), ("sep", "eos"))
    stated = [(role_tokens(subject, a) or role_tokens(subject, b))[:1] for a, b in pairs]
    ends = [named for found in stated for named in found if id_of(spec, named[1]) is not None]
    if len(ends) == 2 and one_of(names, Does.FILLS_GAPS):
        yield Finding(
            Severity.ERROR,
            f"{ends[0][0].file} names {quote(ends[0][1])} and {quote(ends[1][1])} for the ends of "
            f"a text, and {names[0]} takes them around every text, but the post-processor adds "
            "nothing.",
            (stage(spec, "post_processor"), place_of(ends[0][0], "config")),
            cause="lost ends",
        )


def _around(spec: TokenizerSpec, named: Fact, ends: list[str]) -> Finding:
    return Finding(
        Severity.ERROR,
        f"{named.value} puts {' and '.join(map(quote, ends))} around every text, but the "
        "post-processor adds nothing: versions of one library give the model other input.",
        (stage(spec, "post_processor"), place_of(named, "config")),
        cause="lost ends",
    )


def _of_one_side(
    spec: TokenizerSpec, named: Fact, ends: list[str], around: tuple[Sequence[str], Sequence[str]]
) -> Iterator[Finding]:
    """Report a missing end of single texts, if the other end or the pair template exists."""
    sides = (("begins", "before"), ("ends", "after"))[-len(ends) :]
    for (does, where), end, there in zip(sides, ends, around[-len(ends) :], strict=True):
        if end not in there:
            yield Finding(
                Severity.ERROR,
                f"{named.value} {does} every text with {quote(end)}, but the post-processor does "
                f"not put it {where} a single text: versions of one library give the model "
                "other input.",
                (stage(spec, "post_processor"), place_of(named, "config")),
                cause="lost end",
            )


def _exchanged(spec: TokenizerSpec, named: Fact, ends: list[str]) -> Finding:
    return Finding(
        Severity.ERROR,
        f"{named.value} begins every text with {quote(ends[0])} and ends it with {quote(ends[1])}, "
        "but the post-processor puts each of the two in the other's place.",
        (stage(spec, "post_processor"), place_of(named, "config")),
        cause="exchanged ends",
    )


def _begin(spec: TokenizerSpec, named: Fact, bos: str) -> Finding:
    return Finding(
        Severity.WARNING,
        f"{named.value} begins every text with {quote(bos)} unless a file says otherwise, "
        "but the post-processor does not add it; engines that read tokenizer.json alone give the "
        "model no BOS.",
        (stage(spec, "post_processor"), place_of(named, "config")),
        cause="lost bos",
    )
