"""Differences are counted and mapped by token, whatever two tokenizers are to each other."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from library_pair import LibraryPair, tokenizer

from tokaudit.engine.sides.side import Side
from tokaudit.engine.vocabularies.id_map import shared_ids
from tokaudit.products.compare.judging.advice import token_change
from tokaudit_reference.spec import TokenizerSpec

DRAWS = 40
WORDS = [f"w{number}" for number in range(12)]
MARKERS = [f"<m{number}>" for number in range(5)]
Read = Callable[[TokenizerSpec], TokenizerSpec]


def drawn(draw: random.Random) -> tuple[dict[str, int], list[str]]:
    """Words at ids, two of which may share one, and markers behind them."""
    words = draw.sample(WORDS, draw.randint(9, 12))
    vocab = {"?": 0, **{word: 1 + at for at, word in enumerate(words)}}
    if draw.random() < 0.5:
        one, other = draw.sample(words[:-1], 2)  # without a hole at the end, as markers follow
        vocab[one] = vocab[other]
    return vocab, draw.sample(MARKERS, draw.randint(1, 5))


def described(vocab: dict[str, int], markers: list[str]) -> dict[str, object]:
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    added = [
        {"id": len(vocab) + at, "content": marker, "special": True, **flags}
        for at, marker in enumerate(markers)
    ]
    model = {"type": "WordLevel", "unk_token": "?", "vocab": vocab}
    return tokenizer(model, pre_tokenizer={"type": "WhitespaceSplit"}, added_tokens=added)


def wrong(place: Path, read: Read) -> list[str]:
    """Tokens counted otherwise than by the strings of both, or mapped to another id."""
    draw, found = random.Random(44), list[str]()
    for number in range(DRAWS):
        sides = [drawn(draw), drawn(draw)]
        pair = LibraryPair(place / f"{number}", *[described(*each) for each in sides])
        first, second = (Side(side.name, read(side.spec), side.subject) for side in pair.sides)
        ours, theirs = (
            vocab | {marker: len(vocab) + at for at, marker in enumerate(markers)}
            for vocab, markers in sides
        )
        change = token_change(first, second)
        if change.shared != len(ours.keys() & theirs.keys()):
            found.append(f"{change.shared} are shared")
        if {*change.only_left} != ours.keys() - theirs.keys():
            found.append(f"only in the first: {change.only_left}")
        mapped = shared_ids(first.spec, second.spec)
        text = " ".join((*ours, *theirs))
        rows = [library.encode([text])[0].ids for library in pair.libraries]
        for before, after in zip(*rows, strict=True):
            if mapped.get(before, after) != after and 0 not in (before, after):
                found.append(f"{before} to {mapped[before]}, which is {after}")
    return found


def test_drawn_pairs_are_counted_and_mapped_as_the_library_encodes_them(tmp_path: Path) -> None:
    assert wrong(tmp_path, lambda spec: spec) == []


def test_a_map_of_one_entry_for_each_id_is_noticed(tmp_path: Path) -> None:
    """The seeded breach."""
    found = wrong(tmp_path, lambda spec: replace(spec, sharing=()))
    assert any("are shared" in each for each in found)
    assert any(" to " in each for each in found)
