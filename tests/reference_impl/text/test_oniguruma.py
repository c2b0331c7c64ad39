"""A pattern means to the reference what it means to Oniguruma; the library is asked each time."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from law_examples import some
from split_sources import TIKTOKEN_CL100K
from tokenizers import Regex, pre_tokenizers

from tokaudit_reference.spec import Component, SpecError, Unsupported
from tokaudit_reference.steps.pre_tokenizers import pre_tokenizer
from tokaudit_reference.text.matching import find
from tokaudit_reference.text.patterns import compiled
from tokaudit_reference.text.published_patterns import CL100K

BEHAVIORS = {
    "Removed": "removed",
    "Isolated": "isolated",
    "MergedWithPrevious": "merged_with_previous",
    "MergedWithNext": "merged_with_next",
    "Contiguous": "contiguous",
}
GOES_ON = ["a*|b", "a*|bb", "b??|ab", r"|\d", "(?=b)|ab", r"\b|a", "a*", "^|a", "$|b"]
REPEATS = [
    r"\p{N}{1,3}+",
    r"\p{N}{0,2}+a",
    r"\p{N}{2,3}+",
    r"\p{N}{2,}+",
    r"(?:1a|a){1,2}+b",
    r"\p{N}{2}+",
    r"a\d{2}?b|a",
    "ab{1}?",
    "ab{2,2}?",
    "ab{1,2}?",
    "b{,2}",
    "a{|b",
    "a{,}|b{x}",
    "(?:a|b)++1",
    "1?+1",
]
ANCHORS = [r"\n^", "^", r"^\s*|.$", r"a\Z", r"a\z", r"\n$", r"\n\Z", r"\A.", r"\Bb", r".\b"]
SETS = [
    "[a[bc]]+",
    "[a[^bc]]+",
    "[^a[bc]]+",
    "[a-c&&[^b]]+",
    "[^a-c&&b1]",
    r"[\W]",
    r"[^\W\d]+",
    "[a[b&&[^c]]1]+",
    "[a&&]|b",
    "[]a]",
    "[-a]+",
    "[a-]",
    "[a-b-1]",
    "[a||b]",
    "[[:digit:]]+",
    "[[:^digit:]]+",
    "[[:alnum:]_]+",
    "[[:^alnum:]]+",
    "[[:punct:]]",
    "[[:word:]]+",
    "[:digit:]",
    r"[\h-]",
    r"[\b]",
]
CASES = [
    "(?i:A|B)+",
    "(?i:i)",
    "(?i:I1)",
    "(?i:[i-k])",
    "(?i:[^i])",
    "(?i)a|B",
    "a(?i)B|c",
    "(?i:a(?-i:B))",
    r"(?i:\p{Lu})",
    r"(?i:\w)",
    "(?i:k)",
    "(?i:'S|'t)",
    "(?i:é)+",
]
OTHERS = [
    r"(?m:.)+",
    "(?m).b",
    r"\h+",
    r"\H",
    r"\N+",
    r"\O",
    r"\R",
    r"(?#no)a",
    r"\x{61}",
    r"(?<n>a)",
]
texts = st.text(
    st.sampled_from(list("aabbc1122BAiIİıkKſsSé٣²\u200d\u0301\n\n\r _-$'[]:&{|\x08")), max_size=9
)


def pieces_agree(pattern: str, behavior: str = "Isolated", invert: bool = False) -> None:
    written = {"type": "Split", "pattern": {"Regex": pattern}}
    ours = pre_tokenizer(Component({**written, "behavior": behavior, "invert": invert}))
    library = pre_tokenizers.Split(Regex(pattern), BEHAVIORS[behavior], invert)

    @settings(max_examples=some(60), deadline=None, derandomize=True, database=None)
    @given(texts)
    def agree(text: str) -> None:
        assert ours(text, True) == [piece for piece, _ in library.pre_tokenize_str(text)]

    agree()


@pytest.mark.parametrize("pattern", REPEATS)
def test_a_repeat_is_what_it_is_in_oniguruma(pattern: str) -> None:
    pieces_agree(pattern)
    pieces_agree(pattern, "Removed", invert=True)


@pytest.mark.parametrize("behavior", BEHAVIORS)
@pytest.mark.parametrize("pattern", GOES_ON)
def test_after_an_empty_match_it_goes_on_one_character_later(pattern: str, behavior: str) -> None:
    pieces_agree(pattern, behavior)
    pieces_agree(pattern, behavior, invert=True)


@pytest.mark.parametrize("pattern", ANCHORS)
def test_an_anchor_is_where_it_is_in_oniguruma(pattern: str) -> None:
    pieces_agree(pattern, "MergedWithPrevious")


@pytest.mark.parametrize("pattern", SETS)
def test_a_set_has_the_members_that_it_has_in_oniguruma(pattern: str) -> None:
    pieces_agree(pattern)


@pytest.mark.parametrize("pattern", CASES)
def test_case_is_ignored_as_in_oniguruma(pattern: str) -> None:
    pieces_agree(pattern)


@pytest.mark.parametrize("pattern", OTHERS)
def test_an_escape_or_option_means_what_it_means_in_oniguruma(pattern: str) -> None:
    pieces_agree(pattern)


def test_the_caret_does_not_match_after_the_newline_that_ends_the_text() -> None:
    assert list(find(compiled("^"), "a\nb\n")) == [(0, 0), (2, 2)]


def test_the_pattern_of_tiktoken_pasted_into_a_tokenizer_json_takes_all_digits() -> None:
    [digits] = compiled(TIKTOKEN_CL100K).findall("123456")
    assert digits == "123456"
    pieces_agree(TIKTOKEN_CL100K)
    assert compiled(CL100K).findall("123456") == ["123", "456"]


def test_the_pasted_pattern_runs_on_the_standard_engine() -> None:
    assert isinstance(compiled(TIKTOKEN_CL100K).within_the_plane, re.Pattern)


@pytest.mark.parametrize("dialect", [{"rust": True}, {"python": True}])
def test_in_the_other_dialects_the_repeat_is_possessive(dialect: dict[str, bool]) -> None:
    assert compiled(r"\p{N}{1,3}+", **dialect).findall("1234") == ["123", "4"]


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("(?i:ss)", "'ss', where one character may match, in a pattern"),
        ("(?i:ß)", "'ß' where case is ignored in a pattern"),
        (r"(?i:[\p{Lu}])", "a set of other than ASCII where case is ignored in a pattern"),
        ("a**", "* after a repeat in a pattern"),
        ("a{3,1}", "a repeat whose bounds are reversed in a pattern"),
        (r"\G", r"Oniguruma's escape \G in a pattern"),
        (r"\X", r"Oniguruma's escape \X in a pattern"),
        ("(?~a)", "the group (?~a in a pattern"),
        ("(?s:a)", "the group (?s: in a pattern"),
        ("[a-[b]]", "a range that ends in a set in a pattern"),
        (r"(?i:(a)\1)", "a back reference where case is ignored in a pattern"),
        (r"(?<=(?=a))b", "the group (?= in a look-behind in a pattern"),
        (r"(?<=a\z)b", r"\z in a look-behind in a pattern"),
        ("(?<=a?b*)c", "a look-behind of optional items in a pattern"),
    ],
)
def test_what_cannot_be_said_exactly_is_refused(pattern: str, reason: str) -> None:
    with pytest.raises(Unsupported, match=re.escape(reason)):
        compiled(pattern)


@pytest.mark.parametrize(
    "pattern", ["^*", "(?=a)*", r"\b+", "(?:^)*", "(?:a|^)?", "(?:(?:^|a)|b){2}"]
)
def test_a_repeat_of_an_anchor_is_no_pattern_to_either(pattern: str) -> None:
    with pytest.raises(Exception, match="target of repeat operator is invalid"):
        Regex(pattern)
    with pytest.raises(SpecError, match="repeats an anchor"):
        compiled(pattern)


@pytest.mark.parametrize("pattern", ["(^)*a", "(?>^)*a", r"(?:^\b)?a", "(?:(?:^|a)b)*", "(?i:^)?a"])
def test_a_group_around_an_anchor_may_be_repeated(pattern: str) -> None:
    pieces_agree(pattern)


atoms = st.sampled_from(
    [
        "a",
        "b",
        "1",
        r"\d",
        r"\w",
        ".",
        "[ab]",
        "[^a]",
        "[a[^b]]",
        r"\s",
        "(?:ab|a)",
        "(a|1)",
        "(?=b)a",
    ]
)
quantifiers = st.sampled_from(
    [
        "",
        "?",
        "*",
        "+",
        "??",
        "*?",
        "+?",
        "?+",
        "*+",
        "++",
        "{2}",
        "{2}?",
        "{2}+",
        "{1,2}",
        "{1,2}?",
        "{1,2}+",
        "{2,}",
        "{2,}?",
        "{2,}+",
        "{,2}",
    ]
)
rows = st.lists(st.tuples(atoms, quantifiers).map("".join), min_size=1, max_size=3).map("".join)
composed = st.lists(rows, min_size=1, max_size=3).map("|".join)


@settings(max_examples=some(300), deadline=None, derandomize=True, database=None)
@given(composed, st.text(st.sampled_from("aab12 \né"), max_size=8))
def test_a_composed_pattern_cuts_as_the_library_does(pattern: str, text: str) -> None:
    written = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated"}
    library = pre_tokenizers.Split(Regex(pattern), "isolated")
    ours = pre_tokenizer(Component(written))(text, True)
    assert ours == [piece for piece, _ in library.pre_tokenize_str(text)]
