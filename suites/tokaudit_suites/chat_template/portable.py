"""Chat templates that engines other than Jinja render differently."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from tokaudit.engine.options import Options
from tokaudit.plugin import (
    Basis,
    Evidence,
    Finding,
    Harm,
    NotApplicable,
    Severity,
    check,
    text_evidence,
    token_names,
)
from tokaudit.products.chat.engines.client import EngineRenderings
from tokaudit.products.chat.engines.engine import RECORDED_AS
from tokaudit.products.chat.rendering.rendering import RenderedTemplate
from tokaudit.products.chat.rendering.terms import Construct, Divergence
from tokaudit.products.chat.work.renderings import (
    ChatIds,
    ChatRendering,
    ChatRenderings,
    UntrimmedRenderings,
)
from tokaudit.subject.conversations.conversation import Conversation
from tokaudit.subject.upstream.template_engines import readings as recorded
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.chat_template._engines import other_texts
from tokaudit_suites.shared.rendered_chats import named, place_of, without_space
from tokaudit_suites.shared.repairs import TEMPLATE_AS_TRAINED
from tokaudit_suites.shared.uses import for_use
from tokaudit_suites.shared.wording import plural, some

ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")
ONNX = "onnxruntime-genai"


@check(
    "chat_template/portable",
    title="Every engine renders the chat template alike",
    why="Chat templates are written for Jinja, but some serving engines use another template "
    "engine. Where Jinja and another engine render the same template differently, the ids of the "
    "prompt differ without an error.",
    remedy="Use only template features that all engines render alike, and write tags with dashes "
    "({%- ... -%}).",
    repair=TEMPLATE_AS_TRAINED,
    severity=Severity.WARNING,
    harm=Harm.OTHER_PROMPT,
    milder="the engine that reads it differently is one of several, and no file names it.",
    basis=(Basis.INTRINSIC,),
    incident="huggingface/swift-transformers #322, smg-project/smg #685, "
    "huggingface/transformers #31079.",
)
def portable(
    renderings: ChatRenderings,
    untrimmed: UntrimmedRenderings,
    engines: EngineRenderings,
    spec: TokenizerSpec,
    ids: ChatIds,
    options: Options,
) -> Iterator[Finding]:
    """Render by the installed engines; for others, look up constructs of the syntax tree."""
    if not renderings.usable:
        raise NotApplicable("no chat template is rendered")
    judge = _Judge(spec, ids)
    run = frozenset(RECORDED_AS.get(name, name) for name in engines.engines)
    for one in renderings.usable:
        yield from _measured(one, renderings.conversations, engines, judge)
        yield from _divergent(one, run)
        yield from _escaped(one, renderings.conversations, judge)
        for finding in _untrimmed(one, untrimmed.by_text[one.template.text], judge):
            yield for_use(finding, options, {"serving": Severity.WARNING})


@dataclass(frozen=True)
class _Judge:
    """A tokenizer to compare two texts with."""

    spec: TokenizerSpec
    ids: ChatIds

    def evidence(self, id: str, text: str, expected: str, labels: tuple[str, str]) -> Evidence:
        """Return a text and the expected text, as tokens."""
        wanted, found = (encoding.ids for encoding in self.ids.of([expected, text]))
        return text_evidence(
            text, wanted, found, token_names(self.spec), labels, f"conversation {id}"
        )


def _measured(
    one: ChatRendering,
    conversations: tuple[Conversation, ...],
    engines: EngineRenderings,
    judge: _Judge,
) -> Iterator[Finding]:
    """Report each installed engine that renders other texts."""
    by_engine = engines.by_text.get(one.template.text, {})
    for other in other_texts(one, conversations, by_engine):
        count, (id, *_) = plural(len(other.ids), "test conversation"), other.ids
        if not other.found.ran:
            how = f"was not rendered by {other.engine}: {other.found.error}"
            evidence = Evidence("facts", facts={str(other.engine): other.found.error})
        elif other.found.text is None:
            how = f"is refused by {other.engine} in {count}, first {id!r}: {other.found.error}"
            evidence = Evidence("facts", facts={id: other.found.error})
        else:
            how = f"is rendered differently by {other.engine} in {count}, first {id!r}"
            evidence = judge.evidence(id, other.found.text, other.expected, ("Jinja", "engine"))
        yield Finding(
            other.severity,
            f"{named(one.template)} {how}.",
            (place_of(one.template),),
            (evidence,),
            cause=f"by {other.engine.name}",
        )


def _divergent(one: ChatRendering, run: frozenset[str]) -> Iterator[Finding]:
    """Report each construct that always differs, and all others in one finding.

    Engines that have run here need no table.
    """
    places: dict[Construct, list[Divergence]] = {}
    for divergence in one.rendered.divergences:
        if not readings()[divergence.construct].effects.keys() <= run:
            places.setdefault(divergence.construct, []).append(divergence)
    at_times = {c: p for c, p in places.items() if readings()[c].severity is Severity.INFO}
    for construct in [c for c in places if c not in at_times]:
        yield _finding(
            one, {construct: places[construct]}, Severity.WARNING, construct.name.lower(), run
        )
    if at_times:
        yield _finding(one, at_times, Severity.INFO, "at times", run)


def _finding(
    one: ChatRendering,
    places: dict[Construct, list[Divergence]],
    severity: Severity,
    cause: str,
    run: frozenset[str],
) -> Finding:
    uses = [f"{construct} in line {found[0].line}" for construct, found in places.items()]
    how = "render differently" if severity is Severity.WARNING else "may render differently"
    effects = {construct: _effects(construct, run) for construct in places}
    message = f"{named(one.template)} uses what other template engines {how}: {some(uses)}"
    if len(places) == 1:
        message += f". Effects: {'; '.join(effects.values())}"
    facts = {
        f"line {d.line}: {d.code}": f"{c}: {effects[c]}" for c, d_s in places.items() for d in d_s
    }
    return Finding(
        severity,
        f"{message}.",
        (place_of(one.template),),
        (Evidence("facts", facts=facts),),
        cause=cause,
    )


def _effects(construct: Construct, run: frozenset[str]) -> str:
    """Describe the measured effects in engines that are not installed."""
    effects = readings()[construct].effects.items()
    return "; ".join(f"{engine} {effect}" for engine, effect in effects if engine not in run)


def _escaped(
    one: ChatRendering, conversations: tuple[Conversation, ...], judge: _Judge
) -> Iterator[Finding]:
    """Report words of other scripts that the template itself escapes, whatever the engine."""
    for given in conversations:
        rendered = one.rendered.conversation(given.id)
        steps = rendered.steps if rendered is not None else ()
        text = "".join([step.plain.text for step in steps if step.plain.ok][-1:])
        example = ESCAPE.search(text)
        if example and not ESCAPE.search(json.dumps(given.messages, ensure_ascii=False)):
            plain = ESCAPE.sub(lambda found: chr(int(found[1], 16)), text)
            counts = [len(encoding.ids) for encoding in judge.ids.of([text, plain])]
            cost = f", {counts[0]:,} tokens in all instead of {counts[1]:,}"
            yield Finding(
                Severity.WARNING,
                f"{named(one.template)} writes characters that are not ASCII as escapes such as "
                f"{example[0]!r}: in the test conversation "
                f"{given.id!r}{cost if counts[0] != counts[1] else ''}.",
                (place_of(one.template),),
                (judge.evidence(given.id, text, plain, ("unescaped", "escaped")),),
                remedy="In the chat template, write {{ value|tojson }} without ensure_ascii=true.",
                cause="escapes",
            )
            return


def _untrimmed(one: ChatRendering, other: RenderedTemplate, judge: _Judge) -> Iterator[Finding]:
    """Report the shortest conversation whose text depends on trim_blocks and lstrip_blocks."""
    pairs = [
        (chat.whole.plain.text, rendered.whole.plain.text, chat.id)
        for chat in one.rendered.conversations
        if (rendered := other.conversation(chat.id)) is not None
        and chat.whole.plain.ok
        and rendered.whole.plain.ok
    ]
    differing = [pair for pair in pairs if pair[0] != pair[1]]
    if not differing:
        return
    text, kept, id = min(differing, key=lambda pair: len(pair[0]))
    more = f"has {plural(len(kept) - len(text), 'character')} of white space more"
    how = more if without_space(kept) == without_space(text) else "is another text"
    yield Finding(
        Severity.INFO,
        f"{named(one.template)} depends on trim_blocks and lstrip_blocks: without these options "
        f"the test conversation {id!r} {how}; {ONNX} applies neither option.",
        (place_of(one.template),),
        (judge.evidence(id, kept, text, ("trimmed", "not trimmed")),),
        remedy="In the chat template, write tags that stand on their own line as {%- ... -%}.",
        cause="trimming",
    )


@dataclass(frozen=True, slots=True)
class Reading:
    """Effects of a construct in engines that read it differently, and their severity."""

    severity: Severity
    effects: Mapping[str, str]


@cache
def readings() -> Mapping[Construct, Reading]:
    """Return every construct that some engine reads differently."""
    return {
        Construct[name.upper()]: Reading(
            Severity.WARNING if known.always else Severity.INFO, known.effects
        )
        for name, known in recorded().items()
    }
