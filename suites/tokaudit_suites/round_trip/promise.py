"""What a tokenizer's own declaration promises to keep of a text.

This is not a check: it reads the declared pipeline, and says what text should come back.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from typing import Any

from tokaudit.errors import NotApplicable
from tokaudit_reference.spec import Family, PieceKind, TokenizerSpec, components_of

Expected = Callable[[str], str]
UNICODE_FORMS: dict[Any, Expected] = {
    "NFC": lambda text: unicodedata.normalize("NFC", text),
    "NFD": lambda text: unicodedata.normalize("NFD", text),
    "NFKC": lambda text: unicodedata.normalize("NFKC", text),
    "NFKD": lambda text: unicodedata.normalize("NFKD", text),
}
HARMLESS = ("ByteLevel", "Prepend", "Metaspace")


def promised(spec: TokenizerSpec) -> Expected:
    """The text that should come back for a text; raises `NotApplicable` for a declared loss."""
    if not _represents_everything(spec):
        raise NotApplicable("the vocabulary has no bytes to fall back on, so text can become unk")
    steps = [_step(step) for step in components_of(spec.normalizer, "normalizers")]
    for step in components_of(spec.pre_tokenizer, "pretokenizers"):
        _refuse_dropping(step)

    def expected(text: str) -> str:
        for step in steps:
            text = step(text)
        return text

    return expected


def _represents_everything(spec: TokenizerSpec) -> bool:
    if spec.family is Family.WORDPIECE or spec.word_end_suffix:
        return False
    return spec.byte_level or any(p.kind is PieceKind.BYTE for p in spec.pieces.values())


def _step(options: Mapping[str, Any]) -> Expected:
    kind = options.get("type")
    if kind in UNICODE_FORMS:
        return UNICODE_FORMS[kind]
    if kind in HARMLESS or _is_space_mark(options):
        return lambda text: text
    if kind == "SentencePiece" and not options.get("precompiled_charsmap"):
        if options.get("remove_extra_whitespaces"):
            raise NotApplicable("the normalizer declares that it removes extra whitespace")
        return lambda text: text
    raise NotApplicable(f"the normalizer declares a loss: {kind}")


def _is_space_mark(options: Mapping[str, Any]) -> bool:
    pattern = options.get("pattern") or {}
    return options.get("type") == "Replace" and pattern.get("String") == " "


def _refuse_dropping(step: Mapping[str, Any]) -> None:
    drops = step.get("behavior") == "Removed" and not _covers_everything(step)
    if drops or step.get("type") in ("Whitespace", "WhitespaceSplit", "BertPreTokenizer"):
        raise NotApplicable(f"the pre-tokenizer declares that it drops text: {step.get('type')}")


def _covers_everything(step: Mapping[str, Any]) -> bool:
    """A tiktoken pattern keeps its matches; those in use match every character."""
    return bool(step.get("invert")) and "\\s+" in str((step.get("pattern") or {}).get("Regex"))


def same_but_for_first_space(came_back: str, expected: str) -> bool:
    """Whether the texts agree, allowing the space that a dummy prefix adds or takes.

    >>> same_but_for_first_space(" a", "a"), same_but_for_first_space("b", "a")
    (True, False)
    """
    return came_back in (expected, expected.removeprefix(" "), " " + expected)
