"""After a byte or character that the vocabulary lacks, places are those of the library."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from tokenizers import Tokenizer
from tokenizers.pre_tokenizers import ByteLevel

from tokaudit.subject.formats.tokenizer_json import FORMAT
from tokaudit.subject.opening import open_subject
from tokaudit_folders.folder import Folder
from tokaudit_reference.tokenizer import ReferenceTokenizer

BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}
Placed = list[tuple[int, tuple[int, int]]]


def both(made: Folder, folder: Path, texts: list[str]) -> list[tuple[Placed, Placed]]:
    """The ids with their places, of the library and of the reference."""
    library = Tokenizer.from_str(made.text())
    subject = open_subject(made.write(folder))
    ours = ReferenceTokenizer(FORMAT.parse(subject, subject.files[0]))
    found = []
    for text in texts:
        theirs, mine = library.encode(text), ours.encode(text, offsets=True)
        spans = [(start, end) for start, end in mine.offsets or ()]
        pairs = list(zip(theirs.ids, theirs.offsets, strict=True))
        found.append((pairs, list(zip(mine.ids, spans, strict=True))))
    return found


def without(*dropped: str) -> Folder:
    """Bytes alone, as Falcon's, of which some are missing."""
    kept = [one for one in sorted(ByteLevel.alphabet()) if one not in dropped]
    return Folder.bpe(kept, ["a c"]).changed(pre_tokenizer=BYTE_LEVEL)


def test_what_follows_a_dropped_byte_is_moved_to_it(tmp_path: Path) -> None:
    [(theirs, ours)] = both(without("\u00a9"), tmp_path, ["\u00e9a"])
    assert [place for _, place in theirs] == [(0, 1), (0, 1)]
    assert ours == theirs


def test_nothing_moves_where_nothing_is_dropped(tmp_path: Path) -> None:
    [(theirs, ours)] = both(without(), tmp_path, ["\u00e9a"])
    assert [place for _, place in ours] == [(0, 1), (0, 1), (1, 2)]
    assert ours == theirs


@pytest.mark.parametrize("dropped", ["\u00c3", "\u00a9", "\u0120", "b", "\u00c3\u00a9"])
def test_any_missing_byte_gives_the_places_of_the_library(dropped: str, tmp_path: Path) -> None:
    texts = ["a\u00e9b c", "\u00e9", "b\u00e9 \u00e9a", "abc ab", "a b", "\u65e5\u672c b"]
    for theirs, ours in both(without(*dropped), tmp_path, texts):
        assert ours == theirs


@pytest.mark.parametrize("seed", range(12))
def test_any_missing_character_gives_the_places_of_the_library(seed: int, tmp_path: Path) -> None:
    draw, letters = random.Random(seed), "abc\u00e9\u00e8\u65e5 "
    kept = [one for one in letters if draw.random() < 0.7] or ["a"]
    some = [f"<0x{byte:02X}>" for byte in range(256) if draw.random() < 0.9]
    fallback = draw.random() < 0.5
    merges = [m for m in ("a b", "b c", "\u00e9 a") if {*m.split()} <= {*kept}]
    made = Folder.bpe([*kept, *some * fallback], merges, byte_fallback=fallback)
    texts = ["".join(draw.choices(letters, k=draw.randint(1, 8))) for _ in range(30)]
    for theirs, ours in both(made, tmp_path, texts):
        assert ours == theirs
