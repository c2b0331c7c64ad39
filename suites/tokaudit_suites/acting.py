"""A stage as it acts: defaults written out, and options that change nothing there left out.

One tool saves what another leaves to the default, so files that differ may well act alike.

Source: the serializers of Hugging Face's tokenizers, `ByteLevel` and `Metaspace` among them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tokaudit_reference.spec import CHILDREN, TokenizerSpec, components_of

Step = dict[str, Any]
BYTE_LEVEL = {"add_prefix_space": True, "trim_offsets": True, "use_regex": True}
BYTE_LEVEL_READS = {
    "pre_tokenizer": ("add_prefix_space", "use_regex"),
    "post_processor": ("add_prefix_space", "trim_offsets"),
}
ONLY_OFFSETS = ("add_prefix_space", "trim_offsets")  # what they do in a post-processor


def acting_steps(spec: TokenizerSpec, name: str) -> list[Step]:
    """The steps of a stage, one way of writing them for each way of acting."""
    steps = components_of(getattr(spec, name), CHILDREN[name])
    gone = _replaced(spec) if name == "pre_tokenizer" else set()
    return [
        _step(name, step)
        for step in steps
        if not _is_text_alone(step) and not any(part in _literal(step) for part in gone)
    ]


def steps_for_ids(spec: TokenizerSpec) -> list[Step]:
    """The post-processor's steps without those, and that in them, which change offsets alone."""
    steps = acting_steps(spec, "post_processor")
    kept = [step for step in steps if step.get("type") != "ByteLevel"]
    return [{key: step[key] for key in step if key not in ONLY_OFFSETS} for step in kept]


def _step(name: str, step: Mapping[str, Any]) -> Step:
    if step.get("type") == "ByteLevel":
        read = BYTE_LEVEL_READS.get(name, ())
        return {"type": "ByteLevel"} | {key: step.get(key, BYTE_LEVEL[key]) for key in read}
    if step.get("type") == "Metaspace":
        old = "always" if step.get("add_prefix_space", True) else "never"
        return {
            "type": "Metaspace",
            "replacement": step.get("replacement", "\u2581"),
            "prepend_scheme": step.get("prepend_scheme") or old,
            "split": name == "decoder" or step.get("split", True),
        }
    return dict(step)


def _is_text_alone(step: Mapping[str, Any]) -> bool:
    """Whether a step is a template that adds no special token."""
    is_template = step.get("type") == "TemplateProcessing"
    shape = [list(_parts(step, "single")), list(_parts(step, "pair"))]
    return is_template and shape == [["A"], ["A", "B"]]


def _parts(step: Mapping[str, Any], key: str) -> Iterator[Any]:
    """`A` and `B` of a template, and None for anything else."""
    listed = step.get(key)
    for part in listed if isinstance(listed, list) else ():
        sequence = part.get("Sequence") if isinstance(part, Mapping) else None
        yield sequence.get("id") if isinstance(sequence, Mapping) else None


def _replaced(spec: TokenizerSpec) -> set[str]:
    """Texts of which the normalizer leaves none, so that no split at them can happen."""
    found: set[str] = set()
    written = ""
    for step in reversed(components_of(spec.normalizer, CHILDREN["normalizer"])):
        if step.get("type") not in ("Replace", "Prepend"):
            break  # what comes before may be written again by it, as NFKC writes spaces
        written += str(step.get("content", "")) + str(step.get("prepend", ""))
        literal = _literal(step)
        if literal and literal not in written:
            found.add(literal)
    return found


def _literal(step: Mapping[str, Any]) -> str:
    """The text that a step looks for; nothing for a pattern."""
    pattern = step.get("pattern")
    found = pattern.get("String") if isinstance(pattern, Mapping) else None
    return found if isinstance(found, str) else ""
