"""Files that pad on different sides, or on a side that breaks pooling."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tokaudit.plugin import (
    Basis,
    Finding,
    Harm,
    NotApplicable,
    Options,
    Place,
    Repair,
    Severity,
    Subject,
    check,
)
from tokaudit.subject.upstream.model_class import Does, model_classes, one_of
from tokaudit.subject.upstream.versions import BOTH
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.repairs import either, person_decides, repaired, set_to
from tokaudit_suites.shared.stated_roles import place_of
from tokaudit_suites.shared.wording import stage

OF_USE = {"rollouts": "left", "serving": "left", "sft": "right", "pretraining": "right"}
"""The side on which a model that decodes alone wants batches padded."""


@check(
    "padding/side",
    title="All files agree on a usable padding side",
    why="Generation needs padding on the left; pooling of the first token needs padding on the "
    "right. With padding on the wrong side, the model gives a batch of texts other results than "
    "the same texts one by one.",
    remedy="Set padding_side in tokenizer_config.json and /padding/direction in tokenizer.json to "
    "the side that the model expects.",
    repair=person_decides("no file says on which side the model expects padding"),
    severity=Severity.ERROR,
    harm=Harm.OTHER_PROMPT,
    basis=Basis.CROSS_FILE,
    incident="Left padding under first-token pooling gave batched embeddings of pad tokens "
    "(huggingface/sentence-transformers #3208).",
)
def side(spec: TokenizerSpec, subject: Subject, options: Options) -> Iterator[Finding]:
    """Compare padding_side, the padding block's direction and the pooling mode."""
    fact = subject.fact("padding_side")
    stated = str((spec.padding.options or {}).get("direction", "")).lower()
    declared = str(fact.value) if fact is not None else stated
    if not declared:
        raise NotApplicable("no file states a padding side")
    if declared not in ("left", "right"):
        yield Finding(
            Severity.ERROR,
            f"The padding side is {declared!r}, not 'left' or 'right'.",
            (_place(spec, subject),),
            cause="unknown",
            repair=either(
                ("a model that generates", [set_to(_place(spec, subject), "left")]),
                ("a model that reads whole texts", [set_to(_place(spec, subject), "right")]),
            ),
        )
    elif stated and stated != declared:
        yield Finding(
            Severity.WARNING,
            f"{fact.file if fact else ''} pads on the {declared}, the padding block of the "
            f"tokenizer pads on the {stated}; the loader decides which of the two counts.",
            (
                _place(spec, subject),
                _direction(spec),
            ),
            cause="sides",
            repair=either(
                (
                    f"a user who pads on the {declared}",
                    [set_to(_direction(spec), declared.capitalize())],
                ),
                (f"a user who pads on the {stated}", [set_to(_place(spec, subject), stated)]),
            ),
        )
    elif _harms(declared, subject, options.use):
        yield _against_use(spec, subject, declared, str(options.use))
    pooling = subject.fact("pooling_mode_cls_token")
    if declared == "left" and pooling is not None and pooling.value is True:
        yield Finding(
            Severity.ERROR,
            "Texts are padded on the left, but the pooling takes the first token, which is then "
            "a pad token for all but the longest text of a batch.",
            (_place(spec, subject), place_of(pooling, "config")),
            cause="pooling",
            repair=_to_the_right(spec, subject),
        )


def _harms(declared: str, subject: Subject, use: str | None) -> bool:
    """Return whether the stated use of a decoder needs the other side."""
    wanted = OF_USE.get(use or "", declared)
    return wanted != declared and one_of(model_classes(subject), Does.DECODES_ALONE)


def _against_use(spec: TokenizerSpec, subject: Subject, declared: str, use: str) -> Finding:
    """Report a side that does not suit the stated use."""
    harm = (
        f"a batch in {BOTH} goes on after the pad tokens of its shorter texts"
        if OF_USE[use] == "left"
        else "the first positions of shorter texts are pad tokens, unlike those of single texts"
    )
    return Finding(
        Severity.WARNING,
        f"Texts are padded on the {declared}, but the use given by --use is {use}: {harm}.",
        (_place(spec, subject),),
        cause="side of use",
        repair=repaired(set_to(_place(spec, subject), OF_USE[use])),
    )


def _to_the_right(spec: TokenizerSpec, subject: Subject) -> Repair | None:
    """Set every stated side to the right."""
    changes = [set_to(_place(spec, subject), "right")] if subject.fact("padding_side") else []
    if "direction" in (spec.padding.options or {}):
        changes.append(set_to(_direction(spec), "Right"))
    return repaired(*changes)


def _place(spec: TokenizerSpec, subject: Subject) -> Place:
    fact = subject.fact("padding_side")
    if fact is None:
        return _direction(spec)
    return place_of(fact, "padding")


def _direction(spec: TokenizerSpec) -> Place:
    """Return the direction in the tokenizer's padding block, or the block without it."""
    block, options = stage(spec, "padding"), spec.padding.options or {}
    if block.pointer and "direction" in options:
        return replace(block, pointer=f"{block.pointer}/direction", value=options["direction"])
    return block
