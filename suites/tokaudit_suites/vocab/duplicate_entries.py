"""Entries that the vocabulary file gives twice."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.engine.check import check
from tokaudit.report.model import Basis, Finding, Severity
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.wording import in_vocab, plural, quote, some


@check(
    "vocab/duplicate-entries",
    title="No entry is written down twice",
    why="One reader keeps the first of two equal entries, another the last, so the same file "
    "gives two different ids.",
    remedy="Keep the entry whose id has the trained embedding row and delete the other.",
    severity=Severity.ERROR,
    basis=Basis.INTRINSIC,
    incident="ERNIE's vocabulary has a character on two lines, and one id is lost "
    "(PaddlePaddle/PaddleNLP #5974).",
    bad='tokenizer.json: {"model": {"type": "BPE", "vocab": {"a": 0, "a": 1, "b": 2}, '
    '"merges": []}}',
    good='tokenizer.json: {"model": {"type": "BPE", "vocab": {"a": 0, "b": 1}, "merges": []}}',
)
def duplicate_keys(spec: TokenizerSpec) -> Iterator[Finding]:
    """Report the entries that the parser met twice."""
    if not spec.duplicate_keys:
        return
    keys = [quote(key) for key in spec.duplicate_keys]
    yield Finding(
        Severity.ERROR,
        f"{plural(len(keys), 'entry')} of the vocabulary given twice: {some(keys)}; "
        "the last one counts here, another reader may keep the first.",
        (in_vocab(spec, list(spec.duplicate_keys[:20])),),
    )
