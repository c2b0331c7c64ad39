"""A machine cuts as the upstream library does, also where the reference reads a pattern differently."""

from __future__ import annotations

import pytest
from split_sources import TIKTOKEN_CL100K, TIKTOKEN_R50K
from tokenizers import Regex, pre_tokenizers

from tokaudit.products.compare.patterns.replay import cover, marked
from tokaudit.products.compare.patterns.splits import BEHAVIORS, Split, machine
from tokaudit_reference.text.published_patterns import CL100K, GPT2, O200K, QWEN35

NAMES = {
    "Removed": "removed",
    "Isolated": "isolated",
    "MergedWithPrevious": "merged_with_previous",
    "MergedWithNext": "merged_with_next",
    "Contiguous": "contiguous",
}
PUBLISHED = [GPT2, CL100K, O200K, QWEN35, TIKTOKEN_R50K, TIKTOKEN_CL100K]
DIFFICULT = [
    "a*|b",
    r"[^\s]*+\n*|\s+",
    r"\p{N}*?|a",
    r"\p{N}{1,3}|[a[bc]]+",
    r"[a-d&&[^b]]+|x",
    "[^a[bc]]+",
    r"\b\w|a{2}?",
    r"^a|\n^|b",
    "x{1,2}?y|x",
    r"(?<=\s|^)a+|b",
    r"(?<!a)b|\Ba",
    "(?>a+)b|a",
    r"a$|\Ab\z",
]


@pytest.mark.parametrize("behavior", BEHAVIORS)
@pytest.mark.parametrize("invert", [False, True])
@pytest.mark.parametrize("pattern", DIFFICULT)
def test_the_library_cuts_the_texts_that_try_a_machine_as_it_says(
    pattern: str, invert: bool, behavior: str
) -> None:
    agrees(Split(pattern, behavior=behavior, invert=invert))


@pytest.mark.parametrize("pattern", PUBLISHED)
def test_the_library_cuts_the_texts_that_try_a_published_pattern_as_it_says(pattern: str) -> None:
    agrees(Split(pattern))


def agrees(split: Split) -> None:
    library = pre_tokenizers.Split(Regex(split.pattern), NAMES[split.behavior], split.invert)
    classes, built = machine((split,))
    texts = list(cover(classes, built))
    assert len(texts) > sum(len(moves) for row in built.moves for moves in row) > 0
    for text, marks in texts:
        assert [place for _, place in library.pre_tokenize_str(text)] == marked(marks), text
