"""minbpe's own model files: each gives the ids that minbpe's own loops give."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
import regex
from format_files import read, spec_of
from hypothesis import given, settings
from hypothesis import strategies as st
from law_examples import some

from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit_reference.tokenizer import ReferenceTokenizer


def minbpe(merges: list[tuple[int, int]], pattern: str = "", special: str = "0\n") -> str:
    return f"minbpe v1\n{pattern}\n{special}" + "".join(f"{a} {b}\n" for a, b in merges)


def minbpe_ids(merges: list[tuple[int, int]], data: bytes) -> list[int]:
    """What minbpe's own `encode` does, written naively: the earliest merge that is there, first."""
    made, ids = {pair: 256 + index for index, pair in enumerate(merges)}, list(data)
    while pairs := [pair for pair in pairwise(ids) if pair in made]:
        pair, joined, at = min(pairs, key=made.__getitem__), [], 0
        while at < len(ids):
            here = tuple(ids[at : at + 2]) == pair
            joined.append(made[pair] if here else ids[at])
            at += 2 if here else 1
        ids = joined
    return ids


def test_the_example_of_its_readme_gives_its_ids(tmp_path: Path) -> None:
    spec = spec_of(tmp_path, {"m.model": minbpe([(97, 97), (256, 97), (257, 98)])})
    tokenizer = ReferenceTokenizer(spec)
    assert tokenizer.encode("aaabdaaabac").ids == [258, 100, 258, 97, 99]
    assert tokenizer.decode([258, 100, 258, 97, 99]) == "aaabdaaabac"


def test_its_pattern_and_special_tokens_are_used(tmp_path: Path) -> None:
    content = minbpe([(97, 32), (32, 98)], pattern="\\w+|\\s", special="1\n<|end of|> 300\n")
    spec = spec_of(tmp_path, {"m.model": content})
    assert ReferenceTokenizer(spec).encode("a b<|end of|>!").ids == [97, 32, 98, 300]


@settings(deadline=None, derandomize=True, database=None, max_examples=some(60))
@given(data=st.data())
def test_a_minbpe_file_encodes_as_its_own_loop_does(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    merges, tokens = list[tuple[int, int]](), {id: bytes([id]) for id in range(256)}
    for _ in range(data.draw(st.integers(0, 8))):
        usable = st.sampled_from([97, 98, *range(256, len(tokens))])
        pair = data.draw(usable), data.draw(usable)
        if tokens[pair[0]] + tokens[pair[1]] not in tokens.values():
            tokens[len(tokens)] = tokens[pair[0]] + tokens[pair[1]]
            merges.append(pair)
    text = data.draw(st.text("ab", max_size=20))
    spec = spec_of(tmp_path_factory.mktemp("m"), {"m.model": minbpe(merges)})
    assert ReferenceTokenizer(spec).encode(text).ids == minbpe_ids(merges, text.encode())


def test_white_space_around_a_minbpe_pattern_is_dropped_as_minbpe_does(tmp_path: Path) -> None:
    spec = spec_of(tmp_path, {"m.model": minbpe([], pattern=" \\w+|\\s ")})
    assert spec.pre_tokenizer.options is not None
    assert spec.pre_tokenizer.options["pattern"] == {"Regex": "\\w+|\\s"}


@pytest.mark.parametrize("pattern", ["^a|\\s+", "\\w+$", "[^\\W_]+", "(?i:É)|\\S", "a(?=b)|\\d\\b"])
def test_a_minbpe_pattern_means_what_regex_takes_it_for(tmp_path: Path, pattern: str) -> None:
    spec = spec_of(tmp_path, {"m.model": minbpe([], pattern=pattern)})
    for text in ("a\na\x1fa", "ab\ncd\n", "x_y\u200d2 \u00b2", "éÉ\u0301 ab", "a1 b2\x85"):
        kept = "".join(regex.findall(pattern, text)).encode()
        assert ReferenceTokenizer(spec).encode(text).ids == list(kept)


def test_a_minbpe_file_with_windows_line_ends_is_the_same(tmp_path: Path) -> None:
    text = minbpe([(97, 97), (256, 98)], pattern="\\w+", special="1\n<|end|> 300\n")
    one, other = tmp_path / "one", tmp_path / "other"
    one.mkdir()
    other.mkdir()
    plain = spec_of(one, {"m.model": text})
    assert spec_of(other, {"m.model": text.replace("\n", "\r\n")}) == plain


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (minbpe([(97, 98)], special="1\n<|end|> 256\n"), "line 4: gives '<|end|>' the id 256"),
        (minbpe([], special="2\n<a> 300\n<b> 300\n"), "line 5: repeats '300' of line 4"),
        (minbpe([], special="2\n<a> 300\n<a> 301\n"), "line 5: repeats '<a>' of line 4"),
        (minbpe([], special="9\n<a> 300\n"), "line 5: ends before a special token"),
        (minbpe([(97, 98), (97, 98)]), "line 5: makes b'ab' a second time, under another id"),
        (minbpe([(97, 97), (256, 97), (97, 256)]), "line 6: makes b'aaa' a second time"),
        (minbpe([]).replace("v1", "v1 or so"), "line 1: is no minbpe v1 file"),
        ("minbpe v1", "line 2: ends before the pattern"),
        ("minbpe v1\n\nx\n", "line 3: has 'x' where a number belongs"),
        ("minbpe v1\n\n99999999999\n", "line 3: has '99999999999' where a number belongs"),
        ("minbpe v1\n\n1\nend\n", "line 4: is not a special token and its id"),
        ("minbpe v1\n\n0\n97\n", "line 4: is '97'; expected two ids"),
        ("minbpe v1\n\n0\n97 256\n", "line 4: merges the id 256, which is not made yet"),
    ],
)
def test_what_a_minbpe_file_may_not_hold_is_said(tmp_path: Path, content: str, says: str) -> None:
    spec, error = read(tmp_path, {"m.model": content})
    assert spec is None and f"m.model at {says}" in error


def test_a_minbpe_file_that_makes_bytes_twice_is_blamed_for_nothing(tmp_path: Path) -> None:
    (tmp_path / "m.model").write_text(minbpe([(97, 98), (97, 98)]))
    [found] = parse_all(open_subject(str(tmp_path))).all
    assert found.sound


def test_a_merge_that_doubles_its_token_fifty_times_is_stopped(tmp_path: Path) -> None:
    merges = [(97, 97), *((id, id) for id in range(256, 306))]
    _, error = read(tmp_path, {"m.model": minbpe(merges)})
    assert "line 28: makes tokens of more than 64,000,000 bytes together" in error
