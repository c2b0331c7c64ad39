"""What transformers 5 builds around a vocabulary, by class, whatever tokenizer.json states.

Most classes there take vocabulary, merges and post-processor from `tokenizer.json`, and build
normalizer and pre-tokenizer themselves from the settings in `tokenizer_config.json`.  A class that
is not here is one whose pipeline was not read, or that takes the file as it is.

Source: `models/*/tokenization_*.py` and `tokenization_utils_tokenizers.py` in Hugging Face's
transformers 5.23 (`convert_to_native_format`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from tokaudit.runtimes.request import Pipeline
from tokaudit.subject.formats.common.bpe_classes import CLIP_AROUND, QWEN2_AROUND
from tokaudit.subject.formats.common.settings import setting
from tokaudit.subject.material import Subject
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_reference.steps.normalizers.bert_normalizer import BertNormalizer
from tokaudit_reference.steps.normalizers.lowercase import Lowercase
from tokaudit_reference.steps.normalizers.nfc import NFC
from tokaudit_reference.steps.normalizers.replace import Replace
from tokaudit_reference.steps.pattern import Pattern
from tokaudit_reference.steps.pre_tokenizers.bert_pre_tokenizer import BertPreTokenizer
from tokaudit_reference.steps.pre_tokenizers.byte_level import ByteLevel
from tokaudit_reference.steps.pre_tokenizers.digits import Digits
from tokaudit_reference.steps.pre_tokenizers.metaspace import Metaspace
from tokaudit_reference.steps.pre_tokenizers.split import Split
from tokaudit_reference.steps.pre_tokenizers.whitespace_split import WhitespaceSplit
from tokaudit_reference.steps.sequence import sequence
from tokaudit_reference.text.published_patterns import QWEN35

Options = Mapping[str, Any]
Builder = Callable[[Subject, TokenizerSpec], Pipeline]
MARK = "▁"


def flag(subject: Subject, name: str, default: bool) -> bool:
    """A switch that a class takes from `tokenizer_config.json`, or its default."""
    fact = setting(subject, name)
    return default if fact is None else bool(fact.value)


def _bytes(subject: Subject, *, use_regex: bool = True) -> dict[str, Any]:
    first = flag(subject, "add_prefix_space", False)
    return ByteLevel.stated(add_prefix_space=first, trim_offsets=True, use_regex=use_regex)


def gpt2(subject: Subject, spec: TokenizerSpec) -> Pipeline:
    """Bytes, split by GPT-2's pattern."""
    return Pipeline(None, _bytes(subject))


def neox(subject: Subject, spec: TokenizerSpec) -> Pipeline:
    """GPT-2's behind composed text."""
    return Pipeline(NFC().to_json(), _bytes(subject))


def cohere(subject: Subject, spec: TokenizerSpec) -> Pipeline:
    """GPT-2's behind composed text and single digits."""
    digits = Digits(individual_digits=True).to_json()
    return Pipeline(NFC().to_json(), sequence("pre_tokenizer", [digits, _bytes(subject)]))


def qwen2(subject: Subject, spec: TokenizerSpec) -> Pipeline:
    """Qwen 2's pattern behind composed text."""
    return Pipeline(QWEN2_AROUND.normalizer, QWEN2_AROUND.pre_tokenizer)


def qwen35(subject: Subject, spec: TokenizerSpec) -> Pipeline:
    """Qwen 3.5's pattern behind composed text."""
    cut = Split(Pattern(QWEN35, is_regex=True), "Isolated", False).to_json()
    steps = [cut, _bytes(subject, use_regex=False)]
    return Pipeline(NFC().to_json(), sequence("pre_tokenizer", steps))


def clip(subject: Subject, spec: TokenizerSpec) -> Pipeline:
    """CLIP's pattern behind composed text in small letters."""
    return Pipeline(CLIP_AROUND.normalizer, CLIP_AROUND.pre_tokenizer)


def bert(subject: Subject, spec: TokenizerSpec) -> Pipeline:
    """BERT's words; text becomes small letters unless a file says otherwise."""
    accents = setting(subject, "strip_accents")
    step = BertNormalizer(
        handle_chinese_chars=flag(subject, "tokenize_chinese_chars", True),
        strip_accents=None if accents is None else bool(accents.value),
        lowercase=flag(subject, "do_lower_case", True),
    )
    return Pipeline(step.to_json(), BertPreTokenizer().to_json())


def llama(subject: Subject, spec: TokenizerSpec) -> Pipeline:
    """The mark before the first piece, or before every one in the manner of old files."""
    scheme = "always" if flag(subject, "legacy", False) else "first"
    if not flag(subject, "add_prefix_space", True):
        scheme = "never"
    return Pipeline(None, Metaspace(MARK, scheme, split=False).to_json())


def gemma(subject: Subject, spec: TokenizerSpec) -> Pipeline:
    """The mark for every space, and none before the text."""
    cut = Split(Pattern(" "), "MergedWithPrevious", False).to_json()
    return Pipeline(Replace(Pattern(" "), MARK).to_json(), cut)


def siglip2(subject: Subject, spec: TokenizerSpec) -> Pipeline:
    """Gemma's behind small letters."""
    built = gemma(subject, spec)
    steps = [Lowercase().to_json(), built.normalizer or {}]
    return replace(built, normalizer=sequence("normalizer", steps))


def unigram(subject: Subject, spec: TokenizerSpec) -> Pipeline:
    """The charsmap of the file and nothing else of its normalizer; words with the mark."""
    maps = [s.to_json() for s in spec.normalizer.steps if s.effects.by_charsmap]
    scheme = "always" if flag(subject, "add_prefix_space", True) else "never"
    steps = [WhitespaceSplit().to_json(), Metaspace(MARK, scheme).to_json()]
    return Pipeline(maps[0] if maps else None, sequence("pre_tokenizer", steps))


PIPELINES: Mapping[str, Builder] = {
    **dict.fromkeys(
        ("Blenderbot", "CodeGen", "Deberta", "GPT2", "LayoutLMv3", "Luke", "Roberta", "Whisper"),
        gpt2,
    ),
    **dict.fromkeys(("Bart", "LED", "Longformer", "Mvp"), gpt2),  # other names of Roberta's
    **dict.fromkeys(("Bert", "Funnel", "LayoutLMv2", "MPNet", "Splinter"), bert),
    **dict.fromkeys(("DistilBert", "Electra", "LayoutLM", "Lxmert"), bert),  # other names of Bert's
    **dict.fromkeys(("MobileBert", "SqueezeBert"), bert),
    **dict.fromkeys(("T5", "XLMRoberta", "Camembert"), unigram),
    "Gemma": gemma,
    "Siglip2": siglip2,
    "CLIP": clip,
    "Cohere": cohere,
    "GPTNeoX": neox,
    "Llama": llama,
    "Qwen2": qwen2,
    "Qwen3_5": qwen35,
}
"""The name of a class without `Tokenizer`, and the pipeline that it builds."""
