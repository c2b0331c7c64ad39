"""Checks that every text encodes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import monotonic

from tokaudit.engine.encoders.isolate_crash import Costly
from tokaudit.engine.texts.shrink import minimise
from tokaudit.plugin import (
    Basis,
    EncoderOutOfTime,
    Encoding,
    Finding,
    Harm,
    Place,
    Probes,
    Severity,
    Upstream,
    UpstreamAnswers,
    UpstreamEntries,
    check,
    text_evidence,
)
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.repairs import COMPONENT_OF_BASE
from tokaudit_suites.shared.wording import main_file, stage

PATIENCE = 3.0  # seconds; what backtracks before it refuses would take a minute to shrink
AT_ONCE = 4  # texts


@check(
    "round_trip/encodes",
    title="Every text encodes",
    why="A text on which the tokenizer library raises an error, crashes or hangs can bring a "
    "server down.",
    incident="Two normalizers one after the other end in a panic "
    "(huggingface/tokenizers #736), and a long run of one letter takes minutes "
    "(openai/tiktoken #195).",
    remedy="In {file|the tokenizer file}, correct the step that the library's error names; the "
    "text in the message reproduces the error.",
    repair=COMPONENT_OF_BASE,
    severity=Severity.ERROR,
    harm=Harm.CRASH,
    basis=Basis.INTRINSIC,
)
def encodes(
    spec: TokenizerSpec,
    upstream: Upstream,
    probes: Probes,
    answers: UpstreamAnswers,
    entries: UpstreamEntries,
    costly: Costly,
) -> Iterator[Finding]:
    """Report a minimal text that the library refuses, or that makes it crash or hang.

    Where one component alone dies of that text too, it is blamed.  A library that is so slow that
    it was given up is an error too.
    """
    asked = list(zip(answers.texts, answers.encodings, strict=True))
    more = list(zip(probes.entries, entries.encodings, strict=False))  # as far as it was asked
    broken = [(text, e) for text, e in (*asked, *more) if e.error and not e.given_up]
    if asked and not any(e.ids or e.error for _, e in asked):
        yield _nothing(spec, upstream, asked[-1][0], len(asked))
    if not broken:
        yield from _given_up(spec, upstream, asked)
        return
    text, encoding = min(broken, key=lambda item: (not item[1].killed, len(item[0])))
    minimal = False
    if not encoding.killed:  # shrinking restarts the worker at every step when it dies
        text, minimal = _shrunk(upstream, text)
    how = "crashes or hangs on" if encoding.killed else "refuses"
    message = (
        f"The library {upstream.info.package} {how} {len(broken):,} of "
        f"{len(asked) + len(more):,} texts, "
        f"such as {text!r}: {encoding.error}"
    )
    guilty = costly.component(text) if encoding.killed else ""
    if guilty:
        message += f"; the {guilty.replace('_', '-')} alone causes the error"
    place = stage(spec, guilty) if guilty else Place("tokenizer", main_file(spec))
    evidence = text_evidence(text, (), (), {}, note=str(encoding.error)[:500], minimal=minimal)
    yield Finding(Severity.ERROR, message, (place,), (evidence,), cause=how)


def _nothing(spec: TokenizerSpec, upstream: Upstream, text: str, count: int) -> Finding:
    """Report a library that returns no ids and no error: nothing can be concluded."""
    message = f"The library {upstream.info.package} produces no token for any of {count:,} texts, "
    message += f"such as {text!r}"
    evidence = text_evidence(text, (), (), {})
    place = Place("vocab", main_file(spec))
    return Finding(Severity.ERROR, message, (place,), (evidence,), cause="encodes nothing")


def _given_up(
    spec: TokenizerSpec, upstream: Upstream, asked: Sequence[tuple[str, Encoding]]
) -> Iterator[Finding]:
    """Report a library that fails on all texts together, but on none alone."""
    left = [(text, encoding.error) for text, encoding in asked if encoding.given_up]
    if not left:
        return
    text, why = left[0]
    done = f"{len(asked) - len(left):,} of {len(asked):,}"
    message = f"The library {upstream.info.package} encodes {done} probe texts, then tokaudit "
    message += f"abandons the library: {why}"
    evidence = text_evidence(text, (), (), {}, note="the first text without ids")
    yield Finding(
        Severity.ERROR, message, (Place("tokenizer", main_file(spec)),), (evidence,), cause="slow"
    )


def _shrunk(upstream: Upstream, text: str) -> tuple[str, bool]:
    """Shrink the text while the library refuses it, and return whether time sufficed."""
    until = monotonic() + PATIENCE

    def refused(texts: Sequence[str]) -> list[bool]:
        """Mark the shortest refused text, the only one that `minimise` needs."""
        order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
        for start in range(0, len(order), AT_ONCE):
            some = order[start : start + AT_ONCE]
            if monotonic() > until:
                break
            if any(answers := _refused(upstream, [texts[at] for at in some])):
                first = some[answers.index(True)]
                return [at == first for at in range(len(texts))]
        return [False] * len(texts)

    return minimise(text, refused), monotonic() <= until


def _refused(upstream: Upstream, texts: Sequence[str]) -> list[bool]:
    """Mark the texts that the library refuses; none if it is out of time."""
    try:
        found = upstream.encode(texts)
    except EncoderOutOfTime:
        return [False] * len(texts)
    return [one.error is not None and not one.given_up for one in found]
