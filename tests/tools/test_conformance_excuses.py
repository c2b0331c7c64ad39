"""What excuses a difference from a library, and what does not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import regex
from installed_library import of_the_newest
from processes import starts_processes
from real_tokenizers import read, small_bpe

from tokaudit.runtimes.tables_by_name import TABLES
from tokaudit.runtimes.unicode_tables import Excuses, all_characters, tables_used
from tokaudit.runtimes.worker.client import WorkerTokenizer
from tokaudit_conformance.both import Both
from tokaudit_conformance.compare import ComparedStrings, Comparison
from tokaudit_conformance.kinds import Kind
from tokaudit_conformance.subjects import LoadPair, pairs
from tokaudit_folders.folder import Folder
from tokaudit_reference.spec import AddedToken, Component, ModelType, Standing, TokenizerSpec
from tokaudit_reference.text.patterns.classes import classes

PATIENCE = 300.0  # seconds to wait for an answer, however busy the machine is


def spec_of(normalizer: object = None, pre_tokenizer: object = None) -> TokenizerSpec:
    stages = [Component(stage, Standing.STATED) for stage in (normalizer, pre_tokenizer)]  # type: ignore[arg-type]
    return TokenizerSpec(ModelType.BPE, {}, normalizer=stages[0], pre_tokenizer=stages[1])


@pytest.fixture(scope="module")
@starts_processes
def upstream(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WorkerTokenizer]:
    folder = Folder.bpe("ab", ["a b"]).write(tmp_path_factory.mktemp("any"))
    with WorkerTokenizer(next(pairs(str(folder))).upstream, timeout=PATIENCE) as opened:
        yield opened


def test_the_tables_that_count_are_those_of_the_components() -> None:
    bert = {"type": "BertNormalizer", "lowercase": True, "strip_accents": None}
    cut = {"type": "Split", "pattern": {"Regex": r"\d|[^\s\p{Lu}]"}}
    assert tables_used(spec_of(bert, {"type": "BertPreTokenizer"})) == {
        "BertNormalizer.clean_text",
        "BertNormalizer.strip_accents",
        "NFD",
        "Lowercase",
        "Punctuation",
        "White_Space",
    }
    assert tables_used(spec_of({"type": "NFC"}, cut)) == {"NFC", r"\d", r"\s", r"\p{Lu}"}
    assert tables_used(spec_of({"type": "Replace", "pattern": {"String": "a"}})) == set()
    assert tables_used(spec_of(None, {"type": "ByteLevel", "use_regex": False})) == set()


def test_flags_of_added_tokens_consult_tables_too() -> None:
    alone = replace(spec_of(), added_tokens=(AddedToken(0, "<e>", single_word=True),))
    taking = replace(spec_of(), added_tokens=(AddedToken(0, "<e>", lstrip=True),))
    assert tables_used(alone) == {r"\w"}
    assert tables_used(taking) == {"White_Space"}


def test_an_escaped_backslash_begins_no_class() -> None:
    assert list(classes(r"\\p{L}\\s")) == []


def test_a_character_that_unicode_never_changed_excuses_nothing() -> None:
    assert Excuses({"NFC": [0xE9, 0x301, 0x4E00]}).all == frozenset()


def test_every_table_that_is_asked_for_is_answered(upstream: WorkerTokenizer) -> None:
    names = ["Lowercase", "Digits", "White_Space", r"\p{L}", "[[:alpha:]]"]
    found = upstream.tables(names, "a\u00df\u4e00")
    assert list(found) == names
    assert found["White_Space"] == frozenset()


def telling_characters() -> str:
    """Every character but ideographs, syllables of Hangul and private ones, and some of these."""
    every = all_characters()
    return "".join([*regex.findall(r"[^\p{Han}\p{Hangul}\p{Co}\p{Cn}]", every), *every[::50]])


@of_the_newest
@pytest.mark.parametrize("name", [*sorted(TABLES), r"\p{L}", r"\w", r"\d", r"\s", "[[:punct:]]"])
def test_the_reference_has_the_tables_of_the_installed_library(
    upstream: WorkerTokenizer, name: str
) -> None:
    """Red for a newer version with other tables, which `make tables` draws."""
    assert upstream.tables([name], telling_characters())[name] == frozenset()


@pytest.fixture(scope="module")
def small(material: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, LoadPair]:
    """Small copies of two published tokenizers."""
    found = {}
    for name in ("clip-base", "gpt2"):
        folder = tmp_path_factory.mktemp(name)
        (folder / "tokenizer.json").write_text(json.dumps(small_bpe(read(material, name))))
        found[name] = next(pairs(str(folder)))
    return found


OTHER_LETTERS = ["\ua7c1", "\u0870", "\U0001df00"]  # of Unicode 14, as a library with older tables


@pytest.fixture(scope="module")
def older(
    material: Path, small: dict[str, LoadPair], tmp_path_factory: pytest.TempPathFactory
) -> LoadPair:
    """The small copy of CLIP to a library that does not know those letters."""
    clip = small_bpe(read(material, "clip-base"))
    split = clip["pre_tokenizer"]["pretokenizers"][0]["pattern"]
    letters = rf"(?:(?![{''.join(OTHER_LETTERS)}])\p{{L}})"
    others = rf"(?:[^\s\p{{L}}\p{{N}}]|[{''.join(OTHER_LETTERS)}])"
    split["Regex"] = split["Regex"].replace(r"[^\s\p{L}\p{N}]", others).replace(r"[\p{L}]", letters)
    folder = tmp_path_factory.mktemp("older")
    (folder / "tokenizer.json").write_text(json.dumps(clip))
    return replace(small["clip-base"], upstream=next(pairs(str(folder))).upstream)


def counted(pair: LoadPair, strings: list[str]) -> ComparedStrings:
    with (
        WorkerTokenizer(pair.upstream, timeout=PATIENCE) as theirs,
        WorkerTokenizer(pair.reference, timeout=PATIENCE) as ours,
    ):
        comparison = Comparison(pair, Both(theirs, ours))
        comparison.excuses = Excuses({r"\p{L}": map(ord, OTHER_LETTERS)})
        return comparison.of_texts(Kind("some", strings))


def test_a_letter_to_one_side_alone_is_explained_by_that_table(older: LoadPair) -> None:
    row = counted(older, [f"a{letter}b" for letter in OTHER_LETTERS])
    assert row.mismatches == len(OTHER_LETTERS)
    assert (row.unexplained, row.examples) == (0, [])
    assert row.by_table[r"\p{L}"] == row.explained


def test_a_fault_next_to_such_a_letter_is_not_excused(
    small: dict[str, LoadPair], older: LoadPair
) -> None:
    texts = [f"hello{letter}b" for letter in OTHER_LETTERS]
    row = counted(replace(older, reference=small["gpt2"].reference), texts)
    assert (row.mismatches, row.explained) == (len(texts), 0)
    assert all(len(example.text) == 1 for example in row.examples)
