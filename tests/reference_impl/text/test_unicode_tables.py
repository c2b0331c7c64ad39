"""Classes of patterns are those of the libraries, whichever version of Unicode `regex` has."""

from __future__ import annotations

import regex
from pytest import mark

from tokaudit_reference.steps.pre_tokenizers.digits import is_number
from tokaudit_reference.text.patterns import Expression, compiled
from tokaudit_reference.text.unicode_tables import as_known, delta, meets_delta, read_ranges, table

NEW_LETTER = "\ua7ce"  # of Unicode 17, which no library of the table knows
CLASSED_ANEW = "\u0295"  # a letter without case since Unicode 17
NEW_DIGIT = "\U00011de0"  # of Unicode 17 too, which the pre-tokenizer `Digits` knows


@mark.parametrize("rust", [False, True])
def test_a_letter_that_the_libraries_do_not_know_is_no_letter(rust: bool) -> None:
    assert compiled(r"\p{L}+", rust=rust).findall(f"a{NEW_LETTER}b") == ["a", "b"]
    assert compiled(r"\P{L}+", rust=rust).findall(f"a{NEW_LETTER}b") == [NEW_LETTER]
    assert compiled(r"[^\s\p{L}]+", rust=rust).findall(f"a{NEW_LETTER}b") == [NEW_LETTER]
    assert compiled(r"\w+", rust=rust).findall(f"a{NEW_LETTER}b") == ["a", "b"]


def test_a_code_point_without_a_character_is_in_the_class_of_these() -> None:
    assert compiled(r"\p{Cn}").fullmatch(NEW_LETTER) is not None
    assert compiled(r"[\p{Cn}x]").fullmatch(NEW_LETTER) is not None


def test_a_character_that_was_classed_anew_is_classed_as_it_was() -> None:
    assert compiled(r"\p{Ll}").fullmatch(CLASSED_ANEW) is not None
    assert compiled(r"\p{Lo}").fullmatch(CLASSED_ANEW) is None


def test_a_code_point_that_a_pattern_names_is_found_whatever_it_is() -> None:
    assert compiled(rf"[{NEW_LETTER}\p{{L}}]+").findall(f"a{NEW_LETTER}-") == [f"a{NEW_LETTER}"]
    assert compiled(r"[\x{a7c0}-\x{a7ff}]").fullmatch(NEW_LETTER) is not None


def test_a_set_that_names_a_circumflex_after_its_class_is_not_negated() -> None:
    assert compiled(r"[\p{L}^]+").findall(f"a^{NEW_LETTER}b") == ["a^", "b"]


def test_the_edge_of_a_word_is_one_of_the_libraries_words() -> None:
    assert compiled(r"\b", rust=True).split(f"a{NEW_LETTER}") == ["", "a", NEW_LETTER]


def test_a_digit_of_the_newer_version_is_one_to_the_pre_tokenizer_and_not_to_patterns() -> None:
    assert is_number(NEW_DIGIT)
    assert compiled(r"\p{N}").fullmatch(NEW_DIGIT) is None
    assert not is_number("a")
    assert is_number("\u00bd")


def test_a_text_without_such_a_character_is_left_to_the_native_classes() -> None:
    expression = compiled(r"\p{L}+")
    for text in ("plain", "naïve λόγος 漢字", "emoji 😀 and Gothic 𐌰"):
        assert not meets_delta(text)
        assert expression.for_text(text) in (expression.native, expression.within_the_plane)


def test_what_regex_has_of_the_same_version_needs_no_ranges() -> None:
    assert set(delta()) >= {CLASSED_ANEW}
    assert all(regex.match(r"\p{Cn}", each) is None for each in delta() if each != CLASSED_ANEW)


def test_every_class_of_the_delta_is_that_of_what_it_is_like() -> None:
    for source in (r"\p{L}", r"\p{Ll}", r"\p{N}", r"\p{Cn}", r"[[:graph:]]", r"\p{Script=Latin}"):
        known = regex.compile(as_known(source))
        for character, like in delta().items():
            taken = known.match(character) is not None
            assert taken == (regex.match(source, like) is not None)


def test_a_pattern_of_known_classes_takes_what_native_ones_take_elsewhere() -> None:
    plain = "".join(chr(code) for code in range(0x3000) if chr(code) not in delta())
    for source in (r"[^\s\p{L}\p{N}]+", r"\P{L}+|\p{L}", r"\w+\b", r"[\p{Lu}\]\\x]+", r"(?:\D|a)+"):
        native, written = regex.compile(source), regex.compile(as_known(source))
        assert [m.span() for m in native.finditer(plain)] == [
            m.span() for m in written.finditer(plain)
        ]


def test_the_name_of_the_table_is_its_digest_and_what_it_holds_is_in_order() -> None:
    known = table()
    assert regex.fullmatch("[0-9a-f]{8}", known.name)
    flat = [code for each in known.unassigned for code in each]
    assert flat == sorted(flat)
    assert known.has_no(NEW_LETTER)
    assert not known.has_no("a")


def test_native_classes_alone_would_take_the_new_letter_where_regex_is_newer() -> None:
    if not any(each == NEW_LETTER for each in delta()):
        return  # `regex` has the libraries' version
    native = Expression(regex.compile(r"\p{L}+"), regex.compile(r"\p{L}+"))
    assert native.findall(f"a{NEW_LETTER}b") == [f"a{NEW_LETTER}b"]


def test_ranges_are_read_as_they_are_drawn() -> None:
    from draw_unicode_tables import ranges

    characters = [chr(code) for code in (0, 5, 6, 7, 1000, 0x10FFFF)]
    read = [code for a, b in read_ranges(" ".join(ranges(characters))) for code in range(a, b + 1)]
    assert [chr(code) for code in read] == characters
