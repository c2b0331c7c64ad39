"""Stages that differ from another tokenizer's, with the results of running texts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tokaudit.engine.canonical_steps import acting_steps, steps_for_ids
from tokaudit.engine.facet_names import DECODER, NORMALIZER, POST_PROCESSOR, PRE_TOKENIZER, TYPE_IDS
from tokaudit.plugin import Base, Evidence, Facet, Finding, Measurement, Outcome, Severity, Skip
from tokaudit.products.compare.facets.type_ids import reads_types
from tokaudit.products.compare.stated_changes import differences
from tokaudit_reference.spec import Component, Standing, TokenizerSpec
from tokaudit_suites.shared.base_facets import BaseFacets, claimed, of_base
from tokaudit_suites.shared.wording import some, stage

STAGES = {
    "normalizer": (NORMALIZER, "the pre-tokenizer receives different text"),
    "pre_tokenizer": (PRE_TOKENIZER, "text is split at different places"),
    "post_processor": (POST_PROCESSOR, "text gets different special tokens around it"),
    "decoder": (DECODER, "the same ids decode to different text"),
}


def other_stages(
    spec: TokenizerSpec, base: Base, facets: BaseFacets
) -> Iterator[Finding | Measurement]:
    """Compare each stage that both sides state; an unstated stage is unknown, not equal."""
    yield from map(_proved, facets.rewritten)
    compared = 0
    for name, (facet, _) in STAGES.items():
        if _unknown(getattr(spec, name)) or _unknown(getattr(base.spec, name)):
            continue
        compared += 1
        if name == "post_processor" and _other_offsets(spec, base.spec):
            yield _finding(spec, base, name, "tokens get different offsets", Severity.WARNING)
        elif not facets.proved(facet):
            yield _judged(spec, base, facets, name)
    if not compared:
        raise Skip("neither side's files state the components")


def _proved(facet: Facet) -> Measurement:
    """Report a different notation that is proved equal."""
    return Measurement(
        "baseline/proved_the_same",
        "Written differently than the base's, and proved the same",
        1,
        "facet",
        1,
        facet.why,
        dimensions={"facet": facet.name},
    )


def _judged(spec: TokenizerSpec, base: Base, facets: BaseFacets, name: str) -> Finding:
    """Report a differing stage: an error with its text, or else a difference on paper."""
    facet, effect = STAGES[name]
    if any(shown.note.startswith(TYPE_IDS) for shown in facets.evidence(facet)):
        types = _finding(spec, base, name, "tokens get different type ids", _harm_of_types(base))
        return replace(types, evidence=(*facets.evidence(facet), *types.evidence))
    if spec.format != base.spec.format and facets.by_name[facet].outcome is not Outcome.DIFFERS:
        return _unproven(spec, base, name)
    return claimed(_finding(spec, base, name, effect), facets, facet)


def _harm_of_types(base: Base) -> Severity:
    """Rate differing type ids: an error if the model was trained with them."""
    taken = reads_types(base.subject)
    if taken is None:
        return Severity.WARNING
    return Severity.ERROR if taken else Severity.INFO


def _other_offsets(spec: TokenizerSpec, base: TokenizerSpec) -> bool:
    """Return whether the post-processors give the same ids but different offsets."""
    stage, same_format = "post_processor", spec.format == base.format
    differ = acting_steps(spec, stage) != acting_steps(base, stage) and _trim(spec, base)
    return same_format and differ and steps_for_ids(spec) == steps_for_ids(base)


def _trim(*specs: TokenizerSpec) -> bool:
    """Return whether a post-processor removes spaces from offsets."""
    steps = (step for spec in specs for step in spec.post_processor.steps)
    return any(step.to_json().get("trim_offsets") for step in steps)


def _unknown(component: Component) -> bool:
    return component.standing is Standing.UNSTATED


def _finding(
    spec: TokenizerSpec,
    base: Base,
    name: str,
    effect: str,
    severity: Severity = Severity.ERROR,
) -> Finding:
    mine, theirs = getattr(spec, name).options, getattr(base.spec, name).options
    there = f" in {base.called}, "
    changes = [f"{each.replace(' became ', there, 1)} here" for each in differences(theirs, mine)]
    return Finding(
        severity,
        f"The {name} differs from {base.called}'s: {some(changes)}; {effect}.",
        (stage(spec, name, mine), of_base(base, stage(base.spec, name, theirs))),
        (Evidence("facts", facts={"base": theirs, "here": mine}),),
        cause=name,
    )


def _unproven(spec: TokenizerSpec, base: Base, name: str) -> Finding:
    return Finding(
        Severity.INFO,
        f"The {name} is not written as in {base.called}, whose format is {base.spec.format}; only "
        "a comparison of ids shows whether the two act the same.",
        (stage(spec, name), of_base(base, stage(base.spec, name))),
        cause=name,
    )
