"""Does an independent encoder, working from the declared file, give the library's ids?"""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import (
    Basis,
    Comparison,
    Evidence,
    Finding,
    Harm,
    Measured,
    Measurement,
    Place,
    Probes,
    Reference,
    ReferenceAnswers,
    ReferenceEntries,
    Severity,
    Skip,
    Upstream,
    UpstreamAnswers,
    UpstreamEntries,
    check,
    token_names,
)
from tokaudit.products.compare.encoders import NamedEncoder, compare
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.repairs import person_decides


@check(
    "agreement/reference",
    title="An independent encoder agrees with the upstream library",
    why=(
        "Two independent encoders that produce the same ids show that tokaudit reads the file "
        "correctly. If two encoders of the same tokenizer differ, one serving engine feeds the "
        "model wrong ids."
    ),
    incident="A converted file splits differently than the model it was made from "
    "(huggingface/transformers PR#42131).",
    remedy="Run `tokaudit trace` on the text shown, and correct the step in which the tokens "
    "first differ.",
    repair=person_decides(
        "library and reference read the file differently, and the file does not say which is meant"
    ),
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.INTRINSIC,
    required=True,
    measures=(Measured("agreement/texts_that_differ"),),
    no_example="Files cannot show it: on every file that we know the two encoders agree; a file "
    "on which they do not shows a fault in one of them.",
)
def independent_encoder(
    spec: TokenizerSpec,
    upstream: Upstream,
    reference: Reference,
    probes: Probes,
    theirs: UpstreamAnswers,
    ours: ReferenceAnswers,
    their_entries: UpstreamEntries,
    our_entries: ReferenceEntries,
) -> Iterator[Finding | Measurement]:
    """Report a minimal text on which the reference and the library differ."""
    names = token_names(spec)  # of both, as both run the same file
    who = f"{upstream.info.package} {upstream.info.version}"
    both = list(zip(probes.entries, our_entries.encodings, their_entries.encodings, strict=False))
    left = NamedEncoder(
        "the reference", reference, [*ours.encodings, *(e for _, e, _ in both)], names
    )
    right = NamedEncoder(who, upstream, [*theirs.encodings, *(e for *_, e in both)], names)
    found = compare([*probes.texts, *(text for text, *_ in both)], left, right)
    if found.relation == "unknown":
        raise Skip("neither encoder could encode any probe text")
    yield Measurement(
        "agreement/texts_that_differ",
        "Texts whose ids differ from the independent encoder's",
        found.different,
        "texts",
        found.texts,
        f"{probes.method}, and {len(both):,} texts of other vocabulary entries",
    )
    if found.minimal is not None:
        yield _finding(found, found.minimal, spec)


def _finding(found: Comparison, minimal: Evidence, spec: TokenizerSpec) -> Finding:
    left = found.left[:1].upper() + found.left[1:]
    message = (
        f"{left} and {found.right} give different ids for "
        f"{found.different:,} of {found.texts:,} texts."
    )
    place = Place("vocab", spec.files[0] if spec.files else "")
    return Finding(Severity.ERROR, message, (place,), (minimal,), cause="ids differ")
