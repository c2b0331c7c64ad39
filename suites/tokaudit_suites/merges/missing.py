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
    bad='tokenizer.json: {"model": {"type": "BPE", "vocab": {"a": 0, ..., "z": 25, "ba": 26, '
    '..., "bz": 51}, "merges": [["b", "a"], ..., ["b", "w"], ["b", "y"], ["b", "z"]]}}',
    good='tokenizer.json: {"model": {"type": "BPE", "vocab": {"a": 0, ..., "z": 25, "ba": 26, '
    '..., "bz": 51}, "merges": [["b", "a"], ..., ["b", "z"]]}}',
)
def missing(spec: TokenizerSpec, order: LearnedOrder, tokens: LostTokens) -> Iterator[Finding]:
    """Find tokens without a merge, or out of the merges' reach, among the ids of learned ones."""
    if spec.merges is None:
        raise NotApplicable("the format lists no merges")
    if spec.ignore_merges and spec.merges:
        if not order.mostly_unmade:
            raise NotApplicable("a whole piece is looked up before any merge, so none is needed")
        count = plural(len(order.mostly_unmade), "token")
        said = f"{count} are only found whole, not inside longer words, as no merge makes them"
        yield _finding(spec, Severity.ERROR, order.mostly_unmade, said, "only whole")
        return
    if len(set(spec.merges)) < len(spec.merges):
        raise Skip("a pair is listed twice, so its rank is unclear; see merges/duplicates")
    if order.late_parts or order.moved_merges:
        raise Skip("the merges are out of order, which hides what is missing; see merges/order")
    recorded = order.is_record and order.exceptions == []
    severity = Severity.ERROR if recorded else Severity.WARNING
    if tokens.by_id:
        have = "learned token has" if len(tokens.by_id) == 1 else "learned tokens have"
        said = f"{len(tokens.by_id):,} {have} no merge, so one was lost after training"
        yield _finding(spec, severity, tokens.by_id, said, "lost")
    if order.cut_off:
        where = "behind the last merge, so the list was cut off"
        if not spec.merges:
            where = "and an empty list of merges, so it was lost"
        said = f"{plural(len(order.cut_off), 'token')} {where} after training"
        yield _finding(spec, Severity.ERROR, order.cut_off, said, "cut off")
    if order.unmade_parts:
        said = "on which other merges are built, but no merge makes: merges were lost"
        said = f"{plural(len(order.unmade_parts), 'token')} {said} after training"
        yield _finding(spec, Severity.ERROR, order.unmade_parts, said, "parts lost")


def _finding(
    spec: TokenizerSpec, severity: Severity, lost: Mapping[int, Value], said: str, cause: str
) -> Finding:
    """What happened to the merges, with the tokens that show it."""
    names = [f"{quote(value)} ({id})" for id, value in lost.items()]
    places = (in_merges(spec), in_vocab(spec, sorted(lost)[:20]))
    return Finding(severity, f"{said}: {some(names)}.", places, (ids_evidence(lost),), cause=cause)
