"""Representations with one vocabulary that produce different tokens or text."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import (
    Basis,
    Finding,
    Harm,
    Measured,
    Measurement,
    Place,
    Probes,
    Samples,
    Severity,
    Skip,
    Subject,
    check,
)
from tokaudit_suites.agreement._compared import compared, sides_of
from tokaudit_suites.shared.repairs import person_decides
from tokaudit_suites.shared.run_copies import Copies
from tokaudit_suites.shared.unnamed_class import as_guessed
from tokaudit_suites.shared.wording import some

CASE = "normalizer"  # whose default lower-cases, and whose switch is in no vocabulary


@check(
    "agreement/behaviour",
    title="Every representation makes the same tokens and text",
    why="Inference engines read different files of the same model folder. Two tokenizer files can "
    "list the same vocabulary and still produce different ids, because the character map, the "
    "prefix space, the split pattern or byte fallback differs. If two tokenizer files of a folder "
    "produce different ids, the model reads wrong tokens in every engine that uses the wrong file.",
    remedy="Keep the file that fits the model, and write the other file again from it or delete "
    "the other file.",
    repair=person_decides(
        "each file is a tokenizer by itself, and only the weights belong to one of them"
    ),
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.CROSS_FILE,
    incident="A converted tokenizer.json cut 'thermal' into three tokens, the SentencePiece file "
    "into one (huggingface/transformers #24233).",
    measures=(Measured("agreement/texts_of_copies"),),
)
def behaviour(
    copies: Copies, subject: Subject, samples: Samples, probes: Probes
) -> Iterator[Finding | Measurement]:
    """Run the same texts through each representation, with each encoder that supports it."""
    ran = 0
    for other in copies.all[1:]:
        found = [compared(sides, samples, probes) for sides in sides_of(copies.all[0], other)]
        ran += len(found)
        yield from (each.measurement() for each in found)
        if parted := [each for each in found if each.kind]:
            finding = parted[0].finding(parted)
            cased = finding.cause == CASE
            for copy in (copies.all[0], other) if cased else ():
                finding = as_guessed(finding, subject, copy.spec, CASE)
            yield finding
    if silent := list(_not_run(copies)):
        yield Finding(
            Severity.INFO,
            f"Not run and not compared: {'; '.join(silent)}.",
            tuple(Place("tokenizer", copy.file) for copy in copies.all),
            cause="not run",
        )
    if not ran:
        raise Skip("only one tokenizer file could be run, so there was none to compare it with")


def _not_run(copies: Copies) -> Iterator[str]:
    for copy in copies.all:
        whys = [r.why for r in (copy.reference, copy.upstream) if r.tokenizer is None and r.why]
        if whys:
            yield f"{copy.file} ({some(list(dict.fromkeys(whys)))})"
