"""BERT's normalizer: clean text, space out ideographs, strip accents, lower-case.

Its marks and controls are those of Unicode 8, and spacing marks are no accents to it.

Source: `BasicTokenizer` in the BERT release, and `BertNormalizer` in Hugging Face's tokenizers.
"""

from __future__ import annotations

import re

from tokaudit_reference.steps.normalizers import unicode_forms
from tokaudit_reference.steps.normalizers.simple import lowercase
from tokaudit_reference.steps.normalizers.step import Options, Step, character_wise, in_order
from tokaudit_reference.text.unicode_then import category
from tokaudit_reference.text.white_space import WHITE_SPACE

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
OTHER = ("Cc", "Cf", "Co", "Cs")  # what is not assigned yet stays
SPACED_OUT = re.compile("[" + "".join(f"{chr(a)}-{chr(b)}" for a, b in IDEOGRAPHS) + "]")


def build(options: Options) -> Step:
    """The steps that the options switch on, in BERT's order; accents follow case if not stated."""
    lower = bool(options.get("lowercase", True))
    accents = options.get("strip_accents")
    steps: list[Step] = []
    if options.get("clean_text", True):
        steps.append(character_wise(cleaned, clean))
    if options.get("handle_chinese_chars", True):
        steps.append(character_wise(space_out_ideographs, space_out_ideographs))
    if lower if accents is None else accents:
        steps.append(unicode_forms.BUILDERS["NFD"]({}))
        steps.append(character_wise(strip_accents, strip_accents))
    if lower:
        steps.append(character_wise(lowercase, lowercase))
    return in_order(steps)


def clean(text: str) -> str:
    """Without control characters, and with every white space a space.

    >>> clean("a\\x00b\\tc")
    'ab c'
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join([cleaned(character) for character in text])


def cleaned(character: str) -> str:
    """A space for white space, nothing for what is no character to read."""
    if character in "\t\n\r":
        return " "
    if character == "\ufffd" or category(character, 8) in OTHER:
        return ""
    return " " if character in WHITE_SPACE else character


def strip_accents(text: str) -> str:
    """The text without nonspacing marks; those that take up space stay.

    >>> strip_accents("e\u0301\u0903") == "e\u0903"
    True
    """
    if text.isascii():
        return text
    return "".join([c for c in text if category(c, 8) != "Mn"])


def space_out_ideographs(text: str) -> str:
    """Each ideograph between two spaces."""
    return text if text.isascii() else SPACED_OUT.sub(r" \g<0> ", text)


BUILDERS = {"BertNormalizer": build}
