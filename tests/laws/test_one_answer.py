"""No two tables of the room of what is known upstream answer one question."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from upstream_room import ROOM, copied

from tokaudit.products.chat.rendering.terms import Construct
from tokaudit.subject.upstream import records
from tokaudit.subject.upstream.llama_cpp.gguf_models import habits
from tokaudit.subject.upstream.model_type import every_type
from tokaudit.subject.upstream.piece_pipelines import PIECE_PIPELINES
from tokaudit.subject.upstream.refusals import REFUSALS
from tokaudit.subject.upstream.setting_key import LISTED, every_setting
from tokaudit.subject.upstream.template_engines import readings
from tokaudit.subject.upstream.tokenizer_class import every_class

TREE = ROOM.parents[3]
CLASSES = frozenset(name + end for name in every_class() for end in ("", "Fast"))
OF_OTHERS = {
    "published/known_encodings.py": "names of rank files",
    "llama_cpp/gguf_patterns.py": "values of llama.cpp's own key and not model types",
}
"""Modules in which a text is spelled as a model type and means something else."""
USERS = ("audit", "suites", "reports", "reference_impl")
MARK = re.compile(r"[^\w./-]")
TOKENS_ALL_THE_SAME = {
    "audit/tokaudit/products/demo/checkpoints.py": "writes the tokens of small checkpoints",
    "audit/tokaudit/products/train/recipe.py": "the unknown token that a trained model gets",
    "audit/tokaudit/testing/strategies.py": "texts that are tried",
}
"""Modules outside of the room that list tokens which a record of it lists."""


def tables(path: Path) -> Iterator[tuple[int, frozenset[str]]]:
    """The line and the texts of each mapping and row of a module; of a mapping keys and values."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Dict | ast.Set | ast.List | ast.Tuple):
            listed = [*node.keys, *node.values] if isinstance(node, ast.Dict) else node.elts
            texts = (each.value for each in listed if isinstance(each, ast.Constant))
            yield node.lineno, frozenset(text for text in texts if isinstance(text, str))


def test_no_module_has_a_table_by_class_or_by_model_type_next_to_the_records() -> None:
    found = {
        f"{path.relative_to(ROOM)}:{line}: {', '.join(sorted(named))}"
        for path in ROOM.rglob("*.py")
        for line, texts in tables(path)
        if (named := texts & (CLASSES | every_type().keys()))
        and not (str(path.relative_to(ROOM)) in OF_OTHERS and not named & CLASSES)
    }
    assert found == set()


def lists(said: object) -> Iterator[frozenset[str]]:
    """The texts of each list, and the keys of each table of a record, apart from words and names."""
    if isinstance(said, dict | list):
        for each in said.values() if isinstance(said, dict) else said:
            yield from lists(each)
        yield frozenset(each for each in said if isinstance(each, str) and MARK.search(each))


@cache
def recorded_lists() -> frozenset[frozenset[str]]:
    """The lists of all records, and the tokens of classes; types of models have numbers alone."""
    files = (path for path in ROOM.rglob("*.toml") if path.name != records.TYPES)
    read = [tomllib.loads(path.read_text("utf-8")) for path in files]
    of_classes = (list(known.tokens.values()) for known in every_class().values() if known.tokens)
    found = (one for said in (*read, *of_classes) for one in lists(said))
    return frozenset(one for one in found if len(one) > 1)


@cache
def recorded_texts() -> frozenset[str]:
    return frozenset().union(*recorded_lists())


def lists_again(path: Path) -> bool:
    """Whether two texts of one table of a module stand in one list of the records."""
    source = path.read_text("utf-8")
    if sum(text in source for text in recorded_texts()) < 2:
        return False
    return any(len(texts & one) > 1 for _, texts in tables(path) for one in recorded_lists())


def test_no_module_lists_tokens_that_a_record_lists() -> None:
    again = {
        path.relative_to(TREE).as_posix()
        for user in USERS
        for path in (TREE / user).rglob("*.py")
        if not path.is_relative_to(ROOM) and lists_again(path)
    }
    assert again == set(TOKENS_ALL_THE_SAME)


