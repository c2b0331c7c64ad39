"""A GGUF file as its converter meant it: with the steps of the original tokenizer.

llama.cpp reads the file by rules of its own, which no converter can change.  This is the same spec
without them, to tell what the file does from what every file of its kind does there.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tokaudit_reference.spec import Component, Dialect, ModelType, Standing, TokenizerSpec
from tokaudit_reference.steps.decoders.byte_fallback import ByteFallback
from tokaudit_reference.steps.decoders.bytes_joined import Bytes
from tokaudit_reference.steps.decoders.fuse import Fuse
from tokaudit_reference.steps.decoders.replace import Replace
from tokaudit_reference.steps.decoders.sentencepiece import SentencePiece as Decoder
from tokaudit_reference.steps.decoders.word_piece import WordPiece
from tokaudit_reference.steps.marked_spaces import SPACE
from tokaudit_reference.steps.pattern import Pattern
from tokaudit_reference.steps.pre_tokenizers.bert_pre_tokenizer import BertPreTokenizer
from tokaudit_reference.steps.sequence import sequence

RULE = "as the file was meant, without llama.cpp's own rules"


def as_meant(spec: TokenizerSpec) -> TokenizerSpec:
    """Replace the engine's steps of a spec by published ones; leave other specs unchanged."""
    if spec.dialect is not Dialect.LLAMA_CPP:
        return spec
    found = replace(
        spec,
        dialect=Dialect.PUBLISHED,
        control_from_text=spec.model_type is not ModelType.UNIGRAM,
        normalizer=_published(spec.normalizer),
        pre_tokenizer=_published(spec.pre_tokenizer),
        decoder=_implied(_decoder(spec)),
    )
    if spec.model_type is not ModelType.WORDPIECE:
        return found
    return replace(found, pre_tokenizer=_implied(BertPreTokenizer().to_json()))


def _published(component: Component) -> Component:
    """Replace a component by what it stands for, if it is one step of the engine's."""
    meant = [step.published() for step in component.steps]
    return _implied(meant[0]) if len(meant) == 1 and meant[0] is not None else component


def _decoder(spec: TokenizerSpec) -> dict[str, Any] | None:
    if spec.byte_level:
        return Bytes().to_json()
    if spec.model_type is ModelType.WORDPIECE:
        return WordPiece.stated(prefix=spec.continuing_subword_prefix)
    if spec.merges is not None:
        steps = (Replace(Pattern(SPACE), " "), ByteFallback(), Fuse())
        return sequence("decoder", [step.to_json() for step in steps])
    return Decoder(remove_extra_whitespaces=False).to_json()


def _implied(options: dict[str, Any] | None) -> Component:
    return Component(options, Standing.IMPLIED, RULE)
