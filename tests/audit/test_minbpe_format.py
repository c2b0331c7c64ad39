"""minbpe's own model files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tokaudit.opening import open_subject
from tokaudit.representations import parse_all
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_reference.tokenizer import ReferenceTokenizer


def opened(folder: Path, content: str) -> tuple[TokenizerSpec | None, str]:
    (folder / "tiny.model").write_text(content)
    [found] = parse_all(open_subject(str(folder))).all
    return found.spec, found.error


def test_the_example_of_its_readme_gives_its_ids(tmp_path: Path) -> None:
    spec, _ = opened(tmp_path, "minbpe v1\n\n0\n97 97\n256 97\n257 98\n")
    assert spec is not None
    tokenizer = ReferenceTokenizer(spec)
    assert tokenizer.encode("aaabdaaabac").ids == [258, 100, 258, 97, 99]
    assert tokenizer.decode([258, 100, 258, 97, 99]) == "aaabdaaabac"


def test_its_pattern_and_special_tokens_are_used(tmp_path: Path) -> None:
    spec, _ = opened(tmp_path, "minbpe v1\n\\w+|\\s\n1\n<|end of|> 300\n97 32\n32 98\n")
    assert spec is not None
    assert ReferenceTokenizer(spec).encode("a b<|end of|>!").ids == [97, 32, 98, 300]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("minbpe v1", "line 2: ends before the pattern"),
        ("minbpe v1\n\nx\n", "line 3: has 'x' where a number belongs"),
        ("minbpe v1\n\n1\nend\n", "line 4: is no special token and its id"),
        ("minbpe v1\n\n0\n97\n", "line 4: is '97'; expected two ids"),
        ("minbpe v1\n\n0\n97 256\n", "line 4: merges the id 256, which is not made yet"),
        ("minbpe v1\n\n0\n" + "".join(f"{i} {i}\n" for i in [97, *range(256, 290)]), "64,000,000"),
        ("minbpe v1\n\n99999999999\n", "where a number belongs"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path: Path, content: str, says: str) -> None:
    spec, error = opened(tmp_path, content)
    assert spec is None
    assert says in error and "tiny.model" in error
