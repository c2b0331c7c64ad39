"""Normalizers and splits that are written differently and do the same, judged by the library."""

from __future__ import annotations

import random
import unicodedata
from typing import Any

import pytest
from proved_facets import holds, spec
from run_here import trial_here
from tokenizers import Regex, normalizers, pre_tokenizers

from tokaudit.engine.canonical_steps import acting_steps
from tokaudit.engine.sides.side import Open, Side
from tokaudit.products.compare.facets.splits import pre_tokenizer
from tokaudit.report.comparison import Facet


def texts(count: int) -> list[str]:
    """Marks in any order after letters, letters with marks, and what is written in parts."""
    rng = random.Random(3)
    marks = [chr(c) for c in range(0x300, 0x1000) if unicodedata.combining(chr(c))]
    whole = [chr(c) for c in range(0xA0, 0x3400) if unicodedata.decomposition(chr(c))]
    pools = (marks, whole, list("aeo b"), [chr(c) for c in range(0x1100, 0x11FF)])
    return ["".join(rng.choice(rng.choice(pools)) for _ in range(5)) for _ in range(count)]


def forms(*names: str) -> dict[str, Any]:
    return {"type": "Sequence", "normalizers": [{"type": name} for name in names]}


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        (("NFC", "NFC"), "NFC"),
        (("NFD", "NFC"), "NFC"),
        (("NFC", "NFKC"), "NFKC"),
        (("NFKC", "NFC"), "NFKC"),
        (("NFKD", "NFD"), "NFKD"),
        (("NFD", "NFC", "NFKC", "NFC"), "NFKC"),
        (("NFC",), "NFC"),
    ],
)
def test_normal_forms_that_make_each_other_idle_act_alike(
    written: tuple[str, ...], plain: str
) -> None:
    one, other = spec(normalizer=forms(*written)), spec(normalizer={"type": plain})
    assert acting_steps(one, "normalizer") == acting_steps(other, "normalizer")
    library = normalizers.Sequence([getattr(normalizers, name)() for name in written])
    alone = getattr(normalizers, plain)()
    for text in texts(2_000):
        assert library.normalize_str(text) == alone.normalize_str(text)


@pytest.mark.parametrize(
    ("written", "plain"), [(("NFC", "NFD"), "NFD"), (("NFKC", "NFC"), "NFC"), (("NFKD",), "NFD")]
)
def test_other_normal_forms_do_not(written: tuple[str, ...], plain: str) -> None:
    """NFD after NFC is left out, though the standard says that NFC is idle there."""
    one, other = spec(normalizer=forms(*written)), spec(normalizer={"type": plain})
    assert acting_steps(one, "normalizer") != acting_steps(other, "normalizer")


def splitting(pattern: dict[str, str], behavior: str, invert: bool = False) -> dict[str, Any]:
    return {"type": "Split", "pattern": pattern, "behavior": behavior, "invert": invert}


WHITE, BLACK = {"Regex": r"\s+"}, {"Regex": r"\S+"}


def cut(one: dict[str, Any], other: dict[str, Any]) -> Facet | Open:
    sides = (Side("left", spec(pre_tokenizer=one)), Side("right", spec(pre_tokenizer=other)))
    found = pre_tokenizer(*sides, trial_here(*sides), True)
    if isinstance(found, Facet):
        assert holds(*sides, found)
    return found


@pytest.mark.parametrize(
    ("step", "other"),
    [
        ({"type": "WhitespaceSplit"}, splitting(WHITE, "Removed")),
        ({"type": "WhitespaceSplit"}, splitting(BLACK, "Removed", invert=True)),
        ({"type": "CharDelimiterSplit", "delimiter": "-"}, splitting({"String": "-"}, "Removed")),
        (
            {"type": "CharDelimiterSplit", "delimiter": "."},
            splitting({"Regex": r"\."}, "Removed"),
        ),
    ],
)
def test_a_step_and_the_pattern_that_it_stands_for_cut_alike(
    step: dict[str, Any], other: dict[str, Any]
) -> None:
    assert isinstance(cut(step, other), Facet)


def test_white_space_is_the_same_set_in_the_library_for_all_characters() -> None:
    split = pre_tokenizers.Split(Regex(r"\s+"), "removed")
    plain = pre_tokenizers.WhitespaceSplit()
    scalars = [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000]
    for at in range(0, len(scalars), 4096):
        text = "".join(f"a{character}" for character in scalars[at : at + 4096])
        assert split.pre_tokenize_str(text) == plain.pre_tokenize_str(text)


@pytest.mark.parametrize(
    ("step", "other"),
    [
        ({"type": "WhitespaceSplit"}, splitting({"Regex": r"[ \n]+"}, "Removed")),
        ({"type": "WhitespaceSplit"}, splitting(WHITE, "Isolated")),
        ({"type": "CharDelimiterSplit", "delimiter": "."}, splitting({"Regex": "."}, "Removed")),
        ({"type": "Digits"}, splitting({"Regex": r"\p{N}+"}, "Isolated")),
        ({"type": "Whitespace"}, splitting({"Regex": r"\w+|[^\w\s]+"}, "Removed", invert=True)),
    ],
)
def test_a_step_and_another_pattern_are_not_called_alike(
    step: dict[str, Any], other: dict[str, Any]
) -> None:
    """Digits and Whitespace consult other tables than patterns: some characters part them."""
    assert isinstance(cut(step, other), Open)
