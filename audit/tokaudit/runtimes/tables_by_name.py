r"""Test an upstream library's Unicode tables by name, on given characters.

A name is that of a component of `tokenizer.json` that consults a table (`NFC`, `Lowercase`, ...) or
a class of split patterns (`\p{L}`, `\s`).  The library's component and the step of the reference
are given the same texts, so the answer is where the two part: nowhere in a version whose tables
the reference has.  Whether that excuses anything is not decided here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib.metadata import version

from tokaudit_reference.library_versions import older_version
from tokaudit_reference.spec import Component
from tokaudit_reference.steps.normalizers import normalizer
from tokaudit_reference.steps.normalizers.bert_normalizer import (
    CLEAN_TEXT_TABLE,
    STRIP_ACCENTS_TABLE,
    BertNormalizer,
)
from tokaudit_reference.steps.normalizers.lowercase import Lowercase
from tokaudit_reference.steps.normalizers.nfc import NFC
from tokaudit_reference.steps.normalizers.nfd import NFD
from tokaudit_reference.steps.normalizers.nfkc import NFKC
from tokaudit_reference.steps.normalizers.nfkd import NFKD
from tokaudit_reference.steps.normalizers.strip_accents import StripAccents
from tokaudit_reference.steps.pre_tokenizers import pre_tokenizer
from tokaudit_reference.steps.pre_tokenizers.digits import Digits
from tokaudit_reference.steps.pre_tokenizers.punctuation import Punctuation
from tokaudit_reference.steps.pre_tokenizers.whitespace_split import WhitespaceSplit
from tokaudit_reference.steps.step import Step
from tokaudit_reference.text.patterns import compiled
from tokaudit_reference.text.white_space import WHITE_SPACE_TABLE

Answer = dict[str, list[int]]
Other = Callable[[list[str]], set[str]]  # those of the characters asked that differ
# After the one, or before the other, a mark of another class changes places.
AROUND_MARKS, ALONE = ("{}", "\u0345{}", "{}\u0334"), ("{}",)
BERT = dict.fromkeys(("clean_text", "handle_chinese_chars", "strip_accents", "lowercase"), False)


def of_tokenizers(names: Sequence[str], characters: str) -> Answer:
    """Test the tables of Hugging Face's tokenizers."""
    find = {name: partial(_other_class, name) if is_class(name) else TABLES[name] for name in names}
    return _answers(find, characters)


def of_tiktoken(names: Sequence[str], characters: str) -> Answer:
    """Test the pattern classes of tiktoken, which has no other tables."""
    find = {name: partial(_other_rust_class, name) for name in names if is_class(name)}
    return _answers(find, characters)


def _answers(find: Mapping[str, Other], characters: str) -> Answer:
    """Return the characters on which each table differs; on ASCII all agree."""
    asked = sorted(character for character in set(characters) if not character.isascii())
    return {name: sorted(map(ord, other(asked))) if asked else [] for name, other in find.items()}


def is_class(name: str) -> bool:
    r"""Return whether a name is a pattern class.

    >>> is_class(r"\p{L}"), is_class("[[:alpha:]]"), is_class("NFC")
    (True, True, False)
    """
    return name.startswith(("\\", "["))


def _other_class(name: str, asked: list[str]) -> set[str]:
    from tokenizers import Regex
    from tokenizers.normalizers import Replace

    text, others = "".join(asked), f"[^{name}]"
    theirs = Replace(Regex(others), "").normalize_str(text)
    return set(theirs) ^ set(compiled(others).anywhere.sub("", text))


def _other_rust_class(name: str, asked: list[str]) -> set[str]:
    from tiktoken import Encoding

    text = "".join(asked)
    single = {bytes([byte]): byte for byte in range(256)}
    library = Encoding("class", pat_str=name, mergeable_ranks=single, special_tokens={})
    theirs = bytes(library.encode_ordinary(text)).decode()  # what does not match is left out
    return set(theirs) ^ set(compiled(name, rust=True).anywhere.findall(text))


def _normalized_otherwise(
    step: type[Step], options: Mapping[str, bool], around: Sequence[str], asked: list[str]
) -> set[str]:
    """Return characters that a normalizer changes differently, alone or next to another."""
    from tokenizers import normalizers

    theirs = getattr(normalizers, step.type)(**options).normalize_str
    return _told_apart(theirs, normalizer(_as_installed(step, options)), around, asked)


def _cut_otherwise(step: type[Step], options: Mapping[str, bool], asked: list[str]) -> set[str]:
    """Return characters that a pre-tokenizer splits differently from a word."""
    from tokenizers import pre_tokenizers

    library = getattr(pre_tokenizers, step.type)(**options)
    split = pre_tokenizer(_as_installed(step, options))

    def theirs(text: str) -> list[str]:
        return [piece for piece, _ in library.pre_tokenize_str(text)]

    return _told_apart(theirs, lambda text: split(text, True), ("a{}a",), asked)


def _as_installed(step: type[Step], options: Mapping[str, bool]) -> Component:
    """Return the step as the reference runs it for the installed version."""
    return Component(step.stated(**options), library=older_version(version("tokenizers")))


def _told_apart(
    theirs: Callable[[str], object],
    ours: Callable[[str], object],
    around: Sequence[str],
    asked: list[str],
) -> set[str]:
    """Return the characters with different results on both sides."""
    return {
        character
        for character in asked
        for text in (each.replace("{}", character) for each in around)
        if theirs(text) != ours(text)
    }


TABLES: dict[str, Other] = {
    **{
        form.type: partial(_normalized_otherwise, form, {}, AROUND_MARKS)
        for form in (NFC, NFD, NFKC, NFKD)
    },
    Lowercase.type: partial(_normalized_otherwise, Lowercase, {}, ALONE),
    StripAccents.type: partial(_normalized_otherwise, StripAccents, {}, ALONE),
    STRIP_ACCENTS_TABLE: partial(
        _normalized_otherwise, BertNormalizer, BERT | {"strip_accents": True}, ALONE
    ),
    CLEAN_TEXT_TABLE: partial(
        _normalized_otherwise, BertNormalizer, BERT | {"clean_text": True}, ALONE
    ),
    Punctuation.type: partial(_cut_otherwise, Punctuation, {}),
    Digits.type: partial(_cut_otherwise, Digits, {"individual_digits": True}),
    WHITE_SPACE_TABLE: partial(_cut_otherwise, WhitespaceSplit, {}),
}
