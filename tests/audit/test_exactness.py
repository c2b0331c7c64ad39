"""The exactness table: a short tier of it, and that it would tell a difference."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from conftest import find_material

from tokaudit.exactness import texts
from tokaudit.exactness.compare import compare
from tokaudit.exactness.subjects import Pair, in_folder, installed, pairs

SHORT = texts.Tier(entries=150, scalars=300, fuzz=150)


def short_subjects() -> list[str]:
    folder = find_material()
    return [*installed()[:1], *(in_folder(folder / "tokenizers") if folder else [])]


def first(name: str) -> Pair:
    found = next(pairs(name), None)
    if found is None:
        pytest.skip("no vendor's library runs it")
    return found


@pytest.mark.parametrize("name", short_subjects(), ids=lambda name: Path(name).name)
def test_the_reference_gives_what_the_vendor_gives(name: str) -> None:
    rows = list(compare(first(name), SHORT, seed=1))
    assert [row.examples for row in rows] == [[]] * 4
    assert [row.kind for row in rows] == ["entries", "scalars", "between letters", "fuzz"]
    assert all(row.strings > 0 and row.unexplained == 0 for row in rows)


def test_another_tokenizer_s_ids_are_told_with_examples(material: Path) -> None:
    gpt2, bert = (first(str(material / "tokenizers" / n)) for n in ("gpt2", "bert-base-uncased"))
    rows = list(compare(replace(gpt2, reference=bert.reference), SHORT, seed=1))
    assert all(row.unexplained > row.strings / 2 for row in rows)
    assert all(len(row.examples) == 3 for row in rows)


def test_the_full_tier_has_every_scalar_value_once() -> None:
    assert len(set(texts.scalars(texts.TIERS["full"], 0))) == 1_112_064


def test_what_is_drawn_depends_on_the_seed_alone(material: Path) -> None:
    spec = first(str(material / "tokenizers" / "gpt2")).spec
    drawn = [list(texts.fuzz(spec, SHORT, seed)) for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert any("<|endoftext|>" in text for text in drawn[0])
