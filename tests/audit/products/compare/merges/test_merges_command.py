"""Merges that were deleted, swapped or moved, by the installed command and confirmed by the library.

Ten of each by the command, for two published tokenizers, in the wider tier; 200 of each are compared
through the Python API in `test_published_merges.py`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from subprocess import CompletedProcess
from typing import Any

import pytest
from tokenizers import Tokenizer

from tokaudit_folders.folder import Folder

Command = Callable[..., "CompletedProcess[str]"]
Places = list[int]
SMALL = ["a b", "c d", "ab cd", "b c", "d d", "abcd dd", "a a", "aa b"]


def deleted(random: Random, count: int) -> Places:
    place = random.randrange(count)
    return [at for at in range(count) if at != place]


def swapped(random: Random, count: int) -> Places:
    places, place = list(range(count)), random.randrange(count - 1)
    places[place : place + 2] = [place + 1, place]
    return places


def moved(random: Random, count: int) -> Places:
    places = list(range(count))
    places.insert(random.randrange(count), places.pop(random.randrange(count)))
    return places


KINDS = (deleted, swapped, moved)


def written(folder: Path, described: dict[str, Any], places: Sequence[int]) -> Path:
    """A copy of a tokenizer with the merges at these places, in this order."""
    merges = [described["model"]["merges"][place] for place in places]
    copy = described | {"model": described["model"] | {"merges": merges}}
    folder.mkdir()
    (folder / "tokenizer.json").write_text(json.dumps(copy))
    return folder


def library(folder: Path) -> Callable[[str], list[int]]:
    """What the library makes of a text."""
    loaded = Tokenizer.from_file(str(folder / "tokenizer.json"))
    return lambda text: list(loaded.encode(text, add_special_tokens=False).ids)


def texts_near(described: dict[str, Any], places: Sequence[int]) -> Iterator[str]:
    """The texts of the tokens of merges that are not where they were: alone and in context."""
    listed = described["model"]["merges"]
    for at, merge in enumerate(listed):
        if at >= len(places) or places[at] != at:
            parts = merge.split(" ") if isinstance(merge, str) else merge
            text = "".join(parts).replace("\u2581", " ").replace("\u0120", " ")
            yield from (text, text.strip(), f" {text}", f"a{text}")


def confirm(command: Command, first: Path, second: Path, texts: Sequence[str], *tier: str) -> str:
    """The exit code, the outcome and each text of the JSON are what the library says."""
    done = command("compare", first, second, "--quiet", "--format", "json", *tier)
    reported = json.loads(done.stdout)["comparison"]
    (merges,) = [each for each in reported["facets"] if each["name"] == "merges"]
    one, two = library(first), library(second)
    other = [text for text in texts if one(text) != two(text)]
    if merges["outcome"] != "differs":
        assert (done.returncode, done.stderr, other) == (0, "", [])
        return str(merges["outcome"])
    (shown,) = merges["evidence"]
    rows = [[token["id"] for token in shown[row]] for row in ("expected", "actual")]
    assert done.returncode == 1
    assert rows == [one(shown["text"]), two(shown["text"])]
    assert rows[0] != rows[1]
    return "differs"


@pytest.mark.parametrize(
    ("places", "outcome"),
    [
        pytest.param([0, 1, 2, 4, 5, 6, 7], "differs", id="a merge deleted"),
        pytest.param([0, 1, 2, 4, 3, 5, 6, 7], "equivalent (proved)", id="neighbours swapped"),
        pytest.param([3, 0, 1, 2, 4, 5, 6, 7], "differs", id="a merge moved"),
    ],
)
def test_a_changed_merge_is_what_the_library_says(
    places: Places, outcome: str, tmp_path: Path, tokaudit_in_fork: Command
) -> None:
    described = dict(Folder.bpe("abcd", SMALL).tokenizer)
    pair = [
        written(tmp_path / name, described, each)
        for name, each in (("one", range(len(SMALL))), ("other", places))
    ]
    near = list(texts_near(described, places))
    assert confirm(tokaudit_in_fork, pair[0], pair[1], near, "--tier", "quick") == outcome


@pytest.mark.published
@pytest.mark.parametrize("name", ["gpt2", "phi-3-mini"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(10))
def test_ten_of_each_change_of_a_published_table_are_what_the_library_says(
    name: str,
    kind: Callable[[Random, int], Places],
    seed: int,
    material: Path,
    tmp_path: Path,
    tokaudit_in_fork: Command,
) -> None:
    described = json.loads((material / "tokenizers" / name / "tokenizer.json").read_text("utf-8"))
    count = len(described["model"]["merges"])
    places = kind(Random(seed), count)
    pair = [
        written(tmp_path / side, described, each)
        for side, each in (("one", range(count)), ("other", places))
    ]
    near = list(texts_near(described, places))[:200]
    confirm(tokaudit_in_fork, pair[0], pair[1], near)
