"""A GGUF file as its converter meant it: by the steps of the tokenizer that it was made from.

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
from tokaudit_reference.steps.normalizers.bert_normalizer import BertNormalizer
from tokaudit_reference.steps.normalizers.llama_cpp_unigram import LlamaCppUnigram
from tokaudit_reference.steps.normalizers.llama_cpp_words import LlamaCppWords
from tokaudit_reference.steps.normalizers.sentencepiece import SentencePiece
from tokaudit_reference.steps.pattern import Pattern
from tokaudit_reference.steps.pre_tokenizers.bert_pre_tokenizer import BertPreTokenizer
from tokaudit_reference.steps.pre_tokenizers.llama_cpp_split import LlamaCppSplit
from tokaudit_reference.steps.pre_tokenizers.split import Split
from tokaudit_reference.steps.sequence import sequence
from tokaudit_reference.steps.step import Step

RULE = "as the file was meant, without llama.cpp's own rules"


def as_meant(spec: TokenizerSpec) -> TokenizerSpec:
    """The spec with published steps in the place of the engine's; any other spec as it is."""
    if spec.dialect is not Dialect.LLAMA_CPP:
        return spec
    found = replace(spec, dialect=Dialect.PUBLISHED, decoder=_implied(_decoder(spec)))
    for step in (*spec.normalizer.steps, *spec.pre_tokenizer.steps):
        found = _without(found, step)
    return found


def splits(step: LlamaCppSplit) -> dict[str, Any] | None:
    """The splits of the `tokenizer.json` that a name stands for."""
    meant = [Split(Pattern(each, is_regex=True)).to_json() for each in step.meant]
    return sequence("pre_tokenizer", meant)


def _without(spec: TokenizerSpec, step: Step) -> TokenizerSpec:
    """The spec with one step of the engine's taken out."""
    match step:
        case LlamaCppSplit():
            return replace(spec, pre_tokenizer=_implied(splits(step)))
        case LlamaCppWords(lowercase=lower, strip_accents=accents):
            normalizer = BertNormalizer(lowercase=lower, strip_accents=accents)
            cut = _implied(BertPreTokenizer().to_json())
            return replace(spec, normalizer=_implied(normalizer.to_json()), pre_tokenizer=cut)
        case LlamaCppUnigram():
            options = SentencePiece(
                step.precompiled_charsmap, step.add_space_prefix, step.remove_extra_whitespaces
            )
            symbols = replace(options, user_defined_symbols=step.user_defined_symbols)
            return replace(spec, normalizer=_implied(symbols.to_json()), control_from_text=False)
    return spec


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
