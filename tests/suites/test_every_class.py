"""A healthy folder of each class of the table is silent, or says in one line why it is not read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from class_folders import of_class

import tokaudit
from tokaudit.report.model import Severity, Status
from tokaudit.subject.upstream.tokenizer_class import Ids, every_class

NOTHING = "contains no tokenizer that tokaudit can read|has tokenizer_config.json and no file of a tokenizer"
NOT_READ = dict.fromkeys(("Canine", "Esmc", "Jukebox", "TransfoXL"), NOTHING)
"""Classes of which no file is read, with what is said."""
WARNED = {
    "Dia": [
        "The vocabulary has no entry for 3 bytes, so it drops text with these bytes: "
        "0x00, 0x01, 0x02."
    ]
}
"""What is true of a class: its marks for speakers have the ids of bytes."""

NAMES = sorted(every_class())
SAMPLE = {min(name for name in NAMES if every_class()[name].ids is ids) for ids in Ids} | {
    "CLIPTokenizer"
}


def each(names: list[str]) -> list[object]:
    """The sample in every run, the others in the wider one."""
    wider = pytest.mark.published
    return [name if name in SAMPLE else pytest.param(name, marks=wider) for name in names]


@pytest.mark.parametrize("name", each(NAMES))
def test_a_healthy_folder_of_a_class_is_silent(tmp_path: Path, name: str, processes: None) -> None:
    folder = of_class(every_class()[name], tmp_path / "model")
    if said := NOT_READ.get(name.removesuffix("Tokenizer")):
        with pytest.raises(tokaudit.UnreadableError, match=said):
            tokaudit.audit(folder, tier="quick")
        return
    report = tokaudit.audit(folder, tier="quick", ignore=("fertility", "throughput"))
    warned = [f.message for f in report.findings if f.severity is not Severity.INFO]
    assert warned == WARNED.get(name.removesuffix("Tokenizer"), [])
    assert report.errors == ()
    assert [r.reason for r in report.results if r.status is Status.CRASHED] == []


def size_of(folder: Path) -> int:
    with tokaudit.open(folder) as opened:
        return opened.spec.size()


def test_every_class_that_is_not_read_is_in_the_table() -> None:
    assert {f"{name}Tokenizer" for name in NOT_READ} <= set(NAMES)


@pytest.mark.parametrize("name", [n for n in NAMES if n.removesuffix("Tokenizer") not in NOT_READ])
def test_a_config_is_held_to_the_ids_that_the_class_gives(tmp_path: Path, name: str) -> None:
    folder = of_class(every_class()[name], tmp_path / "model")
    size = size_of(folder)
    key = "src_vocab_size" if name == "FSMTTokenizer" else "vocab_size"
    for stated, expected in ((size, set()), (size - 1, {Severity.ERROR})):  # of each side
        (folder / "config.json").write_text(json.dumps({key: stated}))
        found = tokaudit.run_check("embeddings/config-vocab-size", folder).findings
        assert {f.severity for f in found if f.severity is not Severity.INFO} == expected
