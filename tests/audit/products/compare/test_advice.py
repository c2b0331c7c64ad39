"""What to do about two that differ says what differs, for whom, and which ids lead to which."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import tokaudit
from tokaudit.products.compare.judging.advice import TokenChange
from tokaudit.report.comparison import Comparison
from tokaudit_folders.folder import Folder

pytestmark = pytest.mark.usefixtures("processes")
WORDS = ["a", "b", "c", "d"]
MERGES = ["a b", "ab c"]


def compared(path: Path, left: Folder, right: Folder) -> Comparison:
    sides = (str(left.write(path / "left")), str(right.write(path / "right")))
    report = tokaudit.compare(*sides, tier="quick")
    assert report.comparison is not None
    return report.comparison


def marked(*markers: str, words: list[str] = WORDS) -> Folder:
    return Folder.bpe(words, MERGES).added(*markers)


def test_nothing_is_to_be_done_about_equal_ones(tmp_path: Path) -> None:
    assert compared(tmp_path, marked("<s>"), marked("<s>")).remedy == ""


def test_only_texts_with_a_marker_differ_where_one_side_lacks_it(tmp_path: Path) -> None:
    found = compared(tmp_path, marked("<s>", "</s>"), marked("<s>"))
    assert found.remedy.startswith("Only texts that hold '</s>' differ: ")
    assert "'</s>': taken from text as a token by left alone." in found.remedy
    assert "own checkpoint" not in found.remedy


def test_only_texts_with_the_normal_form_differ_where_one_side_looks_for_it(tmp_path: Path) -> None:
    sides = [
        Folder.bpe("abcdef<>").added("<AB>", special=False, normalized=normalized)
        for normalized in (True, False)
    ]
    lower = [each.changed(normalizer={"type": "Lowercase"}) for each in sides]
    found = compared(tmp_path, *lower)
    assert found.remedy.startswith("Only texts that hold '<ab>' differ: ")
    assert "encode every text again" not in found.remedy


def test_entries_that_share_an_id_are_counted_one_by_one(tmp_path: Path) -> None:
    vocab = {word: id for id, word in enumerate(WORDS)}
    found = compared(tmp_path, Folder.bpe({**vocab, "e": 4}), Folder.bpe({**vocab, "e": 3}))
    assert "They share 5 tokens, 1 of them with different ids; 0 are in only one" in found.remedy


def test_no_id_differs_where_only_what_is_around_a_text_does(tmp_path: Path) -> None:
    template = {
        "type": "TemplateProcessing",
        "single": [
            {"SpecialToken": {"id": "<s>", "type_id": 0}},
            {"Sequence": {"id": "A", "type_id": 0}},
        ],
        "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
        "special_tokens": {"<s>": {"id": "<s>", "ids": [6], "tokens": ["<s>"]}},
    }
    found = compared(tmp_path, marked("<s>"), marked("<s>").changed(post_processor=template))
    assert found.remedy.startswith("No id differs: all ")
    assert found.remedy.endswith(
        "The post-processor differs for users who encode with special tokens (different ones "
        "are put around a text): take the post-processor of the checkpoint in use."
    )


def test_moved_markers_and_a_new_one_are_a_map(tmp_path: Path) -> None:
    old, new = marked("<x>", "<y>", "<z>"), marked("<x>", "<new>", "<y>", "<z>")
    found = compared(tmp_path, old, new)
    assert str(found.relation) == "remapped"
    assert found.remedy == (
        "2 tokens moved: ids 7 to 8 by +1. '<new>' is in right alone. Translate ids by the map "
        "(tokaudit compare A B --write-map map.json), in the embedding and in everything that "
        "holds ids."
    )


def test_the_map_of_moved_markers_leaves_the_new_one_out(tmp_path: Path) -> None:
    old, new = marked("<x>", "<y>"), marked("<new>", "<x>", "<y>")
    sides = (str(old.write(tmp_path / "left")), str(new.write(tmp_path / "right")))
    tokaudit.compare(*sides, tier="quick", write_map=tmp_path / "map.json")
    written = json.loads((tmp_path / "map.json").read_text())
    assert (written["ids"]["7"], written["only_left"], written["only_right"]) == (8, [], [6])


def test_two_ids_that_are_exchanged_are_named(tmp_path: Path) -> None:
    found = compared(tmp_path, marked(), marked(words=["b", "a", "c", "d"]))
    assert found.remedy.startswith("2 tokens moved: id 0 to 1; id 1 to 0. Translate ids")


def test_other_merges_have_no_map_and_rows_that_fit(tmp_path: Path) -> None:
    vocab = {word: id for id, word in enumerate([*WORDS, "ab", "abc", "bc"])}
    other, mine = Folder.bpe(vocab, ["b c"]), Folder.bpe(vocab, MERGES)
    found = compared(tmp_path, mine, other)
    assert "no map turns one into the other" in found.remedy
    assert "All 7 tokens have the same ids, so the rows of an embedding fit both." in found.remedy


def test_two_that_share_little_are_counted(tmp_path: Path) -> None:
    found = compared(tmp_path, Folder.bpe("abc"), Folder.bpe("xbcd"))
    assert (
        "They share 2 tokens, 0 of them with different ids; 3 are in only one of them."
        in found.remedy
    )


def test_ids_that_move_together_are_one_range() -> None:
    change = TokenChange(5, {9: 10, 8: 9, 3: 1, 11: 12}, (), ())
    assert change.ranges == [(3, 3, -2), (8, 9, 1), (11, 11, 1)]
