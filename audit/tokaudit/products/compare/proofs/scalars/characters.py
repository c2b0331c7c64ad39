"""Effect of a normalizer's step on each character, for the checker.

A step that is not here does not take each character by itself, or is not known to.  Nothing of the
reference is run: Python's own tables of lower case, and those in `tables`, are all that is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

from tokaudit.products.compare.proofs.alphabet import letters_of
from tokaudit.products.compare.proofs.scalars.tables import (
    CONTROLS_OF_8,
    IDEOGRAPHS,
    REMOVED_BY_NMT,
    SPACES,
    SPACES_TO_NMT,
    Table,
    lower_of_new_capitals,
    marks,
    within,
)
from tokaudit.products.compare.proofs.steps_of_files import Options

Function = Callable[[str], str]


def by_character(step: Options) -> Function | None:
    """Return a step's function on characters; None if it is not character-wise.

    >>> nmt, nfc = by_character({"type": "Nmt"}), by_character({"type": "NFC"})
    >>> nmt("a\\tb") if nmt else "", nfc
    ('a b', None)
    """
    match step["type"]:
        case "Lowercase":
            return _lower
        case "StripAccents":
            return _without_marks
        case "Nmt":
            return _as_nmt
        case "ByteLevel":
            return _bytes_as_letters
        case "Replace" if len(literal := step["pattern"].get("String", "")) == 1:
            return _replacing(literal, step["content"])
        case "BertNormalizer" if not step["strip_accents"]:  # which would sort marks
            return _as_bert(step)
    return None


def one_after_another(functions: Iterable[Function]) -> Function:
    """Return the composition of several functions of a text, in order."""
    listed = list(functions)

    def apply(text: str) -> str:
        for function in listed:
            text = function(text)
        return text

    return apply


def _as_bert(step: Options) -> Function:
    switches = (
        ("clean_text", _cleaned),
        ("handle_chinese_chars", _spaced_out),
        ("lowercase", _lower),
    )
    return one_after_another(function for name, function in switches if step[name])


def _lower(text: str) -> str:
    """Lower-case each character alone, so that a final sigma is not special."""
    return "".join(map(str.lower, text)).translate(_new_capitals())


def _without_marks(text: str) -> str:
    return text.translate(_marks())


def _as_nmt(text: str) -> str:
    return text.translate(_nmt())


def _bytes_as_letters(text: str) -> str:
    return letters_of(text.encode("utf-8", "replace"))


def _replacing(literal: str, content: str) -> Function:
    return lambda text: text.replace(literal, content)


def _cleaned(text: str) -> str:
    return text.translate(_clean())


def _spaced_out(text: str) -> str:
    return text.translate(_ideographs())


@cache
def _new_capitals() -> Table:
    return lower_of_new_capitals()


@cache
def _marks() -> Table:
    return dict.fromkeys(marks(), "")


@cache
def _nmt() -> Table:
    return within(REMOVED_BY_NMT, "") | within(SPACES_TO_NMT, " ")


@cache
def _clean() -> Table:
    """Return a table that replaces white space and drops control characters and U+FFFD."""
    gone = within(CONTROLS_OF_8, "") | {0xFFFD: ""}
    return gone | within(SPACES, " ") | dict.fromkeys(map(ord, "\t\n\r"), " ")


@cache
def _ideographs() -> Table:
    return {code: f" {chr(code)} " for code in within(IDEOGRAPHS, "")}