def test_every_exception_is_one() -> None:
    idle = {
        module
        for module in OF_OTHERS
        if not any(texts & every_type().keys() for _, texts in tables(ROOM / module))
    }
    assert idle == set()


def test_a_key_of_settings_has_a_section_or_is_listed_as_known() -> None:
    twice = set()
    for file in records.settings_files():
        record = records.settings_record(file)
        listed = record.get(LISTED, {}).get("keys", "").split()
        twice |= {f"{file}: {key}" for key in listed if key in record}
    assert twice == set()


def test_a_key_of_settings_has_one_section() -> None:
    named = [(key.file, key.key) for key in every_setting()]
    assert len(named) == len(set(named))


def test_each_record_says_whether_it_is_drawn_or_written_by_hand() -> None:
    """Of a class a table is by hand, of model types single keys, and of other files the whole."""
    silent = set()
    for path in ROOM.rglob("*.toml"):
        drawn_in_part = path.parent.name == records.CLASSES
        said = tomllib.loads(path.read_text("utf-8")).get(records.BY_HAND)
        drawn = (records.TYPES, REFUSALS, PIECE_PIPELINES)  # as a whole, but for single keys
        whole = path.name in drawn
        if not whole and not (said if drawn_in_part else said is True):
            silent.add(path.relative_to(ROOM).as_posix())
    assert silent == set()


def test_a_record_that_does_not_say_so_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = copied(tmp_path, monkeypatch) / records.PIPELINES / "clip.toml"
    file.write_text(file.read_text("utf-8").replace("by_hand = true\n", ""), "utf-8")
    with pytest.raises(ValueError, match=r"clip\.toml does not say by_hand = true"):
        records.pipeline_record("clip")


def test_nothing_that_is_drawn_of_a_class_is_said_again_by_hand() -> None:
    found = set()
    for name in records.class_names():
        record = records.class_record(name) or {}
        said = {key for key in record.get("by_hand", {}) if record.get(key)}
        found |= {f"{name}: {key}" for key in said}
    assert found == set()


def test_nothing_that_is_drawn_of_a_model_type_is_said_again_by_hand() -> None:
    found = set()
    for name in records.type_names():
        record = records.type_record(name) or {}
        found |= {f"{name}: {key}" for key in record.get("by_hand", {}).keys() & record.keys()}
    assert found == set()


def test_every_class_and_every_model_type_has_one_record() -> None:
    heads = [
        line
        for line in (ROOM / records.TYPES).read_text("utf-8").splitlines()
        if line.startswith("[") and ".by_hand" not in line
    ]
    assert len(heads) == len(set(heads))
    tables_of_types = [
        path.name
        for path in ROOM.rglob("*.toml")
        if path.name not in (records.TYPES, REFUSALS, PIECE_PIPELINES)
        and CLASSES & set(path.read_text("utf-8").split('"'))
    ]
    assert tables_of_types == []


def test_every_construct_of_a_template_has_a_record_of_how_engines_read_it() -> None:
    names = {construct.name.lower() for construct in Construct}
    assert names == readings().keys()


@pytest.mark.parametrize(
    ("model", "begins", "generates"),
    [
        *(("llama", True, True), ("gemma4", True, True), ("gpt2", False, True)),
        *(("rwkv", False, True), ("bert", False, False)),
    ],
)
def test_a_model_of_llama_cpp_has_the_habits_of_its_code(
    model: str, begins: bool, generates: bool
) -> None:
    """By the defaults of `llama_vocab::impl::load` in llama-vocab.cpp."""
    found = habits(model, "", "")
    assert (found.begins_with_bos, found.generates) == (begins, generates)


@pytest.mark.parametrize("family", ["gemma", "gemma2", "gemma3", "gemma3n", "gemma4"])
def test_a_family_that_was_trained_with_bos_needs_it(family: str) -> None:
    assert habits("", "", family).needs_bos
    assert not habits("", "", "llama").needs_bos
