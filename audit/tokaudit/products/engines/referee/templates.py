"""Compare conversations rendered by an engine with the folder's own template."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.engine.workers import Workers
from tokaudit.foundation.errors import OutOfTime, Skip, UpstreamTrouble
from tokaudit.products.chat.engines.client import EngineText, contexts_of
from tokaudit.products.chat.work.chat_client import renderer_of
from tokaudit.products.chat.work.renderings import as_sent, render_all
from tokaudit.products.engines.jobs import RENDER_BY_OWN
from tokaudit.products.engines.referee.causes import Cause
from tokaudit.products.engines.referee.laws import SHOWN, LawBroken, LawHolds, Ruling
from tokaudit.products.engines.referee.match import BY_FILE
from tokaudit.report.model import Evidence
from tokaudit.runtimes.worker.answers import LARGEST, Shape
from tokaudit.runtimes.worker.client import WorkerTokenizer
from tokaudit.subject.material import Subject
from tokaudit_reference.spec import TokenizerSpec

BEFORE = 20  # characters that two texts share before they differ, of those that are shown


def rendered_alike(
    subject: Subject, spec: TokenizerSpec, engine: WorkerTokenizer, label: str, workers: Workers
) -> Ruling:
    """Decide if an engine renders each conversation like the folder's template."""
    if "template" not in engine.capabilities:
        return LawHolds(Cause.TEMPLATE, unknown="it does not render conversations")
    try:
        found = render_all(subject, spec, renderer_of(workers))
    except Skip as none:
        return LawHolds(Cause.TEMPLATE, unknown=str(none))
    if not found.usable:
        return LawHolds(Cause.TEMPLATE, unknown="the folder's template does not render")
    one = found.usable[0]
    asked = [
        (context, text)
        for given, context in contexts_of(one.template.text, found.conversations, {})
        if (text := as_sent(one, given)) is not None and text.ok
    ]
    conversations = [context for context, _ in asked]
    shape: Shape[list[EngineText]] = Shape(
        list[EngineText], LARGEST, lambda texts: len(texts) == len(asked)
    )
    try:
        texts = engine.do(RENDER_BY_OWN.name, {"conversations": conversations}, shape)
    except (UpstreamTrouble, OutOfTime) as trouble:
        return LawHolds(Cause.TEMPLATE, unknown=f"it does not render: {trouble}")
    expected = [text.text for _, text in asked]
    other = [both for both in zip(expected, texts, strict=True) if both[0] != both[1].text]
    if not other:
        return LawHolds(Cause.TEMPLATE, len(asked))
    ours, theirs = min(other, key=lambda both: len(both[0]))
    note = "; ".join(_told(ours, theirs, label))
    return LawBroken(Cause.TEMPLATE, len(other), len(asked), Evidence("text", ours, note=note))


def _told(ours: str, theirs: EngineText, label: str) -> Iterator[str]:
    """Yield both texts from shortly before their first difference, or the refusal."""
    if theirs.text is None:
        yield f"{label} refuses: {theirs.error}"
        return
    pairs = enumerate(zip(ours, theirs.text, strict=False))
    shorter = min(len(ours), len(theirs.text))
    start = max(0, next((at for at, (a, b) in pairs if a != b), shorter) - BEFORE)
    for text, by in ((ours, BY_FILE), (theirs.text, f"by {label}")):
        yield f"{text[start : start + SHOWN // 2]!r} {by}"
