"""A GGUF file with a missing or wrong name for its split rule."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import (
    Basis,
    Evidence,
    Fact,
    Finding,
    Harm,
    NotApplicable,
    Place,
    Representations,
    Severity,
    Subject,
    check,
)
from tokaudit.subject.formats.gguf.as_meant import as_meant
from tokaudit.subject.upstream.llama_cpp.gguf_splits import every_split
from tokaudit_reference.spec import Standing, TokenizerSpec
from tokaudit_suites.shared.repairs import base_decides
from tokaudit_suites.shared.run_copies import Copies
from tokaudit_suites.shared.stated_roles import place_of

KEY = "tokenizer.ggml.pre"


@check(
    "pipeline/split-name",
    title="A GGUF file names its split rule",
    why="If a GGUF file does not name its split rule (tokenizer.ggml.pre), engines use their own "
    "default rule. With the wrong split rule nothing fails, but digits, contractions and line "
    "breaks become other tokens than the model knows.",
    remedy="Convert the model with a converter that writes tokenizer.ggml.pre, or set that "
    "key to the name that fits the model's tokenizer.json.",
    repair=base_decides("no file of this folder says how the model expects text to be split"),
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.INTRINSIC,
    incident="Llama-3 files made before May 2024 lost arithmetic and text quality, with a line in "
    "the log for a warning (ggml-org/llama.cpp PR#6920).",
)
def split_name(
    subject: Subject, representations: Representations, copies: Copies | None
) -> Iterator[Finding]:
    """Check the key in every byte-level GGUF file, and compare its split rule."""
    files = [
        (representation.files[0], spec)
        for representation, spec in representations.parsed
        if representation.format == "gguf" and spec.byte_level and spec.merges
    ]
    if not files:
        raise NotApplicable("no GGUF file with a byte-level model is here")
    named = {fact.file: fact for fact in subject.facts_named("gguf_pre") if fact.value}
    for file, spec in files:
        if file not in named:
            yield Finding(
                Severity.ERROR,
                f"{file} has no {KEY}: each engine splits text by a default pattern of its own.",
                (Place("pre_tokenizer", file, implied_by="a default of the engine"),),
                cause="unnamed",
            )
        elif named[file].value not in every_split():
            yield Finding(
                Severity.INFO,  # new models bring new names
                f"{file} names {str(named[file].value)[:60]!r} for the rule that splits its text, "
                "a name that llama.cpp did not know when this table was drawn: an engine that does "
                "not know a name refuses the file.",
                (place_of(named[file], "pre_tokenizer"),),
                cause="unknown",
            )
        elif copies is not None and copies.all[0].file != file:
            yield from _another(named[file], spec, copies)


def _another(named: Fact, spec: TokenizerSpec, copies: Copies) -> Iterator[Finding]:
    """Report a rule that splits differently from the preferred file, if no token shows it.

    Where ids differ, agreement/behaviour says so with a text.
    """
    from tokaudit.products.compare.patterns.reading import read_steps
    from tokaudit.products.compare.patterns.verdicts import Differs, Undecidable
    from tokaudit.products.compare.proofs.cuts.prove import compare

    first = copies.all[0]
    if Standing.UNSTATED in (spec.pre_tokenizer.standing, first.spec.pre_tokenizer.standing):
        return
    try:
        here, there = (as_meant(side).pre_tokenizer.steps for side in (first.spec, spec))
        found = compare(read_steps(here), read_steps(there))
    except Undecidable:
        return
    if isinstance(found, Differs) and _same_ids(found.text, named.file, copies):
        yield Finding(
            Severity.WARNING,
            f"{named.file} says that text is split as by {named.value}, but {first.file} cuts "
            f"{found.text!r} into {list(found.left)}, and that rule into {list(found.right)}: the "
            "name belongs to another tokenizer.",
            (place_of(named, "pre_tokenizer"), Place("pre_tokenizer", first.file)),
            (Evidence("text", text=found.text, note="cut at other places, by the same ids"),),
            cause="another",
        )


def _same_ids(text: str, file: str, copies: Copies) -> bool:
    """Return whether the reference encodes the text alike with both files."""
    runs = [
        copy.reference.tokenizer for copy in copies.all if copy.file in (copies.all[0].file, file)
    ]
    if len(runs) != 2 or None in runs:
        return False
    one, other = (run.encode([text])[0] for run in runs if run is not None)
    return one.error is None and one.ids == other.ids
