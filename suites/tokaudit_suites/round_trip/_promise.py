"""What a tokenizer's own declaration promises to keep of a text.

This is not a check: it reads the declared pipeline, and says what text should come back.
"""

from __future__ import annotations

from collections.abc import Callable

from tokaudit.foundation.errors import NotApplicable
from tokaudit_reference.spec import Component, ModelType, TokenizerSpec, TokenType

Expected = Callable[[str], str]


def promised(spec: TokenizerSpec) -> Expected:
    """The text that should come back for a text; raises `NotApplicable` for a declared loss."""
    if not _represents_everything(spec):
        raise NotApplicable("the vocabulary has no bytes to fall back on, so text can become unk")
    for component in (spec.normalizer, spec.pre_tokenizer):
        _refuse_declared_loss(component)
    kept = [step.effects.keeps for step in spec.normalizer.steps]

    def expected(text: str) -> str:
        for keeps in kept:
            text = keeps(text)
        return text

    return expected


def _represents_everything(spec: TokenizerSpec) -> bool:
    if spec.model_type is ModelType.WORDPIECE or spec.end_of_word_suffix:
        return False
    return spec.byte_level or any(p.token_type is TokenType.BYTE for p in spec.pieces.values())


def _refuse_declared_loss(component: Component) -> None:
    for step in component.steps:
        if step.effects.loses:
            stage = component.stage.replace("_", "-")
            what = f"the {stage} declares a loss: {step.type} {step.effects.loses}"
            raise NotApplicable(what)


def same_but_for_first_space(came_back: str, expected: str) -> bool:
    """Whether the texts agree, allowing the space that a dummy prefix adds or takes.

    >>> same_but_for_first_space(" a", "a"), same_but_for_first_space("b", "a")
    (True, False)
    """
    return came_back in (expected, expected.removeprefix(" "), " " + expected)
