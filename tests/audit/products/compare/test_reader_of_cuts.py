"""What the checker of cuts reads in a pattern, and what it leaves unchecked."""

from __future__ import annotations

import pytest
from differing_sides import spec, split

from tokaudit.products.compare.proofs.claim import Claim
from tokaudit.products.compare.proofs.cuts.check import objection
from tokaudit.products.compare.proofs.cuts.cutting import cutters
from tokaudit.products.compare.proofs.cuts.expression import Unreadable
from tokaudit.products.compare.proofs.cuts.reader import expression
from tokaudit.report.comparison import Certificate, Proof

TIKTOKEN = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s"
GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
Dialect = dict[str, bool]
ONIGURUMA: Dialect = {}
RUST, PYTHON = {"rust": True}, {"python": True}


def said(one: str, other: str, dialect: Dialect) -> str:
    """What the checker says of a proof that two patterns cut alike."""
    first, second = (
        spec("a", stages={"pre_tokenizer": {**split(each), **dialect}}) for each in (one, other)
    )
    classes = cutters(first, second).characters
    return objection(
        Claim("pre-tokenizer", Certificate(Proof.CUTS, classes=classes), first, second)
    )


@pytest.mark.parametrize(
    ("one", "other", "dialect"),
    [
        (TIKTOKEN, GPT2, RUST),
        (r"\s++$|\s+(?!\S)|\s", r"\s+(?!\S)|\s+", ONIGURUMA),
        (r"a$|b", r"a(?![\s\S])|b", RUST),
        ("a{1,2}+b|a", "aab|a(?!a)b|a", RUST),
        ("(?i)a|b", "[aA]|[bB]", ONIGURUMA),
        ("(?i:kb)", "[kK\u212a][bB]", RUST),
    ],
)
def test_true_proofs_hold(one: str, other: str, dialect: Dialect) -> None:
    assert said(one, other, dialect) == ""


@pytest.mark.parametrize(
    ("one", "other", "dialect", "text"),
    [
        ("a$|b", r"a(?![\s\S])|b", ONIGURUMA, "a\n"),  # it ends a line too
        ("a$|b", "a|b", RUST, "ac"),
        ("a{1,3}+ab", "a{1,3}ab", RUST, "caab"),
        ("(?i)a|b", "[aA]|b", ONIGURUMA, "CB"),
        ("(?i:kb)", "[kK][bB]", RUST, "C\u212aB"),
        ("[^^]x", "[^^]y", ONIGURUMA, "_xy"),
    ],
)
def test_a_false_one_is_shown_a_text(one: str, other: str, dialect: Dialect, text: str) -> None:
    assert said(one, other, dialect) == f"{text!r} is cut differently"


@pytest.mark.parametrize(
    ("pattern", "dialect", "why"),
    [
        ("a$", PYTHON, r"\$"),
        ("a{1,2}+", ONIGURUMA, "a count with a plus"),
        ("x(?i)a|b", ONIGURUMA, r"\(\?i\)"),
        ("[]a]", ONIGURUMA, "a class that begins with its end"),
        ("[a[^]b]]", ONIGURUMA, "a class that begins with its end"),
        ("(?=ab)a", ONIGURUMA, "a look-around of more than one character"),
    ],
)
def test_what_is_not_known_is_not_followed(pattern: str, dialect: Dialect, why: str) -> None:
    with pytest.raises(Unreadable, match=why):
        expression(pattern, **dialect)


def test_an_atom_that_takes_no_character_is_not_followed() -> None:
    with pytest.raises(Unreadable, match="which takes no character"):
        said(r"[^\s\S]|a", "a", ONIGURUMA)
