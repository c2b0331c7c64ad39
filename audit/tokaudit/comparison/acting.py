"""A stage as it acts: defaults written out, and options that change nothing there left out.

One tool saves what another leaves to the default, so files that differ may well act alike.

Source: the serializers of Hugging Face's tokenizers, `ByteLevel` and `Metaspace` among them.
"""

from __future__ import annotations

from tokaudit_reference.spec import Component, TokenizerSpec
from tokaudit_reference.steps.step import Step


def acting_steps(spec: TokenizerSpec, name: str) -> list[Step]:
    """The steps of a stage, one way of writing them for each way of acting."""
    component: Component = getattr(spec, name)
    gone = _replaced(spec) if name == "pre_tokenizer" else set()
    steps = [step.acts_as() for step in component.steps if not _looks_for(step, gone)]
    return [step for step in steps if step is not None]


def steps_for_ids(spec: TokenizerSpec) -> list[Step]:
    """The post-processor's steps without those, and that in them, which change offsets alone."""
    steps = [step.acts_as(ids_only=True) for step in spec.post_processor.steps]
    return [step for step in steps if step is not None]


def _looks_for(step: Step, gone: set[str]) -> bool:
    """Whether a step looks for a text of which there is none."""
    literal = _literal(step)
    return any(part in literal for part in gone)


def _replaced(spec: TokenizerSpec) -> set[str]:
    """Texts of which the normalizer leaves none, so that no split at them can happen."""
    found: set[str] = set()
    written = ""
    for step in reversed(spec.normalizer.steps):
        if step.effects.writes is None:
            break  # what comes before may be written again by it, as NFKC writes spaces
        written += step.effects.writes
        literal = _literal(step)
        if literal and literal not in written:
            found.add(literal)
    return found


def _literal(step: Step) -> str:
    """The text that a step looks for; nothing for a pattern."""
    pattern = step.effects.pattern
    return pattern.literal if pattern else ""
