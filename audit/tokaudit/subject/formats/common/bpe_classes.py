"""What the tokenizer classes of transformers do around a `vocab.json` and a `merges.txt`.

The two files state pieces and merges and no pipeline; where `tokenizer_config.json` names the
class, the class implies one.  A class that is not here implies nothing.

Source: `convert_slow_tokenizer.py` in Hugging Face's transformers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from tokaudit.subject.formats.common.settings import setting, tokenizer_class
from tokaudit.subject.material import Subject
from tokaudit_reference.steps.decoders.bpe_decoder import BPEDecoder
from tokaudit_reference.steps.normalizers.bert_normalizer import BertNormalizer
from tokaudit_reference.steps.normalizers.lowercase import Lowercase
from tokaudit_reference.steps.normalizers.nfc import NFC
from tokaudit_reference.steps.normalizers.replace import Replace
from tokaudit_reference.steps.pattern import Pattern
from tokaudit_reference.steps.pre_tokenizers.bert_pre_tokenizer import BertPreTokenizer
from tokaudit_reference.steps.pre_tokenizers.byte_level import ByteLevel
from tokaudit_reference.steps.pre_tokenizers.split import Split
from tokaudit_reference.steps.sequence import sequence
from tokaudit_reference.text.published_patterns import QWEN2

Options = Mapping[str, Any]
SUFFIX = "</w>"
GPT2_SPECIAL = ("<|endoftext|>",)  # what the class is made with, where the vocabulary has it
CLIP_SPECIAL = ("<|startoftext|>", "<|endoftext|>")
CLIP = (
    r"<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d|"
    r"[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"
)
BYTES = ByteLevel.stated(add_prefix_space=False, trim_offsets=True)


@dataclass(frozen=True)
class Around:
    """A class's pipeline, its unknown token, the tokens it makes special, and how it spells.

    `open` is one whose pipeline no steps say; `goes_on` marks pieces that do not end a word, in the
    vocabulary of a class whose merges mark those that do.
    """

    normalizer: Options | None
    pre_tokenizer: Options
    decoder: Options
    unknown: str | None = None
    special: tuple[str, ...] = ()
    byte_level: bool = True
    suffix: str = ""
    open: bool = False
    goes_on: str = ""


def _split(pattern: str, behavior: str, invert: bool) -> Options:
    return Split(Pattern(pattern, is_regex=True), behavior, invert).to_json()


def _words(normalizer: Options, *special: str) -> Around:
    """Words between spaces and punctuation, and characters within them."""
    return Around(
        BertNormalizer.stated(clean_text=True, handle_chinese_chars=True, **normalizer),
        BertPreTokenizer().to_json(),
        BPEDecoder(SUFFIX).to_json(),
        "<unk>",
        ("<unk>", *special),
        byte_level=False,
        suffix=SUFFIX,
    )


def gpt2(subject: Subject) -> Around:
    """GPT-2's: bytes, split by its pattern; whether a space comes first is a setting."""
    fact = setting(subject, "add_prefix_space")
    first = fact is not None and fact.value is True
    return Around(None, {**BYTES, "add_prefix_space": first}, BYTES, special=GPT2_SPECIAL)


CLIP_AROUND = Around(
    sequence(
        "normalizer",
        [
            NFC().to_json(),
            Replace(Pattern(r"\s+", is_regex=True), " ").to_json(),
            Lowercase().to_json(),
        ],
    ),
    sequence("pre_tokenizer", [_split(CLIP, "Removed", True), BYTES]),
    {**BYTES, "add_prefix_space": True},
    "<|endoftext|>",
    CLIP_SPECIAL,
    suffix=SUFFIX,
)
QWEN2_AROUND = Around(
    NFC().to_json(),
    sequence("pre_tokenizer", [_split(QWEN2, "Isolated", False), {**BYTES, "use_regex": False}]),
    BYTES,
)
GPT2_CLASSES = (
    *("Bart", "Blenderbot", "CodeGen", "Deberta", "GPT2", "LED", "Longformer", "Mvp"),
    *("Roberta", "Whisper"),
)
GOES_ON = "@@"
MARKED = Around(
    None, {}, {}, "<unk>", ("<unk>",), byte_level=False, suffix=SUFFIX, open=True, goes_on=GOES_ON
)
OTHERS = {
    "CTRLTokenizer": MARKED,
    "BlenderbotSmallTokenizer": replace(
        MARKED, unknown="__unk__", special=("__start__", "__end__", "__unk__", "__null__")
    ),
    "ClvpTokenizer": Around(None, {}, {}, "[UNK]", ("[UNK]", "[STOP]"), open=True),
    "CLIPTokenizer": CLIP_AROUND,
    "OpenAIGPTTokenizer": _words({"strip_accents": None, "lowercase": True}),
    "HerbertTokenizer": _words(
        {"strip_accents": False, "lowercase": False}, "<s>", "</s>", "<pad>", "<mask>"
    ),
    "Qwen2Tokenizer": QWEN2_AROUND,
}


def around(subject: Subject) -> tuple[Around, str] | None:
    """What the named class implies, with the rule; None where no class is named, or another."""
    fact = tokenizer_class(subject)
    name = "" if fact is None else str(fact.value)
    known = OTHERS.get(name)
    if name.removesuffix("Tokenizer") in GPT2_CLASSES and name.endswith("Tokenizer"):
        known = gpt2(subject)
    if fact is None or known is None:
        return None
    return known, f"{fact.file} names {name}"
