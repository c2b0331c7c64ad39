r"""What excuses a difference from a vendor: code points on which its Unicode tables are not ours.

Nothing is typed in.  Which tables a tokenizer consults follows from its own components (`NFC`,
`\p{L}` in a split pattern, ...), and the vendor's library is asked about those tables alone, for
every code point.  A code point that was in Unicode 3.2 already, and has had the same category and
decomposition since, has not changed between the two versions: a difference on it is a rule or a
fault of one side, and excuses nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol
from unicodedata import category, combining, decomposition
from unicodedata import ucd_3_2_0 as oldest

from tokaudit_reference.spec import TokenizerSpec, components_of
from tokaudit_reference.text.published_patterns import GPT2

CLASS = re.compile(
    r"\\\\|\[:\^?(?P<posix>\w+):\]|\\[pP](?P<property>\{\^?[^}]*\}|[A-Z])|\\(?P<letter>[a-zA-Z])"
)
SHORT = {"s": r"\s", "w": r"\w", "d": r"\d", "b": r"\w"}
SAME_NAME = frozenset({"NFC", "NFD", "NFKC", "NFKD", "Lowercase", "StripAccents", "Punctuation"})
OF_PRE_TOKENIZER: Mapping[str, tuple[str, ...]] = {
    "BertPreTokenizer": ("Punctuation", "White_Space"),
    "Digits": ("Digits",),
    "Whitespace": (r"\w", r"\s"),
    "WhitespaceSplit": ("White_Space",),
}


class Asked(Protocol):
    """A vendor that can be asked about its tables."""

    def tables(self, names: list[str], /) -> dict[str, frozenset[int]]:
        """For each table the code points on which it is not this Python's."""
        ...


class Excuses:
    """Table -> the characters that it excuses, for one tokenizer and one version of its vendor."""

    def __init__(self, by_table: Mapping[str, Iterable[int]]) -> None:
        found = {name: filter(may_have_changed, codes) for name, codes in by_table.items()}
        self.by_table = {name: frozenset(map(chr, codes)) for name, codes in found.items()}
        self.all = frozenset[str]().union(*self.by_table.values())

    def tables_of(self, text: str) -> list[str]:
        """The tables by which a character of the text is excused."""
        return [name for name, excused in self.by_table.items() if not excused.isdisjoint(text)]

    def without(self, text: str, instead: str = "") -> str:
        """The text with another for each excused character.

        >>> Excuses({"NFC": [0x1E94B]}).without("a\\U0001e94bb", "-")
        'a-b'
        """
        return "".join(instead if character in self.all else character for character in text)


def excuses(spec: TokenizerSpec, vendor: Asked) -> Excuses:
    """Ask the vendor about the tables that a tokenizer consults."""
    return Excuses(vendor.tables(sorted(tables_used(spec))))


def may_have_changed(code: int) -> bool:
    """Whether Unicode may have said something else of a code point in an earlier version.

    >>> may_have_changed(0xB2), may_have_changed(0x1E94B)
    (False, True)
    """
    character = chr(code)
    facts = category, combining, decomposition
    before = oldest.category, oldest.combining, oldest.decomposition
    return oldest.category(character) == "Cn" or any(
        now(character) != then(character) for now, then in zip(facts, before, strict=True)
    )


def tables_used(spec: TokenizerSpec) -> frozenset[str]:
    """The names of the Unicode tables that a tokenizer's components consult."""
    found: set[str] = set()
    for options in components_of(spec.normalizer, "normalizers"):
        found |= _of_normalizer(options)
    for options in components_of(spec.pre_tokenizer, "pretokenizers"):
        found |= _of_pre_tokenizer(options)
    if any(token.single_word for token in spec.added_tokens):
        found.add(r"\w")
    if any(token.lstrip or token.rstrip for token in spec.added_tokens):
        found.add("White_Space")
    return frozenset(found)


def classes(pattern: str) -> Iterator[str]:
    r"""The classes that a pattern names, each as it is asked for.

    >>> sorted(set(classes(r"[^\s\p{L}]+|\P{N}|\bx[[:alpha:]]")))
    ['[[:alpha:]]', '\\p{L}', '\\p{N}', '\\s', '\\w']
    """
    for match in CLASS.finditer(pattern):
        if match["posix"]:
            yield f"[[:{match['posix']}:]]"
        elif match["property"]:
            yield r"\p" + match["property"].replace("^", "")
        elif (match["letter"] or "").lower() in SHORT:
            yield SHORT[match["letter"].lower()]


def _of_normalizer(options: Mapping[str, Any]) -> set[str]:
    kind = str(options.get("type"))
    if kind == "BertNormalizer":
        return set(_of_bert(options))
    if kind == "Replace":
        return set(_of_pattern(options))
    return {"White_Space"} if kind == "Strip" else {kind} & SAME_NAME


def _of_bert(options: Mapping[str, Any]) -> Iterator[str]:
    lower = options.get("lowercase", True)
    accents = options.get("strip_accents")
    if options.get("clean_text", True):
        yield "BertNormalizer.clean_text"
    if lower if accents is None else accents:
        yield from ("NFD", "BertNormalizer.strip_accents")
    if lower:
        yield "Lowercase"


def _of_pre_tokenizer(options: Mapping[str, Any]) -> set[str]:
    kind = str(options.get("type"))
    if kind == "Split":
        return set(_of_pattern(options))
    if kind == "ByteLevel":
        return set(classes(GPT2)) if options.get("use_regex", True) else set()
    return set(OF_PRE_TOKENIZER.get(kind, ())) | ({kind} & SAME_NAME)


def _of_pattern(options: Mapping[str, Any]) -> Iterator[str]:
    pattern = options.get("pattern")
    if isinstance(pattern, Mapping):
        yield from classes(str(pattern.get("Regex", "")))
