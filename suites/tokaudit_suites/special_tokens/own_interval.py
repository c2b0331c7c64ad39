"""Added tokens whose offsets differ from their place in the text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from tokaudit.plugin import (
    Basis,
    EncodeOptions,
    Encoding,
    Evidence,
    Finding,
    Harm,
    NotApplicable,
    Place,
    Severity,
    Upstream,
    check,
)
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.repairs import repaired, set_to
from tokaudit_suites.shared.token_contexts import Context, contexts, some_of_each_kind
from tokaudit_suites.shared.wording import does, in_added, main_file, quote, some

OFFSETS = EncodeOptions(offsets=True)
MOST = 1_000  # texts
Wrong = tuple[Context, tuple[int, int]]


@check(
    "special_tokens/own-interval",
    title="An added token's offsets are its own interval",
    why="Labels and masks of turns use the offsets of the turn markers in the text. If a marker's "
    "offsets include a neighbouring character, or point elsewhere, trainers use the wrong "
    "characters.",
    remedy="Set normalized to false for the token, or do not use its offsets.",
    severity=Severity.WARNING,
    harm=Harm.OTHER_PROMPT,
    milder="the ids are right; only programs that cut text by offsets get the wrong part.",
    basis=Basis.INTRINSIC,
    incident="'<mask>' had the offsets of ', <mask>' with RoBERTa's files "
    "(huggingface/transformers #3796).",
    no_example="Upstream libraries get it right on any small file that is known; an encoder of "
    "one's own may not.",
)
def own_interval(spec: TokenizerSpec, upstream: Upstream) -> Iterator[Finding]:
    """Encode some tokens of each kind in every context, and compare the intervals."""
    tokens = [token for token in spec.added_tokens if token.content.strip() and token.special]
    if not tokens or not {"special", "offsets"} <= upstream.capabilities:
        raise NotApplicable("no special token is taken from text by what gives offsets")
    around = contexts(some_of_each_kind(tokens))
    fair = (one for one in around if not (one.odd and one.token.normalized))  # what composes
    asked = list(islice(fair, MOST))
    answers = upstream.encode([one.text for one in asked], OFFSETS)
    wrong: dict[str, Wrong] = {}
    for one, answer in zip(asked, answers, strict=True):
        found = _elsewhere(one, answer)
        if found is not None and len(one.text) < _length(wrong.get(one.token.content)):
            wrong[one.token.content] = (one, found)
    if wrong:
        yield _finding(spec, list(wrong.values()))


def _length(known: Wrong | None) -> float:
    return float("inf") if known is None else len(known[0].text)


def _elsewhere(one: Context, answer: Encoding) -> tuple[int, int] | None:
    """Return the token's interval if it is wrong; it may include white space that a flag strips."""
    if answer.offsets is None or one.times != 1 or answer.ids.count(one.token.id) != 1:
        return None
    start, end = answer.offsets[answer.ids.index(one.token.id)]
    text, content = one.text[start:end], one.token.content
    text = text.lstrip() if one.token.lstrip else text
    text = text.rstrip() if one.token.rstrip else text
    return None if text == content else (start, end)


def _finding(spec: TokenizerSpec, wrong: list[Wrong]) -> Finding:
    names = [f"{quote(one.token.content)} at {a} to {b} of {one.text!a}" for one, (a, b) in wrong]
    return Finding(
        Severity.WARNING,
        f"{does(len(wrong), 'added token', 'has')} the offsets of other characters: {some(names)}.",
        tuple(in_added(spec, one.token.content) for one, _ in wrong[:5]),
        (Evidence("text", text=wrong[0][0].text, note=main_file(spec)),),
        cause="elsewhere",
        repair=repaired(*(set_to(_flag(spec, one.token.content), False) for one, _ in wrong)),
    )


def _flag(spec: TokenizerSpec, content: str) -> Place:
    """Find the flag that states whether an added token is matched in normalized text."""
    entry = in_added(spec, content)
    return replace(entry, pointer=f"{entry.pointer}/normalized", value=None)
