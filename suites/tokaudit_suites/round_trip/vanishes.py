"""Text without any id, although no declared step drops it."""

from __future__ import annotations

import string
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence

from tokaudit.plugin import (
    Basis,
    Evidence,
    Finding,
    Harm,
    NotApplicable,
    Reference,
    ReferenceAnswers,
    Samples,
    Severity,
    Traces,
    Upstream,
    check,
    text_evidence,
    token_names,
)
from tokaudit_reference.spec import TokenizerSpec, TokenType
from tokaudit_suites.round_trip._promise import MARKS, without_id
from tokaudit_suites.shared.repairs import COMPONENT_OF_BASE
from tokaudit_suites.shared.wording import in_vocab, quote, some, stage

SENTENCE = "one word 12"
MOST_TRACED = 4096  # characters whose way is followed; the sample has fewer than half as many


@check(
    "round_trip/vanishes",
    title="No text is dropped silently",
    why="A tokenizer with neither an unknown token nor byte fallback drops every character that "
    "its vocabulary lacks. When a tokenizer drops a character, it raises no error and puts no id "
    "in its place, so the model reads another text than the user wrote.",
    remedy="Train the vocabulary with an unknown token, with byte fallback, or with the full byte "
    "alphabet. If the vocabulary is already in use, add an unknown token with its own embedding "
    "row.",
    repair=COMPONENT_OF_BASE,
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.INTRINSIC,
    left_to_code=True,
    incident="A BPE trained without unk_token, as the first example of most tutorials "
    "does, turns 'hug my mug, world' into 'hug ug' (huggingface/tokenizers "
    "#517).",
)
def vanishes(
    spec: TokenizerSpec,
    reference: Reference,
    answers: ReferenceAnswers,
    traces: Traces,
    samples: Samples,
    upstream: Upstream | None,
) -> Iterator[Finding]:
    """Encode sample characters that no entry spells, and trace those without an id."""
    if dropped := _dropped_by_cuts(spec, traces):
        yield _dropped(spec, dropped)
        return
    if _gives_nothing(spec, answers):
        yield _nothing(spec, answers)
        return
    if spec.byte_level or spec.byte_fallback:
        raise NotApplicable("the vocabulary is made of bytes, which vocab/byte-coverage counts")
    if spec.unk_id is not None:
        raise NotApplicable("what the vocabulary lacks becomes the unknown token")
    asked = _characters(samples)
    missing = sorted(set(asked) - _alphabet(spec))
    lost = _not_declared(spec, traces, without_id(spec, reference, missing))
    if upstream is not None:
        lost = without_id(spec, upstream, lost)
    if lost:
        yield _finding(spec, reference, upstream, lost, len(asked))


def _gives_nothing(spec: TokenizerSpec, answers: ReferenceAnswers) -> bool:
    """Return whether no probe text gets a meaningful id; round_trip/encodes covers errors."""
    found = [encoding.ids for encoding in answers.encodings if encoding.error is None]
    return bool(found) and not any(id != spec.unk_id for ids in found for id in ids)


def _dropped_by_cuts(spec: TokenizerSpec, traces: Traces) -> list[str]:
    """Return letters and digits of plain text that a pre-tokenizer drops; it may drop spaces."""
    cuts = any(step.effects.loses for step in spec.pre_tokenizer.steps)
    if not cuts or any(step.effects.loses for step in spec.normalizer.steps):
        return []
    given = "".join(traces.given(SENTENCE)).casefold()
    return [c for c in dict.fromkeys(SENTENCE) if c.isalnum() and c not in given]


def _dropped(spec: TokenizerSpec, dropped: list[str]) -> Finding:
    return Finding(
        Severity.ERROR,
        f"The pre-tokenizer throws away {some([quote(c) for c in dropped])} of {SENTENCE!r}: it "
        f"deletes the matches instead of keeping them.",
        (stage(spec, "pre_tokenizer", spec.pre_tokenizer.options),),
        (Evidence("text", text=SENTENCE, note="loses letters or digits"),),
        cause="dropped",
    )


def _nothing(spec: TokenizerSpec, answers: ReferenceAnswers) -> Finding:
    what = "no id" if spec.unk_id is None else "the unknown token alone"
    text = min((text for text in answers.texts if text.strip()), key=len, default="")
    return Finding(
        Severity.ERROR,
        f"Each of {len(answers.texts):,} probe texts gets {what}: the tokenizer encodes no text.",
        (in_vocab(spec),),
        (text_evidence(text, (), (), {}, note="encodes to nothing"),),
        cause="nothing",
    )


def _characters(samples: Samples) -> list[str]:
    """Return the characters of the sample and ASCII, except those that pipelines tidy away."""
    texts = [sentence for sample in samples.all for sentence in sample.sentences]
    found = Counter(string.printable)
    for text in texts:
        found.update(text)
    return [c for c in found if unicodedata.category(c)[0] not in "CZ"]


def _alphabet(spec: TokenizerSpec) -> set[str]:
    ordinary = (p for p in spec.every_piece() if p.token_type is TokenType.ORDINARY)
    return {piece.value for piece in ordinary if isinstance(piece.value, str)}


def _not_declared(spec: TokenizerSpec, traces: Traces, lost: Sequence[str]) -> list[str]:
    """Return the characters that reach the model; steps that delete declare the loss."""
    steps = (*spec.normalizer.steps, *spec.pre_tokenizer.steps)
    if not any(step.effects.loses for step in steps):
        return list(lost)
    return [c for c in lost[:MOST_TRACED] if any(set(p) - set(MARKS) for p in traces.given(c))]


def _finding(
    spec: TokenizerSpec,
    reference: Reference,
    upstream: Upstream | None,
    lost: list[str],
    asked: int,
) -> Finding:
    example = lost[0]
    ids = reference.encode([example])[0].ids
    runs = "the reference" + (f" and {upstream.info.package}" if upstream is not None else "")
    return Finding(
        Severity.ERROR,
        f"{len(lost):,} of {asked:,} characters get no id, because the vocabulary has neither an "
        f"unknown token nor byte fallback: {some([quote(c) for c in lost])}.",
        (in_vocab(spec),),
        (
            text_evidence(example, ids, ids, token_names(spec), note=f"dropped by {runs}"),
            Evidence(kind="facts", facts=_scripts(lost)),
        ),
        cause="no way to an id",
    )


def _scripts(characters: Sequence[str]) -> dict[str, int]:
    """Count the characters by script, as far as their names show it."""
    names = Counter(unicodedata.name(c, "?").split(" ")[0] for c in characters)
    return dict(names.most_common(20))
