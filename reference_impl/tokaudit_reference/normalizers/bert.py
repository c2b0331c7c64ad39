"""BERT's normalizer: clean text, space out ideographs, strip accents, lower-case.

Source: `BasicTokenizer` in the BERT release, and `BertNormalizer` in Hugging Face's tokenizers.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from typing import Any

from tokaudit_reference.normalizers.simple import lowercase, strip_accents

IDEOGRAPHS = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B920, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)
WHITE_SPACE = frozenset("\t\n\r \x0b\x0c\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000") | {
    chr(code) for code in range(0x2000, 0x200B)
}


def build(options: Mapping[str, Any]) -> Callable[[str], str]:
    """The steps that the options switch on, in BERT's order; accents follow case if not stated."""
    lower = bool(options.get("lowercase", True))
    accents = options.get("strip_accents")
    steps: list[Callable[[str], str]] = []
    if options.get("clean_text", True):
        steps.append(clean)
    if options.get("handle_chinese_chars", True):
        steps.append(space_out_ideographs)
    if lower if accents is None else accents:
        steps.append(lambda text: strip_accents(unicodedata.normalize("NFD", text)))
    if lower:
        steps.append(lowercase)

    def apply(text: str) -> str:
        for step in steps:
            text = step(text)
        return text

    return apply


def clean(text: str) -> str:
    """Without control characters, and with every white space a space.

    >>> clean("a\\x00b\\tc")
    'ab c'
    """
    kept = (c for c in text if c in WHITE_SPACE or not _control(c))
    return "".join(" " if c in WHITE_SPACE else c for c in kept)


def _control(character: str) -> bool:
    return character in "\x00\ufffd" or unicodedata.category(character)[0] == "C"


def space_out_ideographs(text: str) -> str:
    """Each ideograph between two spaces."""
    return "".join(f" {c} " if _ideograph(ord(c)) else c for c in text)


def _ideograph(code: int) -> bool:
    return any(low <= code <= high for low, high in IDEOGRAPHS)
