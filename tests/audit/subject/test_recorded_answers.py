"""The records are what transformers says: drawn and held by a digest, or by recorded answers."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import drawn_records
import pytest
from recorded_answers import (
    asked_of_library,
    library,
    list_of,
    lost,
    name_of,
    python_of,
    recorded,
    write,
)
from records_by_hand import lost as lost_by_hand
from said_of_family import of_family
from upstream_room import ROOM, copied, forget, without, without_key

from tokaudit.subject.upstream import records, setting_key
from tokaudit.subject.upstream.setting_key import every_setting
from tokaudit.subject.upstream.tokenizer_class import class_named, every_class
from tokaudit.subject.upstream.versions import FIVE, FOUR
from tokaudit_upstream import unrecorded

WRITE = "TOKAUDIT_RECORD"  # make classes sets it
KINDS = ("classes", "settings")
KEYS = [
    *sorted(map(name_of, every_setting())),
    *(list_of(file) for file in records.settings_files() if setting_key.listed_keys(file)),
]
FAMILIES = sorted(path.stem for path in (ROOM / records.PIPELINES).iterdir())
SHOWN = sorted({known.pipelines.in_five for known in every_class().values()} - {""})


@pytest.fixture(autouse=True)
def nothing_is_remembered() -> Iterator[None]:
    yield
    forget()


@pytest.mark.classes
def test_the_library_gives_the_recorded_answers(tmp_path: Path) -> None:
    if not all(python_of(version).is_file() for version in (FOUR, FIVE)):
        pytest.skip("no environments: make classes builds them")
    answers = dict(zip(KINDS, asked_of_library(tmp_path), strict=True))
    if os.environ.get(WRITE):
        for kind, said in answers.items():
            write(kind, said)
        drawn_records.write()
        recorded.cache_clear()
    assert answers == {kind: recorded(kind) for kind in KINDS}


@pytest.mark.classes
def test_drawing_the_records_anew_changes_nothing() -> None:
    if not all(python_of(version).is_file() for version in (FOUR, FIVE)):
        pytest.skip("no environments: make classes builds them")
    assert drawn_records.changed(library()) == []


@pytest.mark.classes
def test_a_version_has_no_class_and_no_argument_that_nothing_knows() -> None:
    if not all(python_of(version).is_file() for version in (FOUR, FIVE)):
        pytest.skip("no environments: make classes builds them")
    assert list(unrecorded.report(library())) == []
    keys = {key for file in unrecorded.WHOLLY_LISTED for key in library().keys_of(file)}
    idle = unrecorded.NO_SETTINGS.keys() - library().arguments().keys() - keys
    assert idle == set()


def test_every_class_that_a_model_type_names_has_a_record() -> None:
    assert unrecorded.unrecorded_classes() == unrecorded.WITHOUT_RECORD.keys()


def test_what_is_drawn_is_as_it_was_drawn() -> None:
    assert drawn_records.digests() == drawn_records.recorded()


@pytest.mark.parametrize(
    ("kind", "file", "line"),
    [
        (records.CLASSES, "classes/BertTokenizer.toml", 'cls = "[CLS]"'),
        (records.TYPES, "model_types.toml", 'vocab_size = ["30000", "30000"]'),
    ],
)
def test_a_line_that_is_lost_of_what_is_drawn_is_noticed(
    kind: str, file: str, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = copied(tmp_path, monkeypatch) / file
    path.write_text(path.read_text("utf-8").replace(f"{line}\n", "", 1), "utf-8")
    found, was = drawn_records.digests(), drawn_records.recorded()
    assert [each for each in was if found[each] != was[each]] == [kind]


@pytest.mark.parametrize("kind", KINDS)
def test_the_records_give_every_recorded_answer(kind: str) -> None:
    assert lost(kind) == []


def test_every_key_of_settings_has_a_recorded_answer() -> None:
    assert [name for name in KEYS if not recorded("settings").get(name)] == []


def test_a_key_of_settings_whose_record_is_deleted_loses_answers_by_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for key in every_setting():
        name = name_of(key)
        with without_key(monkeypatch, key.file, key.key):
            found = lost("settings", [name])
        assert any(line.startswith(f"{name}: named is ") for line in found), name
        assert found[0].endswith(", and None here")


def test_every_family_that_a_class_names_has_a_record() -> None:
    named = {
        of
        for known in every_class().values()
        for of in (known.pipelines.of_files, known.pipelines.in_five)
    }
    assert named - {""} == set(FAMILIES)


@pytest.mark.parametrize("name", FAMILIES)
def test_a_family_whose_record_is_deleted_loses_answers_of_each_of_its_classes(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with without(monkeypatch, records.PIPELINES, name):
        of_files = {each: lost_by_hand("files of", each) for each in of_family(name)}
        in_five = [] if name not in SHOWN else lost("classes")
    assert of_files or in_five
    assert [each for each, found in of_files.items() if not found] == []


@pytest.mark.parametrize("name", SHOWN)
def test_a_family_whose_record_is_deleted_loses_the_stages_of_its_classes(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with without(monkeypatch, records.PIPELINES, name):
        found = lost("classes")
    of_family = {n for n, k in every_class().items() if k.pipelines.in_five == name}
    assert of_family <= {line.partition(":")[0] for line in found}
    assert all(" of version 4 is " in line or " of version 5 is " in line for line in found)


def test_no_class_states_what_its_family_states() -> None:
    for name, known in every_class().items():
        if known.pipelines.of_files:
            special = records.pipeline_record(known.pipelines.of_files).get("special")
            assert not (special and known.vocabulary.special), name


def test_a_name_that_is_no_record_is_unknown() -> None:
    assert class_named("AcornTokenizer") is None
