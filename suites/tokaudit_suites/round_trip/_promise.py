"""What a tokenizer's own declaration promises to keep of a text.

This is not a check: it reads the declared pipeline, and says what text should come back.
"""

from __future__ import annotations

from collections.abc import Callable

from tokaudit.comparison.texts.coming_back import ComingBack
from tokaudit.foundation.errors import NotApplicable
from tokaudit_reference.spec import Component, ModelType, TokenizerSpec, TokenType

Expected = Callable[[str], str]


def promised(spec: TokenizerSpec) -> Expected:
    """The text that should come back for a text; raises `NotApplicable` for a declared loss."""
    if not _represents_everything(spec):
        raise NotApplicable("the vocabulary has no bytes to fall back on, so text can become unk")
    for component in (spec.normalizer, spec.pre_tokenizer):
        _refuse_declared_loss(component)
    return ComingBack(spec.normalizer, ()).expected


def _represents_everything(spec: TokenizerSpec) -> bool:
    if spec.model_type is ModelType.WORDPIECE or spec.end_of_word_suffix:
        return False
    return spec.byte_level or any(p.token_type is TokenType.BYTE for p in spec.every_piece())


def _refuse_declared_loss(component: Component) -> None:
    for step in component.steps:
        if step.effects.loses:
            stage = component.stage.replace("_", "-")
            what = f"the {stage} declares a loss: {step.type} {step.effects.loses}"
            raise NotApplicable(what)
