"""Checks that loaders reproduce the ids of a SentencePiece model without tokenizer.json."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from itertools import combinations

from tokaudit.plugin import (
    Basis,
    Comparison,
    Finding,
    Harm,
    Measured,
    Measurement,
    NotApplicable,
    Place,
    Probes,
    Reference,
    Samples,
    Severity,
    Tokenizer,
    check,
    token_names,
)
from tokaudit.products.compare.encoders import NamedEncoder, compare
from tokaudit.subject.upstream.tokenizer_class import AS_STATED
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.loaders._built import BuiltBy, BuiltRuns
from tokaudit_suites.shared.repairs import person_decides

MANY = 0.1  # of sentences; white space, which whole families of classes change, is in 5 %
MOST_SENTENCES = 200


@check(
    "loaders/pieces",
    title="Loaders give the ids of the SentencePiece model",
    why="If a folder has a SentencePiece model but no tokenizer.json, transformers converts the "
    "SentencePiece model. Some tokenizer classes and versions of transformers drop the character "
    "map, spaces or unknown token of a SentencePiece model, so their ids differ from those of "
    "SentencePiece.",
    remedy="Add a tokenizer.json that produces the ids of the SentencePiece model, and set "
    f"tokenizer_class to {AS_STATED}, which both versions load unchanged.",
    repair=person_decides("no file says which of the ids the rows of the model belong to"),
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.CROSS_FILE,
    left_to_code=True,
    incident="A class left the character map of the model out in both versions, and another takes "
    "one id for what is unknown whatever the model says (huggingface/transformers #45701).",
    no_example="It needs the character map that a trainer compiles.",
    measures=(Measured("loaders/pieces_differently"),),
)
def pieces(
    spec: TokenizerSpec, runs: BuiltRuns, model: Reference, samples: Samples, probes: Probes
) -> Iterator[Finding | Measurement]:
    """Encode sentences with the model and each version's build of it; then odd texts."""
    if spec.files[0] != runs.all[0].built.spec.files[0]:
        raise NotApplicable("the tokenizer that is judged is another one than the model")
    whole = [text for sample in samples.all for text in sample.sentences]
    sentences = tuple(whole[:: -(-len(whole) // MOST_SENTENCES)])
    found = {by.name: _compared(spec, model, by, _as_trained(by, sentences)) for by in runs.all}
    for by in runs.all:
        yield Measurement(
            "loaders/pieces_differently",
            "Sentences that a loader encodes unlike the SentencePiece model",
            found[by.name].different,
            "sentences",
            found[by.name].texts,
            f"the built-in sample, by {by.name}",
            dimensions={"loader": by.loader.name},
        )
    other = [by for by in runs.all if found[by.name].different > MANY * found[by.name].texts]
    if other:
        every = len(other) == len(runs.all) and not runs.unknown
        apart = [_apart(one, two, spec, probes.texts) for one, two in combinations(other, 2)]
        severity = Severity.ERROR if every else Severity.WARNING
        yield _finding(spec, runs, other, found, severity, apart)
        return
    odd = {by.name: _compared(spec, model, by, probes.texts) for by in runs.all}
    if differing := [by for by in runs.all if odd[by.name].different]:
        yield _finding(spec, runs, differing, odd, Severity.INFO, [])


def _as_trained(by: BuiltBy, sentences: Sequence[str]) -> Sequence[str]:
    """Return the sentences as a lower-casing class passes them to its model."""
    steps = by.built.spec.normalizer.steps
    if any(step.effects.strips_marks for step in steps):
        apart = (unicodedata.normalize("NFKD", text) for text in sentences)
        sentences = ["".join(c for c in text if unicodedata.category(c) != "Mn") for text in apart]
    if any(step.effects.lower_cases for step in steps):
        sentences = [text.lower() for text in sentences]
    return sentences


def _compared(
    spec: TokenizerSpec, model: Tokenizer, by: BuiltBy, texts: Sequence[str]
) -> Comparison:
    names = token_names(spec)
    left = NamedEncoder(spec.files[0], model, model.encode(texts), names)
    its = NamedEncoder(by.name, by.tokenizer, by.tokenizer.encode(texts), names)
    return compare(texts, left, its)


def _apart(one: BuiltBy, two: BuiltBy, spec: TokenizerSpec, texts: Sequence[str]) -> Comparison:
    """Compare two versions on odd texts, because sentences seldom show a difference."""
    names = token_names(spec)
    sides = [
        NamedEncoder(by.name, by.tokenizer, by.tokenizer.encode(texts), names) for by in (one, two)
    ]
    return compare(texts, sides[0], sides[1])


def _finding(
    spec: TokenizerSpec,
    runs: BuiltRuns,
    other: Sequence[BuiltBy],
    found: dict[str, Comparison],
    severity: Severity,
    apart: Sequence[Comparison],
) -> Finding:
    said = " and ".join(
        f"{by.name} for {found[by.name].different:,} of {found[by.name].texts:,} texts"
        for by in other
    )
    same = [by.name for by in runs.all if by not in other]
    first = other[0].built.choice
    return Finding(
        severity,
        f"{first.file} names {first.value}. Loaders of this class produce other ids than "
        f"{spec.files[0]}: {said}{_because(other)}."
        f"{f' {same[0]} produces the ids of {spec.files[0]}.' if same else ''}"
        + "".join(f" tokaudit has no record of what {each.name} builds." for each in runs.unknown)
        + "".join(
            f" The ids of the two loaders differ for {each.different:,} of {each.texts:,} texts."
            for each in apart
            if each.different
        ),
        (
            Place("config", first.file, first.pointer, first.value),
            Place("normalizer", spec.files[0]),
        ),
        tuple(
            each.minimal
            for each in (*(found[by.name] for by in other), *apart)
            if each.minimal is not None
        ),
        cause="built",
    )


def _because(other: Sequence[BuiltBy]) -> str:
    """Return an end of a sentence if the classes ignore the model's character map."""
    dropping = [by for by in other if by.built.drops_map]
    if not dropping:
        return ""
    whose = "both leave" if len(dropping) > 1 else f"{dropping[0].name} leaves"
    return f"; {whose} out the character map of the model"
