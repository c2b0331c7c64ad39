"""A learned token whose merge was deleted."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.check import check
from tokaudit.errors import NotApplicable
from tokaudit.words import Basis, Finding, Severity
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.order import cut_off, missing_merges
from tokaudit_suites.say import ids_evidence, in_merges, in_vocab, plural, quote, some


@check(
    "merges/missing",
    title="Every learned token still has its merge",
    why="When a line of the merges is lost, its token and all that are built from it are never "
    "produced again; text is cut into pieces that the model did not see there.",
    remedy="Restore the merges from the original file or from the base model.",
    severity=Severity.ERROR,
    basis=Basis.INTRINSIC,
    incident="Conversions from SentencePiece that lost merges cut single tokens into three "
    "(huggingface/transformers #24233).",
)
def missing(spec: TokenizerSpec) -> Iterator[Finding]:
    """Find tokens without a merge among the ids of tokens that have one."""
    if spec.merges is None:
        raise NotApplicable("the format lists no merges")
    if spec.whole_piece_lookup:
        raise NotApplicable("a whole piece is looked up before any merge, so none is needed")
    for lost, where in (
        (missing_merges(spec), "amid the learned ones without a merge: a merge was deleted"),
        (cut_off(spec), "behind the last learned one without a merge: the list was cut off"),
    ):
        if lost:
            names = [f"{quote(value)} ({id})" for id, value in lost.items()]
            yield Finding(
                Severity.ERROR,
                f"{plural(len(lost), 'token')} {where} after training: {some(names)}.",
                (in_merges(spec), in_vocab(spec, sorted(lost)[:20])),
                (ids_evidence(lost),),
                cause=where,
            )
