"""Each record that is written by hand gives the answers that were read, and none without it."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator

import pytest
from records_by_hand import KINDS, lost, record_new, recorded
from upstream_room import ROOM, forget

from tokaudit.subject.upstream import records
from tokaudit.subject.upstream.llama_cpp import gguf_patterns

DRAWN = ("refusals.toml", "piece_pipelines.toml", "published/templates.tsv")
OF_THEIR_OWN = (records.CLASSES, records.TYPES, records.PIPELINES, records.SETTINGS, *DRAWN)


@pytest.fixture(autouse=True)
def nothing_is_remembered() -> Iterator[None]:
    yield
    forget()


@pytest.mark.classes
def test_what_new_records_say_is_recorded() -> None:
    """What `make classes` writes is a diff to be read: it was put to no library."""
    if os.environ.get("TOKAUDIT_RECORD"):
        record_new()
    said = {f"{kind} {name}" for kind, of_kind in KINDS.items() for name in of_kind.names()}
    assert said == recorded().keys()


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_record_has_a_recorded_answer_and_gives_it(kind: str) -> None:
    of_kind = KINDS[kind]
    silent = [
        f"{kind} {name}: nothing is recorded of {of_kind.said(name)}"
        for name in of_kind.names()
        if not recorded().get(f"{kind} {name}")
    ]
    assert silent == []
    assert [line for name in of_kind.names() for line in lost(kind, name)] == []


def test_every_recorded_answer_is_one_of_a_record() -> None:
    named = {f"{kind} {name}" for kind, of_kind in KINDS.items() for name in of_kind.names()}
    assert named == recorded().keys()


def test_every_table_that_is_written_by_hand_is_of_a_kind() -> None:
    """Families of pipelines and keys of settings are deleted one by one in a module of their own."""
    tables = {
        (file, above)
        for path in ROOM.rglob("*.toml")
        if (file := path.relative_to(ROOM).as_posix()).split("/")[0] not in OF_THEIR_OWN
        for above, said in tomllib.loads(path.read_text("utf-8")).items()
        if isinstance(said, dict) or (isinstance(said, list) and isinstance(said[0], dict))
    }
    lines = {path.relative_to(ROOM).as_posix() for path in ROOM.rglob("*.tsv")}
    tables |= {(file, "") for file in lines - {*DRAWN}}
    assert tables == {section for kind in KINDS.values() for section in kind.sections}


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_record_that_is_deleted_loses_answers_by_name(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = []
    for name in list(KINDS[kind].names()):
        with KINDS[kind].without(monkeypatch, name):
            found = lost(kind, name)
        if not found or not all(line.startswith(f"{kind} {name}: ") for line in found):
            kept.append(name)
    assert kept == []


def test_a_pattern_with_another_branch_loses_an_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kept = []
    for table in (gguf_patterns.SPLITS, gguf_patterns.OF_THE_ENGINE):
        for name, patterns in table.items():
            for at, pattern in enumerate(patterns):
                less = (*patterns[:at], rf"{pattern}|\x00", *patterns[at + 1 :])
                with monkeypatch.context() as patched:
                    patched.setitem(table, name, less)  # type: ignore[arg-type]
                    kept += [] if lost("rule", name) else [f"{name}: {pattern}"]
    assert kept == []
