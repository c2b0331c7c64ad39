r"""Asks an upstream library about one of its Unicode tables by name, for the characters given.

A name is that of a component of `tokenizer.json` that consults a table (`NFC`, `Lowercase`, ...) or
a class of split patterns (`\p{L}`, `\s`).  The answer is where the library's table is not the one
of this Python, or of `regex` for classes.  Whether that excuses anything is not decided here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
Other = Callable[[list[str]], set[str]]  # those of the characters asked that differ
# After the one, or before the other, a mark of another class changes places.
HIGH_MARK, LOW_MARK = "\u0345", "\u0334"


def of_tokenizers(names: Sequence[str], characters: str) -> Answer:
    """The tables of Hugging Face's tokenizers."""
    find = {name: partial(_other_class, name) if is_class(name) else TABLES[name] for name in names}
    return _answers(find, characters)


def of_tiktoken(names: Sequence[str], characters: str) -> Answer:
    """The classes of the patterns of tiktoken, which has no other tables."""
    find = {name: partial(_other_rust_class, name) for name in names if is_class(name)}
    return _answers(find, characters)


def _answers(find: Mapping[str, Other], characters: str) -> Answer:
    """What each finds among the characters; on ASCII all agree."""
    asked = sorted(character for character in set(characters) if not character.isascii())
    return {name: sorted(map(ord, other(asked))) if asked else [] for name, other in find.items()}


def is_class(name: str) -> bool:
    r"""Whether a name is a class of patterns.

    >>> is_class(r"\p{L}"), is_class("[[:alpha:]]"), is_class("NFC")
    (True, True, False)
    """
    return name.startswith(("\\", "["))


def _other_class(name: str, asked: list[str]) -> set[str]:
    from tokenizers import Regex
    from tokenizers.normalizers import Replace

    text = "".join(asked)
    theirs = set(Replace(Regex(f"[^{name}]"), "").normalize_str(text))
    return theirs ^ set(compiled(name).anywhere.findall(text))


def _other_rust_class(name: str, asked: list[str]) -> set[str]:
    from tiktoken import Encoding

    text = "".join(asked)
    single = {bytes([byte]): byte for byte in range(256)}
    library = Encoding("class", pat_str=name, mergeable_ranks=single, special_tokens={})
    theirs = bytes(library.encode_ordinary(text)).decode()  # what does not match is left out
    return set(theirs) ^ set(compiled(name, rust=True).anywhere.findall(text))


def _other_form(form: Any, asked: list[str]) -> set[str]:
    """Where a character has another normal form, or takes another place among marks."""
    from tokenizers import normalizers

    library = getattr(normalizers, form)()
    found: set[str] = set()
    for before, after in (("", ""), (HIGH_MARK, ""), ("", LOW_MARK)):
        texts = [before + character + after for character in asked]
        theirs = library.normalize_str("\0".join(texts)).split("\0")
        ours = (normalize(form, text) for text in texts)
        found |= {c for c, a, b in zip(asked, theirs, ours, strict=True) if a != b}
    return found


def _other_case(asked: list[str]) -> set[str]:
    from tokenizers import normalizers

    theirs = normalizers.Lowercase().normalize_str("\0".join(asked)).split("\0")
    return {c for c, lower in zip(asked, theirs, strict=True) if lower != c.lower()}


def _removed_otherwise(normalizer: Any, classes: tuple[str, ...], asked: list[str]) -> set[str]:
    """Where what is removed is not what this Python counts to the classes."""
    kept = set(normalizer.normalize_str("".join(asked)))
    return {c for c in asked if (c in kept) == category(c).startswith(classes)}


def _other_marks(asked: list[str]) -> set[str]:
    from tokenizers import normalizers

    return _removed_otherwise(normalizers.StripAccents(), ("M",), asked)


def _other_bert(step: str, classes: tuple[str, ...], asked: list[str]) -> set[str]:
    """BERT's normalizer with one step on; what it decomposes or makes a space is not asked for."""
    from tokenizers.normalizers import BertNormalizer

    off = dict.fromkeys(("clean_text", "handle_chinese_chars", "strip_accents", "lowercase"), False)
    plain = [c for c in asked if normalize("NFD", c) == c and not c.isspace() and c != "\ufffd"]
    return _removed_otherwise(BertNormalizer(**{**off, step: True}), classes, plain)


def _other_pieces(kind: str, start: str, options: dict[str, Any], asked: list[str]) -> set[str]:
    """Where a pre-tokenizer isolates other characters than those of the class."""
    from tokenizers import pre_tokenizers

    cut = getattr(pre_tokenizers, kind)(**options).pre_tokenize_str("a".join(["", *asked, ""]))
    isolated = {text for text, _ in cut}
    return {c for c in asked if (c in isolated) != category(c).startswith(start)}


def _other_spaces(asked: list[str]) -> set[str]:
    from tokenizers.pre_tokenizers import WhitespaceSplit

    text = "".join(asked)
    theirs = set(text).difference(*(piece for piece, _ in WhitespaceSplit().pre_tokenize_str(text)))
    return theirs ^ set(compiled(r"\s").anywhere.findall(text))


TABLES: dict[str, Other] = {
    **{form.type: partial(_other_form, form.type) for form in (NFC, NFD, NFKC, NFKD)},
    Lowercase.type: _other_case,
    StripAccents.type: _other_marks,
    STRIP_ACCENTS_TABLE: partial(_other_bert, "strip_accents", ("Mn",)),
    CLEAN_TEXT_TABLE: partial(_other_bert, "clean_text", ("Cc", "Cf", "Co")),
    Punctuation.type: partial(_other_pieces, Punctuation.type, "P", {}),
    Digits.type: partial(_other_pieces, Digits.type, "N", {"individual_digits": True}),
    WHITE_SPACE_TABLE: _other_spaces,
}
