"""Does every text encode?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tokaudit.comparison.evidence import text_evidence
from tokaudit.comparison.shrink import minimise
from tokaudit.engine.check import check
from tokaudit.engine.needs import Vendor, VendorAnswers
from tokaudit.report.model import Basis, Finding, Place, Severity
from tokaudit_reference.spec import TokenizerSpec


@check(
    "round_trip/encodes",
    title="Every text encodes",
    why="A text that makes the library raise, die or hang is a request that brings a server down.",
    incident="tokenizers that panic in a pre-tokenizer or normalizer, tiktoken that never returns",
    remedy="Mend the component that the vendor names; the minimal text shows what it dies of.",
    severity=Severity.ERROR,
    basis=Basis.INTRINSIC,
)
def encodes(spec: TokenizerSpec, vendor: Vendor, answers: VendorAnswers) -> Iterator[Finding]:
    """An error with a minimal text that the vendor refuses, dies of or hangs on."""
    found = answers.encodings
    broken = [(text, e) for text, e in zip(answers.texts, found, strict=True) if e.error]
    if not broken:
        return
    text, encoding = min(broken, key=lambda item: len(item[0]))
    if not encoding.killed:  # shrinking restarts the worker at every step when it dies
        text = minimise(text, lambda texts: _refused(vendor, texts))
    how = "dies of or hangs on" if encoding.killed else "refuses"
    message = (
        f"{vendor.info.package} {how} {len(broken):,} of {len(found):,} probe texts, "
        f"such as {text!r}: {encoding.error}"
    )
    place = Place("tokenizer", spec.files[0] if spec.files else "")
    evidence = text_evidence(text, (), (), {}, note=str(encoding.error)[:500])
    yield Finding(Severity.ERROR, message, (place,), (evidence,), cause=how)


def _refused(vendor: Vendor, texts: Sequence[str]) -> list[bool]:
    return [found.error is not None for found in vendor.encode(texts)]
