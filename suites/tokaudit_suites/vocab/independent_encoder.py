"""Does an independent encoder, working from the declared file, give the vendor's ids?"""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.check import check
from tokaudit.compare import compare_encoders
from tokaudit.errors import Skip
from tokaudit.evidence import token_names
from tokaudit.needs import Probes, Reference, Vendor
from tokaudit.providers import Workers
from tokaudit.words import Basis, Comparison, Evidence, Finding, Measurement, Place, Severity
from tokaudit_reference.spec import TokenizerSpec, components_of

CLASSING = ("BertNormalizer", "StripAccents", "BertPreTokenizer", "Punctuation")


@check(
    "vocab/independent-encoder",
    title="an independent encoder agrees with the vendor library",
    why=(
        "Two encoders written apart that give the same ids show that the file means what it says; "
        "where they differ, one serving stack or another feeds the model wrong ids."
    ),
    incident="transformers issues 34744 and 42131: converted files that segment differently",
    remedy="Look at the minimal text with 'tokaudit audit --select vocab' and mend that component.",
    severity=Severity.ERROR,
    basis=Basis.INTRINSIC,
    required=True,
)
def independent_encoder(
    spec: TokenizerSpec, vendor: Vendor, reference: Reference, probes: Probes, workers: Workers
) -> Iterator[Finding | Measurement]:
    """An error with a minimal text on which the reference and the vendor part."""
    excused = workers.opened["vendor"].table_differences() if _uses_tables(spec) else frozenset()
    texts = [text for text in probes.texts if excused.isdisjoint(map(ord, text))]
    method = f"{probes.method}; {len(excused)} code points of other Unicode tables left out"
    labels = ("the reference", f"{vendor.info.package} {vendor.info.version}")
    found = compare_encoders(reference, vendor, texts, token_names(spec), labels)
    if found.relation == "unknown":
        raise Skip("neither encoder could encode any probe text")
    yield Measurement(
        "vocab/probe_texts_that_differ", found.different, "texts", found.texts, method
    )
    if found.minimal is not None:
        yield _finding(found, found.minimal, spec)


def _uses_tables(spec: TokenizerSpec) -> bool:
    """Whether a step classes characters by tables that the vendor carries itself."""
    steps = [
        *components_of(spec.normalizer, "normalizers"),
        *components_of(spec.pre_tokenizer, "pretokenizers"),
    ]
    return any(step.get("type") in CLASSING for step in steps)


def _finding(found: Comparison, minimal: Evidence, spec: TokenizerSpec) -> Finding:
    message = (
        f"{found.left} and {found.right} give different ids for "
        f"{found.different:,} of {found.texts:,} probe texts"
    )
    place = Place("vocab", spec.files[0] if spec.files else "")
    return Finding(Severity.ERROR, message, (place,), (minimal,), cause="ids differ")
