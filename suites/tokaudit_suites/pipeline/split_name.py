"""A GGUF file that does not name the rule by which text is split."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.engine.check import check
from tokaudit.foundation.errors import NotApplicable
from tokaudit.report.model import Basis, Finding, Place, Severity
from tokaudit.subject.material import Subject
from tokaudit.subject.representations import Representations

KEY = "tokenizer.ggml.pre"


@check(
    "pipeline/split-name",
    title="A GGUF file names the rule by which text is split",
    why="Without the name an engine splits by a default that the model was not trained with. "
    "Vocabulary and merges are all there, so nothing fails: digits, contractions and line breaks "
    "become other tokens.",
    remedy="Convert the model again with a converter that writes tokenizer.ggml.pre, or set that "
    "key to the name that fits the model's tokenizer.json.",
    severity=Severity.ERROR,
    basis=Basis.INTRINSIC,
    incident="Llama-3 files made before May 2024 lost arithmetic and text quality, with a line in "
    "the log for a warning (ggml-org/llama.cpp PR#6920).",
)
def split_name(subject: Subject, representations: Representations) -> Iterator[Finding]:
    """Look for the key in every GGUF file whose model is byte-level."""
    files = [
        representation.files[0]
        for representation, spec in representations.parsed
        if representation.format == "gguf" and spec.byte_level and spec.merges
    ]
    if not files:
        raise NotApplicable("no GGUF file with a byte-level model is here")
    named = {fact.file for fact in subject.facts_named("gguf_pre") if fact.value}
    for file in files:
        if file not in named:
            yield Finding(
                Severity.ERROR,
                f"{file} has no {KEY}: engines split its text by a default of their own.",
                (Place("pre_tokenizer", file, KEY),),
                cause="unnamed",
            )
