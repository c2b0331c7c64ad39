"""A learned token whose merge was deleted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tokaudit.engine.check import check
from tokaudit.foundation.errors import NotApplicable, Skip
from tokaudit.report.model import Basis, Finding, Severity
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.learned_order import LearnedOrder, LostTokens
from tokaudit_suites.vocab_entries import Value
from tokaudit_suites.wording import ids_evidence, in_merges, in_vocab, plural, quote, some


@check(
    "merges/missing",
    title="Every learned token still has its merge",
    why="When a line of the merges is lost, its token and all that are built from it are never "
    "produced again; text is cut into pieces that the model did not see there. Where the merges "
    "are a trainer's record of one for each token, or end too early, that is an error; elsewhere "
    "it is a warning, as conversions were published without a few of theirs.",
    remedy="Compare it with the base model by --base, which decides; restore the merges from "
    "there or from the original file.",
    severity=Severity.ERROR,
    basis=Basis.INTRINSIC,
    incident="Conversions from SentencePiece that lost merges cut single tokens into three "
    "(huggingface/transformers #24233).",
)
def missing(spec: TokenizerSpec, order: LearnedOrder, tokens: LostTokens) -> Iterator[Finding]:
    """Find tokens without a merge, or out of the merges' reach, among the ids of learned ones."""
    if spec.merges is None:
        raise NotApplicable("the format lists no merges")
    if spec.ignore_merges and spec.merges:
        if not order.mostly_unmade:
            raise NotApplicable("a whole piece is looked up before any merge, so none is needed")
        yield _lost(spec, order.mostly_unmade, "are only found whole, not inside of longer words")
        return
    if len(set(spec.merges)) < len(spec.merges):
        raise Skip("a pair is listed twice, so its rank is unclear; see merges/duplicates")
    if order.late_parts or order.moved_merges:
        raise Skip("the merges are out of order, which hides what is missing; see merges/order")
    among = "among the learned ones not made by the merges: one was lost"
    behind = "behind the last learned one without a merge: the list was cut off"
    on_these = "on which other merges are built not made by any: merges were lost"
    if not spec.merges:
        behind = "without a merge: the list is empty, and was lost"
    recorded = order.is_record and order.exceptions == []
    for lost, where, severity in (
        (tokens.by_id, among, Severity.ERROR if recorded else Severity.WARNING),
        (order.cut_off, behind, Severity.ERROR),
        (order.unmade_parts, on_these, Severity.ERROR),
    ):
        if lost:
            yield _lost(spec, lost, f"{where} after training", severity)


def _lost(
    spec: TokenizerSpec,
    lost: Mapping[int, Value],
    what: str,
    severity: Severity = Severity.ERROR,
) -> Finding:
    names = [f"{quote(value)} ({id})" for id, value in lost.items()]
    return Finding(
        severity,
        f"{plural(len(lost), 'token')} {what}: {some(names)}.",
        (in_merges(spec), in_vocab(spec, sorted(lost)[:20])),
        (ids_evidence(lost),),
        cause=what,
    )
