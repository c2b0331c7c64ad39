"""Does every text encode?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tokaudit.comparison.evidence import text_evidence
from tokaudit.comparison.shrink import minimise
from tokaudit.engine.check import check
from tokaudit.engine.costly import Costly
from tokaudit.engine.needs import Upstream, UpstreamAnswers
from tokaudit.report.model import Basis, Finding, Place, Severity
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.wording import main_file


@check(
    "round_trip/encodes",
    title="Every text encodes",
    why="A text that makes the library raise, die or hang is a request that brings a server down.",
    incident="tokenizers that panic in a pre-tokenizer or normalizer, tiktoken that never returns",
    remedy="Fix the component that the library names; the minimal text shows what it dies of.",
    severity=Severity.ERROR,
    basis=Basis.INTRINSIC,
)
def encodes(
    spec: TokenizerSpec, upstream: Upstream, answers: UpstreamAnswers, costly: Costly
) -> Iterator[Finding]:
    """An error with a minimal text that the library refuses, dies of or hangs on.

    Where one component alone dies of that text too, it is blamed.
    """
    found = answers.encodings
    asked = list(zip(answers.texts, found, strict=True))
    broken = [(text, e) for text, e in asked if e.error]
    if asked and not any(e.ids or e.error for _, e in asked):
        yield _nothing(spec, upstream, asked[-1][0], len(asked))
    if not broken:
        return
    text, encoding = min(broken, key=lambda item: (not item[1].killed, len(item[0])))
    if not encoding.killed:  # shrinking restarts the worker at every step when it dies
        text = minimise(text, lambda texts: _refused(upstream, texts))
    how = "dies of or hangs on" if encoding.killed else "refuses"
    message = (
        f"{upstream.info.package} {how} {len(broken):,} of {len(found):,} probe texts, "
        f"such as {text!r}: {encoding.error}"
    )
    guilty = costly.component(text) if encoding.killed else ""
    if guilty:
        message += f"; its {guilty.replace('_', '-')} alone is enough"
    place = Place(guilty or "tokenizer", main_file(spec), f"/{guilty}" if guilty else "")
    evidence = text_evidence(text, (), (), {}, note=str(encoding.error)[:500])
    yield Finding(Severity.ERROR, message, (place,), (evidence,), cause=how)


def _nothing(spec: TokenizerSpec, upstream: Upstream, text: str, count: int) -> Finding:
    """What encodes without an error and without an id has been asked nothing."""
    message = f"{upstream.info.package} gives no token for any of {count:,} texts, such as {text!r}"
    evidence = text_evidence(text, (), (), {})
    place = Place("vocab", main_file(spec))
    return Finding(Severity.ERROR, message, (place,), (evidence,), cause="encodes nothing")


def _refused(upstream: Upstream, texts: Sequence[str]) -> list[bool]:
    return [found.error is not None for found in upstream.encode(texts)]
