"""The standard `re` gives what `regex` gives, for every pattern that it is handed."""

from __future__ import annotations

import re

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st
from law_examples import some

from tokaudit.subject.upstream.published import known_encodings
from tokaudit_reference.spec import SpecError
from tokaudit_reference.text.patterns import Expression, compiled
from tokaudit_reference.text.patterns.standard import standard
from tokaudit_reference.text.published_patterns import PATTERNS

TEKKEN = r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
PUBLISHED = {
    f"{name} {step}": (pattern, False)
    for name, steps in PATTERNS.items()
    for step, pattern in enumerate(steps)
}
WELL_KNOWN = PUBLISHED | {
    "gpt2 of tiktoken": (known_encodings.GPT2, True),
    "cl100k of tiktoken": (known_encodings.CL100K, True),
    "tekken": (TEKKEN, False),
    "words": (r"\w+|[^\w\s]+", False),
    "lines": (r"^\s*|.$|\D{2,3}?(?=\d)|(?<!a)(K)\W?", False),
    "folded": (r"(?i:strasse|[k-s]{2}|\u212a)|(?i:[^a-z]{2,}?)", True),
}
SCRIPTS = list(" \t\n\r\x0b\x1c\x85\xa0\u2028\u3000'sStTlLkKſKİı019٣Ⅷ½aéßǅʰ̀ͅカ漢ก๎אع/_.,!$€+~`^[]\\")
texts = st.text(
    st.sampled_from(SCRIPTS) | st.characters(codec="utf-8") | st.characters(categories=["Cn"]),
    max_size=30,
)
every_pattern = pytest.mark.parametrize("name", WELL_KNOWN)


def expression(name: str) -> Expression:
    """What `compiled` gives for a well-known pattern, which it keeps."""
    pattern, rust = WELL_KNOWN[name]
    return compiled(pattern, rust=rust)


@every_pattern
def test_a_well_known_pattern_runs_on_the_standard_engine(name: str) -> None:
    assert isinstance(expression(name).within_the_plane, re.Pattern)


def spans(found: Expression, text: str) -> list[tuple[int, int]]:
    return [match.span() for match in found.finditer(text)]


@every_pattern
def test_mixed_scripts_and_unassigned_characters_split_alike(name: str) -> None:
    ours, theirs = expression(name), expression(name).anywhere

    @settings(max_examples=some(150), deadline=None, derandomize=True, database=None)
    @given(texts)
    def alike(text: str) -> None:
        assert ours.findall(text) == theirs.findall(text)
        assert spans(ours, text) == [match.span() for match in theirs.finditer(text)]
        assert ours.split(text) == theirs.split(text)
        assert ours.sub("<>", text) == theirs.sub("<>", text)
        assert (ours.fullmatch(text) is None) == (theirs.fullmatch(text) is None)

    alike()


@every_pattern
def test_each_character_of_the_plane_is_split_alike_alone_and_between_letters(name: str) -> None:
    ours, theirs = expression(name).within_the_plane, expression(name).anywhere
    for first in range(0, 0x10000, 64):
        block = [chr(code) for code in range(first, first + 64)]
        assert [ours.findall(c) for c in block] == [theirs.findall(c) for c in block]
        for text in ("a".join(block), "b".join(f" {c} {c}{c}" for c in block)):
            assert ours.findall(text) == theirs.findall(text)


def test_a_text_beyond_the_plane_goes_to_regex() -> None:
    expression = compiled(r"\p{L}+")
    assert isinstance(expression.for_text("a𝒜"), regex.Pattern)
    assert expression.findall("a𝒜 b🙂") == ["a𝒜", "b"]


@pytest.mark.parametrize(
    "pattern",
    [
        r"(a|b)\1",
        r"(?P<x>a)",
        r"(?:a*)*",
        r"(?:ab)++",
        r"(?>a|ab)c",
        r"\bword\b",
        r"(?i)word",
        r"(?-i:word)",
        r"(?:word){e<=1}",
        r"[[:alpha:]]",
        r"\X",
        r"(?<=a+)b",
        r"a{,3}",
        r"(?r)a",
    ],
)
def test_what_the_engines_might_read_differently_stays_with_regex(pattern: str) -> None:
    spelled_out = standard(pattern)
    if spelled_out is not None:
        with pytest.raises(re.error):
            re.compile(spelled_out)


def test_letters_that_fold_to_ascii_are_found_where_case_is_ignored() -> None:
    assert compiled(r"(?i:'s|k)").findall("'ſ K 'S") == ["'ſ", "K", "'S"]


def test_the_end_of_a_line_is_an_end_only_in_the_dialect_of_oniguruma() -> None:
    assert compiled(r"a$").findall("a\na") == ["a", "a"]
    assert compiled(r"a$", rust=True).findall("a\na") == ["a"]


def test_a_pattern_that_does_not_compile_is_an_error_that_quotes_it() -> None:
    with pytest.raises(SpecError, match=r"the pattern '\(\[' does not compile"):
        compiled("([")


letters = st.sampled_from(
    ["a", "B", r"\p{Lu}", r"\P{L}", r"[^\s\d]", r"\w", ".", r"[a-f\]-]", r"\."]
)
atoms = st.one_of(
    letters,
    st.tuples(letters, st.sampled_from(["*", "+", "?", "{1,2}", "+?", "*?", "?+", "++"])).map(
        "".join
    ),
    letters.map("(?i:{})".format),
    letters.map("(?={})".format),
    letters.map("(?<!{})".format),
    letters.map("({})?".format),
)
patterns = st.lists(st.lists(atoms, max_size=4).map("".join), min_size=1, max_size=3).map("|".join)


@settings(max_examples=some(100), deadline=None, derandomize=True, database=None)
@given(patterns, st.text(st.sampled_from("aAbBfz]-.1 \nſé"), max_size=12))
def test_composed_patterns_match_alike(pattern: str, text: str) -> None:
    assert standard(pattern) is not None
    ours, theirs = compiled(pattern), compiled(pattern).anywhere
    assert ours.findall(text) == theirs.findall(text)
    assert ours.split(text) == theirs.split(text)
    assert ours.sub("-", text) == theirs.sub("-", text)
