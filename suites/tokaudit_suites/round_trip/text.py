"""Does text come back as it went in, as far as the declaration promises?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tokaudit.comparison.evidence import shown, text_evidence, token_names
from tokaudit.comparison.shrink import minimise
from tokaudit.engine.check import check
from tokaudit.engine.needs import Probes, Vendor
from tokaudit.errors import NotApplicable, Skip
from tokaudit.report.model import Basis, Evidence, Finding, Measurement, Place, Severity
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.round_trip.promise import Expected, promised, same_but_for_first_space


@check(
    "round_trip/text",
    title="decode(encode(text)) gives the text back",
    why="What is lost between text and ids is lost to the model, in training and in every answer.",
    incident="transformers pull request 34319: an export that left out the decoder",
    remedy="Restore the decoder (or the normalizer) that belongs to this vocabulary.",
    severity=Severity.ERROR,
    basis=Basis.INTRINSIC,
)
def text(spec: TokenizerSpec, vendor: Vendor, probes: Probes) -> Iterator[Finding | Measurement]:
    """An error with a minimal text that does not come back, unless the loss is declared."""
    try:
        expected, declared = promised(spec), ""
    except NotApplicable as error:
        expected, declared = str, str(error)
    texts = [text for text in probes.texts if not _is_exempt(text, spec)]
    lost = [text for text, bad in zip(texts, _lost(vendor, expected, texts), strict=True) if bad]
    yield Measurement(
        "round_trip/texts_changed", len(lost), "texts", len(texts), declared or probes.method
    )
    if declared:
        raise NotApplicable(declared)
    if lost:
        yield _finding(spec, vendor, expected, lost, len(texts))


def _is_exempt(text: str, spec: TokenizerSpec) -> bool:
    """Added tokens may eat spaces beside them; U+2581 is a space where it stands for one."""
    if not spec.byte_level and "\u2581" in text:
        return True
    return any(token.content and token.content in text for token in spec.added_tokens)


def _decoded(vendor: Vendor, texts: Sequence[str]) -> list[str | None]:
    encodings = vendor.encode(texts)
    outputs = iter(vendor.decode([e.ids for e in encodings if e.error is None]))
    return [shown(next(outputs)) if e.error is None else None for e in encodings]


def _lost(vendor: Vendor, expected: Expected, texts: Sequence[str]) -> list[bool]:
    if "decode" not in vendor.capabilities and "decode_bytes" not in vendor.capabilities:
        raise Skip(f"{vendor.info.adapter} does not decode")
    outputs = _decoded(vendor, texts)
    return [
        output is not None and not same_but_for_first_space(output, expected(text))
        for text, output in zip(texts, outputs, strict=True)
    ]


def _finding(
    spec: TokenizerSpec, vendor: Vendor, expected: Expected, lost: list[str], n: int
) -> Finding:
    small = minimise(min(lost, key=len), lambda texts: _lost(vendor, expected, texts))
    came_back = _decoded(vendor, [small])[0]
    message = f"{len(lost):,} of {n:,} texts do not come back: {small!r} becomes {came_back!r}"
    place = Place(_blamed(spec), spec.files[0] if spec.files else "", "/decoder")
    return Finding(Severity.ERROR, message, (place,), (_evidence(spec, vendor, small, came_back),))


def _evidence(spec: TokenizerSpec, vendor: Vendor, small: str, came_back: str | None) -> Evidence:
    ids = vendor.encode([small])[0].ids
    note = f"comes back as {came_back!r}"
    return text_evidence(small, ids, ids, token_names(spec), ("encoded", "decoded"), note)


def _blamed(spec: TokenizerSpec) -> str:
    return "decoder" if spec.decoder.options is None else "tokenizer"
