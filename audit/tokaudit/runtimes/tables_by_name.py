r"""Asks an upstream library about one of its Unicode tables by name, for every code point.

A name is that of a component of `tokenizer.json` that consults a table (`NFC`, `Lowercase`, ...) or
a class of split patterns (`\p{L}`, `\s`).  The answer is where the library's table is not the one
of this Python, or of `regex` for classes.  Whether that excuses anything is not decided here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any
from unicodedata import category, normalize

from tokaudit_reference.steps.normalizers.bert_normalizer import (
    CLEAN_TEXT_TABLE,
    STRIP_ACCENTS_TABLE,
)
from tokaudit_reference.steps.normalizers.lowercase import Lowercase
from tokaudit_reference.steps.normalizers.nfc import NFC
from tokaudit_reference.steps.normalizers.nfd import NFD
from tokaudit_reference.steps.normalizers.nfkc import NFKC
from tokaudit_reference.steps.normalizers.nfkd import NFKD
from tokaudit_reference.steps.normalizers.strip_accents import StripAccents
from tokaudit_reference.steps.pre_tokenizers.digits import Digits
from tokaudit_reference.steps.pre_tokenizers.punctuation import Punctuation
from tokaudit_reference.text.patterns import compiled
from tokaudit_reference.text.white_space import WHITE_SPACE_TABLE

Answer = dict[str, list[int]]
# After the one, or before the other, a mark of another class changes places.
HIGH_MARK, LOW_MARK = "\u0345", "\u0334"


def of_tokenizers(names: Sequence[str]) -> Answer:
    """The tables of Hugging Face's tokenizers."""
    return {
        name: _codes(_other_class(name) if is_class(name) else TABLES[name]()) for name in names
    }


def of_tiktoken(names: Sequence[str]) -> Answer:
    """The classes of the patterns of tiktoken, which has no other tables."""
    return {name: _codes(_other_rust_class(name)) for name in names if is_class(name)}


def is_class(name: str) -> bool:
    r"""Whether a name is a class of patterns.

    >>> is_class(r"\p{L}"), is_class("[[:alpha:]]"), is_class("NFC")
    (True, True, False)
    """
    return name.startswith(("\\", "["))


def _codes(characters: set[str]) -> list[int]:
    return sorted(map(ord, characters))


def _every() -> list[str]:
    """Every scalar value that may have a character; on ASCII all agree."""
    planes = (range(0x80, 0xD800), range(0xE000, 0x40000), range(0xE0000, 0xF0000))
    return [chr(code) for plane in planes for code in plane]


def _other_class(name: str) -> set[str]:
    from tokenizers import Regex
    from tokenizers.normalizers import Replace

    text = "".join(_every())
    theirs = set(Replace(Regex(f"[^{name}]"), "").normalize_str(text))
    return theirs ^ set(compiled(name).anywhere.findall(text))


def _other_rust_class(name: str) -> set[str]:
    from tiktoken import Encoding

    text = "".join(_every())
    single = {bytes([byte]): byte for byte in range(256)}
    library = Encoding("class", pat_str=name, mergeable_ranks=single, special_tokens={})
    theirs = bytes(library.encode_ordinary(text)).decode()  # what does not match is left out
    return set(theirs) ^ set(compiled(name, rust=True).anywhere.findall(text))


def _other_form(form: Any) -> set[str]:
    """Where a character has another normal form, or takes another place among marks."""
    from tokenizers import normalizers

    library, every = getattr(normalizers, form)(), _every()
    found: set[str] = set()
    for before, after in (("", ""), (HIGH_MARK, ""), ("", LOW_MARK)):
        texts = [before + character + after for character in every]
        theirs = library.normalize_str("\0".join(texts)).split("\0")
        ours = (normalize(form, text) for text in texts)
        found |= {c for c, a, b in zip(every, theirs, ours, strict=True) if a != b}
    return found


def _other_case() -> set[str]:
    from tokenizers import normalizers

    every = _every()
    theirs = normalizers.Lowercase().normalize_str("\0".join(every)).split("\0")
    return {c for c, lower in zip(every, theirs, strict=True) if lower != c.lower()}


def _removed_otherwise(normalizer: Any, classes: tuple[str, ...], every: list[str]) -> set[str]:
    """Where what is removed is not what this Python counts to the classes."""
    kept = set(normalizer.normalize_str("".join(every)))
    return {c for c in every if (c in kept) == category(c).startswith(classes)}


def _other_marks() -> set[str]:
    from tokenizers import normalizers

    return _removed_otherwise(normalizers.StripAccents(), ("M",), _every())


def _other_bert(step: str, *classes: str) -> set[str]:
    """BERT's normalizer with one step on; what it decomposes or makes a space is not asked for."""
    from tokenizers.normalizers import BertNormalizer

    off = dict.fromkeys(("clean_text", "handle_chinese_chars", "strip_accents", "lowercase"), False)
    plain = [c for c in _every() if normalize("NFD", c) == c and not c.isspace() and c != "\ufffd"]
    return _removed_otherwise(BertNormalizer(**{**off, step: True}), classes, plain)


def _other_pieces(kind: str, start: str, **options: Any) -> set[str]:
    """Where a pre-tokenizer isolates other characters than those of the class."""
    from tokenizers import pre_tokenizers

    every = _every()
    cut = getattr(pre_tokenizers, kind)(**options).pre_tokenize_str("a".join(["", *every, ""]))
    isolated = {text for text, _ in cut}
    return {c for c in every if (c in isolated) != category(c).startswith(start)}


def _other_spaces() -> set[str]:
    from tokenizers.pre_tokenizers import WhitespaceSplit

    text = "".join(_every())
    theirs = set(text).difference(*(piece for piece, _ in WhitespaceSplit().pre_tokenize_str(text)))
    return theirs ^ set(compiled(r"\s").anywhere.findall(text))


TABLES: dict[str, Callable[[], set[str]]] = {
    **{form.type: partial(_other_form, form.type) for form in (NFC, NFD, NFKC, NFKD)},
    Lowercase.type: _other_case,
    StripAccents.type: _other_marks,
    STRIP_ACCENTS_TABLE: partial(_other_bert, "strip_accents", "Mn"),
    CLEAN_TEXT_TABLE: partial(_other_bert, "clean_text", "Cc", "Cf", "Co"),
    Punctuation.type: partial(_other_pieces, Punctuation.type, "P"),
    Digits.type: partial(_other_pieces, Digits.type, "N", individual_digits=True),
    WHITE_SPACE_TABLE: _other_spaces,
}
