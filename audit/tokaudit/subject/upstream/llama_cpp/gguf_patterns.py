"""Split patterns of llama.cpp, one after another, by name of the rule.

Each rule has two lists: `SPLITS` are those that the models were trained with, as their
`tokenizer.json` has them; `OF_THE_ENGINE` says where llama.cpp writes them otherwise, to suit its
regular expressions.  Which name of a GGUF file stands for which rule is in `gguf_splits.toml`.

Source: `llama-vocab.cpp` in llama.cpp.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from tokaudit_reference.text.published_patterns import (
    CL100K,
    ENDINGS,
    LOWER,
    O200K,
    PATTERNS,
    QWEN2,
    QWEN35,
    SIGNS,
    SPACES,
    UPPER,
    WORDS,
)

(GPT2,) = PATTERNS["gpt2"]
DEEPSEEK = PATTERNS["deepseek"]
BEGIN = r"[^\r\n\p{L}\p{N}]?"
CASED = (rf"{BEGIN}{UPPER}*{LOWER}+", rf"{BEGIN}{UPPER}+{LOWER}*")
PATHS = r" ?[^\s\p{L}\p{N}]+[\r\n/]*"
DIGIT, NUMBER, THREE_DIGITS = r"\p{N}", r"\p{N}+", "[0-9][0-9][0-9]"
LINES = r"[\r\n]"
NO_SENTENCE_ENDS = r" ?[^(\s|.,!?…。，、।۔،)]+"
CASED_LETTERS = """
41-5a 61-7a b5-b5 c0-d6 d8-f6 f8-1ba 1bc-1bf 1c4-293 295-2af 370-373 376-377 37b-37d 37f-37f 386-386
388-38a 38c-38c 38e-3a1 3a3-3f5 3f7-481 48a-52f 531-556 10a0-10c5 13a0-13f5 13f8-13fd 1c90-1cba
1cbd-1cbf 1d00-1d2b 1d6b-1d77 1d79-1d9a 1e00-1f15 1f18-1f1d 1f20-1f45 1f48-1f4d 1f50-1f57 1f59-1f59
1f5b-1f5b 1f5d-1f5d 1f5f-1f7d 1f80-1fb4 1fb6-1fbc 1fbe-1fbe 1fc2-1fc4 1fc6-1fcc 1fd0-1fd3 1fd6-1fdb
1fe0-1fec 1ff2-1ff4 1ff6-1ffc 2102-2102 2107-2107 210a-2113 2115-2115 2119-211d 2124-2124 2126-2126
2128-2128 212a-212d 212f-2134 2139-2139 213c-213f 2145-2149 214e-214e 2183-2184 2c00-2c7b 2c7e-2ce4
2ceb-2cee 2cf2-2cf3 a640-a66d a680-a69b a722-a76f a771-a787 a78b-a78e ab70-abbf fb00-fb06 fb13-fb17
ff21-ff3a ff41-ff5a 10400-1044f 104b0-104d3 104d8-104fb 10c80-10cb2 10cc0-10cf2 118a0-118df
1e900-1e943
"""
SIGNS_OF_WIDTH = "21-2f 3a-7e ff01-ff0f ff1a-ff5e 2018-201f 3000-3002"
EAST_ASIAN = "4e00-9fa5 800-4e00 ac00-d7ff"


def _class(ranges: str) -> str:
    r"""Build a character class from ranges of code points.

    >>> print(_class("41-5a 1e900-1e943"))
    [\x{41}-\x{5a}\x{1e900}-\x{1e943}]
    """
    pairs = (map(_code_point, range.split("-")) for range in ranges.split())
    return f"[{''.join('-'.join(pair) for pair in pairs)}]"


def _code_point(digits: str) -> str:
    return rf"\x{{{digits}}}"


def _any(*branches: str) -> str:
    return "|".join(branches)


WIDE_SPACES = _any(*(rf"\s{{{2**n}}}(?!\S)" for n in range(9, 1, -1)), r"\s{1,2}(?!\S)", r"\s{1}")
CASED_ENDINGS = tuple(rf"{words}{ENDINGS}?" for words in CASED)

# The name of the rule, and the patterns.
SPLITS: Mapping[str, tuple[str, ...]] = {
    "default": (r"[\p{P}\$\+<=>\^~\|]+", GPT2, NUMBER, THREE_DIGITS),
    "gpt-2": (GPT2,),
    "starcoder": (DIGIT, GPT2),
    "falcon": (r"[\p{P}\$\+<=>\^~\|`]+", GPT2, THREE_DIGITS),
    "llama3": (CL100K,),
    "jais-2": (_any(ENDINGS, WORDS, r"\p{N}{1,3}", SIGNS, r"\s*[\r\n]+", WIDE_SPACES),),
    "minicpm5": (r"\p{N}{1,3}", _any(ENDINGS, WORDS, NUMBER, SIGNS, SPACES)),
    "qwen2": (QWEN2,),
    "qwen35": (QWEN35,),
    "ufakzeka": (_any(WORDS, DIGIT, SIGNS, SPACES),),
    "laguna": (r"[^\n]+|[\n]+", QWEN2),
    "seed-coder": (_any(ENDINGS, WORDS, DIGIT, r" ?[^\s\p{L}\p{N}\r\n]+", SPACES),),
    "bailingmoe": (
        _any(r"'(?i:[sdmt]|ll|ve|re)", WORDS, DIGIT, SIGNS, r"\s*[\r\n]", r"\s+(?!\S)", r"\s+"),
    ),
    "exaone-moe": (
        _any(
            ENDINGS,
            rf"{BEGIN}(?:\p{{L}}\p{{M}}*(?: \p{{L}}\p{{M}}*)*)+",
            DIGIT,
            r" ?[^\s\p{L}\p{N}]+[\r\n/]?",
            r"\s*[\r\n]",
            r"\s+(?!\S)",
            r"\s+",
        ),
    ),
    "gpt-4o": (O200K,),
    "tekken": (_any(*CASED, DIGIT, PATHS, SPACES),),
    "tiny_aya": (r"\d{1,3}(?=(?:\d{3})*\b)", O200K),
    "youtu": (
        "[가-힣ㄱ-ㆎ]+|[！…“”‘’—：；，、-〿︰-﹏]+|[ㄅ-ㄯ]+|[一-龥\u3040-ゟ゠-ヿ]+",
        _any(*CASED_ENDINGS, DIGIT, PATHS, SPACES),
    ),
    "deepseek-llm": (
        LINES,
        rf"\s?{_class(CASED_LETTERS)}+",
        rf"\s?{_class(SIGNS_OF_WIDTH)}+",
        r"\s+$",
        f"{_class(EAST_ASIAN)}+",
        NUMBER,
    ),
    "deepseek-coder": (LINES, r"\s?\p{L}+", r"\s?\p{P}+", f"{_class(EAST_ASIAN)}+", DIGIT),
    "deepseek-v3": DEEPSEEK,
    "bloom": (NO_SENTENCE_ENDS,),
    "viking": (NO_SENTENCE_ENDS, DIGIT),
    "chameleon": (
        "<sentinel:[0-9]+>",
        "(IMGIMG)((A|B|C|D|E|F|G|H|I){1,4})Z",
        r"([\t\n]|    |  )",
        DIGIT,
        r"[\p{P}!-/:-@\[-`{-~]",
        GPT2,
    ),
}
SPELLED = "(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])"
"""English endings in either case, without the letters beyond ASCII that folding would add."""


def _letters(which: str) -> tuple[str, str]:
    r"""Build the two word patterns, with case only for ASCII letters."""
    first, last = rf"((?=[{which}])([^a-z]))", rf"((?=[{which}])([^A-Z]))"
    return rf"{BEGIN}{first}*{last}+", rf"{BEGIN}{first}+{last}*"


def _as_gpt4o(which: str) -> str:
    words = (f"{each}{SPELLED}?" for each in _letters(which))
    return _any(*words, r"\p{N}{1,3}", PATHS, SPACES)


THREES = r"[^\p{N}]*(?:\p{N}{1,2}(?=(?:\p{N}{3})*(?!\p{N}))|\p{N}{3})"
"""Groups of three digits from the right, the first of them with the text before it."""
OF_THE_ENGINE: Mapping[str, tuple[str, ...]] = {
    "tiny_aya": (THREES, O200K.replace(ENDINGS, SPELLED)),
    "tekken": (_any(*_letters(r"\p{L}"), DIGIT, PATHS, SPACES),),
    "gpt-4o": (_as_gpt4o(r"\p{L}"),),
    "granite-embed-multi-97m": (_as_gpt4o(r"\p{L}\p{M}"),),
    "bailingmoe": (
        _any(
            "'(?:[sSdDmMtT]|[lL][lL]|[vV][eE]|[rR][eE])",
            *(WORDS, DIGIT, SIGNS, r"\s*[\r\n]", r"\s+(?!\S)", r"\s+"),
        ),
    ),
}


def of_the_engine(pre: str, rule: str) -> tuple[str, ...]:
    """Return llama.cpp's own patterns for a name that splits by a rule."""
    written = OF_THE_ENGINE.get(pre) or OF_THE_ENGINE.get(rule)
    return written or tuple(map(_as_written, SPLITS[rule]))


def _as_written(pattern: str) -> str:
    r"""Replace constructs of a pattern that only a larger engine supports.

    >>> _as_written(r"[\x{41}-\x{5a}]|\s+$")
    '[A-Z]|\\s+\\Z'
    """
    spelled = pattern.replace(ENDINGS, SPELLED).replace(r"\s+$", r"\s+\Z")
    return re.sub(r"\\x\{([0-9a-f]+)\}", lambda code: chr(int(code[1], 16)), spelled)
