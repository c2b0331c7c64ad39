"""Inputs prepared in another shape than the model expects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from tokaudit.plugin import Basis, Finding, Harm, Place, Severity, check
from tokaudit.subject.formats.common.settings import setting
from tokaudit.subject.upstream.checkpoints import first_tokens_of_towers
from tokaudit.subject.upstream.loading_class import class_of
from tokaudit.subject.upstream.model_class import Does, endings
from tokaudit.subject.upstream.setting_key import compared_by
from tokaudit.subject.upstream.tokenizer_class import ANY, AS_STATED, setting_of
from tokaudit_suites.config._compared_keys import ComparedKeys, Rule, RuleContext
from tokaudit_suites.shared.repairs import person_decides, repaired
from tokaudit_suites.shared.repairs import setting as set_in
from tokaudit_suites.shared.stated_key import StatedKey

NAMED, MODEL = "tokenizer_config.json", "config.json"
INPUTS, MASK, TYPES = "model_input_names", "attention_mask", "token_type_ids"
TYPE_ROWS = "type_vocab_size"


@check(
    "config/model-inputs",
    title="Inputs have the shape that the model takes",
    why="The tokenizer and the processor make the masks, token types and features that the model "
    "reads. If the masks, token types or features have the wrong shape, the model stops or "
    "misreads a part of its input.",
    remedy="Correct or delete {pointer|the key} in {file|the file named}.",
    repair=person_decides("whether the model or its input is to change is not in the files"),
    severity=Severity.ERROR,
    harm=Harm.CRASH,
    basis=Basis.CROSS_FILE,
    left_to_code=True,
    incident="Whisper stops with 'expects the mel input features to be of length' another number "
    "of frames (transformers, models/whisper/modeling_whisper.py).",
)
def model_inputs(compared: ComparedKeys) -> Iterator[Finding]:
    """Compare each size with the model's config, and masks and type ids with the class."""
    for stated in compared.of("config/model-inputs"):
        yield from RULES.get(stated.key, as_the_model)(compared.context, stated)


def as_the_model(context: RuleContext, stated: StatedKey) -> Iterator[Finding]:
    """Report processor inputs whose shape differs from the model's."""
    known = compared_by("config/model-inputs")[stated.base, stated.key]
    for way in known.of_model:
        own = context.stated(MODEL, *way)
        if not _comparable(own, stated.value):
            continue
        if stated.value != (own * known.times if known.times > 1 else own):
            file = next(key.file for key in context.keys if key.base == MODEL)
            there = "/".join(way)
            message = (
                f"{stated.key} in {stated.file} is {stated.value!r}, but {there} in {file} is "
                f"{own!r}: the processor makes inputs of a shape that the model does not take."
            )
            wanted = own * known.times if known.times > 1 else own
            found = stated.reported(Severity.ERROR, message, stated.as_it_should_be(wanted))
            source = Place("config", file, f"/{there}", own)
            yield replace(found, places=(*found.places, source))
        return


def _comparable(own: Any, value: Any) -> bool:
    """Return whether both are numbers or both are texts; a two-dimensional size is neither."""
    return any(type(own) is kind and type(value) is kind for kind in (int, str))


def a_mask(context: RuleContext, stated: StatedKey) -> Iterator[Finding]:
    """Report a missing attention mask or type ids, or ones that the model does not take."""
    names = stated.value if isinstance(stated.value, list) else []
    expected = MASK in _of_the_class(context) if names else True
    if MASK not in names and expected:
        what = "has no" if isinstance(stated.value, list) else "is no list, and so has no"
        message = (
            f"{stated.key} in {stated.file} {what} {MASK}, so batches get no mask: the model reads "
            "padding as text."
        )
        repair = stated.as_it_should_be([*names, MASK]) if names else stated.left_out()
        yield stated.reported(Severity.WARNING, message, repair)
    if TYPES in names and _takes_no_types(context):
        message = (
            f"{stated.key} in {stated.file} has {TYPES}, but {MODEL} states no {TYPE_ROWS}: the "
            "model has no rows for token types, and generation refuses this input."
        )
        yield stated.reported(Severity.WARNING, message)


def types_of_any(context: RuleContext, stated: StatedKey) -> Iterator[Finding]:
    """A class for any tokenizer makes types in version 4, unless a file lists the inputs."""
    if _makes_all(context) and _takes_no_types(context):
        message = (
            f"{stated.key} in {stated.file} is {stated.value}, and no file lists {INPUTS}: "
            f"transformers 4 then makes {TYPES}, but {MODEL} states no {TYPE_ROWS}, and generation "
            "refuses this input."
        )
        listed = set_in(stated.file, INPUTS, ["input_ids", MASK])
        yield stated.reported(Severity.WARNING, message, repaired(listed))


def _takes_no_types(context: RuleContext) -> bool:
    """Return whether the model is a decoder whose config declares no type ids."""
    named = context.stated(MODEL, "architectures")
    names = [str(name) for name in named] if isinstance(named, list) else []
    decoders = endings(Does.DECODES_ALONE)
    decoder = bool(names) and all(name.endswith(decoders) for name in names)
    return decoder and context.stated(MODEL, TYPE_ROWS) is None


