"""Markers of the chat template that a user or a tool can write."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import (
    Basis,
    Evidence,
    Finding,
    Harm,
    Measured,
    Measurement,
    NotApplicable,
    Severity,
    check,
    token_names,
)
from tokaudit.products.chat.work.injection import (
    BaseInjectionTrials,
    InjectionTrials,
    Trial,
    Trials,
    rates,
)
from tokaudit.products.chat.work.renderings import ChatIds
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.rendered_chats import named, place_of, shown
from tokaudit_suites.shared.repairs import person_decides
from tokaudit_suites.shared.wording import about, plural, quote, some

EXAMPLES = 3


@check(
    "chat_template/injection",
    title="Message text cannot forge roles or turn ends",
    why="A user who can write the end-of-turn marker in a message can forge the next turn: as the "
    "system, the assistant or a tool. Forged turns work on every server that parses special "
    "tokens in the whole prompt, users' text included (OWASP AISVS C2.1.7).",
    remedy="Before rendering, reject or escape markers in message contents, names and tool "
    "results, or encode these texts without parsing special tokens. The module "
    "tokaudit_reference.batching.literals has functions for this: reject, escape and as_text.",
    repair=person_decides(
        "messages are escaped by the code that renders them, which is not in the folder"
    ),
    severity=Severity.WARNING,
    harm=Harm.LEAK,
    milder="no file says what a server does with the words of users.",
    basis=(Basis.INTRINSIC, Basis.BASELINE),
    incident="Markers in a user's text forge a turn (huggingface/transformers #29279).",
    measures=(Measured("chat_template/injection_rate"),),
)
def injection(
    trials: InjectionTrials,
    base: BaseInjectionTrials | None,
    spec: TokenizerSpec,
    ids: ChatIds,
) -> Iterator[Finding | Measurement]:
    """Try each marker in contents, names and results: whole, split and disguised."""
    if not any(one.tried for one in trials.all):
        raise NotApplicable("no chat template writes a marker")
    resisted = _resisted(base)
    for one in trials.all:
        if not one.tried:
            continue
        forged = [trial for trial in one.tried if trial.forged]
        yield _rate(one, forged)
        if forged:
            yield _finding(one, forged, (spec, ids))
        worse = [trial for trial in forged if trial.attack in resisted]
        if worse:
            yield _worse(one, worse, (spec, ids))


def _resisted(base: BaseInjectionTrials | None) -> set[object]:
    """Return the attacks that failed on the base."""
    found = base.trials.all if base is not None else ()
    return {trial.attack for one in found for trial in one.tried if not trial.forged}


def _rate(one: Trials, forged: list[Trial]) -> Measurement:
    return Measurement(
        "chat_template/injection_rate",
        "Successful marker injections",
        len(forged) / len(one.tried),
        "share",
        len(one.tried),
        "markers of the template in contents, names and results, whole, split and disguised",
        dimensions={"template": one.rendering.template.name},
    )


Context = tuple[TokenizerSpec, ChatIds]


def _finding(one: Trials, forged: list[Trial], context: Context) -> Finding:
    literals = list(dict.fromkeys(trial.attack.literal for trial in forged))
    ways = list(dict.fromkeys(trial.attack.way for trial in forged))
    return Finding(
        Severity.INFO,
        f"{named(one.rendering.template)} lets message text inject "
        f"{plural(len(literals), 'marker')} ({some([quote(text) for text in literals])}): "
        f"{len(forged):,} of {plural(len(one.tried), 'attempt')} succeeded, in {some(ways)}.",
        (place_of(one.rendering.template),),
        (Evidence("facts", facts=rates(one.tried), note="succeeded"), *_shown(forged, context)),
        cause="forged",
        about=about(*literals),
    )


def _worse(one: Trials, worse: list[Trial], context: Context) -> Finding:
    ways = [f"{quote(trial.attack.literal)} in {trial.attack.way}" for trial in worse]
    return Finding(
        Severity.WARNING,
        f"{named(one.rendering.template)} lets message text inject markers that the base's "
        f"template blocks: {some(ways)}.",
        (place_of(one.rendering.template),),
        _shown(worse, context),
        cause="the base resists",
        about=about(*dict.fromkeys(t.attack.literal for t in worse)),
    )


def _shown(forged: list[Trial], context: Context) -> tuple[Evidence, ...]:
    """Return the first example of each slot."""
    spec, ids = context
    firsts = {trial.attack.slot: trial for trial in reversed(forged)}
    names = token_names(spec)
    examples = [trial for trial in forged if trial in firsts.values()][:EXAMPLES]
    return tuple(shown(t.attack.id, t.text, ids.one(t.text).ids, names) for t in examples)