def types_there(context: RuleContext, stated: StatedKey) -> Iterator[Finding]:
    """Report type ids of the tokenizer for which the model has no row."""
    steps = (step.effects for step in context.spec.post_processor.steps)
    pieces = (piece for e in steps for piece in (*(e.one_text or ()), *(e.two_texts or ())))
    most = max((p.type_id for p in pieces if _whole(p.type_id)), default=0)
    if not isinstance(stated.value, int) or not 0 < stated.value <= most:
        return
    message = (
        f"{stated.key} in {stated.file} is {stated.value}, but the tokenizer gives the second "
        f"of two texts type {most}: pairs stop with an index error"
    )
    if TYPES in _inputs(context):
        yield stated.reported(Severity.ERROR, f"{message}.")
    elif _makes_all(context):
        who = "in transformers 4, whose class for any tokenizer makes types"
        yield stated.reported(Severity.WARNING, f"{message} {who}.")


def _makes_all(context: RuleContext) -> bool:
    """Return whether the class serves any tokenizer, and no file lists the inputs.

    Source: `model_input_names` in transformers 4.57, tokenization_utils_base.py.
    """
    fact = setting(context.subject, "tokenizer_class")
    named = "" if fact is None else str(fact.value)
    anybodys = named == AS_STATED or named.removesuffix("Fast") in ANY
    return anybodys and context.stated(NAMED, INPUTS) is None


def heads_there(context: RuleContext, stated: StatedKey) -> Iterator[Finding]:
    """Report alignment heads for word timestamps that the decoder does not have."""
    sizes = [context.stated(MODEL, f"decoder_{name}") for name in ("layers", "attention_heads")]
    pairs = stated.value if isinstance(stated.value, list) else []
    for pair in pairs:
        if not isinstance(pair, list) or len(pair) != 2 or not all(map(_whole, pair)):
            continue
        if any(_whole(size) and at >= size for at, size in zip(pair, sizes, strict=True)):
            message = (
                f"{stated.key} in {stated.file} names head {pair[1]} of layer {pair[0]}, but the "
                f"decoder has {sizes[0]} layers with {sizes[1]} heads, so the key belongs to "
                "another model."
            )
            yield stated.reported(Severity.ERROR, message, stated.left_out())
            return


def _inputs(context: RuleContext) -> str:
    """Return the inputs that the tokenizer makes, by the settings or else the class."""
    own = context.stated(NAMED, INPUTS)
    return " ".join(map(str, own)) if isinstance(own, list) else _of_the_class(context)


def _of_the_class(context: RuleContext) -> str:
    named = class_of(context.subject)
    found = setting_of(named.name, INPUTS) if named is not None else None
    return "" if found is None else found.five if len(found.five) > len("absent") else found.four


def pictures(context: RuleContext, stated: StatedKey) -> Iterator[Finding]:
    """Report images of another size than the vision tower's positions allow."""
    own = context.stated(MODEL, "vision_config", "image_size")
    fixed = _first_tokens(context) is not None
    cropped = context.stated(stated.base, "do_center_crop")
    last = "crop_size" if cropped is not False and _crops(context, stated) else "size"
    sides = stated.value if isinstance(stated.value, dict) else {}
    given = {sides.get("height"), sides.get("width")}
    if not fixed or stated.key != last or None in given or not _whole(own) or given == {own}:
        return
    message = (
        f"{stated.key} in {stated.file} is {sides['height']} x {sides['width']}, but the vision "
        f"tower of {MODEL} takes only images of {own} x {own}: the model stops, or makes another "
        "number of tokens than the processor writes."
    )
    wanted = {**sides, "height": own, "width": own}
    yield stated.reported(Severity.ERROR, message, stated.as_it_should_be(wanted))


def _crops(context: RuleContext, stated: StatedKey) -> bool:
    return isinstance(context.stated(stated.base, "crop_size"), dict)


def first_tokens(context: RuleContext, stated: StatedKey) -> Iterator[Finding]:
    """Report a processor that counts a token before the image patches wrongly."""
    own = _first_tokens(context)
    if own is None or not _whole(stated.value) or stated.value == own:
        return
    message = (
        f"{stated.key} in {stated.file} is {stated.value}, but the vision tower of {MODEL} has "
        f"{own} before its patches: the processor writes another number of tokens for an image "
        "than the model has features, and the model stops."
    )
    yield stated.reported(Severity.ERROR, message, stated.as_it_should_be(own))


def _first_tokens(context: RuleContext) -> int | None:
    """Return the number of tokens before the patches of a fixed-size tower; None for others."""
    kind = context.stated(MODEL, "vision_config", "model_type")
    return first_tokens_of_towers().get(kind) if isinstance(kind, str) else None


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


RULES: Mapping[str, Rule] = {
    "alignment_heads": heads_there,
    "crop_size": pictures,
    "num_additional_image_tokens": first_tokens,
    "size": pictures,
    "model_input_names": a_mask,
    "tokenizer_class": types_of_any,
    TYPE_ROWS: types_there,
}
